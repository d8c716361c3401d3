//! Runs JavaScript on a thread of this process: for libraries and tests.
//!
//! A script that hangs inside the engine cannot be killed here: after the time limit its thread is
//! abandoned and the result is *incomplete*. A [`Worker`](crate::Worker) can be killed.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use storeyline_functions::Incomplete;
use storeyline_state::Value;

use crate::client::{ScriptClient, Transport};
use crate::limits::Limits;
use crate::request::{Request, Response, Turn};
use crate::sandbox::Sandbox;

/// Stack size of a thread with an engine: the engine's limit, our code, and a margin.
pub(crate) const THREAD_STACK: usize = 8 << 20;

/// Runs scripts in this process.
pub type InProcess = ScriptClient<Thread>;

impl InProcess {
    /// The engine starts with the first request.
    pub fn new(limits: Limits) -> InProcess {
        let transport = Thread { limits: limits.clone(), line: None, begins_page: false, resident: None };
        ScriptClient::over(transport, limits)
    }
}

impl Default for InProcess {
    fn default() -> Self {
        InProcess::new(Limits::default())
    }
}

/// A thread with a sandbox.
pub struct Thread {
    limits: Limits,
    line: Option<(Sender<Turn>, Receiver<Response>)>,
    begins_page: bool,
    resident: Option<Value>,
}

impl Thread {
    fn start(limits: Limits) -> Result<(Sender<Turn>, Receiver<Response>), Incomplete> {
        let (to_thread, requests) = mpsc::channel();
        let (answers, from_thread) = mpsc::channel();
        let serve = move || {
            let mut sandbox = Sandbox::new(limits);
            for Turn { begins_page, request } in requests {
                if begins_page {
                    sandbox.begin_page();
                }
                let answered = sandbox.turn(Some(&request)).map(|response| answers.send(response));
                if !matches!(answered, Some(Ok(()))) {
                    return;
                }
            }
        };
        let started = thread::Builder::new().name("javascript".to_owned()).stack_size(THREAD_STACK).spawn(serve);
        started.map_err(|error| Incomplete::new(format!("no thread for JavaScript: {error}")))?;
        Ok((to_thread, from_thread))
    }
}

impl Transport for Thread {
    fn begin_page(&mut self) {
        self.begins_page = true;
    }

    fn resident(&mut self) -> &mut Option<Value> {
        &mut self.resident
    }

    fn exchange(&mut self, request: Request, limit: Duration) -> Result<Response, Incomplete> {
        let (to, from) = match self.line.take() {
            Some(line) => line,
            None => Thread::start(self.limits.clone())?,
        };
        // A thread that has ended is noticed when its answer is missing.
        let _ = to.send(Turn { begins_page: std::mem::take(&mut self.begins_page), request });
        match from.recv_timeout(limit) {
            Ok(response) => {
                self.line = Some((to, from));
                Ok(response)
            }
            Err(RecvTimeoutError::Timeout) => {
                Err(Incomplete::hung("the script stopped counting and was left".to_owned()))
            }
            Err(RecvTimeoutError::Disconnected) => Err(Incomplete::new("the JavaScript thread ended".to_owned())),
        }
    }
}
