//! Notes of host extensions on messages: the plot summary of the host's own `memory` extension, and
//! the character sheet of the extension modelled after it.
//!
//! In: the messages of a chat. Out: each text with the page that carries it, oldest first. Both are
//! written by a model over the chat so far and stored on the message before the last one, so a note
//! may include the next floor.

use storeyline_state::{Value, json};

use crate::host_message::HostMessage;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoteKind {
    /// The plot summary, `extra.memory`.
    Summary,
    /// The character sheet, `extra.characterSheet`.
    CharacterSheet,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostNote {
    pub kind: NoteKind,
    /// Never empty.
    pub text: String,
    /// The floor that carries it.
    pub floor: usize,
    /// The page on that floor.
    pub page: usize,
}

const KEYS: [(NoteKind, &str); 2] = [(NoteKind::Summary, "memory"), (NoteKind::CharacterSheet, "characterSheet")];

/// Returns the notes of a chat, floor by floor.
pub fn read_notes(messages: &[HostMessage]) -> Vec<HostNote> {
    let mut notes = Vec::new();
    for (floor, message) in messages.iter().enumerate() {
        for page in 0..message.pages.len() {
            let Some(extra) = extra(message, page) else { continue };
            let found = KEYS.iter().filter_map(|(kind, key)| Some((*kind, text(extra.get(key)?)?)));
            notes.extend(found.map(|(kind, text)| HostNote { kind, text, floor, page }));
        }
    }
    notes
}

/// Returns the `extra` of a page. The active page has its fields on the message; its entry in
/// `swipe_info` may be outdated.
fn extra(message: &HostMessage, page: usize) -> Option<&Value> {
    let host = message.fields.get("message")?;
    if page == message.active {
        return host.get("extra");
    }
    host.get("swipe_info")?.as_list()?.get(page)?.get("extra")
}

/// Returns the text of a note, unless it is empty. Some versions store a sheet as an object.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) if !text.trim().is_empty() => Some(text.to_string()),
        Value::Object(_) => Some(json::write_pretty(value)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_found_on_their_pages() {
        let lines = [
            r#"{"mes":"u","is_user":true,"extra":{"memory":"They met.","characterSheet":"Ada: brave"}}"#,
            r#"{"mes":"b","extra":{"memory":"new"},"swipe_id":1,"swipes":["a","b"],
                "swipe_info":[{"extra":{"memory":"of a"}},{"extra":{"memory":"old"}}]}"#,
            r#"{"mes":"c","extra":{"memory":" ","characterSheet":{"name":"Ada"}}}"#,
            r#"{"mes":"d","extra":[],"swipes":["d","e"],"swipe_info":{}}"#,
        ];
        let read = |line: &str| HostMessage::read(&json::read(line).unwrap()).unwrap();
        let notes = read_notes(&lines.map(read));
        let shown: Vec<_> = notes.iter().map(|note| (note.floor, note.page, note.kind, note.text.as_str())).collect();
        assert_eq!(
            shown,
            [
                (0, 0, NoteKind::Summary, "They met."),
                (0, 0, NoteKind::CharacterSheet, "Ada: brave"),
                (1, 0, NoteKind::Summary, "of a"),
                (1, 1, NoteKind::Summary, "new"),
                (2, 0, NoteKind::CharacterSheet, "{\n  \"name\": \"Ada\"\n}"),
            ]
        );
    }
}
