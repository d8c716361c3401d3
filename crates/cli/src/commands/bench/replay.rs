//! `storeyline bench replay`: a long chat from its file to the last state, without any story.
//!
//! Every second message is a reply with three calls; the state is one of the bench inputs.

use std::fmt::Write as _;
use std::time::Instant;

use storeyline_engine::{Card, ImportRequest, replay};
use storeyline_state::{Value, json};

use crate::args::ReplayBench;
use crate::failure::Failure;
use crate::out::{Context, read_json};

pub(super) fn run(context: &Context, args: &ReplayBench) -> Result<(), Failure> {
    let state = read_json(&args.state)?;
    let bytes = json::write(&state).len();
    let request = request(state, args.messages);
    let before = peak_memory();
    let progress = context.progress_of("正在计算", "replaying", args.messages as u64);
    let start = Instant::now();
    let replayed = replay(&request, |_| {}, None, &mut context.scripts(), |_| progress.inc(1))?;
    let seconds = start.elapsed().as_secs_f64();
    progress.finish_and_clear();
    let (chat, peak) = (request.text.len(), peak_memory());
    if context.json {
        let result = serde_json::json!({
            "messages": replayed.floors, "state_bytes": bytes, "chat_bytes": chat, "seconds": seconds,
            "peak_before": before, "peak_bytes": peak, "hash": replayed.state.hash().to_string(),
        });
        context.line(&result.to_string());
        return Ok(());
    }
    let megabytes =
        |bytes: Option<u64>| bytes.map_or_else(|| "–".to_owned(), |bytes| format!("{:.0} MB", bytes as f64 / 1e6));
    context.line(&format!(
        "{} {} · {bytes} {} · {chat} {} · {seconds:.2} s · {} {} → {}",
        replayed.floors,
        context.words("条消息", "messages"),
        context.words("字节状态", "bytes of state"),
        context.words("字节聊天", "bytes of chat"),
        context.words("内存峰值", "peak memory"),
        megabytes(before),
        megabytes(peak),
    ));
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

/// The most memory this process ever had, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1_024)
}
