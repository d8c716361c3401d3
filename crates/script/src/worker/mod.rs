//! Runs JavaScript in a child process, which can be killed and isolates scripts from everything
//! else.
//!
//! The command is given by the caller and its environment is empty. A few processes take turns page by page: while
//! one runs a page, the others make their next realms. So no request waits for a start after one was killed either.

mod child;
mod filter;
mod main;

use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use storeyline_functions::Incomplete;
use storeyline_state::Value;

use crate::client::{ScriptClient, Transport};
use crate::limits::Limits;
use crate::request::{Answer, Request, Response};
use child::Child;

pub use main::worker_main;

/// How a worker is started: a program that calls [`worker_main`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerCommand {
    pub program: PathBuf,
    pub args: Vec<OsString>,
}

/// Runs scripts in a child process.
pub type Worker = ScriptClient<Pool>;

impl Worker {
    /// Starts with the default limits.
    pub fn new(command: WorkerCommand) -> Worker {
        Worker::with_limits(command, Limits::default())
    }

    /// Starts with these limits. The first process starts now, so that it is ready when needed.
    pub fn with_limits(command: WorkerCommand, limits: Limits) -> Worker {
        let spares = VecDeque::new();
        let mut pool = Pool { command, limits: limits.clone(), current: None, spares, none: None };
        pool.current = Child::start(&pool.command, &pool.limits).ok();
        ScriptClient::over(pool, limits)
    }

    /// Returns the id of the process that answers the next request, if one runs.
    pub fn process_id(&self) -> Option<u32> {
        self.transport.current.as_ref().map(Child::id)
    }

    /// Waits for the worker and tells whether its system call filter is installed.
    pub fn is_filtered(&mut self) -> Result<bool, Incomplete> {
        self.transport.current()?.is_filtered()
    }

    /// Makes the worker try to open a file; for tests of the filter.
    #[doc(hidden)]
    pub fn try_to_open_a_file(&mut self) -> Result<String, Incomplete> {
        match self.transport.exchange(Request::Probe, Duration::from_secs(10))?.answer {
            Answer::Failed(how) => Ok(how),
            _ => Err(Incomplete::new("that is no answer to a probe".to_owned())),
        }
    }
}

/// Processes besides the one that answers. A realm takes about as long as a page with one script and what is done
/// with it afterwards; with a single spare every other page would wait.
const SPARES: usize = 2;

/// The process that answers, and those for the next pages in their order.
pub struct Pool {
    command: WorkerCommand,
    limits: Limits,
    current: Option<Child>,
    spares: VecDeque<Child>,
    /// The state that a process has which does not run.
    none: Option<Value>,
}

impl Pool {
    fn current(&mut self) -> Result<&mut Child, Incomplete> {
        if self.current.is_none() {
            let spare = self.spares.pop_front();
            self.current = Some(spare.map_or_else(|| Child::start(&self.command, &self.limits), Ok)?);
        }
        // One at a time: a start takes as long as many pages.
        if self.spares.len() < SPARES {
            self.spares.extend(Child::start(&self.command, &self.limits));
        }
        self.current.as_mut().ok_or_else(|| Incomplete::new("there is no worker".to_owned()))
    }
}

impl Transport for Pool {
    fn begin_page(&mut self) {
        if self.current.as_mut().is_some_and(Child::begin_page) {
            self.spares.extend(self.current.take());
            self.current = self.spares.pop_front();
        }
    }

    fn resident(&mut self) -> &mut Option<Value> {
        if self.current().is_err() {
            self.none = None;
        }
        self.current.as_mut().map_or(&mut self.none, |current| &mut current.resident)
    }

    fn exchange(&mut self, request: Request, limit: Duration) -> Result<Response, Incomplete> {
        let exchanged = self.current()?.exchange(request, limit);
        if exchanged.is_err() {
            // Dropping it kills the process.
            self.current = None;
        }
        exchanged
    }
}
