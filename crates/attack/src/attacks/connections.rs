//! Many connections and large bodies: making the server slow or unreachable for others.

use std::io::{self, Write as _};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use storeyline_bench::http::{Connection, expect};
use storeyline_bench::serving::Server;
use storeyline_state::{Value, json};

use crate::{Attack, Done, Outcome, Target};

pub static IDLE: Attack = Attack {
    name: "idle-connections",
    wants: "to make the engine unreachable with 1,100 connections that send nothing or half a request, without a token",
    is_quick: true,
    limit: Duration::from_secs(30),
    run: open_idle,
};

pub static BODIES: Attack = Attack {
    name: "many-bodies",
    wants: "to fill the memory with ten bodies of 11 MB at once",
    is_quick: false,
    limit: Duration::from_secs(180),
    run: send_bodies,
};

pub static NEIGHBOUR: Attack = Attack {
    name: "neighbour",
    wants: "to slow down another account with 24 connections (its p99 more than 2 × and more than + 25 ms)",
    is_quick: false,
    limit: Duration::from_secs(120),
    run: crowd_out,
};

const IDLE_CONNECTIONS: usize = 1_100;

/// An answer that takes longer counts as none.
const REACHABLE: Duration = Duration::from_secs(2);

fn open_idle(target: &Target) -> Done<Outcome> {
    let server = target.server()?;
    let address = server.url().trim_start_matches("http://").to_owned();
    let mut before = server.connect("local")?;
    expect(before.ask("GET", "/api/v1/stories", "")?)?;
    let mut opened = Vec::new();
    for number in 0..IDLE_CONNECTIONS {
        // A machine may not let one program open so many.
        let Ok(mut stream) = TcpStream::connect(&address) else { break };
        let head = match number % 20 {
            0..8 => String::new(),
            8..16 => "GET /api/v1/stories HTTP/1.1\r\nHost: ".into(),
            16..19 => format!("GET /healthz HTTP/1.1\r\nHost: {address}\r\n\r\n"),
            _ => format!(
                "POST /api/v1/tokens HTTP/1.1\r\nHost: {address}\r\nX-Storeyline: 1\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n\r\n{{"
            ),
        };
        let _ = stream.write_all(head.as_bytes());
        opened.push(stream);
        // The system holds few connections that are not accepted yet; more would only wait for each other.
        if number % 50 == 0 {
            thread::sleep(Duration::from_millis(20));
        }
    }
    let (old, _) = timed(|| expect(before.ask("GET", "/api/v1/stories", "")?));
    let (new, took) = timed(|| expect(server.connect("local")?.ask("GET", "/api/v1/stories", "")?));
    let seen = format!(
        "with {} connections open a request was answered after {:.0} ms; a connection from before still works: {}",
        opened.len(),
        took.as_secs_f64() * 1_000.0,
        old.is_ok()
    );
    Ok(Outcome::new(new.is_err() || old.is_err() || took > REACHABLE, seen))
}

fn timed<T>(work: impl FnOnce() -> io::Result<T>) -> (io::Result<T>, Duration) {
    let began = Instant::now();
    (work(), began.elapsed())
}

const BODY: usize = 11 << 20;

/// What ten bodies may cost: one of them is in memory at a time, parsed into a tree of small values.
const MAX_MEMORY: u64 = 400 << 20;

