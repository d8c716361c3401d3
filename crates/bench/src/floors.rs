//! `bench floors`: what a floor costs, at several lengths of the chat.
//!
//! Naive is what the peers do for every floor: the whole state as text, hashed and put into a file.

use std::collections::HashMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use storeyline_compat::{ChatFile, Row, bind, chat_uid};
use storeyline_engine::{Card, Engine, ImportRequest, Owner};
use storeyline_state::{ChatId, NodeId, PageId, Value, json, text};
use storeyline_wire::sync::{Keep, Names, SyncPage, SyncRequest, SyncRow};
use storeyline_wire::{Json, Role};

use crate::Done;
use crate::args::FloorsBench;
use crate::measure::{median, millis, ratio, read_json, time_into};

/// How often each small thing is done; the median counts.
const TIMES: usize = 21;

/// What was measured at one length of the chat.
struct Measured {
    floors: usize,
    import: Duration,
    append: Duration,
    edit: Duration,
    naive: Duration,
}

pub(crate) fn run(json: bool, args: &FloorsBench) -> Done {
    let state = match &args.state {
        Some(path) => read_json(path)?,
        None => made_state(),
    };
    let rows = args.floors.iter().map(|floors| measure(&state, *floors)).collect::<Done<Vec<_>>>()?;
    show(json, &state, &rows);
    Ok(())
}

fn measure(state: &Value, floors: usize) -> Done<Measured> {
    let folder = tempfile::tempdir()?;
    let engine = Engine::open(folder.path())?;
    let import = |first: i64| -> Done<Duration> {
        let request = request(state, floors, first);
        let start = Instant::now();
        engine.import(&Owner::local(), &request)?;
        Ok(start.elapsed())
    };
    let first = import(1)?;
    let mut host = Host::open(&engine, &request(state, floors, 1).text)?;
    let mut appends = Vec::new();
    for _ in 0..TIMES {
        let request = host.next_floor();
        host.base = time_into(&mut appends, || engine.sync(&Owner::local(), &request))?.node;
    }
    let edit = import(100)?;
    let mut naives = (0..TIMES).map(|_| naive(folder.path(), state)).collect::<Done<Vec<_>>>()?;
    Ok(Measured { floors, import: first, append: median(&mut appends), edit, naive: median(&mut naives) })
}

/// A state of about 100 KB, for those who bring none.
fn made_state() -> Value {
    let entries =
        (0..1_500).map(|n| (format!("键{n}").into(), Value::text(format!("一段不短的文字，编号 {n}，用来占地方。"))));
    Value::object(entries.collect())
}

/// A chat file in which every floor changes one number; `first` is what the first floor adds.
fn request(state: &Value, floors: usize, first: i64) -> ImportRequest {
    let mut text = r#"{"chat_metadata":{"integrity":"storeyline bench"}}"#.to_owned();
    for floor in 0..floors {
        let amount = if floor == 0 { first } else { 1 };
        text.push_str(&format!(
            "\n{}",
            json::write(&message(&format!("{floor} @.ADD(\"计数\", {amount});"), page(floor)))
        ));
    }
    ImportRequest {
        text,
        file: "bench".into(),
        title: "bench".into(),
        card: Some(Card { template: Some(state.clone()), ..Card::default() }),
        world_books: Vec::new(),
        into: None,
        allow_functions: false,
    }
}

fn page(floor: usize) -> PageId {
    PageId::from_random((floor as u128 + 1).to_le_bytes())
}

