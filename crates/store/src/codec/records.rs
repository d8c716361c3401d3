//! Records that lie in one column: the pages of a turn, the inputs of a page.

use serde::{Deserialize, Serialize};
use storeyline_history::{Body, Event, Override, PageKey, Role, Turn};
use storeyline_state::{PageId, TextHash, Value, json};

use crate::error::StoreError;

pub(crate) fn write<T: Serialize>(record: &T) -> Vec<u8> {
    postcard::to_stdvec(record).expect("a record of plain fields can always be written")
}

pub(crate) fn read<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Option<T> {
    match postcard::take_from_bytes(bytes) {
        Ok((record, [])) => Some(record),
        _ => None,
    }
}

/// A turn without what is found under its page keys.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct TurnRecord {
    pub(crate) role: Role,
    pub(crate) name: String,
    pub(crate) hidden: bool,
    pub(crate) active: usize,
    pub(crate) pages: Vec<PageKey>,
}

impl TurnRecord {
    pub(crate) fn new(turn: &Turn) -> TurnRecord {
        TurnRecord {
            role: turn.role,
            name: turn.name.clone(),
            hidden: turn.hidden,
            active: turn.active,
            pages: turn.pages.iter().map(|page| page.at).collect(),
        }
    }

    pub(crate) fn read(bytes: &[u8]) -> Option<TurnRecord> {
        read::<TurnRecord>(bytes).filter(|turn| turn.active < turn.pages.len())
    }
}

/// The inputs of a page that have no column of their own.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct InputsRecord {
    role: Role,
    speaker: String,
    time: Option<i64>,
    /// Nothing: the seed that follows from the page id.
    seed: Option<u64>,
    given_up: Vec<String>,
    /// JSON lists; empty: none.
    overrides: String,
    events: String,
}

impl InputsRecord {
    pub(crate) fn new(page: PageId, body: &Body) -> InputsRecord {
        InputsRecord {
            role: body.role,
            speaker: body.speaker.clone(),
            time: body.time,
            seed: Some(body.seed).filter(|seed| *seed != seed_of(page)),
            given_up: body.stuck.clone(),
            overrides: json_list(body.overrides.iter().map(Override::to_value)),
            events: json_list(body.events.iter().map(Event::to_value)),
        }
    }

    /// Returns the body without text, names, rules and kept state.
    pub(crate) fn body(self, page: PageId) -> Option<Body> {
        Some(Body {
            role: self.role,
            speaker: self.speaker,
            time: self.time,
            seed: self.seed.unwrap_or_else(|| seed_of(page)),
            stuck: self.given_up,
            overrides: Override::all_from_value(&read_list(&self.overrides)?)?,
            events: read_list(&self.events)?.as_list()?.iter().map(Event::from_value).collect::<Option<_>>()?,
            ..Body::lone_reply(TextHash::from_bytes([0; 16]))
        })
    }
}

/// Returns the seed that a page has from its id.
pub fn seed_of(page: PageId) -> u64 {
    let mut seed = [0; 8];
    seed.copy_from_slice(&page.as_bytes()[8..]);
    u64::from_le_bytes(seed)
}

fn json_list(items: impl Iterator<Item = Value>) -> String {
    let items: Vec<Value> = items.collect();
    if items.is_empty() { String::new() } else { json::write(&Value::list(items)) }
}

fn read_list(text: &str) -> Option<Value> {
    if text.is_empty() { Some(Value::list(Vec::new())) } else { json::read_stored(text).ok() }
}

/// A record that must be readable.
pub(crate) fn intact<T>(record: Option<T>, kind: &'static str, id: i64) -> Result<T, StoreError> {
    record.ok_or_else(|| StoreError::damaged(kind, id))
}

#[cfg(test)]
mod tests {
    use storeyline_state::{StateHash, Step, text};

    use super::*;

    #[test]
    fn inputs_survive() {
        let page = PageId::from_random([7; 16]);
        let plain = Body { seed: seed_of(page), ..Body::lone_reply(TextHash::from_bytes([0; 16])) };
        let full = Body {
            role: Role::Summary,
            speaker: "阿丽娅".into(),
            time: Some(-5),
            seed: 3,
            stuck: vec!["时间推进".into()],
            overrides: vec![Override::Remove { path: vec![Step::Key("a".into())] }],
            events: vec![Event::Script { state: StateHash::from_bytes([1; 32]), ops: Vec::new() }],
            ..plain.clone()
        };
        for body in [plain, full] {
            let bytes = write(&InputsRecord::new(page, &body));
            let found: InputsRecord = read(&bytes).unwrap();
            assert_eq!(found.body(page), Some(body));
            assert!(read::<InputsRecord>(&bytes[1..]).and_then(|record| record.body(page)).is_none_or(|_| true));
            assert!(read::<InputsRecord>(&[&bytes[..], b"x"].concat()).is_none(), "nothing may follow");
        }
    }

    #[test]
    fn a_turn_whose_active_page_is_missing_is_damaged() {
        let id = PageId::from_random([1; 16]);
        let body = storeyline_state::ValueHash::from_bytes([0; 32]);
        let page = storeyline_history::TurnPage { page: id, text: text::hash(""), body, at: PageKey(4) };
        let mut turn =
            Turn { role: Role::User, name: "a".into(), hidden: true, active: 0, pages: vec![page], host: None };
        let read = TurnRecord::read(&write(&TurnRecord::new(&turn))).unwrap();
        assert_eq!((read.role, read.pages), (Role::User, vec![PageKey(4)]));
        turn.active = 1;
        assert!(TurnRecord::read(&write(&TurnRecord::new(&turn))).is_none());
    }
}
