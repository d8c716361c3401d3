//! Starts and stops the server: the data folder, the token, the run file, the port.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use storeyline_engine::scripts::{WorkerCommand, start_worker};
use storeyline_engine::{Engine, EngineError, Owner, private};
use storeyline_state::{Explain, Explanation};
use tokio::net::TcpListener;
use tokio::sync::{Notify, Semaphore};

use crate::access::Access;
use crate::browsers::Browsers;
use crate::permits::Permits;
use crate::random::random_hex;
use crate::requests::Log;
use crate::routes;

#[derive(Debug, Clone)]
pub struct Serve {
    pub data: PathBuf,
    /// 0 takes a free port.
    pub port: u16,
    /// With port 0: whether to take the port of the last start again if it is free. Browsers keep their tokens by port.
    pub keep_port: bool,
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

impl Explain for ServeError {
    fn explain(&self) -> Explanation {
        let (zh, hint) = match self {
            ServeError::Engine(error) => return error.explain(),
            ServeError::Data { path, source } => (
                format!("数据文件夹 {} 不能使用：{source}", path.display()),
                ("用 `--data` 指定一个可写的文件夹。", "Give a folder that can be written with `--data`."),
            ),
            ServeError::Port { port, source } => (
                format!("端口 {port} 不能使用：{source}"),
                ("用 `--port 0` 取一个空闲端口。", "`--port 0` takes a free port."),
            ),
            ServeError::Stopped(source) => (format!("服务停止了：{source}"), ("请重新启动它。", "Start it again.")),
        };
        self.explained("internal", zh, hint)
    }
}

/// State shared by all routes.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) engine: Engine,
    pub(crate) access: Arc<Access>,
    pub(crate) changed: Arc<Notify>,
    pub(crate) log: Log,
    /// Requests that read.
    pub(crate) readers: Arc<Permits>,
    /// Requests that change something.
    pub(crate) writers: Arc<Permits>,
    /// Limits the number of large bodies in memory.
    pub(crate) large: Arc<Semaphore>,
    /// Limits the number of listeners of the change feed.
    pub(crate) listeners: Arc<Semaphore>,
    stop: Arc<AtomicBool>,
}

/// Requests that read at a time, in all and for one owner. Readers do not wait for each other.
const READERS: (usize, usize) = (32, 16);

/// Requests that write at a time, in all and for one owner. The database has one writer: while one request
/// commits, another reads and evaluates. More of one owner would wait on threads of their own.
const WRITERS: (usize, usize) = (32, 2);

/// A change whose functions take longer is answered as pending.
const CLIENT_TIMEOUT: Duration = Duration::from_secs(1);

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
    /// A one-time link that opens the page.
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
    private::create_folder(&serve.data).map_err(at)?;
    let token_file = serve.data.join("token");
    let token = read_or_make_token(&token_file).map_err(at)?;
    let changed: Arc<Notify> = Arc::default();
    let committed = Arc::clone(&changed);
    let engine = Engine::open(&serve.data)?
        .with_scripts(start_worker(serve.worker.clone()))
        .with_patience(CLIENT_TIMEOUT)
        .on_commit(move || committed.notify_waiters());
    let listener = listen(serve).await.map_err(|source| ServeError::Port { port: serve.port, source })?;
    let port = listener.local_addr().map_err(|source| ServeError::Port { port: serve.port, source })?.port();
    let url = format!("http://127.0.0.1:{port}");
    if serve.keep_port {
        private::write_file(&port_file(serve), &port.to_string()).map_err(at)?;
    }
    let run_file = serve.data.join("run.json");
    let run = serde_json::json!({ "url": url, "pid": std::process::id() });
    private::write_file(&run_file, &run.to_string()).map_err(at)?;
    let browsers = Browsers::new(&serve.data);
    let (code, _) = browsers.make_link(&Owner::local(), SystemTime::now()).map_err(at)?;
    let access = Access::new(token, browsers);
    let wal = engine.has_wal();
    let app = App {
        engine,
        access: Arc::new(access),
        changed,
        log: serve.log,
        readers: Arc::new(Permits::new(READERS.0, READERS.1)),
        writers: Arc::new(Permits::new(WRITERS.0, WRITERS.1)),
        large: Arc::new(Semaphore::new(MAX_LARGE_BODIES)),
        listeners: Arc::new(Semaphore::new(MAX_LISTENERS)),
        stop: Arc::default(),
    };
    Ok(Started { link: format!("{url}/#open={code}"), url, token_file, wal, listener, app, run_file })
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

/// Opens the port. The port of the last start is only a preference: anything may have taken it.
async fn listen(serve: &Serve) -> io::Result<TcpListener> {
    let at = |port: u16| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    if serve.keep_port && serve.port == 0 {
        let last = std::fs::read_to_string(port_file(serve)).ok().and_then(|text| text.trim().parse().ok());
        if let Some(last) = last
            && let Ok(listener) = TcpListener::bind(at(last)).await
        {
            return Ok(listener);
        }
    }
    TcpListener::bind(at(serve.port)).await
}

fn port_file(serve: &Serve) -> PathBuf {
    serve.data.join("port")
}

fn read_or_make_token(path: &Path) -> io::Result<String> {
    match std::fs::read_to_string(path) {
        Ok(token) if !token.trim().is_empty() => return Ok(token.trim().to_owned()),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let token = random_hex() + &random_hex();
    private::write_file(path, &token)?;
    Ok(token)
}
