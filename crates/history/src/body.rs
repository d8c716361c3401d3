//! The inputs of evaluation. Evaluation reads nothing else.

use serde::{Deserialize, Serialize};
use storeyline_state::{Object, StateHash, TextHash, Value, ValueHash, json, named};

use crate::event::Event;
use crate::overrides::Override;

named! {
    #[derive(Serialize, Deserialize)]
    pub enum Role {
        /// A reply: its calls are executed.
        Assistant = "assistant",
        /// A narrator's note: its calls are executed.
        Narrator = "narrator",
        /// The player: calls are executed only if the rules allow it.
        User = "user",
        /// A summary of earlier floors: nothing is executed, but the model reads it.
        Summary = "summary",
        /// Comments, help, tool records, pages marked invalid: nothing is executed and no model reads
        /// it.
        Other = "other",
    }
}

/// One version of one page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body {
    pub role: Role,
    /// Name of the speaker.
    pub speaker: String,
    /// Replacement of `{{user}}`.
    pub user: String,
    /// Replacement of `{{char}}`.
    pub character: String,
    pub text: TextHash,
    pub rules: ValueHash,
    /// When the page was written, in milliseconds since 1970.
    pub time: Option<i64>,
    /// Seed of random numbers; generated with the page and copied with it.
    pub seed: u64,
    /// Ids of functions that were killed on this page repeatedly; they are not run any more.
    pub stuck: Vec<String>,
    /// Corrections by the user, applied after evaluation.
    pub overrides: Vec<Override>,
    /// Recorded answers, in the order in which they came.
    pub events: Vec<Event>,
    /// A state that this page keeps although something above it changed: it is stale.
    pub kept: Option<StateHash>,
}

impl Body {
    /// Returns a reply outside of any story: empty names, no time, seed 0.
    pub fn lone_reply(text: TextHash) -> Body {
        Body {
            role: Role::Assistant,
            speaker: String::new(),
            user: String::new(),
            character: String::new(),
            text,
            rules: ValueHash::from_bytes([0; 32]),
            time: None,
            seed: 0,
            stuck: Vec::new(),
            overrides: Vec::new(),
            events: Vec::new(),
            kept: None,
        }
    }

    /// Returns the hash of all inputs.
    pub fn hash(&self) -> ValueHash {
        ValueHash::of(json::write(&self.to_value()).as_bytes())
    }

    pub fn with_text(&self, text: TextHash) -> Body {
        Body { text, ..self.clone() }
    }

    /// Returns the body as JSON, for storing.
    pub fn to_value(&self) -> Value {
        let mut object = Object::from([
            ("role", self.role.as_str().into()),
            ("speaker", Value::text(&self.speaker)),
            ("user", Value::text(&self.user)),
            ("character", Value::text(&self.character)),
            ("text", Value::text(self.text.to_string())),
            ("rules", Value::text(self.rules.to_string())),
            ("time", self.time.map_or(Value::Null, Value::from)),
            ("seed", Value::text(format!("{:016x}", self.seed))),
        ]);
        if !self.stuck.is_empty() {
            object.insert("stuck".into(), Value::texts(&self.stuck));
        }
        if !self.overrides.is_empty() {
            object.insert("overrides".into(), Value::list(self.overrides.iter().map(Override::to_value).collect()));
        }
        if !self.events.is_empty() {
            object.insert("events".into(), Value::list(self.events.iter().map(Event::to_value).collect()));
        }
        if let Some(kept) = self.kept {
            object.insert("kept".into(), Value::text(kept.to_string()));
        }
        Value::object(object)
    }

