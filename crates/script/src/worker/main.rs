//! The worker process. It ends when its standard input closes, also in the middle of a script, and
//! when a script runs much longer than its parent would wait.

use std::io::{self, BufReader, Read};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

#[cfg(unix)]
use rustix::event::{PollFd, PollFlags, poll};
#[cfg(unix)]
use rustix::io::Errno;

use super::filter;
use crate::in_process::THREAD_STACK;
use crate::limits::Limits;
use crate::request::Turn;
use crate::sandbox::Sandbox;
use crate::wire;

/// By how much a worker is nicer than the program that started it.
#[cfg(unix)]
const NICENESS: i32 = 10;

/// Runs as a worker: frames in from standard input, frames out to standard output. Never returns.
pub fn worker_main() -> ! {
    lower_priority();
    let mut stdin = BufReader::new(io::stdin());
    let limits = match wire::receive(&mut stdin) {
        Ok(Some(frame)) => wire::from_frame::<Limits>(&frame),
        _ => None,
    };
    let Some(limits) = limits else {
        process::exit(2);
    };
    let busy = Arc::new(AtomicU64::new(0));
    watch(busy.clone(), limits.wall);
    let serving = thread::Builder::new().name("javascript".to_owned()).stack_size(THREAD_STACK);
    match serving.spawn(move || serve(limits, stdin, &busy)) {
        Ok(serving) => wait_for_the_end(serving),
        Err(_) => process::exit(2),
    }
}

/// Ends the process when its standard input closes. The thread with the engine reads that input itself: a thread
/// between would cost a wake-up for every request.
#[cfg(unix)]
fn wait_for_the_end(serving: JoinHandle<()>) -> ! {
    let stdin = io::stdin();
    let mut closed = [PollFd::new(&stdin, PollFlags::empty())];
    let mut polled = poll(&mut closed, None);
    while polled == Err(Errno::INTR) {
        polled = poll(&mut closed, None);
    }
    if polled.is_err() {
        // A system that cannot tell: the end is noticed after the script that runs.
        let _ = serving.join();
    }
    process::exit(0)
}

/// The thread with the engine notices it after the script that runs, which [`watch`] bounds.
#[cfg(not(unix))]
fn wait_for_the_end(serving: JoinHandle<()>) -> ! {
    let _ = serving.join();
    process::exit(0)
}

/// Leaves the processor to the server, which answers everybody else meanwhile. On Linux this concerns one thread
/// and those it starts, so it comes first; a system that refuses it lets scripts compete.
fn lower_priority() {
    #[cfg(unix)]
    let _ = rustix::process::nice(NICENESS);
}

/// Ends the process when the thread with the engine ends, however it ends.
struct EndWithMe;

impl Drop for EndWithMe {
    fn drop(&mut self) {
        process::exit(3);
    }
}

fn serve(limits: Limits, mut requests: impl Read, busy: &AtomicU64) {
    let _end = EndWithMe;
    let mut sandbox = Sandbox::new(limits);
    sandbox.turn(None);
    let mut stdout = io::stdout();
    if wire::send(&mut stdout, &wire::to_frame(&filter::install())).is_err() {
        return;
    }
    while let Ok(Some(frame)) = wire::receive(&mut requests) {
        let Some(Turn { begins_page, request }) = wire::from_frame(&frame) else {
            return;
        };
        if begins_page {
            sandbox.begin_page();
        }
        busy.store(1, Ordering::Relaxed);
        let response = sandbox.turn(Some(&request));
        busy.store(0, Ordering::Relaxed);
        let Some(response) = response else {
            return;
        };
        if wire::send(&mut stdout, &wire::to_frame(&response)).is_err() {
            return;
        }
        sandbox.turn(None);
    }
}

/// Ends a hanging worker whose parent is unable to.
fn watch(busy: Arc<AtomicU64>, wall: Duration) {
    let seconds = wall.as_secs().saturating_mul(2).saturating_add(5);
    let (running, is_running) = mpsc::channel();
    thread::spawn(move || {
        let _ = running.send(());
        loop {
            thread::sleep(Duration::from_secs(1));
            let was = busy.load(Ordering::Relaxed);
            // Counts the seconds of one request; a new request starts again at 1.
            if was > seconds {
                process::exit(4);
            }
            if was > 0 {
                let _ = busy.compare_exchange(was, was + 1, Ordering::Relaxed, Ordering::Relaxed);
            }
        }
    });
    // What a thread needs to start is not allowed any more once the filter is installed.
    let _ = is_running.recv();
}
