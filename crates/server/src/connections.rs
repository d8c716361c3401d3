//! Accepts connections, a limited number of them and with time-outs.
//!
//! When there are too many, one is closed for each new one: first those without a token, the longest waiting of them
//! first; then those of the owner who has most, idle ones first. So neither a program that only opens connections nor
//! an owner with many of them makes the server unreachable for others.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::convert::Infallible;
use std::io;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use storeyline_engine::Owner;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;

/// Time for the head of a request, and between two requests of a connection.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);

/// Memory for the head of a request in bytes; each connection may use it without a token.
const MAX_HEAD: usize = 128 * 1024;

/// Connections in all; files and worker processes need handles of the system too.
const MAX_CONNECTIONS: usize = 512;

/// Connections of one owner.
const MAX_OF_OWNER: usize = 128;

/// Pause when the system has no handle for a new connection.
const NO_HANDLE_PAUSE: Duration = Duration::from_millis(20);

/// The open connections.
pub(crate) struct Connections {
    open: Mutex<Open>,
    max: usize,
    max_of_owner: usize,
}

#[derive(Default)]
struct Open {
    next: u64,
    entries: HashMap<u64, Entry>,
}

struct Entry {
    /// Of its last request with a token.
    owner: Option<Owner>,
    /// Whether a request is in progress, until its response is sent.
    is_busy: bool,
    /// When that began.
    since: Instant,
    close: Arc<Notify>,
}

/// One connection; closed when dropped.
#[derive(Clone)]
pub(crate) struct Connection(Arc<Registered>);

struct Registered {
    id: u64,
    close: Arc<Notify>,
    all: Arc<Connections>,
}

impl Connections {
    pub(crate) fn new() -> Arc<Connections> {
        Connections::limited(MAX_CONNECTIONS.min(handles() / 2), MAX_OF_OWNER)
    }

    fn limited(max: usize, max_of_owner: usize) -> Arc<Connections> {
        Arc::new(Connections { open: Mutex::default(), max, max_of_owner })
    }

    /// Adds a connection, and closes another one if there are too many.
    fn add(self: &Arc<Self>) -> Connection {
        let mut open = self.open();
        if open.entries.len() >= self.max {
            open.close_one();
        }
        let (id, close) = (open.next, Arc::<Notify>::default());
        open.next += 1;
        let entry = Entry { owner: None, is_busy: false, since: Instant::now(), close: Arc::clone(&close) };
        open.entries.insert(id, entry);
        Connection(Arc::new(Registered { id, close, all: Arc::clone(self) }))
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Open {
    /// Closes the connection that is needed least.
    fn close_one(&mut self) {
        let mut counts: HashMap<&Owner, usize> = HashMap::new();
        for owner in self.entries.values().filter_map(|entry| entry.owner.as_ref()) {
            *counts.entry(owner).or_default() += 1;
        }
        let rank = |entry: &Entry| {
            let count = entry.owner.as_ref().map(|owner| counts[owner]);
            (count.is_some(), Reverse(count), entry.is_busy, entry.since)
        };
        let least = self.entries.iter().min_by_key(|(_, entry)| rank(entry)).map(|(id, _)| *id);
        self.close(least);
    }

    fn close(&mut self, id: Option<u64>) -> bool {
        let entry = id.and_then(|id| self.entries.remove(&id));
        entry.as_ref().inspect(|entry| entry.close.notify_one()).is_some()
    }
}

impl Connection {
    /// Notes whose request this is. False if the owner has too many connections and none of them is idle.
    pub(crate) fn claim(&self, owner: &Owner) -> bool {
        let own = self.0.id;
        let mut open = self.0.all.open();
        if let Some(entry) = open.entries.get_mut(&own) {
            entry.owner = Some(owner.clone());
        }
        let theirs = || open.entries.iter().filter(|(_, entry)| entry.owner.as_ref() == Some(owner));
        if theirs().count() <= self.0.all.max_of_owner {
            return true;
        }
        let idle = theirs().filter(|(_, entry)| !entry.is_busy).min_by_key(|(_, entry)| entry.since);
        let idle = idle.map(|(id, _)| *id);
        open.close(idle)
    }

    /// Tells whether a request with a token is in progress; anything else is not worth waiting for.
    fn has_work(&self) -> bool {
        self.0.all.open().entries.get(&self.0.id).is_some_and(|entry| entry.is_busy && entry.owner.is_some())
    }

    fn set_busy(&self, is_busy: bool) {
        if let Some(entry) = self.0.all.open().entries.get_mut(&self.0.id) {
            (entry.is_busy, entry.since) = (is_busy, Instant::now());
        }
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        self.all.open().entries.remove(&self.id);
    }
}

/// Answers requests until `stop` changes; then finishes those in progress.
pub(crate) async fn serve(listener: TcpListener, router: Router, all: Arc<Connections>, stop: watch::Receiver<bool>) {
    let mut tasks = JoinSet::new();
    let mut stopped = stop.clone();
    loop {
        let stream = tokio::select! {
            stream = accept(&listener, &all) => stream,
            _ = stopped.changed() => break,
        };
        tasks.spawn(answer(stream, router.clone(), all.add(), stop.clone()));
        while tasks.try_join_next().is_some() {}
    }
    drop(listener);
    while tasks.join_next().await.is_some() {}
}

async fn accept(listener: &TcpListener, all: &Connections) -> TcpStream {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return stream,
            Err(error) if is_about_one_client(&error) => {}
            // The system has no more handles.
            Err(_) => {
                all.open().close_one();
                tokio::time::sleep(NO_HANDLE_PAUSE).await;
            }
        }
    }
}

