//! A bounded pool of workers that run JavaScript.
//!
//! An owner has at most one worker at a time, for one page; waiting owners are served in turn. So an
//! owner with slow functions delays another by one page at most.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard};

use storeyline_functions::Outcome;
use storeyline_functions::script::{Incomplete, PatternMatch, Script, Scripts, Stopped, Used};
use storeyline_state::Value;
use storeyline_store::Owner;

/// Starts a worker.
pub(crate) type Start = Box<dyn Fn() -> Box<dyn Scripts + Send> + Send + Sync>;

/// More workers need more memory without more speed.
const MAX_WORKERS: usize = 4;

pub(crate) struct Workers {
    start: Start,
    limit: usize,
    pool: Mutex<Pool>,
    /// Signals that a worker was returned.
    freed: Condvar,
}

#[derive(Default)]
struct Pool {
    /// Idle workers with the owner they last served, whose last state they still have.
    idle: Vec<(Owner, Box<dyn Scripts + Send>)>,
    started: usize,
    /// Owners that have a worker.
    served: HashSet<Owner>,
    /// Waiting owners, in the order in which they are served.
    queue: VecDeque<Owner>,
    /// Number of waiting requests of each owner.
    waiting: HashMap<Owner, usize>,
}

impl Workers {
    pub(crate) fn new(start: Start) -> Workers {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Workers { start, limit: cores.min(MAX_WORKERS), pool: Mutex::default(), freed: Condvar::new() }
    }

    /// Waits for a worker.
    fn lease(&self, owner: &Owner) -> Lease<'_> {
        let mut pool = self.lock();
        pool.join_queue(owner);
        while !pool.is_next(owner, self.limit) {
            pool = self.freed.wait(pool).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
        pool.leave_queue(owner);
        let worker = match pool.take_idle(owner) {
            Some(worker) => worker,
            None => {
                pool.started += 1;
                (self.start)()
            }
        };
        drop(pool);
        // Another owner may be next now.
        self.freed.notify_all();
        Lease { workers: self, owner: owner.clone(), worker: Some(worker) }
    }

    fn lock(&self) -> MutexGuard<'_, Pool> {
        self.pool.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Pool {
    fn join_queue(&mut self, owner: &Owner) {
        *self.waiting.entry(owner.clone()).or_insert(0) += 1;
        if !self.queue.contains(owner) {
            self.queue.push_back(owner.clone());
        }
    }

    fn is_next(&self, owner: &Owner, limit: usize) -> bool {
        let next = self.queue.iter().find(|waiting| !self.served.contains(waiting));
        next == Some(owner) && (!self.idle.is_empty() || self.started < limit)
    }

    fn leave_queue(&mut self, owner: &Owner) {
        self.queue.retain(|waiting| waiting != owner);
        self.served.insert(owner.clone());
        let waiting = self.waiting.entry(owner.clone()).or_insert(1);
        *waiting -= 1;
        if *waiting > 0 {
            self.queue.push_back(owner.clone());
        } else {
            self.waiting.remove(owner);
        }
    }

    fn take_idle(&mut self, owner: &Owner) -> Option<Box<dyn Scripts + Send>> {
        let own = self.idle.iter().position(|(last, _)| last == owner);
        match own {
            Some(index) => Some(self.idle.swap_remove(index).1),
            None => self.idle.pop().map(|(_, worker)| worker),
        }
    }
}

/// A worker that serves one owner until the lease is dropped.
struct Lease<'a> {
    workers: &'a Workers,
    owner: Owner,
    worker: Option<Box<dyn Scripts + Send>>,
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        let mut pool = self.workers.lock();
        pool.served.remove(&self.owner);
        match self.worker.take() {
            // A panic may have left it in the middle of a reply, so it is dropped.
            Some(_) if std::thread::panicking() => pool.started -= 1,
            Some(worker) => pool.idle.push((self.owner.clone(), worker)),
            None => {}
        }
        drop(pool);
        self.workers.freed.notify_all();
    }
}

/// Runs scripts: leases a worker at the first script of a page and returns it before the next page.
pub(crate) struct LeasedScripts<'a> {
    workers: &'a Workers,
    owner: &'a Owner,
    wait: Wait,
    lease: Option<Lease<'a>>,
    /// What the request used before this page.
    used: Used,
    pub(crate) outcome: Ran,
}

/// Whether a script may be waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wait {
    Yes,
    /// The evaluation ends at the first script and is repeated elsewhere.
    No,
}

/// Whether scripts of a page ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ran {
    Nothing,
    Scripts,
    /// A script had to run and waiting was not allowed.
    Refused,
}

impl<'a> LeasedScripts<'a> {
    pub(crate) fn new(workers: &'a Workers, owner: &'a Owner, wait: Wait, used: Used) -> LeasedScripts<'a> {
        LeasedScripts { workers, owner, wait, lease: None, used, outcome: Ran::Nothing }
    }

    /// What the request has used, including this page.
    pub(crate) fn used(&self) -> Used {
        let worker = self.lease.as_ref().and_then(|lease| lease.worker.as_ref());
        worker.map_or(self.used, |worker| worker.used())
    }

    fn worker(&mut self) -> Result<&mut (dyn Scripts + Send), Stopped> {
        if self.wait == Wait::No {
            self.outcome = Ran::Refused;
            return Err(Stopped::Incomplete(Incomplete::new("a script is to be run elsewhere")));
        }
        self.take_worker();
        self.outcome = Ran::Scripts;
        let worker = self.lease.as_mut().and_then(|lease| lease.worker.as_deref_mut());
        Ok(worker.expect("a lease has a worker until it ends"))
    }

    /// Waits for a worker, if there is none for this page yet.
    pub(crate) fn take_worker(&mut self) {
        if self.lease.is_none() {
            let mut lease = self.workers.lease(self.owner);
            let worker = lease.worker.as_mut().expect("a lease has a worker until it ends");
            worker.begin_request(self.used);
            worker.begin_page();
            self.lease = Some(lease);
        }
    }
}

