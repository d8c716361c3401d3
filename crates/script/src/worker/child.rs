//! The parent's side of a worker process: starts it, sends requests, kills it.

use std::io::{BufReader, Write};
use std::process::{self, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use storeyline_functions::Incomplete;
use storeyline_state::Value;

use super::WorkerCommand;
use crate::limits::Limits;
use crate::request::{Request, Response, Turn};
use crate::wire;

/// Time limit for starting a worker.
const START: Duration = Duration::from_secs(30);

pub(super) struct Child {
    process: process::Child,
    stdin: Option<ChildStdin>,
    frames: Receiver<Vec<u8>>,
    filtered: Option<bool>,
    /// The state that the process has.
    pub(super) resident: Option<Value>,
    /// Whether something ran since the page began.
    is_used: bool,
}

impl Child {
    /// Starts a worker and sends its limits; does not wait for it.
    pub(super) fn start(command: &WorkerCommand, limits: &Limits) -> Result<Child, Incomplete> {
        let spawned = Command::new(&command.program)
            .args(&command.args)
            .env_clear()
            .env("TZ", "UTC0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn();
        let mut process = spawned.map_err(|error| {
            Incomplete::new(format!("cannot start the worker {}: {error}", command.program.display()))
        })?;
        let (stdin, stdout) = (process.stdin.take(), process.stdout.take());
        let (send, frames) = mpsc::channel();
        thread::spawn(move || {
            let mut stdout = BufReader::new(stdout.expect("it was asked for a pipe"));
            while let Ok(Some(frame)) = wire::receive(&mut stdout) {
                if send.send(frame).is_err() {
                    return;
                }
            }
        });
        let mut child = Child { process, stdin, frames, filtered: None, resident: None, is_used: false };
        child.write(&wire::to_frame(limits))?;
        Ok(child)
    }

    pub(super) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Waits until it is ready; tells whether the system call filter is installed.
    pub(super) fn is_filtered(&mut self) -> Result<bool, Incomplete> {
        if let Some(filtered) = self.filtered {
            return Ok(filtered);
        }
        let frame = self.frames.recv_timeout(START);
        let frame = frame.map_err(|_| Incomplete::new("the worker did not start".to_owned()))?;
        let filtered = wire::from_frame(&frame).ok_or_else(|| Incomplete::new("the worker is no worker".to_owned()))?;
        self.filtered = Some(filtered);
        Ok(filtered)
    }

    /// Begins a page; false if nothing ran in the last one.
    pub(super) fn begin_page(&mut self) -> bool {
        std::mem::take(&mut self.is_used)
    }

    pub(super) fn exchange(&mut self, request: Request, limit: Duration) -> Result<Response, Incomplete> {
        self.is_filtered()?;
        let begins_page = !std::mem::replace(&mut self.is_used, true);
        self.write(&wire::to_frame(&Turn { begins_page, request }))?;
        let frame = self.frames.recv_timeout(limit).map_err(|error| match error {
            RecvTimeoutError::Timeout => {
                Incomplete::hung("the script stopped counting, and its worker was ended".to_owned())
            }
            RecvTimeoutError::Disconnected => Incomplete::new("the worker ended by itself".to_owned()),
        })?;
        wire::from_frame(&frame).ok_or_else(|| Incomplete::new("the worker sent no answer".to_owned()))
    }

    fn write(&mut self, frame: &[u8]) -> Result<(), Incomplete> {
        let gone = || Incomplete::new("the worker ended by itself".to_owned());
        let stdin = self.stdin.as_mut().ok_or_else(gone)?;
        wire::send(stdin, frame).and_then(|()| stdin.flush()).map_err(|_| gone())
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        drop(self.stdin.take());
        // It may have ended already; it is waited for in any case, so that no zombie process is
        // left.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