    /// Parses the output of [`Body::to_value`].
    pub fn from_value(value: &Value) -> Option<Body> {
        let text = |key| value.get(key).and_then(Value::as_text);
        Some(Body {
            role: Role::from_word(text("role")?)?,
            speaker: text("speaker")?.to_owned(),
            user: text("user")?.to_owned(),
            character: text("character")?.to_owned(),
            text: text("text")?.parse().ok()?,
            rules: text("rules")?.parse().ok()?,
            time: value.get("time")?.as_number().and_then(|number| number.as_i64()),
            seed: u64::from_str_radix(text("seed")?, 16).ok()?,
            stuck: value.read_optional("stuck", |list| list.read_list(Value::to_text))?.unwrap_or_default(),
            overrides: value.read_optional("overrides", Override::all_from_value)?.unwrap_or_default(),
            events: value.read_optional("events", |list| list.read_list(Event::from_value))?.unwrap_or_default(),
            kept: value.read_optional("kept", |hash| hash.as_text()?.parse().ok())?,
        })
    }
}

#[cfg(test)]
mod tests {
    use storeyline_state::{PageId, Step};

    use super::*;
    use crate::evaluate::PagePosition;
    use crate::path_states::MemoKey;

    fn event() -> Event {
        Event::Script { state: StateHash::from_bytes([2; 32]), ops: Vec::new() }
    }

    #[test]
    fn every_input_is_in_the_memo_key() {
        let body = Body::lone_reply(storeyline_state::text::hash("x"));
        let others = [
            Body { role: Role::Narrator, ..body.clone() },
            Body { speaker: "a".into(), ..body.clone() },
            Body { user: "a".into(), ..body.clone() },
            Body { character: "a".into(), ..body.clone() },
            Body { text: storeyline_state::text::hash("y"), ..body.clone() },
            Body { rules: ValueHash::from_bytes([1; 32]), ..body.clone() },
            Body { time: Some(0), ..body.clone() },
            Body { seed: 1, ..body.clone() },
            Body { stuck: vec!["a".into()], ..body.clone() },
            Body { overrides: vec![Override::Remove { path: Vec::new() }], ..body.clone() },
            Body { kept: Some(StateHash::from_bytes([1; 32])), ..body.clone() },
            Body { events: vec![event()], ..body.clone() },
        ];
        let parent = StateHash::from_bytes([7; 32]);
        let hash = Body::hash;
        let own = MemoKey::new(parent, hash(&body));
        let mut keys: Vec<MemoKey> = others.iter().map(|other| MemoKey::new(parent, hash(other))).collect();
        keys.push(MemoKey::new(StateHash::from_bytes([8; 32]), hash(&body)));
        keys.push(MemoKey::placed(parent, hash(&body), PagePosition::default()));
        keys.push(MemoKey::placed(parent, hash(&body), PagePosition { round: 1, page: None }));
        keys.push(MemoKey::placed(
            parent,
            hash(&body),
            PagePosition { round: 1, page: Some(PageId::from_random([1; 16])) },
        ));
        keys.push(own);
        let different: std::collections::HashSet<_> = keys.iter().collect();
        assert_eq!(different.len(), 17, "each field and the place make a key of their own");
    }

    #[test]
    fn a_body_survives_storing() {
        let body = Body {
            role: Role::Narrator,
            speaker: "阿丽娅".into(),
            user: "旅人".into(),
            character: "".into(),
            text: storeyline_state::text::hash("x"),
            rules: ValueHash::from_bytes([3; 32]),
            time: Some(-5),
            seed: u64::MAX,
            stuck: vec!["时间推进".into()],
            overrides: vec![
                Override::Remove { path: vec![Step::Key("a".into())] },
                Override::Set { path: vec![Step::Index(3)], value: Value::Null, at: 2 },
            ],
            events: vec![event()],
            kept: Some(StateHash::from_bytes([9; 32])),
        };
        assert_eq!(Body::from_value(&body.to_value()), Some(body.clone()));
        let untimed =
            Body { time: None, stuck: Vec::new(), overrides: Vec::new(), events: Vec::new(), kept: None, ..body };
        assert_eq!(Body::from_value(&untimed.to_value()), Some(untimed));
    }
}
