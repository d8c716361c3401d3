//! Carries the write-ahead log over into the file, on a thread of its own: a commit does not wait for the disk.
//!
//! The thread starts when there is enough to do, so that a program which commits little has none. A log that
//! grows all the same is carried over by a commit (`wal_autocheckpoint`).

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;

/// After so many commits the log is carried over.
const COMMITS: usize = 256;

pub(super) struct Checkpoints {
    path: PathBuf,
    commits: AtomicUsize,
    thread: Mutex<Option<CheckpointThread>>,
}

struct CheckpointThread {
    /// Wakes the thread; it ends when this is dropped.
    wake: SyncSender<()>,
    running: Option<JoinHandle<()>>,
}

impl Checkpoints {
    pub(super) fn new(path: PathBuf) -> Checkpoints {
        Checkpoints { path, commits: AtomicUsize::new(0), thread: Mutex::new(None) }
    }

    /// Counts a commit.
    pub(super) fn count(&self) {
        if (self.commits.fetch_add(1, Ordering::Relaxed) + 1).is_multiple_of(COMMITS) {
            let mut thread = self.thread.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            // A full channel means that the thread is about to look anyway.
            let _ = thread.get_or_insert_with(|| start(self.path.clone())).wake.try_send(());
        }
    }
}

/// Whoever closes the database may move its file next: the thread must be done with it.
impl Drop for Checkpoints {
    fn drop(&mut self) {
        let thread = self.thread.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
        if let Some(CheckpointThread { wake, running: Some(running) }) = thread {
            drop(wake);
            // A checkpoint that panicked left the log as it was.
            let _ = running.join();
        }
    }
}

fn start(path: PathBuf) -> CheckpointThread {
    let (wake, woken) = sync_channel(1);
    let run = move || {
        while woken.recv().is_ok() {
            // What fails now is done by the next one, or by a commit.
            let Ok(connection) = Connection::open(&path) else { continue };
            let _ = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
        }
    };
    // Without a thread the commits do it.
    let running = thread::Builder::new().name("checkpoint".into()).spawn(run).ok();
    CheckpointThread { wake, running }
}
