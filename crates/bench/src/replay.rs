//! `bench replay`: a long chat from its file to the last state, without any story.
//!
//! Every second message is a reply with three calls; the state is one of the bench inputs.

use std::fmt::Write as _;
use std::time::Instant;

use storeyline_bench::memory::memory;
use storeyline_engine::authors::Scripts;
use storeyline_engine::{Card, ImportRequest, replay};
use storeyline_state::{Value, json};

use crate::Done;
use crate::args::ReplayBench;
use crate::measure::read_json;

pub(crate) fn run(json: bool, args: &ReplayBench, scripts: &mut dyn Scripts) -> Done {
    let state = read_json(&args.state)?;
    let bytes = json::write(&state).len();
    let request = request(state, args.messages);
    let peak_memory = || memory("self", "VmHWM:");
    let before = peak_memory();
    let start = Instant::now();
    let mut floors = 0;
    let (_, state) = replay(&request, |_| {}, None, scripts, |_| floors += 1)?;
    let seconds = start.elapsed().as_secs_f64();
    let (chat, peak) = (request.text.len(), peak_memory());
    if json {
        let result = serde_json::json!({
            "messages": floors, "state_bytes": bytes, "chat_bytes": chat, "seconds": seconds,
            "peak_before": before, "peak_bytes": peak, "hash": state.hash().to_string(),
        });
        println!("{result}");
        return Ok(());
    }
    let megabytes =
        |bytes: Option<u64>| bytes.map_or_else(|| "–".to_owned(), |bytes| format!("{:.0} MB", bytes as f64 / 1e6));
    let (before, peak) = (megabytes(before), megabytes(peak));
    println!(
        "{floors} messages · {bytes} bytes of state · {chat} bytes of chat · {seconds:.2} s · peak memory {before} → {peak}"
    );
    Ok(())
}

fn request(state: Value, messages: usize) -> ImportRequest {
    let mut text = r#"{"chat_metadata":{"integrity":"storeyline bench"}}"#.to_owned();
    for floor in 0..messages {
        let n = floor / 2;
        let line = if floor % 2 == 1 {
            r#"{"name":"旅人","is_user":true,"mes":"继续向前走。"}"#.to_owned()
        } else {
            let words = format!(
                "岚把围巾递了过来。\n@.ADD(\"角色.角色{}.好感度\", 1);\n@.SET(\"角色.角色{}.位置\", \"车站 {n}\");\n@.SET(\"世界.回合\", {n});",
                n % 200,
                (n * 7) % 200
            );
            let mut written = String::new();
            json::write_text(&mut written, &words);
            format!(r#"{{"name":"岚","is_user":false,"mes":{written}}}"#)
        };
        write!(text, "\n{line}").expect("a String takes all");
    }
    ImportRequest {
        text,
        file: String::new(),
        title: String::new(),
        card: Some(Card { template: Some(state), ..Card::default() }),
        world_books: Vec::new(),
        into: None,
        allow_functions: false,
    }
}
