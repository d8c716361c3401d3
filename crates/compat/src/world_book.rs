//! World books: SillyTavern's own, the one inside a card, NovelAI's, Agnai's and Risu's.
//!
//! Reads only titles, texts, and whether an entry is enabled. When an entry is inserted into a
//! prompt is not relevant here.

use storeyline_state::json::{self, JsonError};
use storeyline_state::{Explain, Explanation, Value, text};

use crate::file_kind::FileKind;
use crate::{MAX_FILE, file_text};

#[derive(Debug, Clone, PartialEq, Default)]
pub struct WorldBook {
    /// As in the file, else as given by the caller.
    pub name: String,
    /// All entries in the order of the book, including disabled ones.
    pub entries: Vec<Entry>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The title that authors see: the host calls it comment, others name.
    pub title: String,
    /// Canonical text.
    pub content: String,
    pub enabled: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WorldBookError {
    /// Not UTF-8; perhaps an image.
    #[error("the world book is not a text file")]
    NotText,
    /// Larger than any real book.
    #[error("the world book is larger than {} MB", MAX_FILE / 1_000_000)]
    TooLarge,
    #[error("the world book is not valid JSON: {0}")]
    Json(#[from] JsonError),
    /// JSON, but not a world book.
    #[error("the file is not a world book, it looks like {kind}")]
    NotAWorldBook {
        /// What it looks like.
        kind: FileKind,
    },
}

impl Explain for WorldBookError {
    fn explain(&self) -> Explanation {
        let zh = match self {
            WorldBookError::NotText => "世界书不是文本文件".into(),
            WorldBookError::TooLarge => format!("世界书超过 {} MB", MAX_FILE / 1_000_000),
            WorldBookError::Json(error) => format!("世界书不是合法的 JSON：{error}"),
            WorldBookError::NotAWorldBook { kind } => format!("这个文件不是世界书，看起来是{}", kind.name().0),
        };
        let hint = match self {
            WorldBookError::NotAWorldBook { kind: FileKind::Card } => (
                "角色卡请作为角色卡给出（`--card`），它里面的世界书会一起读取。",
                "Give a card as a card (`--card`); the world book inside it is read too.",
            ),
            WorldBookError::Json(_) => (
                "文件可能没有写完，请在酒馆里重新导出世界书。",
                "The file may have been cut off. Export the world book from the host again.",
            ),
            _ => (
                "请给出酒馆导出的世界书（JSON）；NovelAI、Agnai 和 Risu 的也可以。",
                "Give a world book as SillyTavern exports it (JSON); those of NovelAI, Agnai and Risu are read too.",
            ),
        };
        self.explained("bad_request", zh, hint)
    }
}

impl WorldBook {
    /// Reads a file. `name` is used if the file has none, like the host's own files.
    pub fn read(bytes: &[u8], name: &str) -> Result<WorldBook, WorldBookError> {
        if bytes.len() > MAX_FILE {
            return Err(WorldBookError::TooLarge);
        }
        let value = json::read(file_text(bytes).ok_or(WorldBookError::NotText)?)?;
        let book = WorldBook::of(&value).ok_or_else(|| WorldBookError::NotAWorldBook { kind: FileKind::of(&value) })?;
        Ok(if book.name.is_empty() { WorldBook { name: name.to_owned(), ..book } } else { book })
    }

    /// Parses a book in any of its forms.
    pub(crate) fn of(value: &Value) -> Option<WorldBook> {
        if !matches!(FileKind::of(value), FileKind::WorldBook | FileKind::Unknown) {
            return None;
        }
        let entries: Vec<&Value> = match value.get("entries").or_else(|| risu_entries(value)).unwrap_or(value) {
            Value::List(entries) => entries.iter().collect(),
            Value::Object(entries) if value.get("entries").is_some() => {
                entries.iter().map(|(_, entry)| entry).collect()
            }
            _ => return None,
        };
        let read: Vec<Entry> = entries.iter().filter_map(|entry| read_entry(entry)).collect();
        // An empty book is a book; a list of other things is not.
        let is_book = !read.is_empty() || (entries.is_empty() && value.as_object().is_some());
        is_book.then(|| WorldBook { name: text_of(value, &["name"]).unwrap_or_default(), entries: read })
    }
}

fn risu_entries(value: &Value) -> Option<&Value> {
    value.get("data").filter(|_| value.get("type").and_then(Value::as_text) == Some("risu"))
}

/// Parses an entry, which has a text: `content`, NovelAI's `text` or Agnai's `entry`.
fn read_entry(entry: &Value) -> Option<Entry> {
    let content = text_of(entry, &["content", "text", "entry"])?;
    let on = entry.get("enabled").and_then(Value::as_bool);
    let off = entry.get("disable").and_then(Value::as_bool);
    Some(Entry {
        title: text_of(entry, &["comment", "displayName", "name"]).unwrap_or_default(),
        content: text::canonical(&content).into_owned(),
        enabled: on.unwrap_or(!off.unwrap_or(false)),
    })
}

/// Returns the text of the first key that is not blank, else of the first that is a text.
fn text_of(value: &Value, keys: &[&str]) -> Option<String> {
    let texts = || keys.iter().filter_map(|key| value.get(key).and_then(Value::as_text));
    texts().find(|text| !text.trim().is_empty()).or_else(|| texts().next()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(json: &str) -> Vec<(String, String, bool)> {
        let book = WorldBook::read(json.as_bytes(), "file").unwrap();
        book.entries.into_iter().map(|entry| (entry.title, entry.content, entry.enabled)).collect()
    }

    #[test]
    fn every_form_gives_titles_texts_and_switches() {
        for json in [
            r#"{"entries":{"1":{"comment":"b","content":"B"},"0":{"key":[],"comment":"a","content":"A","disable":true}}}"#,
            r#"{"name":"x","entries":[{"name":"a","comment":"","content":"A","enabled":false},{"comment":"b","name":"z","content":"B","enabled":true}]}"#,
            r#"{"lorebookVersion":5,"entries":[{"displayName":"a","text":"A","enabled":false},{"displayName":"b","text":"B"}]}"#,
            r#"{"kind":"memory","entries":[{"name":"a","entry":"A","enabled":false},{"name":"b","entry":"B","enabled":true}]}"#,
        ] {
            let wanted = [("a".into(), "A".into(), false), ("b".into(), "B".into(), true)];
            assert_eq!(titles(json), wanted, "{json}");
        }
        let risu = r#"{"type":"risu","ver":1,"data":[{"comment":"a","content":"A\r\nB","mode":"normal"}]}"#;
        assert_eq!(titles(risu), [("a".into(), "A\nB".into(), true)]);
        assert_eq!(WorldBook::read(br#"{"entries":{}}"#, "夜巡").unwrap().name, "夜巡");
    }

    #[test]
    fn a_file_of_another_kind_is_named() {
        for (json, wanted) in [
            (r#"{"spec":"chara_card_v2","data":{}}"#, "looks like a character card"),
            (r#"{"chat_metadata":{}}"#, "looks like a chat"),
            (r#"{"prompts":[],"temperature":1}"#, "looks like a preset"),
            (r#"[{"findRegex":"x"}]"#, "looks like a regular expression script"),
            (r#"{"stat_data":{}}"#, "looks like a record of MVU"),
            (r#"{"hp":1}"#, "looks like something else"),
            (r#"[1,2]"#, "looks like something else"),
            ("{\"entries\":{\"0\":{\"content\":\"x}}}", "not valid JSON: a string is not closed at line 1, column 33"),
        ] {
            let error = WorldBook::read(json.as_bytes(), "").unwrap_err().to_string();
            assert!(error.contains(wanted), "{json}: {error}");
        }
        assert_eq!(WorldBook::read(b"\x89PNG\r\n\x1a\n", ""), Err(WorldBookError::NotText));
    }
}
