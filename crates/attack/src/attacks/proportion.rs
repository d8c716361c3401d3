//! Every kind of input that a stranger can send, at 10 KB, 100 KB, 1 MB and 10 MB: answer, memory and time must stay
//! in proportion to its size.

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use storeyline_bench::serving::Server;
use storeyline_state::{Value, json};

use super::text::{card, escaped_patch, evaluate, moves};
use crate::{Attack, Done, Outcome, Target};

pub static PROPORTION: Attack = Attack {
    name: "proportion",
    wants: "an answer, memory or time out of proportion to the size of an input",
    is_quick: false,
    limit: Duration::from_secs(900),
    run,
};

const SIZES: [usize; 4] = [10_000, 100_000, 1_000_000, 10_000_000];

/// Ten times the size may take so much longer, and need so much more memory or answer per byte.
const MOST_TIME: f64 = 25.0;
const MOST_PER_BYTE: f64 = 4.0;

/// Below these, differences are noise: seconds, bytes of memory, bytes of an answer.
const LEAST_TIME: f64 = 0.5;
const LEAST_MEMORY: u64 = 64 << 20;
const LEAST_ANSWER: usize = 1 << 20;

/// An input: the path of the request and the body for a size.
struct Input {
    name: &'static str,
    method: &'static str,
    path: &'static str,
    body: fn(&Target, usize) -> Done<String>,
}

const fn post(name: &'static str, path: &'static str, body: fn(&Target, usize) -> Done<String>) -> Input {
    Input { name, method: "POST", path, body }
}

