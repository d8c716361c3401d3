//! A damaged disk, and maintenance beside a server at work.

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

use crate::tamper::{FREE, LEFT, is_in, row_at, set, tables, wrong_values};
use crate::{Attack, Done, Outcome, Target};

pub static DAMAGE: Attack = Attack {
    name: "damage",
    wants: "a wrong column or a flipped bit that verify calls clean, does not end on, or repairs wrongly",
    is_quick: false,
    limit: Duration::from_secs(3_600),
    run: damage,
};

pub static BESIDE: Attack = Attack {
    name: "maintenance",
    wants: "to stop the server by `verify` and `gc --dry-run` beside it",
    is_quick: false,
    limit: Duration::from_secs(900),
    run: beside,
};

/// Random bits that are flipped.
const FLIPS: usize = 2_000;

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

/// Verifies; returns the problems as text and how many there are.
pub(super) fn verify(program: &Path, data: &Path, repair: bool) -> Done<(usize, String)> {
    let mut command = Command::new(program);
    command.arg("--data").arg(data).args(["verify", "--json"]).args(repair.then_some("--repair"));
    let out = String::from_utf8(command.output()?.stdout)?;
    let answer = json::read(&out).map_err(|_| format!("verify said `{out}`"))?;
    let problems = answer.get("problems").and_then(Value::as_list).ok_or("verify tells of no problems")?;
    Ok((problems.len(), problems.iter().map(json::write).collect::<Vec<_>>().join("\n")))
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

/// States and texts of the floors of all branches, as the database shows them.
fn shown(program: &Path, data: &Path) -> Done<Vec<u8>> {
    let mut command = Command::new(program);
    Ok(command.arg("--data").arg(data).args(["show", "s", "--json"]).output()?.stdout)
}

fn copy(from: &Path, to: &Path) -> Done {
    fs::create_dir_all(to)?;
    fs::copy(from.join("storeyline.db"), to.join("storeyline.db"))?;
    Ok(())
}

fn damage(target: &Target) -> Done<Outcome> {
    let server = target.server()?;
    let mut story = Story::begin(&server, "local")?;
    (0..24).try_for_each(|floor| story.append(&format!("第{floor}夜")))?;
    drop(server);
    let (program, data, tried) = (&target.program, target.data(), target.folder.path().join("tried"));
    let whole = shown(program, &data)?;
    let begun = Instant::now();
    verify(program, &data, false)?;
    let usual = begun.elapsed();
    let (mut got, mut cases) = (Vec::new(), 0);
    let database = Database::open(data.join("storeyline.db"))?;
    for table in tables(&database)? {
        for row in [0.0, 0.5, 1.0].into_iter().filter_map(|part| row_at(&database, &table, part).transpose()) {
            let row = row?;
            for column in 0..row.columns.len() {
                for value in wrong_values(&database, &row, column) {
                    for fitting in [false, true] {
                        copy(&data, &tried)?;
                        if !set(&tried, &row, column, &value, fitting)? {
                            continue;
                        }
                        cases += 1;
                        let (name, begun) = (&row.columns[column], Instant::now());
                        let (found, _) = verify(program, &tried, false)?;
                        let is_late = begun.elapsed() > usual * 2 + Duration::from_secs(1);
                        let may_pass = fitting && is_in(FREE, &table, name);
                        verify(program, &tried, true)?;
                        let (left, words) = verify(program, &tried, false)?;
                        let may_stay = fitting || is_in(LEFT, &table, name);
                        let is_changed = left == 0 && !fitting && shown(program, &tried)? != whole;
                        if is_late || found == 0 && !may_pass || left > 0 && !may_stay || is_changed {
                            got.push(format!("{table}.{name} = {value:?}, fitting {fitting}: {found} found, {words}"));
                        }
                    }
                }
            }
        }
    }
    drop(database);
    let missed = flips(program, &data, &tried, &whole)?;
    let seen =
        format!("{cases} columns and {FLIPS} flips: {} and {} wrong {}", got.len(), missed.len(), got.join("\n"));
    Ok(Outcome::new(!got.is_empty() || !missed.is_empty(), format!("{seen}{}", missed.join("\n"))))
}

/// Flips bits; what verify calls clean must be shown as before.
fn flips(program: &Path, data: &Path, tried: &Path, whole: &[u8]) -> Done<Vec<String>> {
    let bytes = fs::read(data.join("storeyline.db"))?;
    let (mut random, mut wrong) = (Random(7), Vec::new());
    for _ in 0..FLIPS {
        let (at, bit) = (random.next(bytes.len() as u64) as usize, random.next(8));
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << bit;
        for end in ["-wal", "-shm"] {
            let _ = fs::remove_file(tried.join(format!("storeyline.db{end}")));
        }
        fs::write(tried.join("storeyline.db"), flipped)?;
        // A file that is refused was not called clean.
        let Ok((0, _)) = verify(program, tried, false) else { continue };
        if shown(program, tried)? != whole {
            wrong.push(format!("bit {bit} of byte {at} is not found"));
        }
    }
    Ok(wrong)
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
