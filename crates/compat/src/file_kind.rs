//! Recognises what a JSON file is, so that an error can tell which file was given instead.

use std::fmt;

use storeyline_state::Value;

/// Files that users confuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    Card,
    WorldBook,
    /// A line of a chat file.
    Chat,
    /// A preset of prompts or samplers.
    Preset,
    /// A list of regular expressions, or one of them.
    RegexScript,
    /// A script of JS-Slash-Runner.
    Script,
    /// A record of MVU.
    MvuRecord,
    Unknown,
}

impl FileKind {
    /// Recognises a value by its keys.
    pub fn of(value: &Value) -> FileKind {
        if let Some(first) = value.as_list().and_then(<[Value]>::first) {
            return FileKind::of(first);
        }
        let has = |key: &str| value.get(key).is_some();
        let is_spec = value.get("spec").and_then(Value::as_text).is_some_and(|spec| spec.starts_with("chara_card"));
        match () {
            () if is_spec || has("first_mes") => FileKind::Card,
            () if has("chat_metadata") || (has("mes") && has("is_user")) => FileKind::Chat,
            () if has("stat_data") => FileKind::MvuRecord,
            () if has("prompts") || has("prompt_order") || has("temperature") || has("temp") => FileKind::Preset,
            () if has("findRegex") => FileKind::RegexScript,
            () if has("entries") || has("lorebookVersion") => FileKind::WorldBook,
            () if has("data") && value.get("type").and_then(Value::as_text) == Some("risu") => FileKind::WorldBook,
            () if has("content") && has("button") => FileKind::Script,
            () => FileKind::Unknown,
        }
    }

    /// Returns its name in Chinese and in English.
    pub(crate) fn name(self) -> (&'static str, &'static str) {
        match self {
            FileKind::Card => ("角色卡", "a character card"),
            FileKind::WorldBook => ("世界书", "a world book"),
            FileKind::Chat => ("聊天", "a chat"),
            FileKind::Preset => ("预设", "a preset"),
            FileKind::RegexScript => ("正则脚本", "a regular expression script"),
            FileKind::Script => ("脚本", "a script"),
            FileKind::MvuRecord => ("MVU 的记录", "a record of MVU"),
            FileKind::Unknown => ("别的东西", "something else"),
        }
    }
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name().1)
    }
}
