//! Which chat a file is: the rule of the extension, for files that are not open.
//!
//! In: the metadata of a header. Out: the chat's uid, and what the file states about its origin. A
//! branch that was never opened still carries the record of the chat it was cut from; the host's
//! own mark (`integrity`) tells the two apart. A copy cannot be recognised from one file alone: see
//! [`crate::folder`].

use storeyline_state::{ChatId, Value, json, text};
use uuid::Uuid;

use crate::chat_file::ChatFile;
use crate::{KEY, own_id};

/// Namespace of chat uids; the extension has the same.
const CHAT_NAMESPACE: Uuid = Uuid::from_u128(0x6f1f5a2e_5d0b_5c5e_9a57_1f0d3a6c7b10);

/// What a chat file states about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    pub chat: ChatId,
    /// The chat that it was branched or copied from, if our record has it.
    pub parent: Option<ChatId>,
    /// The file that it was branched from, if the host has it.
    pub main_chat: Option<String>,
    /// Name of the file when our record was written.
    pub file: Option<String>,
    /// The story, if our record has it.
    pub story: Option<String>,
    /// Whether the record is that of the chat this one was cut from, because it was never opened
    /// since.
    pub inherited: bool,
    /// False if `chat` is computed from the first messages only: two chats may begin with the same.
    pub marked: bool,
}

impl Identity {
    /// Reads metadata; `fallback` replaces the mark of files that have none.
    pub fn read(metadata: &Value, fallback: &str) -> Identity {
        let word = |holder: Option<&Value>, key: &str| -> Option<String> {
            let word = holder?.get(key)?.as_text()?;
            Some(word.to_owned()).filter(|word| !word.is_empty())
        };
        let record = metadata.get(KEY);
        let own = word(record, "chat").and_then(|chat| own_id::<ChatId>(&chat));
        let parent = || word(record, "parent").and_then(|parent| own_id(&parent)).filter(|_| own.is_some());
        let mark = word(Some(metadata), "integrity");
        let recorded = word(record, "integrity");
        let inherited = own.is_some() && recorded.is_some() && mark.is_some() && recorded != mark;
        let of_mark = || ChatId::from_name(CHAT_NAMESPACE, mark.as_deref().unwrap_or(fallback).as_bytes());
        Identity {
            chat: own.filter(|_| !inherited).unwrap_or_else(of_mark),
            parent: if inherited { own } else { parent() },
            main_chat: word(Some(metadata), "main_chat").map(|name| file_stem(&name).to_owned()),
            file: word(record, "file").filter(|_| !inherited),
            story: word(record, "story"),
            inherited,
            marked: own.is_some() || mark.is_some(),
        }
    }

    pub fn of(file: &ChatFile) -> Identity {
        Identity::read(&file.metadata(), &first_words(file))
    }
}

/// Returns the uid of the chat with this header: the one it carries, or the one computed from the
/// host's own mark.
pub fn chat_uid(metadata: &Value, fallback: &str) -> ChatId {
    Identity::read(metadata, fallback).chat
}

/// Returns the start of a chat, as a replacement for the host's own mark.
pub(crate) fn first_words(file: &ChatFile) -> String {
    let Some(first) = file.read.first() else { return String::new() };
    // Dates in an unknown format still tell chats apart.
    let date = || first.fields.get("message").and_then(|message| message.get("send_date")).map(json::write);
    let time = |time: Option<i64>| match time {
        None => date().unwrap_or_else(|| "None".into()),
        known => format!("{known:?}"),
    };
    let times: Vec<String> = first.pages.iter().map(|page| time(page.time)).collect();
    format!("{} {} {}", first.name, times.join(","), text::hash(&first.pages[first.active].text))
}

/// Returns a file's name as the host writes it: without extension.
pub(crate) fn file_stem(name: &str) -> &str {
    name.strip_suffix(".jsonl").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "00000000-0000-4000-8000-00000000000a";
    const B: &str = "00000000-0000-4000-8000-00000000000b";

    fn identity(metadata: &str) -> Identity {
        Identity::read(&json::read(metadata).unwrap(), "first words")
    }

    #[test]
    fn the_record_of_a_chat_names_it() {
        let found = identity(&format!(
            r#"{{"integrity":"x","storeyline":{{"chat":"{A}","parent":"{B}","integrity":"x","file":"Aria"}}}}"#
        ));
        assert_eq!((found.chat, found.parent), (A.parse().unwrap(), B.parse().ok()));
        assert_eq!(found.file.as_deref(), Some("Aria"));
        // A copy made by hand, or a record from before the host had the mark.
        assert_eq!(identity(&format!(r#"{{"storeyline":{{"chat":"{A}","integrity":"x"}}}}"#)).chat, A.parse().unwrap());
        assert_eq!(identity(&format!(r#"{{"integrity":"x","storeyline":{{"chat":"{A}"}}}}"#)).chat, A.parse().unwrap());
    }

    #[test]
    fn a_branch_that_was_never_opened_is_not_its_parent() {
        let found = identity(&format!(
            r#"{{"integrity":"y","main_chat":"Aria","storeyline":{{"chat":"{A}","integrity":"x","file":"Aria"}}}}"#
        ));
        assert_eq!(found.chat, identity(r#"{"integrity":"y"}"#).chat);
        assert_eq!(found.parent, A.parse().ok());
        assert_eq!((found.file, found.main_chat.as_deref()), (None, Some("Aria")));
    }

    #[test]
    fn a_file_without_marks_is_known_by_its_first_words() {
        let odd = identity(r#"{"integrity":5,"main_chat":[],"storeyline":{"chat":"no id","parent":{}}}"#);
        assert_eq!(odd, identity("[]"));
        assert!(!odd.marked && identity(r#"{"integrity":"x"}"#).marked);
        let words =
            |date: &str| first_words(&ChatFile::read(&format!(r#"{{"mes":"hi","send_date":{date}}}"#)).unwrap());
        assert_ne!(words("\"October 26, 2024 8:00pm\""), words("\"October 27, 2024 8:00pm\""));
        assert_eq!(words("5"), format!(" Some(5) {}", text::hash("hi")));
    }
}
