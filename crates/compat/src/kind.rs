//! What a JSON file seems to be, so that a refusal can say which file was given instead.

use std::fmt;

use storeyline_state::Value;

/// Files that people mix up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A character card.
    Card,
    /// A world book.
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
    /// Something else.
    Unknown,
}

impl Kind {
    /// Tells from the keys what a value seems to be.
    pub fn of(value: &Value) -> Kind {
        if let Some(first) = value.as_list().and_then(<[Value]>::first) {
            return Kind::of(first);
        }
        let has = |key: &str| value.get(key).is_some();
        let is_spec = value.get("spec").and_then(Value::as_text).is_some_and(|spec| spec.starts_with("chara_card"));
        match () {
            () if is_spec || has("first_mes") => Kind::Card,
            () if has("chat_metadata") || (has("mes") && has("is_user")) => Kind::Chat,
            () if has("stat_data") => Kind::MvuRecord,
            () if has("prompts") || has("prompt_order") || has("temperature") || has("temp") => Kind::Preset,
            () if has("findRegex") => Kind::RegexScript,
            () if has("entries") || has("lorebookVersion") => Kind::WorldBook,
            () if has("data") && value.get("type").and_then(Value::as_text) == Some("risu") => Kind::WorldBook,
            () if has("content") && has("button") => Kind::Script,
            () => Kind::Unknown,
        }
    }

    /// Returns its name in Chinese and in English.
    pub(crate) fn name(self) -> (&'static str, &'static str) {
        match self {
            Kind::Card => ("角色卡", "a character card"),
            Kind::WorldBook => ("世界书", "a world book"),
            Kind::Chat => ("聊天", "a chat"),
            Kind::Preset => ("预设", "a preset"),
            Kind::RegexScript => ("正则脚本", "a regular expression script"),
            Kind::Script => ("脚本", "a script"),
            Kind::MvuRecord => ("MVU 的记录", "a record of MVU"),
            Kind::Unknown => ("别的东西", "something else"),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name().1)
    }
}
