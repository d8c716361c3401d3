//! Kills the server while several connections append and sync: acknowledged floors are there with their states, the
//! others as a whole or not at all.

use std::path::Path;
use std::thread;
use std::time::Duration;

use storeyline_bench::host::HostChat;
use storeyline_bench::http::{Connection, expect};
use storeyline_bench::serving::Server;
use storeyline_state::{Value, json};

use super::Seen;
use crate::attacks::maintenance::{Random, Story, verify};
use crate::{Done, Target};

/// Connections that append; the first two write to the same branch.
const APPENDING: usize = 4;

/// Connections that sync a chat each.
const SYNCING: usize = 3;

/// What one connection wrote to a branch.
struct Written {
    branch: String,
    /// Floors that were acknowledged; one more may have been written.
    acknowledged: usize,
    /// The path of the state that its floors set.
    path: String,
    /// Text and value of its floors, in their order.
    floor: Box<dyn Fn(usize) -> (String, usize) + Send>,
}

pub(super) fn kill(target: &Target, kills: usize, random: &mut Random, seen: &mut Seen) -> Done {
    let (program, data) = (&target.program, target.folder.path().join("served"));
    for kill in 0..kills {
        let server = Server::start(program, &data)?;
        let moment = Duration::from_micros(20_000 + random.next(130_000));
        let written = write_and_kill(server, kill, moment)?;
        let count = seen.counts.entry("serve").or_default();
        count.runs += 1;
        count.kills += 1;
        count.acknowledged += written.iter().map(|written| written.acknowledged).sum::<usize>();
        if let Err(words) = check(program, &data, &written) {
            seen.wrong.push(format!("kill {kill} of the server, after {moment:.1?}: {words}"));
        }
    }
    Ok(())
}

/// Lets all connections write until the server is killed.
fn write_and_kill(server: Server, kill: usize, moment: Duration) -> Done<Vec<Written>> {
    let stories = (0..APPENDING - 1).map(|_| Story::begin(&server, "local")).collect::<Done<Vec<_>>>()?;
    let chats = (0..SYNCING).map(|number| HostChat::open(&server, "local", kill * SYNCING + number));
    let chats = chats.collect::<std::io::Result<Vec<_>>>()?;
    let mut threads = Vec::new();
    for number in 0..APPENDING {
        let branch = stories[number.saturating_sub(1)].branch.clone();
        let connection = server.connect("local")?;
        threads.push(thread::spawn(move || append(connection, branch, number)));
    }
    threads.extend(chats.into_iter().map(|chat| thread::spawn(move || sync(chat))));
    thread::sleep(moment);
    server.kill()?;
    let written = threads.into_iter().map(|thread| thread.join().map_err(|_| "a connection panicked".into()));
    written.collect()
}

fn append(mut connection: Connection, branch: String, number: usize) -> Written {
    let floor = move |place: usize| (format!("{number}-{place} @.SET(\"c{number}\", {place});"), place);
    let mut append = |place: usize| -> Done {
        let text = Value::text(floor(place).0);
        let body = format!(r#"{{"kind":"append","role":"assistant","name":"A","text":{}}}"#, json::write(&text));
        expect(connection.ask("POST", &format!("{branch}/operations"), &body)?)?;
        Ok(())
    };
    let acknowledged = (0..).take_while(|place| append(*place).is_ok()).count();
    Written { branch, acknowledged, path: format!("c{number}"), floor: Box::new(floor) }
}

fn sync(mut chat: HostChat) -> Written {
    while chat.next_floor().is_ok() {}
    let floor = |place| (HostChat::text(place), place + 1);
    let (branch, acknowledged) = (chat.branch().to_owned(), chat.floors());
    Written { branch, acknowledged, path: "计数".into(), floor: Box::new(floor) }
}

/// Reads by another server, and verifies.
fn check(program: &Path, data: &Path, all: &[Written]) -> Done {
    let problems = verify(program, data, false)?;
    if !problems.is_empty() {
        return Err(format!("verify: {problems:?}").into());
    }
    let server = Server::start(program, data)?;
    let mut connection = server.connect("local")?;
    all.iter().try_for_each(|written| check_branch(&mut connection, written))
}

fn check_branch(connection: &mut Connection, written: &Written) -> Done {
    let Written { branch, acknowledged, path, floor } = written;
    let texts = texts(connection, branch)?;
    let mut there = 0;
    for (at, _) in texts.iter().enumerate().filter(|(_, text)| text.contains(&format!("\"{path}\""))) {
        let (text, value) = floor(there);
        let query = format!("{branch}/floors/{at}/state?path={}", encoded(path));
        let state = json::read(&expect(connection.ask("GET", &query, "")?)?)?;
        let found = state.get("value").map(json::write).unwrap_or_default();
        if texts[at] != text || found != value.to_string() {
            return Err(format!("floor {at} of {branch} is `{}` with `{found}` instead of `{text}`", texts[at]).into());
        }
        there += 1;
    }
    match (*acknowledged..=acknowledged + 1).contains(&there) {
        true => Ok(()),
        false => Err(format!("{branch}: {acknowledged} floors were acknowledged, {there} are there").into()),
    }
}

/// Reads the texts of all floors of a branch.
fn texts(connection: &mut Connection, branch: &str) -> Done<Vec<String>> {
    let mut texts = Vec::new();
    loop {
        let answer = connection.ask("GET", &format!("{branch}/path?from={}", texts.len()), "")?;
        let answer = json::read(&expect(answer)?)?;
        let turns = answer.get("turns").and_then(Value::as_list).ok_or("no floors are told")?;
        if turns.is_empty() {
            return Ok(texts);
        }
        texts.extend(turns.iter().map(text_of));
    }
}

fn text_of(turn: &Value) -> String {
    let pages = turn.get("pages").and_then(Value::as_list);
    let page = pages.and_then(|pages| pages.iter().next());
    page.and_then(|page| page.get("text")).and_then(Value::as_text).unwrap_or_default().to_owned()
}

fn encoded(path: &str) -> String {
    path.bytes().map(|byte| format!("%{byte:02X}")).collect()
}
