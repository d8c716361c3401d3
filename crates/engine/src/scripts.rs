//! Who runs JavaScript for an engine: a worker process whose command the program names.

use storeyline_functions::Outcome;
use storeyline_functions::script::{PatternMatch, Script, Scripts, Stopped};
use storeyline_script::Worker;
pub use storeyline_script::{BenchRow, InProcess, WorkerCommand, bench, worker_main};
use storeyline_state::Value;

/// A worker that starts when the first script does: most stories have none.
pub struct LazyWorker {
    command: WorkerCommand,
    worker: Option<Worker>,
}

impl LazyWorker {
    /// Remembers the command; nothing is started.
    pub fn new(command: WorkerCommand) -> LazyWorker {
        LazyWorker { command, worker: None }
    }

    fn worker(&mut self) -> &mut Worker {
        self.worker.get_or_insert_with(|| Worker::new(self.command.clone()))
    }
}

impl Scripts for LazyWorker {
    fn begin_page(&mut self) {
        if let Some(worker) = &mut self.worker {
            worker.begin_page();
        }
    }

    fn begin_request(&mut self) {
        if let Some(worker) = &mut self.worker {
            worker.begin_request();
        }
    }

    fn run(&mut self, state: &Value, script: &Script<'_>) -> Result<Outcome, Stopped> {
        self.worker().run(state, script)
    }

    fn test(&mut self, state: &Value, condition: &Script<'_>) -> Result<bool, Stopped> {
        self.worker().test(state, condition)
    }

    fn find(&mut self, pattern: &str, text: &str) -> Result<Vec<PatternMatch>, Stopped> {
        self.worker().find(pattern, text)
    }
}