fn send_bodies(target: &Target) -> Done<Outcome> {
    let server = target.server()?;
    let body = format!(r#"{{"message":"","state":{{"a":[{}0]}}}}"#, "1,".repeat(BODY / 2));
    let statuses = thread::scope(|scope| {
        let ask = || -> io::Result<u16> { Ok(server.connect("anna")?.ask("POST", "/api/v1/evaluate", &body)?.0) };
        let asked: Vec<_> = (0..10).map(|_| scope.spawn(ask)).collect();
        asked.into_iter().map(|asked| asked.join().ok().and_then(Result::ok).unwrap_or(0)).collect::<Vec<_>>()
    });
    let (peak, after) = (server.peak().unwrap_or(0), server.resident().unwrap_or(0));
    let seen = format!("{} MB at most and {} MB afterwards; answers {statuses:?}", peak >> 20, after >> 20);
    Ok(Outcome::new(peak > MAX_MEMORY, seen))
}

const CROWD: usize = 24;
const ROUNDS: usize = 400;

/// Requests of the quiet account are due this often.
const INTERVAL: Duration = Duration::from_millis(10);

fn crowd_out(target: &Target) -> Done<Outcome> {
    let server = target.server()?;
    let mut quiet = Player::begin(&server, "bert")?;
    for _ in 0..50 {
        quiet.play()?;
    }
    let alone = p99(&mut quiet)?;
    let over = AtomicBool::new(false);
    let (beside, done) = thread::scope(|scope| {
        let crowd: Vec<_> = (0..CROWD).map(|_| scope.spawn(|| crowd(&server, &over))).collect();
        thread::sleep(Duration::from_millis(500));
        let beside = p99(&mut quiet);
        over.store(true, Ordering::Relaxed);
        let done: usize = crowd.into_iter().filter_map(|one| one.join().ok()?.ok()).sum();
        (beside, done)
    });
    let beside = beside?;
    let got = beside > alone * 2 && beside > alone + Duration::from_millis(25);
    let milliseconds = |time: Duration| time.as_secs_f64() * 1_000.0;
    let seen = format!(
        "p99 of the other: {:.1} ms alone, {:.1} ms beside {CROWD} connections that made {done} requests",
        milliseconds(alone),
        milliseconds(beside)
    );
    Ok(Outcome::new(got, seen))
}

/// Plays as fast as it is answered until it is over; returns the number of requests.
fn crowd(server: &Server, over: &AtomicBool) -> Done<usize> {
    let mut player = Player::begin(server, "anna")?;
    let mut done = 0;
    while !over.load(Ordering::Relaxed) {
        player.play()?;
        done += 2;
    }
    Ok(done)
}

/// The 99th percentile of the time for a reply and a look at it.
fn p99(player: &mut Player) -> Done<Duration> {
    let began = Instant::now();
    let mut times = Vec::new();
    for round in 0..ROUNDS {
        let due = began + INTERVAL * round as u32;
        thread::sleep(due.saturating_duration_since(Instant::now()));
        let asked = Instant::now();
        player.play()?;
        times.push(asked.elapsed());
    }
    times.sort_unstable();
    Ok(times[ROUNDS * 99 / 100])
}

/// A story with a state of some size, and a connection to it.
struct Player {
    connection: Connection,
    branch: String,
}

impl Player {
    fn begin(server: &Server, owner: &str) -> Done<Player> {
        let mut connection = server.connect(owner)?;
        let people: Vec<String> =
            (0..200).map(|number| format!(r#""p{number}":{{"gold":{number},"mood":"calm"}}"#)).collect();
        let body = format!(r#"{{"title":"t","template":{{"n":0,{}}}}}"#, people.join(","));
        let begun = json::read(&expect(connection.ask("POST", "/api/v1/stories", &body)?)?)?;
        let id = |key: &str| begun.get(key).and_then(Value::as_text).unwrap_or_default().to_owned();
        let branch = format!("/api/v1/stories/{}/refs/{}", id("story"), id("ref"));
        Ok(Player { connection, branch })
    }

    /// Appends a reply and reads the list of floors.
    fn play(&mut self) -> Done {
        let reply = r#"{"kind":"append","role":"assistant","name":"A","text":"She nods. @.ADD(\"n\", 1);"}"#;
        expect(self.connection.ask("POST", &format!("{}/operations", self.branch), reply)?)?;
        expect(self.connection.ask("GET", &format!("{}/floors?limit=50", self.branch), "")?)?;
        Ok(())
    }
}