fn message(words: &str, page: PageId) -> Value {
    let bound = format!(r#"{{"storeyline":{{"id":"{page}","h":"{}"}}}}"#, text::hash(words));
    let mut written = String::new();
    json::write_text(&mut written, words);
    let whole = format!(r#"{{"name":"A","is_user":false,"mes":{written},"extra":{bound}}}"#);
    json::read(&whole).expect("it was written as JSON")
}

/// A host that knows what it showed last, as the extension does.
struct Host {
    chat: ChatId,
    floors: usize,
    digest: String,
    seq: i64,
    base: Option<NodeId>,
}

impl Host {
    /// Shows the whole chat once, so that base and digest are known.
    fn open(engine: &Engine, file: &str) -> Done<Host> {
        let file = ChatFile::read(file)?;
        let chat = chat_uid(&file.metadata(), "");
        let rows: Vec<SyncRow> = bind(chat, &file.read).iter().map(sync_row).collect();
        let digest = rows.iter().fold(String::new(), |digest, row| text::hash(&(digest + &line(row))).to_string());
        let mut host = Host { chat, floors: rows.len(), digest, seq: 0, base: None };
        let whole = host.request(Keep::default(), rows, HashMap::new());
        host.base = engine.sync(&Owner::local(), &whole)?.node;
        Ok(host)
    }

    fn next_floor(&mut self) -> SyncRequest {
        let words = format!("{} @.ADD(\"计数\", 1);", self.floors);
        let id = page(self.floors);
        let swipes = vec![SyncPage { id, h: text::hash(&words) }];
        let row = SyncRow { role: Role::Assistant, name: "A".into(), hidden: false, swipes, active: 0 };
        let keep = Keep { len: self.floors, digest: self.digest.clone() };
        self.digest = text::hash(&(self.digest.clone() + &line(&row))).to_string();
        self.floors += 1;
        self.request(keep, vec![row], HashMap::from([(id.to_string(), message(&words, id).into())]))
    }

    fn request(&mut self, keep: Keep, tail: Vec<SyncRow>, messages: HashMap<String, Json>) -> SyncRequest {
        self.seq += 1;
        SyncRequest {
            chat: self.chat,
            client: "bench".into(),
            seq: self.seq,
            base: self.base,
            keep,
            tail,
            messages,
            have: None,
            names: Names::default(),
        }
    }
}

/// A row of a chat in which everybody is the assistant, as it is sent.
fn sync_row(row: &Row) -> SyncRow {
    let swipes = row.pages.iter().map(|&(id, h)| SyncPage { id, h }).collect();
    SyncRow { role: Role::Assistant, name: row.name.clone(), hidden: row.hidden, swipes, active: row.active }
}

/// A row as text, for the digest (`docs/api.md`).
fn line(row: &SyncRow) -> String {
    let SyncPage { id, h: hash } = &row.swipes[row.active];
    format!(r#"["{id}","{hash}","assistant","A",false,0,[["{id}","{hash}"]]]"#)
}

/// The whole state as text, hashed, and put into a file that is safe.
fn naive(folder: &Path, state: &Value) -> Done<Duration> {
    let start = Instant::now();
    let text = json::write(&json::read(&json::write(state)).expect("our own text"));
    let _ = text::hash(&text);
    let mut file = fs::File::create(folder.join("naive.json"))?;
    file.write_all(text.as_bytes())?;
    file.sync_data()?;
    Ok(start.elapsed())
}

fn show(json: bool, state: &Value, rows: &[Measured]) {
    let bytes = json::write(state).len();
    if json {
        let rows: Vec<_> = rows
            .iter()
            .map(|row| serde_json::json!({ "floors": row.floors, "import_ms": millis(row.import), "append_ms": millis(row.append), "edit_first_ms": millis(row.edit), "naive_ms": millis(row.naive) }))
            .collect();
        println!("{}", serde_json::json!({ "state_bytes": bytes, "rows": rows }));
        return;
    }
    println!("bytes of state: {bytes}");
    println!("floors | import ms | one more floor ms | edit of floor 0 ms | naive floor ms | times");
    for row in rows {
        println!(
            "{} | {:.1} | {:.2} | {:.1} | {:.2} | {:.1}",
            row.floors,
            millis(row.import),
            millis(row.append),
            millis(row.edit),
            millis(row.naive),
            ratio(row.naive, row.append)
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_chat_is_measured() {
        assert_eq!(measure(&made_state(), 5).unwrap().floors, 5);
    }
}