const INPUTS: &[Input] = &[
    post("message: prose and calls", "/api/v1/evaluate", |_, size| {
        Ok(evaluate(Value::empty_object(), &"她笑了。@.ADD(\"角色.金币\", 5); The door was open.\n".repeat(size / 60)))
    }),
    post("message: escaped patch", "/api/v1/evaluate", |_, size| {
        Ok(evaluate(Value::empty_object(), &escaped_patch(size)))
    }),
    post("message: values moved to and fro", "/api/v1/evaluate", |_, size| {
        Ok(evaluate(Value::entries([("a", Value::text("x".repeat(size / 2)))]), &moves(size / 2)))
    }),
    post("message: damaged calls", "/api/v1/evaluate", |_, size| {
        Ok(evaluate(Value::empty_object(), &"_.set('a', {\"x\": [1, \"y\"\n".repeat(size / 26)))
    }),
    post("card: macros and a long name", "/api/v1/cards/look", |_, size| {
        Ok(card(&"n".repeat(size / 4), &format!("a: \"{}\"", "{{char}}".repeat(size * 3 / 4 / 8))))
    }),
    post("card: unclosed macros", "/api/v1/cards/look", |_, size| {
        Ok(card("c", &format!("a: \"{}\"", "{{x ".repeat(size / 4))))
    }),
    post("card: JSON5 without commas", "/api/v1/cards/look", |_, size| {
        Ok(card("c", &format!("{{{}}}", "\"k\": (1+2) ".repeat(size / 11))))
    }),
    post("card: YAML", "/api/v1/cards/look", |_, size| {
        let lines: Vec<String> = (0..size / 16).map(|line| format!("k{line}: [a, b]")).collect();
        Ok(card("c", &lines.join("\n")))
    }),
    post("world book: aliases and many entries", "/api/v1/cards/look", |_, size| Ok(book(size))),
    post("chat file: many messages", "/api/v1/import", |_, size| Ok(import(&chat(size, "@.ADD('a', 1); Well.")))),
    post("chat file: escaped patches", "/api/v1/import", |_, size| {
        Ok(import(&chat(size, &escaped_patch(size.min(100_000)))))
    }),
    post("library", "/api/v1/library/import", |_, size| {
        let function = |number: usize| format!(r#"{{"name":"F{number}","executor":"return snapshot","regex":"a+"}}"#);
        let functions: Vec<String> = (0..size / 60).map(function).collect();
        Ok(format!(r#"{{"library":[{}]}}"#, functions.join(",")))
    }),
    post("archive", "/api/v1/archives", archive),
    post("request: nested lists", "/api/v1/evaluate", |_, size| Ok("[".repeat(size))),
    post("request: a state", "/api/v1/evaluate", |_, size| {
        Ok(format!(r#"{{"message":"","state":{{"a":[{}1]}}}}"#, "1,".repeat(size / 2)))
    }),
    post("request: rows of a sync", "/api/v1/sync", |_, size| {
        let row = r#"{"role":"user","name":"","hidden":false,"swipes":[],"active":0},"#.repeat(size / 66);
        let row = row.trim_end_matches(',');
        Ok(format!(r#"{{"chat":"00000000-0000-4000-8000-00000000000a","client":"c","seq":1,"tail":[{row}]}}"#))
    }),
];

/// A world book whose entries are small and want to be large.
fn book(size: usize) -> String {
    let bomb = "a: &a [x,x,x,x,x,x,x,x]\\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\\nc: [*b,*b,*b,*b,*b,*b,*b,*b]\\nn: {{char}}";
    let entry = |number: usize| format!(r#""{number}":{{"comment":"[initvar]","content":"k{number}: 1\n{bomb}"}}"#);
    let entries: Vec<String> = (0..size / 180).map(entry).collect();
    let card = format!(r#"{{"data":{{"name":"{}"}}}}"#, "n".repeat(1_000));
    let book = format!(r#"{{"name":"b","book":{{"entries":{{{}}}}}}}"#, entries.join(","));
    format!(r#"{{"cards":[{card}],"books":[{book}],"group":true}}"#)
}

/// A chat file with messages of this text, as long as wanted.
fn chat(size: usize, text: &str) -> String {
    let message = |number: usize| {
        let date = format!("2026-01-01T00:00:00.{number:03}Z");
        let text = Value::text(format!("{text} {number}"));
        let name = if number.is_multiple_of(2) { "A" } else { "B" };
        let date = Value::text(date);
        let fields = [("name", Value::text(name)), ("is_user", false.into()), ("mes", text), ("send_date", date)];
        json::write(&Value::entries(fields))
    };
    let count = (size / message(0).len()).max(1);
    let header = r#"{"user_name":"U","character_name":"A","chat_metadata":{"integrity":"x"}}"#.to_owned();
    std::iter::once(header).chain((0..count).map(message)).collect::<Vec<_>>().join("\n")
}

fn import(text: &str) -> String {
    json::write(&Value::entries([("text", Value::text(text)), ("file", Value::text("chat"))]))
}

/// The archive of a story, made by the program itself.
fn archive(target: &Target, size: usize) -> Done<String> {
    let [data, file, out] =
        ["made", "chat.jsonl", "out"].map(|name| target.folder.path().join(format!("{size}-{name}")));
    fs::write(&file, chat(size / 3, "@.ADD('a', 1); Well."))?;
    let run = |arguments: &[&std::ffi::OsStr]| {
        Command::new(&target.program).arg("--data").arg(&data).args(arguments).output()
    };
    run(&["import".as_ref(), file.as_os_str()])?;
    let title = file.file_stem().unwrap_or_default();
    run(&["archive".as_ref(), title, out.as_os_str()])?;
    Ok(fs::read_to_string(&out)?)
}

/// What one input cost.
struct Cost {
    sent: usize,
    answer: usize,
    memory: u64,
    seconds: f64,
    status: u16,
}

fn run(target: &Target) -> Done<Outcome> {
    let mut wrong = Vec::new();
    println!("    | input | sent | status | answer | memory | time |\n    |---|---|---|---|---|---|");
    for input in INPUTS {
        let mut before: Option<Cost> = None;
        for size in SIZES {
            let body = (input.body)(target, size)?;
            let cost = match measure(target, input, &body) {
                Ok(cost) => cost,
                Err(error) => {
                    wrong.push(format!("{} at {size}: {error}", input.name));
                    break;
                }
            };
            println!(
                "    | {} | {} KB | {} | {} KB | {} MB | {:.2} s |",
                input.name,
                cost.sent / 1_000,
                cost.status,
                cost.answer / 1_000,
                cost.memory >> 20,
                cost.seconds
            );
            if let Some(problem) = before.as_ref().and_then(|before| out_of_proportion(before, &cost)) {
                wrong.push(format!("{} at {size}: {problem}", input.name));
            }
            before = Some(cost);
        }
    }
    Ok(Outcome::new(!wrong.is_empty(), if wrong.is_empty() { "all in proportion".into() } else { wrong.join("; ") }))
}

/// Sends one input to a new server.
fn measure(target: &Target, input: &Input, body: &str) -> Done<Cost> {
    let folder = tempfile::tempdir_in(target.folder.path())?;
    let server = Server::start_limited(&target.program, folder.path(), 4 << 20)?;
    let mut connection = server.connect("attacker")?;
    let base = server.peak().unwrap_or(0);
    let start = Instant::now();
    let (status, answer) = connection.ask(input.method, input.path, body)?;
    let seconds = start.elapsed().as_secs_f64();
    let memory = server.peak().unwrap_or(0).saturating_sub(base);
    Ok(Cost { sent: body.len(), answer: answer.len(), memory, seconds, status })
}

/// Compares an input with one of a tenth of its size. Below a floor a figure is noise; a step may take as long as
/// the floor says.
fn out_of_proportion(before: &Cost, after: &Cost) -> Option<String> {
    let grown = (after.sent as f64 / before.sent as f64).max(1.0);
    let time = after.seconds / before.seconds.max(LEAST_TIME / 10.0);
    let memory = after.memory as f64 / before.memory.max(LEAST_MEMORY / 10) as f64 / grown;
    let answer = after.answer as f64 / before.answer.max(LEAST_ANSWER / 10) as f64 / grown;
    if after.status >= 500 {
        return Some(format!("status {}", after.status));
    }
    if time > MOST_TIME && after.seconds > LEAST_TIME {
        return Some(format!("{time:.0} times the time for {grown:.0} times the size"));
    }
    if memory > MOST_PER_BYTE && after.memory > LEAST_MEMORY {
        return Some(format!("{memory:.1} times the memory per byte"));
    }
    (answer > MOST_PER_BYTE && after.answer > LEAST_ANSWER).then(|| format!("{answer:.1} times the answer per byte"))
}
