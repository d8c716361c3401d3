//! Kills at any moment, and maintenance beside a server at work.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::Connection as Database;
use storeyline_bench::http::{Connection, expect};
use storeyline_bench::serving::Server;
use storeyline_state::{Value, json};

use crate::{Attack, Done, Outcome, Target};

pub static KILLS: Attack = Attack {
    name: "kills",
    wants: "to lose an acknowledged floor, or to break the database, by killing whatever writes",
    is_quick: false,
    limit: Duration::from_secs(1_800),
    run: kills,
};

pub static BESIDE: Attack = Attack {
    name: "maintenance",
    wants: "to stop the server by `verify` and `gc --dry-run` beside it",
    is_quick: false,
    limit: Duration::from_secs(900),
    run: beside,
};

const KILL_COUNT: usize = 500;

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
struct Story {
    connection: Connection,
    branch: String,
    floors: usize,
}

impl Story {
    fn begin(server: &Server, owner: &str) -> Done<Story> {
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

/// Kills a command after a moment, if it has not ended by then; tells whether it ended well.
fn run_and_kill(mut child: Child, moment: Duration) -> Done<bool> {
    thread::sleep(moment);
    let _ = child.kill();
    Ok(child.wait()?.success())
}

fn kills(target: &Target) -> Done<Outcome> {
    let server = target.server()?;
    let mut story = Story::begin(&server, "local")?;
    (0..20).try_for_each(|floor| story.append(&format!("{floor}")))?;
    drop(server);
    let (program, data) = (&target.program, target.data());
    let (mut random, mut lost, mut acknowledged) = (Random(3), Vec::new(), story.floors);
    let (mut killed, mut number) = (0, 0);
    // A command that ends before its moment is not one of them.
    while killed < KILL_COUNT {
        number += 1;
        let copy = &target.folder.path().join(format!("copy-{number}"));
        let to = copy.to_string_lossy();
        let commands: [&[&str]; 9] = [
            &["append", "s", "--role", "assistant", "--name", "A", "--text", "x @.ADD(\"n\", 1);"],
            &["append", "s", "--role", "user", "--name", "U", "--text", "y"],
            &["set", "s", "n", "5"],
            &["gc", "--undo-days", "0"],
            &["verify", "--repair"],
            &["backup", &to],
            &["search", "on"],
            &["search", "off"],
            &["serve", "--port", "0"],
        ];
        let args = commands[number % commands.len()];
        let child = command(program, &data, args).spawn()?;
        let is_done = run_and_kill(child, Duration::from_micros(500 + random.next(20_000)))?;
        killed += usize::from(!is_done);
        acknowledged += usize::from(is_done && args[0] == "append");
        if copy.exists() && !is_sound(copy) {
            lost.push(format!("{} is no whole copy", copy.display()));
        }
        if number % 50 == 49 {
            let problems = verify(program, &data, false)?;
            let floors = count_floors(&data)?;
            if !problems.is_empty() || floors < acknowledged {
                lost.push(format!("after {number}: {floors} of {acknowledged} floors, {problems:?}"));
            }
        }
    }
    let seen =
        format!("{killed} of {number} commands were killed, {acknowledged} floors acknowledged; {}", lost.join("\n"));
    Ok(Outcome::new(!lost.is_empty(), seen))
}

fn is_sound(copy: &Path) -> bool {
    let check = |database: Database| database.query_row("PRAGMA integrity_check", [], |row| row.get::<_, String>(0));
    Database::open(copy).and_then(check).is_ok_and(|answer| answer == "ok")
}

fn count_floors(data: &Path) -> Done<usize> {
    let query = "SELECT max(n.depth) FROM ref r JOIN node n ON n.id = r.head";
    let floors: i64 = Database::open(data.join("storeyline.db"))?.query_row(query, [], |row| row.get(0))?;
    Ok(floors as usize)
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
