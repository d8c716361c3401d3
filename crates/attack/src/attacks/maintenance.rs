//! Maintenance beside a server at work.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::Connection as Database;
use storeyline_bench::http::{Connection, expect};
use storeyline_bench::serving::Server;
use storeyline_state::{Value, json};

use crate::{Attack, Done, Outcome, Target};

pub static BESIDE: Attack = Attack {
    name: "maintenance",
    wants: "to stop the server by `verify` and `gc --dry-run` beside it",
    is_quick: false,
    limit: Duration::from_secs(900),
    run: beside,
};

/// Floors per second in all, and connections that share them.
const RATE: u32 = 300;
const CONNECTIONS: u32 = 30;

const PHASE: Duration = Duration::from_secs(15);

/// Numbers that are the same in every run.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below.max(1)
    }
}

fn command(program: &Path, data: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.arg("--data").arg(data).args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Verifies; returns what is wrong, and whether it was repaired.
pub(super) fn verify(program: &Path, data: &Path, repair: bool) -> Done<Vec<(String, bool)>> {
    let mut command = Command::new(program);
    command.arg("--data").arg(data).args(["verify", "--json"]).args(repair.then_some("--repair"));
    let out = String::from_utf8(command.output()?.stdout)?;
    let answer = json::read(&out).map_err(|_| format!("verify said `{out}`"))?;
    let problems = answer.get("problems").and_then(Value::as_list).ok_or("verify tells of no problems")?;
    let what = |problem: &Value| problem.get("what").and_then(Value::as_text).unwrap_or_default().to_owned();
    let is_repaired = |problem: &Value| problem.get("repaired") == Some(&true.into());
    Ok(problems.iter().map(|problem| (what(problem), is_repaired(problem))).collect())
}

/// A story over HTTP.
pub(super) struct Story {
    connection: Connection,
    pub(super) branch: String,
    floors: usize,
}

impl Story {
    pub(super) fn begin(server: &Server, owner: &str) -> Done<Story> {
        let mut connection = server.connect(owner)?;
        let begun =
            expect(connection.ask("POST", "/api/v1/stories", r#"{"title":"s","template":{"n":0,"a":[1,2]}}"#)?)?;
        let begun = json::read(&begun)?;
        let id = |key: &str| begun.get(key).and_then(Value::as_text).unwrap_or_default().to_owned();
        let branch = format!("/api/v1/stories/{}/refs/{}", id("story"), id("ref"));
        Ok(Story { connection, branch, floors: 0 })
    }

    fn append(&mut self, words: &str) -> Done {
        let text = format!("{words} @.SET(\\\"n\\\", {});", self.floors);
        let body = format!(r#"{{"kind":"append","role":"assistant","name":"A","text":"{text}"}}"#);
        expect(self.connection.ask("POST", &format!("{}/operations", self.branch), &body)?)?;
        self.floors += 1;
        Ok(())
    }
}

/// Tells whether a copy of a database can be read.
pub(super) fn is_sound(copy: &Path) -> bool {
    let check = |database: Database| database.query_row("PRAGMA integrity_check", [], |row| row.get::<_, String>(0));
    Database::open(copy).and_then(check).is_ok_and(|answer| answer == "ok")
}

fn beside(target: &Target) -> Done<Outcome> {
    let server = target.server()?;
    let file = target.data().join("storeyline.db");
    let (mut random, mut large) = (Random(11), Story::begin(&server, "local")?);
    while fs::metadata(&file)?.len() < 200_000_000 {
        let words: String = (0..40_000).map(|_| (b'0' + random.next(64) as u8) as char).collect();
        large.append(&words.replace(['\\', '<', '`', '@'], "-"))?;
    }
    let mut stories =
        (0..CONNECTIONS).map(|number| Story::begin(&server, &format!("quiet-{number}"))).collect::<Done<Vec<_>>>()?;
    phase(&mut stories, PHASE / 5)?;
    let alone = phase(&mut stories, PHASE)?;
    let (program, data, is_over) = (target.program.clone(), target.data(), AtomicBool::new(false));
    let mut runs = 0;
    let both = thread::scope(|scope| {
        let work = scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                for args in [&["verify"][..], &["gc", "--dry-run"][..]] {
                    command(&program, &data, args).status()?;
                    runs += 1;
                }
            }
            Ok::<_, std::io::Error>(())
        });
        let both = phase(&mut stories, PHASE);
        is_over.store(true, Ordering::Relaxed);
        let _ = work.join();
        both
    })?;
    let p99 = |times: &[Duration]| times.get(times.len() * 99 / 100).copied().unwrap_or_default();
    let (one, other) = (p99(&alone), p99(&both));
    let seen = format!(
        "{} MB; p99 alone {one:.1?}, beside {runs} runs {other:.1?}, max {:.1?}; no request failed",
        fs::metadata(&file)?.len() / 1_000_000,
        both.last().copied().unwrap_or_default()
    );
    Ok(Outcome::new(other > one + Duration::from_millis(50), seen))
}

/// Appends at a fixed rate; returns how long each floor took from when it was due, sorted.
fn phase(stories: &mut [Story], time: Duration) -> Done<Vec<Duration>> {
    let (begun, interval) = (Instant::now(), Duration::from_secs(1) * CONNECTIONS / RATE);
    let all = thread::scope(|scope| {
        let threads = stories.iter_mut().zip(0u32..).map(|(story, number)| {
            scope.spawn(move || {
                let mut times = Vec::new();
                let mut due = begun + interval * number / CONNECTIONS;
                while due < begun + time {
                    thread::sleep(due.saturating_duration_since(Instant::now()));
                    story.append("雨还在下。")?;
                    times.push(due.elapsed());
                    due += interval;
                }
                Done::Ok(times)
            })
        });
        let threads: Vec<_> = threads.collect();
        let joined = |thread: thread::ScopedJoinHandle<'_, Done<Vec<Duration>>>| {
            thread.join().unwrap_or_else(|_| Err("a connection failed".into()))
        };
        threads.into_iter().map(joined).collect::<Done<Vec<_>>>()
    })?;
    let mut times = all.concat();
    times.sort_unstable();
    Ok(times)
}
