//! Starts the worker processes that run JavaScript; the program provides their command.

use storeyline_functions::script::{Scripts, Used};
use storeyline_script::Worker;
pub use storeyline_script::{InProcess, WorkerCommand, worker_main};
use storeyline_store::Owner;

use crate::workers::{LeasedScripts, Wait, Workers};

/// Returns a function that starts a worker process.
pub fn start_worker(command: WorkerCommand) -> impl Fn() -> Box<dyn Scripts + Send> + Send + Sync + 'static {
    move || Box::new(Worker::new(command.clone()))
}

/// Runs scripts without an engine; the worker process starts with the first script.
pub fn with_worker<T>(command: WorkerCommand, work: impl FnOnce(&mut dyn Scripts) -> T) -> T {
    let workers = Workers::new(Box::new(start_worker(command)));
    let owner = Owner::local();
    work(&mut LeasedScripts::new(&workers, &owner, Wait::Yes, Used::default()))
}
