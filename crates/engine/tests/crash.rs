//! Kills a program while it writes: every floor that it reported as written must be there.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test fails by panicking; the child tells by printing")]

mod teller;

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use storeyline_engine::{Durability, Engine, OpenedChat, Owner};
use teller::Teller;

const FOLDER: &str = "STOREYLINE_CRASH_FOLDER";

/// A state that is large enough to need whole states now and then.
const TEMPLATE: &str = r#"{"n":-1,"世界":{"天气":"雨","地点":"酒馆"},"清单":[1,2,3]}"#;

fn opened(engine: &Engine) -> OpenedChat {
    let stories = engine.stories(&Owner::local()).unwrap();
    let line = &stories[0];
    OpenedChat { story: line.story, branch: line.refs[0].id, node: None, created: false }
}

fn floors(teller: &Teller) -> usize {
    let line = teller.engine.story(&Owner::local(), teller.opened.story).unwrap();
    line.story.refs[0].floors
}

/// The child: appends floors as fast as it can and tells of each one that is written.
#[test]
fn appender() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    // Every other time as safe as can be.
    let engine = Engine::open(Path::new(&folder)).unwrap().with_durability(match std::process::id() % 2 {
        0 => Durability::Normal,
        _ => Durability::Full,
    });
    let opened = opened(&engine);
    let teller = Teller { engine, opened };
    let first = floors(&teller);
    for floor in first.. {
        teller.reply(&format!(
            "@.SET(\"n\", {floor}); @.SET(\"世界.天气\", \"天气{floor}\"); 一段文字，好让这一页不太短。"
        ));
        println!("floor {floor}");
    }
}

/// Starts the child, lets it write for a moment, kills it; returns the last floor that it told of.
fn write_and_kill(folder: &Path, moment: Duration) -> Option<usize> {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "appender", "--nocapture"])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let killer = std::thread::spawn(move || {
        std::thread::sleep(moment);
        // On this system: SIGKILL.
        child.kill().unwrap();
        child.wait().unwrap();
    });
    let told = lines.map_while(Result::ok).filter_map(|line| line.strip_prefix("floor ")?.parse().ok()).last();
    killer.join().unwrap();
    told
}

fn begin(folder: &Path) -> OpenedChat {
    let teller = Teller::begin(Engine::open(folder).unwrap(), TEMPLATE);
    teller.reply("雨夜。@.SET(\"n\", 0);");
    teller.opened
}

/// Everything that is there is right, floor by floor.
fn check(folder: &Path, opened: &OpenedChat, when: &str) -> usize {
    let teller = Teller::again(folder, opened);
    let verified = teller.engine.verify(&Owner::local(), |_| {}).unwrap();
    assert!(verified.problems.is_empty(), "{when}: {:?}", verified.problems);
    let floors = floors(&teller);
    let last = teller.state(floors - 1);
    assert!(last.starts_with(&format!("{{\"n\":{},", floors - 1)), "{when}: {last}");
    floors
}

#[test]
fn floors_that_were_told_survive_two_hundred_kills() {
    let folder = tempfile::tempdir().unwrap();
    let opened = begin(folder.path());
    let mut told_in_all = 0;
    for kill in 0..200u64 {
        let moment = Duration::from_micros(5_000 + (kill * 7_919) % 23_000);
        let told = write_and_kill(folder.path(), moment);
        // All of it now and then, the length each time.
        let teller = Teller::again(folder.path(), &opened);
        let there = floors(&teller);
        if let Some(told) = told {
            assert!(there > told, "kill {kill}: floor {told} was told, {there} are there");
            told_in_all = told;
        }
        if kill % 40 == 39 {
            drop(teller);
            check(folder.path(), &opened, &format!("after kill {kill}"));
        }
    }
    assert!(told_in_all > 200, "only {told_in_all} floors were written between 200 kills");
}

/// Copies the database and a piece of its log.
fn copy_cut(from: &Path, to: &Path, log: usize) {
    fs::copy(from.join("storeyline.db"), to.join("storeyline.db")).unwrap();
    let bytes = fs::read(from.join("storeyline.db-wal")).unwrap();
    fs::write(to.join("storeyline.db-wal"), &bytes[..log.min(bytes.len())]).unwrap();
}

#[test]
fn a_log_that_was_cut_anywhere_opens_at_a_moment_that_was_whole() {
    let folder = tempfile::tempdir().unwrap();
    let opened = begin(folder.path());
    // As a kill leaves it: the log is not emptied.
    while fs::metadata(folder.path().join("storeyline.db-wal")).map_or(0, |log| log.len()) < 200_000 {
        write_and_kill(folder.path(), Duration::from_millis(40));
    }
    let log = fs::metadata(folder.path().join("storeyline.db-wal")).unwrap().len() as usize;
    let mut lengths = Vec::new();
    for cut in 0..60 {
        let copy = tempfile::tempdir().unwrap();
        let bytes = if cut == 0 { 0 } else { (cut * 104_729 + cut * cut * 31) % log };
        copy_cut(folder.path(), copy.path(), bytes);
        lengths.push((bytes, check(copy.path(), &opened, &format!("cut at {bytes} of {log}"))));
    }
    lengths.sort_unstable();
    assert!(lengths.windows(2).all(|pair| pair[0].1 <= pair[1].1), "more log, more floors: {lengths:?}");
    assert!(lengths.first().unwrap().1 < lengths.last().unwrap().1, "the cuts made a difference");
}
