//! `storeyline bench server`: an engine in a process of its own, many connections over loopback, one more
//! floor of a chat per request and transaction.
//!
//! Every connection is a chat of its own, as the extension syncs it: base, digest, one row, one message.

use std::io::{self, BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use storeyline_state::{PageId, Value, json, text};

use super::http::Connection;
use crate::args::ServerBench;
use crate::failure::Failure;
use crate::out::Context;

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

pub(super) fn run(context: &Context, args: &ServerBench) -> Result<(), Failure> {
    let folder = std::env::temp_dir().join(format!("storeyline-bench-{}", std::process::id()));
    let measured = measure(args, &folder).map_err(|source| Failure::file(&folder, source));
    // A bench leaves nothing behind.
    let _ = std::fs::remove_dir_all(&folder);
    show(context, args, &measured?);
    Ok(())
}

fn measure(args: &ServerBench, folder: &Path) -> io::Result<Measured> {
    let began = Instant::now();
    let engine = Running::start(folder)?;
    let answered = Connection::open(&engine.url, &engine.token)?.ask("GET", "/healthz", "")?;
    let first_answer = began.elapsed();
    if answered.0 != 200 {
        return Err(io::Error::other(answered.1));
    }
    // Something small is done first, so that idle means ready and not asleep.
    talk(&engine, 0, 20)?;
    let idle = resident(engine.child.id());
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
    let loaded = resident(engine.child.id());
    Ok(Measured { first_answer, floors: times.len(), seconds, times, idle, loaded })
}

/// An engine that ends with us.
struct Running {
    child: Child,
    url: String,
    token: String,
}

impl Running {
    fn start(folder: &Path) -> io::Result<Running> {
        let mut child = Command::new(std::env::current_exe()?)
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

/// The memory that a process has now, where the system tells.
fn resident(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1_024)
}

fn show(context: &Context, args: &ServerBench, measured: &Measured) {
    let ms = |time: Duration| time.as_secs_f64() * 1_000.0;
    let at = |part: f64| {
        let index = (measured.times.len() as f64 * part) as usize;
        measured.times.get(index.min(measured.times.len().saturating_sub(1))).map_or(0.0, |time| ms(*time))
    };
    let rate = measured.floors as f64 / measured.seconds;
    if context.json {
        let result = serde_json::json!({
            "connections": args.connections, "floors": measured.floors, "seconds": measured.seconds,
            "floors_per_second": rate, "p50_ms": at(0.5), "p99_ms": at(0.99),
            "idle_bytes": measured.idle, "loaded_bytes": measured.loaded, "first_answer_ms": ms(measured.first_answer),
        });
        context.line(&result.to_string());
        return;
    }
    let megabytes = |bytes: Option<u64>| {
        bytes.map_or_else(|| "–".to_owned(), |bytes| format!("{:.1} MB", bytes as f64 / 1_048_576.0))
    };
    let line = |zh: &str, en: &str, value: String| context.line(&format!("{} {value}", context.words(zh, en)));
    line("第一次应答：", "first answer after", format!("{:.0} ms", ms(measured.first_answer)));
    line("每秒楼层：", "floors per second:", format!("{rate:.0} ({} / {:.1} s)", measured.floors, measured.seconds));
    line("一次请求：", "one request:", format!("p50 {:.1} ms · p99 {:.1} ms", at(0.5), at(0.99)));
    let memory = format!("{} → {}", megabytes(measured.idle), megabytes(measured.loaded));
    line("内存（空闲 → 之后）：", "memory, idle → after:", memory);
}
