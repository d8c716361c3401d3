//! Writes answers as JSON. A large one is written beside the threads that answer requests: they are few, and every
//! other request would wait for it.

use std::io::{self, Write};

use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tokio::runtime::{Handle, RuntimeFlavor};

use crate::error::ApiError;
use crate::refusals::INTERNAL;

/// In bytes. Smaller answers are written at once.
const SMALL: usize = 64 * 1024;

/// A JSON answer.
pub(crate) struct Json<T>(pub(crate) T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        match write(self.0) {
            Ok(bytes) => ([(CONTENT_TYPE, "application/json")], bytes).into_response(),
            Err(_) => ApiError::from(INTERNAL).into_response(),
        }
    }
}

/// How long a value becomes is known only once it is written, so a large one is begun again.
fn write<T: Serialize>(value: T) -> serde_json::Result<Vec<u8>> {
    let mut small = Small(Vec::with_capacity(128));
    match serde_json::to_writer(&mut small, &value) {
        Ok(()) => Ok(small.0),
        // Dropping a large value takes long too.
        Err(error) if error.is_io() => aside(move || serde_json::to_vec(&value)),
        Err(error) => Err(error),
    }
}

/// Lets other tasks of this thread go on elsewhere meanwhile. A runtime of a single thread, as in tests, cannot.
fn aside<T>(work: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|handle| handle.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(work),
        _ => work(),
    }
}

/// Refuses more than [`SMALL`] bytes.
struct Small(Vec<u8>);

impl Write for Small {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > SMALL {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::time::Duration;

    use serde::Serializer;

    use super::*;

    /// A large value that takes as long as another task does.
    struct Slow {
        begun: Mutex<Option<Sender<()>>>,
        other: Mutex<Receiver<()>>,
    }

    impl Serialize for Slow {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let text = serializer.serialize_str(&"x".repeat(SMALL))?;
            drop(self.begun.lock().unwrap().take());
            self.other.lock().unwrap().recv_timeout(Duration::from_secs(20)).expect("another task goes on meanwhile");
            Ok(text)
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn other_tasks_go_on_while_a_large_answer_is_written() {
        let (begun, is_begun) = channel();
        let (ended, other) = channel();
        let slow = Slow { begun: Mutex::new(Some(begun)), other: Mutex::new(other) };
        let answer = tokio::spawn(async move {
            tokio::spawn(async move {
                let _ = is_begun.recv();
                ended.send(())
            });
            Json(slow).into_response()
        });
        assert_eq!(answer.await.unwrap().status(), 200);
    }

    #[test]
    fn an_answer_is_the_same_whatever_its_size() {
        for size in [0, SMALL - 2, SMALL - 1, SMALL * 3] {
            assert_eq!(write("x".repeat(size)).unwrap(), format!("\"{}\"", "x".repeat(size)).into_bytes());
        }
    }
}
