//! `bench server`: an engine in a process of its own, many connections over loopback, one more
//! floor of a chat per request and transaction.
//!
//! Every connection is a chat of its own, as the extension syncs it: base, digest, one row, one message.

use std::io::{self, BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use storeyline_state::{PageId, Value, json, text};

use crate::Done;
use crate::args::ServerBench;
use crate::http::Connection;
use crate::measure::{memory, millis};

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
    let engine = Running::start(program, folder.path())?;
    let answered = Connection::open(&engine.url, &engine.token)?.ask("GET", "/healthz", "")?;
    let first_answer = began.elapsed();
    if answered.0 != 200 {
        return Err(io::Error::other(answered.1));
    }
    // Something small is done first, so that idle means ready and not asleep.
    talk(&engine, 0, 20)?;
    let idle = resident(&engine);
    let (connections, floors) = (args.connections.max(1), args.floors.max(args.connections));
    let began = Instant::now();
    let times = thread::scope(|scope| {
        let talks: Vec<_> = (1..=connections)
            .map(|who| {
                scope.spawn({
                    let engine = &engine;
                    move || talk(engine, who, floors / connections)
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
    let loaded = resident(&engine);
    Ok(Measured { first_answer, floors: times.len(), seconds, times, idle, loaded })
}

/// An engine that ends with us.
struct Running {
    child: Child,
    url: String,
    token: String,
}

impl Running {
    fn start(program: &Path, folder: &Path) -> io::Result<Running> {
        let mut child = Command::new(program)
            .args(["serve", "--port", "0", "--json", "--exit-with-stdin", "--data"])
            .arg(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut first = String::new();
        let out = child.stdout.take().ok_or_else(|| io::Error::other("it says nothing"))?;
        BufReader::new(out).read_line(&mut first)?;
        let first = json::read(&first).map_err(io::Error::other)?;
        let word = |key: &str| first.get(key).and_then(Value::as_text).unwrap_or_default().to_owned();
        let token = std::fs::read_to_string(word("token_file"))?.trim().to_owned();
        Ok(Running { child, url: word("url"), token })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It ends by itself when its input closes; nothing must outlive a bench.
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

/// Tells a chat floor by floor over one connection; returns how long each request took.
fn talk(engine: &Running, who: usize, floors: usize) -> io::Result<Vec<Duration>> {
    let mut connection = Connection::open(&engine.url, &engine.token)?;
    let chat = PageId::from_random((who as u128 + (1 << 100)).to_le_bytes());
    let open = format!(
        r#"{{"chat":"{chat}","file":"bench {who}","owner":"c.png","title":"bench {who}","template":{}}}"#,
        state()
    );
    expect(connection.ask("POST", "/api/v1/chats", &open)?)?;
    let (mut base, mut have, mut digest) = ("null".to_owned(), "null".to_owned(), String::new());
    let mut times = Vec::with_capacity(floors);
    for floor in 0..floors {
        let words = format!("第 {floor} 层：雨还在下，炉火旁的人换了一批又一批。@.ADD(\\\"计数\\\", 1);");
        let hash = text::hash(&words.replace("\\\"", "\""));
        let id = PageId::from_random(((who as u128) << 64 | (floor as u128 + 1)).to_le_bytes());
        let row = format!(r#"["{id}","{hash}","assistant","A",false,0,[["{id}","{hash}"]]]"#);
        let body = format!(
            r#"{{"chat":"{chat}","client":"bench","seq":{},"base":{base},"keep":{{"len":{floor},"digest":"{digest}"}},"tail":[{{"id":"{id}","h":"{hash}","role":"assistant","name":"A","hidden":false,"swipes":[{{"id":"{id}","h":"{hash}"}}],"active":0}}],"messages":{{"{id}":{{"name":"A","is_user":false,"mes":"{words}","extra":{{"storeyline":{{"id":"{id}","h":"{hash}"}}}}}}}},"have":{have},"names":{{"user":"U","char":"A"}}}}"#,
            floor + 1
        );
        let began = Instant::now();
        let answer = connection.ask("POST", "/api/v1/sync", &body)?;
        times.push(began.elapsed());
        let answer = json::read(&expect(answer)?).map_err(io::Error::other)?;
        let hex = |value: Option<&Value>| value.and_then(Value::as_text).map(|hex| format!("\"{hex}\""));
        base = hex(answer.get("node")).ok_or_else(|| io::Error::other("nothing was written"))?;
        have = hex(answer.get("state").and_then(|state| state.get("hash"))).unwrap_or_else(|| "null".into());
        digest = text::hash(&(digest + &row)).to_string();
    }
    Ok(times)
}

fn expect((status, body): (u16, String)) -> io::Result<String> {
    if status == 200 { Ok(body) } else { Err(io::Error::other(body)) }
}

/// A state of about 10 KB.
fn state() -> String {
    let entries = (0..150).map(|n| format!(r#","键{n}":"一段不短的文字，编号 {n}，用来占地方。""#));
    format!(r#"{{"计数":0{}}}"#, entries.collect::<String>())
}

fn resident(engine: &Running) -> Option<u64> {
    memory(&engine.child.id().to_string(), "VmRSS:")
}

fn show(json: bool, args: &ServerBench, measured: &Measured) {
    let Measured { first_answer, floors, seconds, times, idle, loaded } = measured;
    let at = |part: f64| {
        let index = (times.len() as f64 * part) as usize;
        times.get(index.min(times.len().saturating_sub(1))).map_or(0.0, |time| millis(*time))
    };
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
