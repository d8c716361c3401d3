//! A host chat file: JSON lines, a header first, then one message per line.

use storeyline_state::json::{self, JsonError};
use storeyline_state::{Explain, Explanation, Object, Value};

use crate::host_message::HostMessage;

#[derive(Debug, Clone, PartialEq)]
pub struct ChatFile {
    /// The first line.
    pub header: Value,
    /// All messages as the host wrote them.
    pub messages: Vec<Value>,
    /// The same messages, parsed.
    pub read: Vec<HostMessage>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChatFileError {
    #[error("the chat file is empty")]
    Empty,
    /// A line is not JSON; the file may have been cut off.
    #[error("line {line} is not valid JSON: {source}")]
    Line {
        /// From 1.
        line: usize,
        source: JsonError,
    },
    /// A line is JSON but not a message.
    #[error("line {line} is not a message")]
    NotAMessage {
        /// From 1.
        line: usize,
    },
    /// There is a header and nothing after it.
    #[error("the chat file has no message")]
    NoMessage,
}

impl Explain for ChatFileError {
    fn explain(&self) -> Explanation {
        let zh = match self {
            ChatFileError::Empty => "聊天文件是空的".into(),
            ChatFileError::Line { line, source } => format!("第 {line} 行不是合法的 JSON：{source}"),
            ChatFileError::NotAMessage { line } => format!("第 {line} 行不是消息"),
            ChatFileError::NoMessage => "聊天文件里没有消息".into(),
        };
        let hint = match self {
            ChatFileError::Line { .. } => (
                "文件可能没有写完。请从酒馆的 backups 文件夹取一份备份再试；没有写入任何东西。",
                "The file may have been cut off. Take a copy from the host's backups folder and try again; nothing was written.",
            ),
            _ => (
                "请给出酒馆的聊天文件（.jsonl）；没有写入任何东西。",
                "Give a SillyTavern chat file (.jsonl); nothing was written.",
            ),
        };
        self.explained("bad_request", zh, hint)
    }
}

impl ChatFile {
    /// Reads a file. A file without header (older hosts) gets an empty one.
    pub fn read(text: &str) -> Result<ChatFile, ChatFileError> {
        let mut file = ChatFile { header: Value::empty_object(), messages: Vec::new(), read: Vec::new() };
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let value = json::read(line).map_err(|source| ChatFileError::Line { line: index + 1, source })?;
            if index == 0 && value.get("mes").is_none() && value.as_object().is_some() {
                file.header = value;
                continue;
            }
            let message = value.get("mes").and_then(|_| HostMessage::read(&value));
            file.read.push(message.ok_or(ChatFileError::NotAMessage { line: index + 1 })?);
            file.messages.push(value);
        }
        match (file.messages.is_empty(), file.header.as_object().is_none_or(Object::is_empty)) {
            (true, true) => Err(ChatFileError::Empty),
            (true, false) => Err(ChatFileError::NoMessage),
            _ => Ok(file),
        }
    }

    /// Returns the header's `chat_metadata`.
    pub fn metadata(&self) -> Value {
        self.header.get("chat_metadata").cloned().unwrap_or_else(Value::empty_object)
    }
}

/// Writes a chat file as the host does: lines joined by LF, none at the end.
pub fn write(header: &Value, messages: &[Value]) -> String {
    let mut out = json::write(header);
    for message in messages {
        out.push('\n');
        json::write_into(&mut out, message);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chat_file_is_read_and_written_again() {
        let text = "{\"chat_metadata\":{\"integrity\":\"x\"}}\n{\"name\":\"A\",\"mes\":\"hi\"}\n{\"mes\":\"yo\",\"is_user\":true}";
        let file = ChatFile::read(text).unwrap();
        assert_eq!(file.read.len(), 2);
        assert_eq!(write(&file.header, &file.messages), text);
    }

    #[test]
    fn a_broken_file_is_refused_with_its_line() {
        let cut = ChatFile::read("{\"chat_metadata\":{}}\n{\"mes\":\"hi\"}\n{\"mes\":\"h").unwrap_err();
        assert_eq!(cut.to_string(), "line 3 is not valid JSON: a string is not closed at line 1, column 10");
        assert_eq!(ChatFile::read(""), Err(ChatFileError::Empty));
        assert_eq!(ChatFile::read("{\"chat_metadata\":{}}"), Err(ChatFileError::NoMessage));
        assert_eq!(ChatFile::read("{\"chat_metadata\":{}}\n[1]"), Err(ChatFileError::NotAMessage { line: 2 }));
    }
}