impl Scripts for LeasedScripts<'_> {
    fn begin_page(&mut self) {
        // A worker that was leased for this page stays.
        if self.outcome != Ran::Nothing {
            self.used = self.used();
            self.lease = None;
            self.outcome = Ran::Nothing;
        }
    }

    fn listen(&mut self) {
        self.take_worker();
        if let Some(worker) = self.lease.as_mut().and_then(|lease| lease.worker.as_deref_mut()) {
            worker.listen();
        }
    }

    fn printed(&mut self) -> Vec<String> {
        let worker = self.lease.as_mut().and_then(|lease| lease.worker.as_deref_mut());
        worker.map(|worker| worker.printed()).unwrap_or_default()
    }

    fn run(&mut self, state: &Value, script: &Script<'_>) -> Result<Outcome, Stopped> {
        self.worker()?.run(state, script)
    }

    fn test(&mut self, state: &Value, condition: &Script<'_>) -> Result<bool, Stopped> {
        self.worker()?.test(state, condition)
    }

    fn find(&mut self, pattern: &str, text: &str) -> Result<Vec<PatternMatch>, Stopped> {
        self.worker()?.find(pattern, text)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    use std::time::Duration;

    use storeyline_functions::script::NoScripts;

    use super::*;

    fn workers(limit: usize) -> Arc<Workers> {
        Arc::new(Workers { limit, ..Workers::new(Box::new(|| Box::new(NoScripts))) })
    }

    /// Notes what a worker is told, in its order.
    struct Noting(Arc<Mutex<Vec<String>>>);

    impl Noting {
        fn note(&self, what: &str) {
            self.0.lock().unwrap().push(what.to_owned());
        }
    }

    impl Scripts for Noting {
        fn begin_page(&mut self) {
            self.note("page");
        }

        fn begin_request(&mut self, used: Used) {
            self.note(&format!("request after {}", used.ticks));
        }

        fn run(&mut self, _: &Value, _: &Script<'_>) -> Result<Outcome, Stopped> {
            unreachable!("only patterns here")
        }

        fn test(&mut self, _: &Value, _: &Script<'_>) -> Result<bool, Stopped> {
            unreachable!("only patterns here")
        }

        fn find(&mut self, _: &str, _: &str) -> Result<Vec<PatternMatch>, Stopped> {
            self.note("find");
            Ok(Vec::new())
        }
    }

    #[test]
    fn limits_are_counted_from_the_first_page_of_a_new_worker() {
        let told = Arc::<Mutex<Vec<String>>>::default();
        let noting = told.clone();
        let workers = Workers::new(Box::new(move || Box::new(Noting(noting.clone()))));
        let owner = Owner::named("a");
        let mut scripts = LeasedScripts::new(&workers, &owner, Wait::Yes, Used { ticks: 7, ..Used::default() });
        scripts.begin_page();
        assert!(told.lock().unwrap().is_empty(), "there is no worker yet");
        for _ in 0..2 {
            scripts.find("a", "b").unwrap();
        }
        assert_eq!(*told.lock().unwrap(), ["request after 7", "page", "find", "find"]);
    }

    #[test]
    fn an_owner_has_one_worker_at_a_time_and_the_pool_is_bounded() {
        let workers = workers(2);
        let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let threads: Vec<_> = (0..24)
            .map(|number| {
                let (workers, now, most) = (workers.clone(), now.clone(), most.clone());
                thread::spawn(move || {
                    let owner = Owner::named(&format!("owner {}", number % 3));
                    let lease = workers.lease(&owner);
                    most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    thread::sleep(Duration::from_millis(2));
                    assert_eq!(workers.lock().served.iter().filter(|served| **served == owner).count(), 1);
                    now.fetch_sub(1, Ordering::SeqCst);
                    drop(lease);
                })
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        assert_eq!(most.load(Ordering::SeqCst), 2);
        let pool = workers.lock();
        assert_eq!((pool.started, pool.idle.len()), (2, 2));
        assert!(pool.queue.is_empty() && pool.waiting.is_empty());
    }

    #[test]
    fn owners_are_served_in_turn() {
        let workers = workers(1);
        let (slow, quick) = (Owner::named("slow"), Owner::named("quick"));
        let held = workers.lease(&slow);
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut threads = Vec::new();
        for owner in [&slow, &slow, &slow, &quick] {
            let (workers, owner, order) = (workers.clone(), owner.clone(), order.clone());
            threads.push(thread::spawn(move || {
                let lease = workers.lease(&owner);
                order.lock().unwrap().push(owner.name().to_owned());
                drop(lease);
            }));
            thread::sleep(Duration::from_millis(20));
        }
        drop(held);
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        let order = order.lock().unwrap();
        let place = order.iter().position(|name| name == "quick").unwrap();
        assert!(place <= 1, "after at most one page of the slow owner: {order:?}");
    }
}
