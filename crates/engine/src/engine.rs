//! The engine handles, and how a change is made: read, evaluate, commit.
//!
//! A change runs on a draft without a lock or a write transaction; the commit is short. If a row that
//! it read has changed meanwhile, it runs again, and finds the evaluations of the first run in a cache.

use std::cell::Cell;
use std::collections::HashMap;
use std::ops::Deref;
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use quick_cache::sync::Cache;
use storeyline_functions::script::{NoScripts, Used};
use storeyline_history::path_states::MemoKey;
use storeyline_history::{Evaluation, Incomplete, Page, Scripts, evaluate};
use storeyline_state::{TextHash, Value};
use storeyline_store::{Draft, Durability, Evaluator, Owner, Store, StoreError, View, Work};

use crate::error::EngineError;
use crate::maintenance::database;
use crate::workers::{LeasedScripts, Ran, Start, Wait, Workers};

/// The read-only handle of an engine.
#[derive(Clone)]
pub struct ReadEngine {
    core: Arc<Core>,
}

/// The handle that reads and changes stories.
#[derive(Clone)]
pub struct Engine {
    read: ReadEngine,
}

impl Deref for Engine {
    type Target = ReadEngine;

    fn deref(&self) -> &ReadEngine {
        &self.read
    }
}

struct Core {
    store: Store,
    workers: Workers,
    /// Durability of every commit; `None` leaves it to the change.
    durability: Option<Durability>,
    /// How long a request waits for scripts before its answer is "pending"; `None` waits without limit.
    patience: Option<Duration>,
    /// Called after every commit.
    committed: Box<dyn Fn() + Send + Sync>,
    /// Evaluations that ran scripts, for retries of a change.
    evaluations: Cache<(Owner, MemoKey), Arc<Evaluation>>,
    /// How often the clock ended functions since the program started.
    kills: Mutex<HashMap<Kill, u8>>,
    /// Number of changes of each owner that run scripts on a thread of their own.
    jobs: Mutex<HashMap<Owner, usize>>,
}

/// Whose function the clock ended, on which text, and which one; nothing if the whole page took too long. By the text,
/// because an append that is tried again makes a new page.
type Kill = (Owner, TextHash, Option<String>);

/// After this many kills a function is given up on a page.
const GIVE_UP_AFTER: u8 = 3;

/// How often a change is tried when its commit conflicts with another writer.
const MAX_TRIES: usize = 32;

/// Capacity of the cache of evaluations, in entries.
const MAX_EVALUATIONS: usize = 512;

/// Capacity of the kill counts; they are cleared when it is exceeded.
const MAX_KILLS: usize = 4_096;

/// How many changes of one owner may run scripts at a time; each has a thread.
const MAX_JOBS: usize = 8;

impl Engine {
    /// Opens the database in a data folder; creates both if needed.
    pub fn open(data: &Path) -> Result<Engine, EngineError> {
        Ok(Engine::new(Store::open(&database(data))?))
    }

    /// Opens an engine with a database in memory.
    pub fn in_memory() -> Result<Engine, EngineError> {
        Ok(Engine::new(Store::in_memory()?))
    }

    fn new(store: Store) -> Engine {
        let core = Core {
            store,
            workers: Workers::new(Box::new(|| Box::new(NoScripts))),
            durability: None,
            patience: None,
            committed: Box::new(|| {}),
            evaluations: Cache::new(MAX_EVALUATIONS),
            kills: Mutex::default(),
            jobs: Mutex::default(),
        };
        Engine { read: ReadEngine { core: Arc::new(core) } }
    }

    fn configured(mut self, configure: impl FnOnce(&mut Core)) -> Engine {
        configure(Arc::get_mut(&mut self.read.core).expect("an engine is configured before it is shared"));
        self
    }

    /// Runs JavaScript in workers; `start` starts one.
    pub fn with_scripts(self, start: impl Fn() -> Box<dyn Scripts + Send> + Send + Sync + 'static) -> Engine {
        let start: Start = Box::new(start);
        self.configured(|core| core.workers = Workers::new(start))
    }

