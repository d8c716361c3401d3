//! Who runs JavaScript for an engine: worker processes whose command the program names.

use storeyline_functions::script::Scripts;
use storeyline_script::Worker;
pub use storeyline_script::{InProcess, WorkerCommand, worker_main};

/// Returns a function that starts a worker process.
pub fn start_worker(command: WorkerCommand) -> impl Fn() -> Box<dyn Scripts + Send> + Send + Sync + 'static {
    move || Box::new(Worker::new(command.clone()))
}
