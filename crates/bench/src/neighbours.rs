//! `bench neighbours`: how long quiet owners wait for a floor, alone and beside one slow owner.
//!
//! The quiet ones have no functions, and their requests are due at fixed times whatever the server does; a
//! request counts from when it was due. The slow one has a passive function that runs into the limit of
//! ticks on every floor, appends as fast as it is answered, and once has a function that stops counting, so
//! that its worker is killed.

use std::collections::HashSet;
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::Done;
use crate::args::NeighboursBench;
use crate::measure::{at_part, millis, ratio};
use storeyline_bench::host::HostChat;
use storeyline_bench::http::{Connection, expect};
use storeyline_bench::serving::Server;

const QUIET_OWNERS: usize = 8;

const CHATS_PER_OWNER: usize = 4;

/// The wall limit is 10 s, so that a kill falls into a phase of 20 s.
const HANG_AT: f64 = 0.4;

/// How long the slow owner waits after a refusal.
const PAUSE: Duration = Duration::from_millis(100);

/// `LOOP` runs on every floor and is counted; `HANG` loops inside the JavaScript engine, which counts nothing.
const LIBRARY: &str = r#"{"version":"1.0","functions":[
    {"name":"LOOP","type":"passive","enabled":true,"executor":"while (true) {}"},
    {"name":"HANG","type":"active","enabled":true,"executor":"let o = {}; for (let i = 0; i < 1e5; i++) o = Object.create(o); for (;;) o.missing"}]}"#;

struct Measured {
    /// Sorted.
    alone: Vec<Duration>,
    /// Sorted.
    beside: Vec<Duration>,
    slow: Slow,
}

/// What became of the requests of the slow owner.
#[derive(Default)]
struct Slow {
    /// Floors of its branch at the end.
    floors: u64,
    done: usize,
    pending: usize,
    refused: usize,
    kills: usize,
}

pub(crate) fn run(json: bool, args: &NeighboursBench, program: &Path) -> Done {
    let measured = measure(args, program).map_err(|error| format!("{}: {error}", program.display()))?;
    show(json, args, &measured);
    Ok(())
}

fn measure(args: &NeighboursBench, program: &Path) -> io::Result<Measured> {
    let folder = tempfile::tempdir()?;
    let server = Server::start(program, folder.path())?;
    let chats = (0..QUIET_OWNERS * CHATS_PER_OWNER)
        .map(|number| HostChat::open(&server, &format!("quiet-{}", number % QUIET_OWNERS), number));
    let mut chats = chats.collect::<io::Result<Vec<_>>>()?;
    let alone = quiet_phase(args, &mut chats)?;
    let mut story = SlowStory::begin(&server)?;
    let (beside, slow) = thread::scope(|scope| {
        let slow = scope.spawn(|| story.play(Duration::from_secs(args.seconds)));
        (quiet_phase(args, &mut chats), joined(slow))
    });
    Ok(Measured { alone, beside: beside?, slow: slow? })
}

/// Lets all chats go on for one phase; returns how long each request took, sorted.
fn quiet_phase(args: &NeighboursBench, chats: &mut [HostChat]) -> io::Result<Vec<Duration>> {
    let interval = Duration::from_secs(1) / args.rate.max(1);
    let (began, all) = (Instant::now(), chats.len());
    let floors = args.seconds as usize * args.rate as usize / all;
    let times = thread::scope(|scope| {
        let chats = chats.iter_mut().enumerate().map(|(place, chat)| {
            let due = move |floor: usize| began + interval * (floor * all + place) as u32;
            scope.spawn(move || (0..floors).map(|floor| time_from(due(floor), chat)).collect::<io::Result<Vec<_>>>())
        });
        let chats: Vec<_> = chats.collect();
        chats.into_iter().map(joined).collect::<io::Result<Vec<_>>>()
    })?;
    let mut times = times.concat();
    times.sort_unstable();
    Ok(times)
}

/// Syncs a floor when it is due, or now if that is over; returns how long after the due time it was answered.
fn time_from(due: Instant, chat: &mut HostChat) -> io::Result<Duration> {
    thread::sleep(due.saturating_duration_since(Instant::now()));
    Ok(chat.next_floor()?.end - due)
}

