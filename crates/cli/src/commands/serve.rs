//! `storeyline serve`: starts the HTTP server and the web page.

use std::io::Read as _;

use storeyline_server::{Log, Serve, start};

use crate::args::ServeArgs;
use crate::failure::Failure;
use crate::out::Context;
use crate::style::Tone;

/// The effect of a missing write-ahead log.
pub(crate) const NO_WAL: (&str, &str) = (
    "这里不能使用预写日志（常见于网络硬盘和手机存储）：数据仍然安全，但读写要轮流进行，会慢一些。",
    "the write-ahead log cannot be used here (a network drive or phone storage, as a rule): stories are as safe, but readers and writers take turns, which is slower.",
);

pub(crate) fn run(context: &Context, args: &ServeArgs) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|source| Failure::file(&context.data(), source))?;
    runtime.block_on(async {
        let log = match (args.log, context.json) {
            (false, _) => Log::Quiet,
            (true, false) => Log::Text,
            (true, true) => Log::Json,
        };
        let started = start(&Serve {
            data: context.data(),
            port: args.port,
            keep_port: args.keep_port,
            worker: context.worker(),
            log,
        })
        .await?;
        if context.json {
            let first = serde_json::json!({
                "url": started.url, "token_file": started.token_file, "link": started.link, "wal": started.wal,
            });
            context.line(&first.to_string());
        } else {
            context.line(&format!("{} {}", context.words("Storeyline 引擎：", "Storeyline engine:"), started.url));
            context.line(&format!(
                "{} {}",
                context.words("打开网页（链接只能用一次）：", "open the page (this link works once):"),
                started.link
            ));
        }
        if !started.wal {
            let (zh, en) = NO_WAL;
            context.note(&format!("{} {}", context.paint_note(Tone::Changed, "!"), context.words(zh, en)));
        }
        started.run(asked_to_stop(args.exit_with_stdin)).await;
        Ok(())
    })
}

/// Completes on Ctrl-C, on a signal of the system, or (optionally) when standard input closes.
async fn asked_to_stop(with_stdin: bool) {
    let (closed, stdin) = tokio::sync::oneshot::channel::<()>();
    if with_stdin {
        // On its own thread, because reading standard input cannot be cancelled.
        std::thread::spawn(move || {
            let mut ignored = [0; 64];
            while matches!(std::io::stdin().read(&mut ignored), Ok(count) if count > 0) {}
            let _ = closed.send(());
        });
    } else {
        std::mem::forget(closed);
    }
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminated() => {}
        _ = stdin => {}
    }
}

#[cfg(unix)]
async fn terminated() {
    match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        Ok(mut signal) => {
            signal.recv().await;
        }
        Err(_) => std::future::pending().await,
    }
}

#[cfg(not(unix))]
async fn terminated() {
    std::future::pending().await
}
