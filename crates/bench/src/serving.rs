//! A server in a process of its own.

use std::fs;
use std::io::{self, BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use storeyline_state::{Value, json};

use crate::http::Connection;
use crate::memory::memory;

/// A server that ends with us.
pub struct Server {
    child: Child,
    url: String,
    token: String,
}

impl Server {
    pub fn start(program: &Path, folder: &Path) -> io::Result<Server> {
        Server::run(Command::new(program), folder)
    }

    /// Starts a server whose processes have so many kilobytes of addresses each, and as many files and connections as is
    /// usual, where the system can limit them.
    pub fn start_limited(program: &Path, folder: &Path, kilobytes: u64) -> io::Result<Server> {
        if cfg!(windows) {
            return Server::start(program, folder);
        }
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit -v {kilobytes}; ulimit -n 1024; exec \"$0\" \"$@\"")]).arg(program);
        Server::run(shell, folder)
    }

    fn run(mut command: Command, folder: &Path) -> io::Result<Server> {
        let mut child = command
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
    pub fn connect(&self, owner: &str) -> io::Result<Connection> {
        Connection::open(&self.url, &self.token, owner)
    }

    /// Returns its address, `http://…`.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns its token, which opens everything.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Returns the most memory that it has had so far in bytes, where the system tells.
    pub fn peak(&self) -> Option<u64> {
        memory(&self.child.id().to_string(), "VmHWM:")
    }

    /// Returns its memory in bytes, where the system tells.
    pub fn resident(&self) -> Option<u64> {
        memory(&self.child.id().to_string(), "VmRSS:")
    }

    /// Returns the ids of its worker processes; nothing where the system does not tell.
    pub fn workers(&self) -> Vec<u32> {
        let tasks = fs::read_dir(format!("/proc/{}/task", self.child.id())).into_iter().flatten().flatten();
        let children = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
        let ids = |line: String| line.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>();
        children.flat_map(ids).collect()
    }
}

impl Server {
    /// Kills it at once, as a power cut would; on Unix by SIGKILL.
    pub fn kill(mut self) -> io::Result<()> {
        self.child.kill()
    }

    /// Asks it to end, by SIGTERM where there are signals, and waits until it has.
    pub fn terminate(mut self) -> io::Result<()> {
        if cfg!(unix) {
            Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status()?;
            self.child.wait()?;
        }
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It ends by itself when its input closes; nothing must outlive a bench.
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}
