//! `bench server`: an engine in a process of its own, many connections over loopback, one more
//! floor of a chat per request and transaction. Every connection is a chat of its own.

use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::Done;
use crate::args::ServerBench;
use crate::measure::{at_part, millis};
use storeyline_bench::host::HostChat;
use storeyline_bench::http::expect;
use storeyline_bench::serving::Server;

/// What was measured.
struct Measured {
    first_answer: Duration,
    floors: usize,
    seconds: f64,
    /// Of single requests, sorted.
    times: Vec<Duration>,
    idle: Option<u64>,
    loaded: Option<u64>,
}

pub(crate) fn run(json: bool, args: &ServerBench, program: &Path) -> Done {
    let measured = measure(args, program).map_err(|error| format!("{}: {error}", program.display()))?;
    show(json, args, &measured);
    Ok(())
}

fn measure(args: &ServerBench, program: &Path) -> io::Result<Measured> {
    let folder = tempfile::tempdir()?;
    let began = Instant::now();
    let server = Server::start(program, folder.path())?;
    let answered = server.connect("local")?.ask("GET", "/healthz", "")?;
    let first_answer = began.elapsed();
    expect(answered)?;
    // Something small is done first, so that idle means ready and not asleep.
    talk(&server, 0, 20)?;
    let idle = server.resident();
    let (connections, floors) = (args.connections.max(1), args.floors.max(args.connections));
    let began = Instant::now();
    let times = thread::scope(|scope| {
        let talks: Vec<_> = (1..=connections)
            .map(|who| {
                scope.spawn({
                    let server = &server;
                    move || talk(server, who, floors / connections)
                })
            })
            .collect();
        let joined =
            talks.into_iter().map(|talk| talk.join().unwrap_or_else(|_| Err(io::Error::other("a connection failed"))));
        joined.collect::<io::Result<Vec<Vec<Duration>>>>()
    })?;
    let seconds = began.elapsed().as_secs_f64();
    let mut times: Vec<Duration> = times.into_iter().flatten().collect();
    times.sort_unstable();
    let loaded = server.resident();
    Ok(Measured { first_answer, floors: times.len(), seconds, times, idle, loaded })
}

/// Tells a chat floor by floor over one connection; returns how long each request took.
fn talk(server: &Server, number: usize, floors: usize) -> io::Result<Vec<Duration>> {
    let mut chat = HostChat::open(server, "local", number)?;
    (0..floors).map(|_| chat.next_floor().map(|took| took.end - took.start)).collect()
}

fn show(json: bool, args: &ServerBench, measured: &Measured) {
    let Measured { first_answer, floors, seconds, times, idle, loaded } = measured;
    let at = |part: f64| millis(at_part(times, part));
    let rate = *floors as f64 / seconds;
    if json {
        let result = serde_json::json!({
            "connections": args.connections, "floors": floors, "seconds": seconds,
            "floors_per_second": rate, "p50_ms": at(0.5), "p99_ms": at(0.99),
            "idle_bytes": idle, "loaded_bytes": loaded, "first_answer_ms": millis(*first_answer),
        });
        println!("{result}");
        return;
    }
    let megabytes = |bytes: &Option<u64>| {
        bytes.map_or_else(|| "–".to_owned(), |bytes| format!("{:.1} MB", bytes as f64 / 1_048_576.0))
    };
    println!("first answer after {:.0} ms", millis(*first_answer));
    println!("floors per second: {rate:.0} ({floors} / {seconds:.1} s)");
    println!("one request: p50 {:.1} ms · p99 {:.1} ms", at(0.5), at(0.99));
    println!("memory, idle → after: {} → {}", megabytes(idle), megabytes(loaded));
}
