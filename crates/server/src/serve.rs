//! Starts and stops the server: the data folder, the token, the run file, the port.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use storeyline_engine::scripts::{WorkerCommand, start_worker};
use storeyline_engine::{Engine, EngineError, Owner, private};
use storeyline_state::{Explain, Explanation};
use tokio::net::TcpListener;
use tokio::sync::{Notify, watch};

use crate::access::Access;
use crate::body::BodyMemory;
use crate::browsers::Browsers;
use crate::connections::{self, Connections};
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
        };
        self.explained("internal", zh, hint)
    }
}

/// State shared by all routes.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) engine: Engine,
    pub(crate) data: Arc<Path>,
    pub(crate) access: Arc<Access>,
    pub(crate) changed: Arc<Notify>,
    pub(crate) log: Log,
    /// Requests that read.
    pub(crate) readers: Arc<Permits>,
    /// Requests that change something.
    pub(crate) writers: Arc<Permits>,
    pub(crate) bodies: Arc<BodyMemory>,
    /// Listeners of the change feed.
    pub(crate) listeners: Arc<Permits>,
    stop: Arc<AtomicBool>,
}

/// Requests that read at a time, in all.
const READERS: usize = 32;

/// Requests of one owner that read at a time: as many as there are processors. More would be no faster, and would take
/// the processors from other owners.
fn readers_of_owner() -> usize {
    std::thread::available_parallelism().map_or(2, |count| count.get().max(2)).min(READERS / 2)
}

/// Requests that write at a time, in all and for one owner. The database has one writer: while one request
/// commits, another reads and evaluates. More of one owner would wait on threads of their own.
const WRITERS: (usize, usize) = (32, 2);

/// A change whose functions take longer is answered as pending.
const CLIENT_TIMEOUT: Duration = Duration::from_secs(1);

/// Listeners of the change feed, in all and for one owner.
const LISTENERS: (usize, usize) = (256, 64);

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
        data: Arc::from(serve.data.as_path()),
        access: Arc::new(access),
        changed,
        log: serve.log,
        readers: Arc::new(Permits::new(READERS, readers_of_owner())),
        writers: Arc::new(Permits::new(WRITERS.0, WRITERS.1)),
        bodies: Arc::new(BodyMemory::new()),
        listeners: Arc::new(Permits::new(LISTENERS.0, LISTENERS.1)),
        stop: Arc::default(),
    };
    Ok(Started { link: format!("{url}/#open={code}"), url, token_file, wal, listener, app, run_file })
}

impl Started {
    /// Answers requests until `stop` completes; running requests are finished.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let app = self.app.clone();
        let (stopped, stopping) = watch::channel(false);
        let serving = connections::serve(self.listener, routes::router(self.app), Connections::new(), stopping);
        let mut serving = pin!(serving);
        tokio::select! {
            () = serving.as_mut() => {}
            () = stop => {
                app.stop.store(true, Ordering::Relaxed);
                app.changed.notify_waiters();
                let _ = stopped.send(true);
                // The runtime waits for writes that the engine has started.
                let _ = tokio::time::timeout(SHUTDOWN_TIMEOUT, serving).await;
            }
        }
        // It does not matter if the file is gone already.
        let _ = std::fs::remove_file(&self.run_file);
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
