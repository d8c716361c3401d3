//! A server in a process of its own.

use std::fs;
use std::io::{self, BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use storeyline_state::{Value, json};

use crate::http::Connection;
use crate::measure::memory;

/// A server that ends with us.
pub(crate) struct Server {
    child: Child,
    url: String,
    token: String,
}

impl Server {
    pub(crate) fn start(program: &Path, folder: &Path) -> io::Result<Server> {
        let mut child = Command::new(program)
            .args(["serve", "--port", "0", "--json", "--exit-with-stdin", "--data"])
            .arg(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut first = String::new();
        let out = child.stdout.take().ok_or_else(|| io::Error::other("it says nothing"))?;
        BufReader::new(out).read_line(&mut first)?;
        let first = json::read(&first).map_err(io::Error::other)?;
        let word = |key: &str| first.get(key).and_then(Value::as_text).unwrap_or_default().to_owned();
        let token = fs::read_to_string(word("token_file"))?.trim().to_owned();
        Ok(Server { child, url: word("url"), token })
    }

    /// Connects as an owner.
    pub(crate) fn connect(&self, owner: &str) -> io::Result<Connection> {
        Connection::open(&self.url, &self.token, owner)
    }

    /// Returns its memory in bytes, where the system tells.
    pub(crate) fn resident(&self) -> Option<u64> {
        memory(&self.child.id().to_string(), "VmRSS:")
    }

    /// Returns the ids of its worker processes; nothing where the system does not tell.
    pub(crate) fn workers(&self) -> Vec<u32> {
        let tasks = fs::read_dir(format!("/proc/{}/task", self.child.id())).into_iter().flatten().flatten();
        let children = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
        let ids = |line: String| line.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>();
        children.flat_map(ids).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It ends by itself when its input closes; nothing must outlive a bench.
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}
