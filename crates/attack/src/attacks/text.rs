//! Texts that are small and want to be large: in an answer, in memory, in time.

use std::thread;
use std::time::{Duration, Instant};

use storeyline_bench::http::Connection;
use storeyline_bench::serving::Server;
use storeyline_state::{Value, json};

use crate::{Attack, Done, Outcome, Target};

pub static PATCH_SOURCES: Attack = Attack {
    name: "patch-sources",
    wants: "an answer of hundreds of megabytes for 262 KB of message: every op names the whole block as its source",
    is_quick: true,
    limit: Duration::from_secs(60),
    run: patch_sources,
};

pub static MOVED_VALUES: Attack = Attack {
    name: "moved-values",
    wants: "a record of gigabytes: a message moves the same large value to and fro 2,000 times",
    is_quick: true,
    limit: Duration::from_secs(60),
    run: moved_values,
};

pub static LONG_NAMES: Attack = Attack {
    name: "long-names",
    wants: "to end the engine with 850 KB of card: a long name and many macros that stand for it",
    is_quick: true,
    limit: Duration::from_secs(60),
    run: long_names,
};

pub static SLOW_TEXTS: Attack = Attack {
    name: "slow-texts",
    wants: "to keep the engine busy for minutes with texts that are read again and again",
    is_quick: false,
    limit: Duration::from_secs(120),
    run: slow_texts,
};

pub static HEALTH: Attack = Attack {
    name: "health-beside-cards",
    wants: "no other request to be answered while cards are read",
    is_quick: false,
    limit: Duration::from_secs(120),
    run: health,
};

pub static SEARCH: Attack = Attack {
    name: "search-stories",
    wants: "a search that reads all stories once per story, and a server that does not stop meanwhile",
    is_quick: false,
    limit: Duration::from_secs(240),
    run: search,
};

