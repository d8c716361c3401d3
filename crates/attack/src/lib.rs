//! Attacks on the program, as a stranger would try them: a card, a chat file, a request, another account, another
//! program on the same machine. Each has its own server in its own folder, on this machine only, and is bounded in
//! time and memory.

pub mod attacks;
mod damaged_story;
mod tamper;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use storeyline_bench::serving::Server;

/// What goes wrong is told to a person; there is nothing to match on.
pub type Done<T = ()> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

pub struct Attack {
    pub name: &'static str,
    /// What the attacker wants to reach.
    pub wants: &'static str,
    /// Whether it is short enough to be tried with every run of the tests.
    pub is_quick: bool,
    /// How long it may take at most.
    pub limit: Duration,
    pub run: fn(&Target) -> Done<Outcome>,
}

/// What is attacked.
pub struct Target {
    /// The program `storeyline`.
    pub program: PathBuf,
    /// A folder that is empty at first and deleted afterwards.
    pub folder: tempfile::TempDir,
}

/// Whether the attacker got what he wanted, and what was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Held(String),
    Got(String),
}

impl Outcome {
    /// Says what was seen, and whether that is what the attacker wanted.
    pub fn new(got: bool, seen: impl Into<String>) -> Outcome {
        if got { Outcome::Got(seen.into()) } else { Outcome::Held(seen.into()) }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Held(seen) => write!(f, "held: {seen}"),
            Outcome::Got(seen) => write!(f, "GOT IT: {seen}"),
        }
    }
}

impl Target {
    pub fn new(program: &Path) -> io::Result<Target> {
        Ok(Target { program: program.to_owned(), folder: tempfile::tempdir()? })
    }

    /// The data folder of the server.
    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Starts a server that may use so much memory: 4 GB of addresses, of which it needs few.
    pub fn server(&self) -> io::Result<Server> {
        Server::start_limited(&self.program, &self.data(), 4 << 20)
    }
}

impl Attack {
    /// Tries it. An attack that takes too long has reached something.
    pub fn attempt(&self, program: &Path) -> Done<Outcome> {
        let target = Target::new(program)?;
        let (send, outcome) = mpsc::channel();
        let (run, start) = (self.run, Instant::now());
        let running = thread::spawn(move || send.send(run(&target)).is_ok());
        match outcome.recv_timeout(self.limit) {
            Ok(outcome) => {
                let _ = running.join();
                Ok(outcome?)
            }
            Err(_) => Ok(Outcome::Got(format!("it was not over after {:.0} s", start.elapsed().as_secs_f64()))),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// The program of this build.
    fn program() -> PathBuf {
        let built = Command::new(env!("CARGO")).args(["build", "--quiet", "--package", "storeyline"]).status().unwrap();
        assert!(built.success());
        let own = std::env::current_exe().unwrap();
        let folder = own.ancestors().nth(2).unwrap();
        folder.join(format!("storeyline{}", std::env::consts::EXE_SUFFIX))
    }

    #[test]
    fn quick_attacks_reach_nothing() {
        let program = program();
        for attack in attacks::ALL.iter().filter(|attack| attack.is_quick) {
            match attack.attempt(&program).unwrap() {
                Outcome::Held(_) => {}
                Outcome::Got(seen) => panic!("{} ({}): {seen}", attack.name, attack.wants),
            }
        }
    }
}
