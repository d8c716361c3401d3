//! Starts and stops the server: the data folder, the token, the run file, the port.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use storeyline_engine::scripts::{LazyWorker, WorkerCommand};
use storeyline_engine::{Engine, EngineError};
use tokio::net::TcpListener;
use tokio::sync::{Notify, Semaphore};

use crate::access::Access;
use crate::random::random_word;
use crate::requests::Log;
use crate::routes;

#[derive(Debug, Clone)]
pub struct Serve {
    pub data: PathBuf,
    /// 0 takes a free port.
    pub port: u16,
    /// How this program is started to run JavaScript.
    pub worker: WorkerCommand,
    pub log: Log,
}

#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("the data folder {path} cannot be used: {source}")]
    Data { path: PathBuf, source: io::Error },
    #[error("port {port} cannot be used: {source}")]
    Port { port: u16, source: io::Error },
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error("the server stopped: {0}")]
    Stopped(io::Error),
}

/// State shared by all routes.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) engine: Arc<Engine>,
    pub(crate) access: Arc<Access>,
    pub(crate) changed: Arc<Notify>,
    pub(crate) log: Log,
    /// Limits the number of reading requests executed at a time.
    pub(crate) reading: Arc<Semaphore>,
    /// Limits the number of changing requests executed at a time.
    pub(crate) changing: Arc<Semaphore>,
    /// Limits the number of large bodies in memory.
    pub(crate) large: Arc<Semaphore>,
    /// Limits the number of listeners of the change feed.
    pub(crate) listeners: Arc<Semaphore>,
    stop: Arc<AtomicBool>,
}

/// Readers do not wait for each other; a few keep all cores busy.
const MAX_READING: usize = 16;

/// There is one writer: while one request writes, another prepares or responds. More would only
/// block threads and use memory.
const MAX_CHANGING: usize = 2;

/// Each may have 128 MB, and as much again while it is parsed.
const MAX_LARGE_BODIES: usize = 4;

/// Enough for a page or two per person.
const MAX_LISTENERS: usize = 256;

/// Time that running requests may take when the server is stopped; a client that never ends its
/// request must not keep it alive.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

impl App {
    pub(crate) fn stopping(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// A running server.
pub struct Started {
    /// `http://127.0.0.1:PORT`
    pub url: String,
    /// A one-time link that signs a browser in.
    pub link: String,
    /// The file with the token.
    pub token_file: PathBuf,
    /// Whether readers and a writer can work concurrently; not the case on some network drives.
    pub wal: bool,
    listener: TcpListener,
    app: App,
    run_file: PathBuf,
}

/// Opens the data folder and the port.
pub async fn start(serve: &Serve) -> Result<Started, ServeError> {
    let at = |source| ServeError::Data { path: serve.data.clone(), source };
    std::fs::create_dir_all(&serve.data).map_err(at)?;
    let token_file = serve.data.join("token");
    let token = read_or_make_token(&token_file).map_err(at)?;
    let engine = Engine::open(&serve.data)?.with_scripts(Box::new(LazyWorker::new(serve.worker.clone())));
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, serve.port));
    let listener = TcpListener::bind(address).await.map_err(|source| ServeError::Port { port: serve.port, source })?;
    let port = listener.local_addr().map_err(|source| ServeError::Port { port: serve.port, source })?.port();
    let url = format!("http://127.0.0.1:{port}");
    let run_file = serve.data.join("run.json");
    let run = serde_json::json!({ "url": url, "pid": std::process::id() });
    write_private(&run_file, &run.to_string()).map_err(at)?;
    let access = Access::new(token);
    let code = random_word();
    access.add_link(code.clone());
    let wal = engine.has_wal();
    let app = App {
        engine: Arc::new(engine),
        access: Arc::new(access),
        changed: Arc::default(),
        log: serve.log,
        reading: Arc::new(Semaphore::new(MAX_READING)),
        changing: Arc::new(Semaphore::new(MAX_CHANGING)),
        large: Arc::new(Semaphore::new(MAX_LARGE_BODIES)),
        listeners: Arc::new(Semaphore::new(MAX_LISTENERS)),
        stop: Arc::default(),
    };
    Ok(Started { link: format!("{url}/open/{code}"), url, token_file, wal, listener, app, run_file })
}

impl Started {
    /// Answers requests until `stop` completes; running requests are finished.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> Result<(), ServeError> {
        let app = self.app.clone();
        let asked = Arc::new(Notify::new());
        let told = Arc::clone(&asked);
        let stop = async move {
            stop.await;
            app.stop.store(true, Ordering::Relaxed);
            app.changed.notify_waiters();
            told.notify_one();
        };
        let serve = axum::serve(self.listener, routes::router(self.app)).with_graceful_shutdown(stop);
        let patience = async {
            asked.notified().await;
            tokio::time::sleep(SHUTDOWN_TIMEOUT).await;
        };
        // The runtime waits for writes that the engine has started.
        let served = tokio::select! {
            served = serve => served,
            () = patience => Ok(()),
        };
        // It does not matter if the file is gone already.
        let _ = std::fs::remove_file(&self.run_file);
        served.map_err(ServeError::Stopped)
    }
}

fn read_or_make_token(path: &Path) -> io::Result<String> {
    match std::fs::read_to_string(path) {
        Ok(token) if !token.trim().is_empty() => Ok(token.trim().to_owned()),
        Ok(_) => make_token(path),
        Err(error) if error.kind() == io::ErrorKind::NotFound => make_token(path),
        Err(error) => Err(error),
    }
}

fn make_token(path: &Path) -> io::Result<String> {
    let token = random_word() + &random_word();
    write_private(path, &token)?;
    Ok(token)
}

/// Writes a file that only its owner can read.
fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    io::Write::write_all(&mut options.open(path)?, text.as_bytes())
}