/// Ops in a block that was escaped as a whole, so that they have no place of their own in the text.
pub(super) fn escaped_patch(bytes: usize) -> String {
    let op = |number: usize| format!(r#"{{\"op\":\"replace\",\"path\":\"/a{number}\",\"value\":{number}}}"#);
    let ops: Vec<String> = (0..bytes / 48).map(op).collect();
    format!("<JSONPatch>[{}]</JSONPatch>", ops.join(","))
}

/// A message that moves one value to and fro.
pub(super) fn moves(bytes: usize) -> String {
    let there = r#"{"op":"move","from":"/a","path":"/b"},{"op":"move","from":"/b","path":"/a"},"#;
    format!(
        r#"<JSONPatch>[{}{{"op":"remove","path":"/z"}}]</JSONPatch>"#,
        there.repeat((bytes / there.len()).min(1_000))
    )
}

pub(super) fn evaluate(state: Value, message: &str) -> String {
    json::write(&Value::entries([("state", state), ("message", Value::text(message))]))
}

/// A card whose `[initvar]` entry has this text.
pub(super) fn card(name: &str, variables: &str) -> String {
    let entry = Value::entries([("comment", Value::text("[initvar]")), ("content", Value::text(variables))]);
    let book = Value::entries([("entries", Value::list(vec![entry]))]);
    let data = Value::entries([("name", Value::text(name)), ("character_book", book)]);
    let card = Value::entries([("spec", Value::text("chara_card_v2")), ("data", data)]);
    json::write(&Value::entries([("cards", Value::list(vec![card])), ("group", true.into())]))
}

/// Asks, and tells whether the answer came, its size, and the time in seconds.
fn asked(server: &Server, path: &str, body: &str) -> (bool, usize, f64) {
    let start = Instant::now();
    let answer = server.connect("attacker").and_then(|mut connection| connection.ask("POST", path, body));
    let seconds = start.elapsed().as_secs_f64();
    answer.map_or((false, 0, seconds), |(status, body)| (status < 500, body.len(), seconds))
}

fn told(server: &Server, sent: usize, (alive, size, seconds): (bool, usize, f64)) -> String {
    let peak = server.peak().unwrap_or(0) >> 20;
    format!("{sent} bytes sent, {size} received, {seconds:.2} s, {peak} MB at most, answered: {alive}")
}

fn patch_sources(target: &Target) -> Done<Outcome> {
    let server = target.server()?;
    let body = evaluate(Value::empty_object(), &escaped_patch(262_000));
    let answer = asked(&server, "/api/v1/evaluate", &body);
    Ok(Outcome::new(!answer.0 || answer.1 > 20 * body.len(), told(&server, body.len(), answer)))
}

fn moved_values(target: &Target) -> Done<Outcome> {
    let server = target.server()?;
    let state = Value::entries([("a", Value::text("x".repeat(300_000)))]);
    let body = evaluate(state, &moves(80_000));
    let answer = asked(&server, "/api/v1/evaluate", &body);
    Ok(Outcome::new(!answer.0 || answer.1 > 20 * body.len(), told(&server, body.len(), answer)))
}

fn long_names(target: &Target) -> Done<Outcome> {
    let server = target.server()?;
    let body = card(&"n".repeat(10_000), &format!("a: \"{}\"", "{{char}}".repeat(100_000)));
    let answer = asked(&server, "/api/v1/cards/look", &body);
    let peak = server.peak().unwrap_or(0);
    Ok(Outcome::new(!answer.0 || peak > 600 << 20, told(&server, body.len(), answer)))
}

fn slow_texts(target: &Target) -> Done<Outcome> {
    let server = target.server()?;
    let number = format!("\"k\": 0.{}1 ", "0".repeat(40));
    let wide = format!("{}{}", "金".repeat(4_000_000), "@.ADD(\"a\",1);".repeat(2_000));
    let texts = [
        ("JSON5 without commas", "/api/v1/cards/look", card("c", &format!("{{{}}}", number.repeat(18_000)))),
        ("unclosed macros", "/api/v1/cards/look", card("c", &format!("a: \"{}\"", "{{x ".repeat(50_000)))),
        ("2,000 calls after 12 MB", "/api/v1/evaluate", evaluate(Value::empty_object(), &wide)),
    ];
    let mut seen = Vec::new();
    let mut slowest = 0.0_f64;
    for (name, path, body) in texts {
        let answer = asked(&server, path, &body);
        slowest = slowest.max(if answer.0 { answer.2 } else { f64::INFINITY });
        seen.push(format!("{name}: {}", told(&server, body.len(), answer)));
    }
    Ok(Outcome::new(slowest > 5.0, seen.join("; ")))
}

fn health(target: &Target) -> Done<Outcome> {
    let server = target.server()?;
    let lines: String = (0..60_000).map(|line| format!("k{line}: [a, b, {{c: d}}]\n")).collect();
    let body = card("c", &lines[..900_000]);
    let start = Instant::now();
    let waits: Vec<f64> = thread::scope(|scope| {
        let readers: Vec<_> = (0..8).map(|_| scope.spawn(|| asked(&server, "/api/v1/cards/look", &body))).collect();
        let mut waits = Vec::new();
        while readers.iter().any(|reader| !reader.is_finished()) {
            let start = Instant::now();
            let healthy = server.connect("other").and_then(|mut other| other.ask("GET", "/healthz", ""));
            waits.push(if healthy.is_ok() { start.elapsed().as_secs_f64() } else { f64::INFINITY });
            thread::sleep(Duration::from_millis(5));
        }
        waits
    });
    let seconds = start.elapsed().as_secs_f64();
    let most = waits.iter().copied().fold(0.0, f64::max);
    let waiting = waits.iter().sum::<f64>() / seconds;
    let seen = format!(
        "/healthz was awaited for {:.0} % of the {seconds:.1} s that 8 cards took, {:.0} ms at most",
        waiting * 100.0,
        most * 1_000.0
    );
    Ok(Outcome::new(waiting > 0.5 || most > 0.5, seen))
}

const SEARCHED: &str = "/api/v1/search?q=secret&limit=10";

/// Stories of one floor each.
const STORIES: usize = 10_000;

fn search(target: &Target) -> Done<Outcome> {
    let server = target.server()?;
    let mut connection = server.connect("attacker")?;
    for number in 0..STORIES {
        let (_, begun) = connection.ask("POST", "/api/v1/stories", &format!(r#"{{"title":"{number}"}}"#))?;
        let begun = json::read(&begun)?;
        let id = |key: &str| begun.get(key).and_then(Value::as_text).unwrap_or_default().to_owned();
        let path = format!("/api/v1/stories/{}/refs/{}/operations", id("story"), id("ref"));
        let text = format!(r#"{{"kind":"append","role":"assistant","name":"A","text":"the secret {number}"}}"#);
        connection.ask("POST", &path, &text)?;
    }
    let start = Instant::now();
    let (status, found) = connection.ask("GET", SEARCHED, "")?;
    let searched = start.elapsed().as_secs_f64();
    let total = json::read(&found)?.get("total").map(json::write).unwrap_or_default();
    let connections = (0..4).map(|_| server.connect("attacker")).collect::<std::io::Result<Vec<_>>>()?;
    // One search follows the other until the server is gone.
    let search = |mut connection: Connection| while connection.ask("GET", SEARCHED, "").is_ok() {};
    let waiting: Vec<_> = connections.into_iter().map(|other| thread::spawn(move || search(other))).collect();
    thread::sleep(Duration::from_millis(200));
    let start = Instant::now();
    server.terminate()?;
    let stopped = start.elapsed().as_secs_f64();
    waiting.into_iter().for_each(|thread| drop(thread.join()));
    let seen = format!(
        "{total} hits in {STORIES} stories in {searched:.2} s; SIGTERM during a search: ended after {stopped:.2} s"
    );
    Ok(Outcome::new(status != 200 || searched > 5.0 || stopped > 8.0, seen))
}