    /// Uses one durability for every commit.
    pub fn with_durability(self, durability: Durability) -> Engine {
        self.configured(|core| core.durability = Some(durability))
    }

    /// Answers "pending" when the scripts of a change take longer; the change continues in the
    /// background.
    pub fn with_patience(self, patience: Duration) -> Engine {
        self.configured(|core| core.patience = Some(patience))
    }

    /// Calls `committed` after every commit.
    pub fn on_commit(self, committed: impl Fn() + Send + Sync + 'static) -> Engine {
        self.configured(|core| core.committed = Box::new(committed))
    }

    /// Returns the read-only handle.
    pub fn reader(&self) -> ReadEngine {
        self.read.clone()
    }

    /// Makes a change and waits until it is committed.
    pub(crate) fn change<T>(
        &self,
        owner: &Owner,
        work: impl FnMut(&mut Draft<'_>) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        self.core.change(owner, Durability::Full, work)
    }

    /// Makes a change; returns [`EngineError::Pending`] if its scripts take longer than the engine's
    /// patience. Then it continues in the background, and its texts are stored already.
    pub(crate) fn change_or_pending<T: Send + 'static>(
        &self,
        owner: &Owner,
        durability: Durability,
        work: impl Fn(&mut Draft<'_>) -> Result<T, EngineError> + Send + 'static,
    ) -> Result<T, EngineError> {
        let core = &self.core;
        let Some(patience) = core.patience else { return core.change(owner, durability, work) };
        for _ in 0..MAX_TRIES {
            let (needs_scripts, ended) = (Cell::new(false), Cell::new(None));
            let mut evaluator = Evaluating::new(core, owner, Wait::No, &needs_scripts, &ended);
            let mut draft = core.store.draft(owner, &mut evaluator);
            match work(&mut draft) {
                Err(_) if needs_scripts.get() => {
                    return self.on_thread(owner, durability, patience, work, draft);
                }
                Err(error) => return Err(error),
                Ok(done) => {
                    if core.commit(draft, durability)? {
                        return Ok(done);
                    }
                }
            }
        }
        Err(EngineError::RefMoved)
    }

    /// Makes a change on a thread of its own and waits for it, but not longer than the engine's
    /// patience. `draft` holds what was written before the first script.
    fn on_thread<T: Send + 'static>(
        &self,
        owner: &Owner,
        durability: Durability,
        patience: Duration,
        work: impl Fn(&mut Draft<'_>) -> Result<T, EngineError> + Send + 'static,
        draft: Draft<'_>,
    ) -> Result<T, EngineError> {
        let job = Job::begin(&self.core, owner)?;
        let (send, answer) = mpsc::sync_channel(1);
        let run = move || {
            // A change with a killed function is tried again; after the third kill the function is
            // given up.
            let mut done = job.core.change(&job.owner, durability, &work);
            for _ in 0..GIVE_UP_AFTER {
                if !matches!(&done, Err(EngineError::Store(StoreError::Incomplete(incomplete))) if incomplete.hung) {
                    break;
                }
                done = job.core.change(&job.owner, durability, &work);
            }
            // The receiver is gone if the request was answered with "pending".
            let _ = send.send(done);
        };
        thread::Builder::new().name("change".into()).spawn(run).map_err(|_| EngineError::Busy)?;
        match answer.recv_timeout(patience) {
            Ok(done) => done,
            Err(RecvTimeoutError::Timeout) => {
                // If this commit conflicts, the change itself stores the texts.
                let _ = self.core.store.commit_content(draft, self.core.durability.unwrap_or(durability));
                Err(EngineError::Pending)
            }
            Err(RecvTimeoutError::Disconnected) => {
                Err(StoreError::from(Incomplete::new("the change ended without an answer")).into())
            }
        }
    }
}

impl ReadEngine {
    /// Reads from the store, without blocking writers.
    pub(crate) fn read<T>(
        &self,
        owner: &Owner,
        work: impl FnOnce(&View<'_>) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        work(&self.core.store.view(owner))
    }

    /// Makes a change on a draft that is never committed.
    pub(crate) fn try_out<T>(
        &self,
        owner: &Owner,
        work: impl FnOnce(&mut Draft<'_>) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        let (needs_scripts, ended) = (Cell::new(false), Cell::new(None));
        let core = &*self.core;
        let mut evaluator = Evaluating::new(core, owner, Wait::Yes, &needs_scripts, &ended);
        work(&mut core.store.trial(owner, &mut evaluator))
    }

    /// Returns a script runner for pages that belong to no story.
    pub(crate) fn scripts<'a>(&'a self, owner: &'a Owner) -> LeasedScripts<'a> {
        LeasedScripts::new(&self.core.workers, owner, Wait::Yes, Used::default())
    }

    pub(crate) fn store(&self) -> &Store {
        &self.core.store
    }

    /// Returns the numbers of reads and writes since the engine was opened.
    pub fn work(&self) -> Work {
        self.core.store.work()
    }

    /// Tells whether readers and a writer can work concurrently; not on some network drives.
    pub fn has_wal(&self) -> bool {
        self.core.store.has_wal()
    }
}

impl Core {
    fn change<T>(
        &self,
        owner: &Owner,
        durability: Durability,
        mut work: impl FnMut(&mut Draft<'_>) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        for _ in 0..MAX_TRIES {
            let (needs_scripts, ended) = (Cell::new(false), Cell::new(None));
            let mut evaluator = Evaluating::new(self, owner, Wait::Yes, &needs_scripts, &ended);
            let mut draft = self.store.draft(owner, &mut evaluator);
            let done = work(&mut draft);
            if let Err(EngineError::Store(StoreError::Incomplete(incomplete))) = &done
                && self.note_kill(owner, incomplete, ended.get())?
            {
                continue;
            }
            let done = done?;
            if self.commit(draft, durability)? {
                return Ok(done);
            }
        }
        Err(EngineError::RefMoved)
    }

    /// Commits a draft; returns false on a conflict with another writer.
    fn commit(&self, draft: Draft<'_>, durability: Durability) -> Result<bool, EngineError> {
        let writes = !draft.is_empty();
        match self.store.commit(draft, self.durability.unwrap_or(durability)) {
            Ok(()) => {
                if writes {
                    (self.committed)();
                }
                Ok(true)
            }
            Err(StoreError::Conflict) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Counts how often the clock ended a function on a text. After the third time it is given up on that page, which
    /// is an input of the page from then on. If the whole page took too long, the functions that had no time are given
    /// up from the third time on, one after the other. Returns whether it was given up.
    fn note_kill(&self, owner: &Owner, incomplete: &Incomplete, text: Option<TextHash>) -> Result<bool, EngineError> {
        let Incomplete { hung: true, function: Some(function), page: Some(page), .. } = incomplete else {
            return Ok(false);
        };
        let Some(text) = text else { return Ok(false) };
        let key = (owner.clone(), text, (!incomplete.out_of_time).then(|| function.clone()));
        let mut kills = self.kills.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if kills.len() >= MAX_KILLS && !kills.contains_key(&key) {
            // Those of one owner make room for its own ones only.
            kills.retain(|(other, ..), _| other != owner);
        }
        let count = kills.entry(key).or_insert(0u8);
        *count = count.saturating_add(1);
        if *count < GIVE_UP_AFTER {
            return Ok(false);
        }
        drop(kills);
        self.store.give_up(owner, *page, function)?;
        Ok(true)
    }
}

/// A change that runs scripts on a thread of its own.
struct Job {
    core: Arc<Core>,
    owner: Owner,
}

impl Job {
    fn begin(core: &Arc<Core>, owner: &Owner) -> Result<Job, EngineError> {
        let mut jobs = core.jobs.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let count = jobs.entry(owner.clone()).or_insert(0);
        if *count >= MAX_JOBS {
            return Err(EngineError::Busy);
        }
        *count += 1;
        Ok(Job { core: core.clone(), owner: owner.clone() })
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        let mut jobs = self.core.jobs.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(count) = jobs.get_mut(&self.owner) {
            *count -= 1;
            if *count == 0 {
                jobs.remove(&self.owner);
            }
        }
    }
}

/// Evaluates the pages of one change.
struct Evaluating<'a> {
    core: &'a Core,
    owner: &'a Owner,
    wait: Wait,
    /// What the pages so far have used.
    used: Used,
    /// Set when a script had to run and waiting was not allowed.
    needs_scripts: &'a Cell<bool>,
    /// The text of the page on which the clock ended a script.
    ended: &'a Cell<Option<TextHash>>,
}

impl<'a> Evaluating<'a> {
    fn new(
        core: &'a Core,
        owner: &'a Owner,
        wait: Wait,
        needs_scripts: &'a Cell<bool>,
        ended: &'a Cell<Option<TextHash>>,
    ) -> Evaluating<'a> {
        Evaluating { core, owner, wait, used: Used::default(), needs_scripts, ended }
    }
}

impl Evaluator for Evaluating<'_> {
    fn evaluate(&mut self, key: MemoKey, before: &Value, page: &Page<'_>) -> Result<Evaluation, Incomplete> {
        if !page.rules.may_run_scripts() {
            return evaluate(before, page, &mut NoScripts);
        }
        let key = (self.owner.clone(), key);
        if let Some(known) = self.core.evaluations.get(&key) {
            return Ok(known.as_ref().clone());
        }
        let mut scripts = LeasedScripts::new(&self.core.workers, self.owner, self.wait, self.used);
        if self.wait == Wait::Yes {
            // The same change may run twice at a time; the one that waited for the worker finds the
            // evaluation in the cache.
            scripts.take_worker();
            if let Some(known) = self.core.evaluations.get(&key) {
                return Ok(known.as_ref().clone());
            }
        }
        let evaluation = evaluate(before, page, &mut scripts);
        self.used = scripts.used();
        self.needs_scripts.set(self.needs_scripts.get() || scripts.outcome == Ran::Refused);
        if evaluation.as_ref().is_err_and(|incomplete| incomplete.hung) {
            self.ended.set(Some(page.body.text));
        }
        let evaluation = evaluation?;
        if scripts.outcome == Ran::Scripts {
            self.core.evaluations.insert(key, Arc::new(evaluation.clone()));
        }
        Ok(evaluation)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use storeyline_history::Rules;
    use storeyline_state::ChatId;

    use super::*;
    use crate::branch::find_any_ref;
    use crate::chats::OpenChat;
    use storeyline_wire::story::RefChange;

    #[test]
    fn a_change_runs_again_if_somebody_else_was_faster() {
        let folder = tempfile::tempdir().unwrap();
        let (engine, other) = (Engine::open(folder.path()).unwrap(), Engine::open(folder.path()).unwrap());
        let owner = Owner::local();
        let (file, file_owner, title) = ("a".to_owned(), String::new(), String::new());
        let chat = ChatId::from_random([1; 16]);
        let (parent, template, rules, into) = (None, None, Rules::default(), None);
        let request = OpenChat { chat, parent, file, file_owner, title, template, rules, into };
        let opened = engine.open_chat(&owner, &request).unwrap();
        let runs = Cell::new(0);
        let work = |tx: &mut Draft<'_>| {
            runs.set(runs.get() + 1);
            let mut branch = find_any_ref(tx, opened.story, opened.branch)?;
            if runs.get() == 1 {
                let renamed = RefChange { name: Some("theirs".into()), note: None, colour: None };
                other.change_ref(&owner, opened.story, opened.branch, &renamed, "other").unwrap();
            }
            branch.note = "ours".into();
            Ok(tx.save_ref(&mut branch)?)
        };
        engine.change(&owner, work).unwrap();
        let branch = engine.read(&owner, |tx| find_any_ref(tx, opened.story, opened.branch)).unwrap();
        assert_eq!((runs.get(), branch.name.as_str(), branch.note.as_str()), (2, "theirs", "ours"));
    }
}