fn is_about_one_client(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Answers the requests of one connection, one after another.
async fn answer(stream: TcpStream, router: Router, connection: Connection, mut stop: watch::Receiver<bool>) {
    // Small responses must not wait for more.
    let _ = stream.set_nodelay(true);
    let router = TowerToHyperService::new(router);
    let own = connection.clone();
    let service = service_fn(move |mut request: Request<Incoming>| {
        let progress = InProgress::new(own.clone());
        request.extensions_mut().insert(own.clone());
        let response = router.call(request);
        async move {
            let response = response.await?;
            Ok::<_, Infallible>(response.map(|body| Tracked { body, _progress: progress }))
        }
    });
    let http = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_buf_size(MAX_HEAD)
        .serve_connection(TokioIo::new(stream), service);
    let mut http = pin!(http);
    tokio::select! {
        // A connection that breaks concerns only its client.
        _ = http.as_mut() => return,
        () = connection.0.close.notified() => return,
        _ = stop.changed() => {}
    }
    if connection.has_work() {
        http.as_mut().graceful_shutdown();
        let _ = http.await;
    }
}

/// A request in progress.
struct InProgress(Connection);

impl InProgress {
    fn new(connection: Connection) -> InProgress {
        connection.set_busy(true);
        InProgress(connection)
    }
}

impl Drop for InProgress {
    fn drop(&mut self) {
        self.0.set_busy(false);
    }
}

/// The body of a response; its request is in progress until all of it is sent.
struct Tracked {
    body: Body,
    _progress: InProgress,
}

impl hyper::body::Body for Tracked {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Returns how many files and connections the system lets this process open.
#[cfg(unix)]
fn handles() -> usize {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX))
}

#[cfg(not(unix))]
fn handles() -> usize {
    usize::MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_open(connection: &Connection) -> bool {
        connection.0.all.open().entries.contains_key(&connection.0.id)
    }

    fn of(all: &Arc<Connections>, owner: &str, is_busy: bool) -> Connection {
        let connection = all.add();
        connection.set_busy(is_busy);
        assert!(connection.claim(&Owner::named(owner)));
        connection
    }

    #[test]
    fn connections_without_a_token_make_room_first_the_oldest_of_them_before_others() {
        let all = Connections::limited(4, 100);
        let anna = of(&all, "anna", false);
        let (old, young) = (all.add(), all.add());
        let bert = of(&all, "bert", true);
        let new = all.add();
        assert!(!is_open(&old) && is_open(&young) && is_open(&anna) && is_open(&bert) && is_open(&new));
    }

    #[test]
    fn the_owner_with_most_connections_makes_room_idle_ones_first() {
        let all = Connections::limited(4, 100);
        let bert = of(&all, "bert", false);
        let busy = of(&all, "anna", true);
        let idle = of(&all, "anna", false);
        let other = of(&all, "anna", true);
        let _one = of(&all, "carl", true);
        assert!(!is_open(&idle) && is_open(&busy) && is_open(&other) && is_open(&bert));
        let _two = of(&all, "carl", true);
        assert!(!is_open(&busy) && is_open(&other) && is_open(&bert), "the longest in progress");
    }

    #[test]
    fn an_owner_has_a_limit_and_loses_idle_connections_first() {
        let all = Connections::limited(100, 2);
        let idle = of(&all, "anna", false);
        let _busy = of(&all, "anna", true);
        let _more = of(&all, "anna", true);
        assert!(!is_open(&idle));
        let refused = all.add();
        refused.set_busy(true);
        assert!(!refused.claim(&Owner::named("anna")));
        drop(refused);
        assert!(all.add().claim(&Owner::named("bert")));
    }
}