fn joined<T>(thread: thread::ScopedJoinHandle<'_, io::Result<T>>) -> io::Result<T> {
    thread.join().unwrap_or_else(|_| Err(io::Error::other("a connection failed")))
}

/// The slow owner's story.
struct SlowStory<'a> {
    server: &'a Server,
    connection: Connection,
    branch: String,
    /// All workers that it has seen.
    workers: HashSet<u32>,
}

impl SlowStory<'_> {
    fn begin(server: &Server) -> io::Result<SlowStory<'_>> {
        let mut connection = server.connect("slow")?;
        let begun = expect(connection.ask("POST", "/api/v1/stories", r#"{"title":"slow","template":{"a":1}}"#)?)?;
        let begun: Value = serde_json::from_str(&begun)?;
        let id = |key: &str| begun[key].as_str().unwrap_or_default();
        let story = format!("/api/v1/stories/{}", id("story"));
        expect(connection.ask("POST", &format!("{story}/rules"), &format!(r#"{{"library":{LIBRARY}}}"#))?)?;
        let branch = format!("{story}/refs/{}", id("ref"));
        Ok(SlowStory { server, connection, branch, workers: HashSet::new() })
    }

    /// Appends as fast as it is answered, until the time is over.
    fn play(&mut self, time: Duration) -> io::Result<Slow> {
        let (began, mut slow, mut hung) = (Instant::now(), Slow::default(), false);
        while began.elapsed() < time {
            let hang = !hung && began.elapsed() > time.mul_f64(HANG_AT);
            hung |= hang;
            self.append(if hang { "@.HANG();" } else { "A floor." }, &mut slow)?;
            self.workers.extend(self.server.workers());
        }
        let left: HashSet<u32> = self.server.workers().into_iter().collect();
        slow.kills = self.workers.difference(&left).count();
        let floors = expect(self.connection.ask("GET", &format!("{}/floors", self.branch), "")?)?;
        slow.floors = serde_json::from_str::<Value>(&floors)?["total"].as_u64().unwrap_or(0);
        Ok(slow)
    }

    fn append(&mut self, text: &str, slow: &mut Slow) -> io::Result<()> {
        let body = format!(r#"{{"kind":"append","role":"assistant","name":"A","text":"{text}"}}"#);
        let (status, answer) = self.connection.ask("POST", &format!("{}/operations", self.branch), &body)?;
        match status {
            200 => slow.done += 1,
            503 if answer.contains(r#""code":"pending""#) => slow.pending += 1,
            _ => {
                slow.refused += 1;
                thread::sleep(PAUSE);
            }
        }
        Ok(())
    }
}

fn show(json: bool, args: &NeighboursBench, measured: &Measured) {
    let Measured { alone, beside, slow } = measured;
    let figures = |times: &[Duration]| [0.5, 0.99, 1.0].map(|part| at_part(times, part));
    let (first, second) = (figures(alone), figures(beside));
    if json {
        let phase = |[p50, p99, max]: [Duration; 3]| json!({ "p50_ms": millis(p50), "p99_ms": millis(p99), "max_ms": millis(max) });
        let slow = json!({ "floors": slow.floors, "done": slow.done, "pending": slow.pending, "refused": slow.refused, "kills": slow.kills });
        let result = json!({ "seconds": args.seconds, "rate": args.rate, "alone": phase(first), "beside": phase(second), "slow": slow });
        println!("{result}");
        return;
    }
    println!("{QUIET_OWNERS} quiet owners, {} floors per second, {} s per phase", args.rate, args.seconds);
    println!("phase | floors | p50 ms | p99 ms | max ms");
    for (name, times, [p50, p99, max]) in [("alone", alone, first), ("beside", beside, second)] {
        println!("{name} | {} | {:.1} | {:.1} | {:.1}", times.len(), millis(p50), millis(p99), millis(max));
    }
    let [p50, p99, max] = [0, 1, 2].map(|index| ratio(second[index], first[index]));
    println!("beside ÷ alone | | {p50:.1} | {p99:.1} | {max:.1}");
    let Slow { floors, done, pending, refused, kills } = slow;
    println!(
        "the slow owner: {floors} floors; answers: {done} done, {pending} pending, {refused} refused; {kills} kills"
    );
}
