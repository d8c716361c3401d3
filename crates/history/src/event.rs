//! Recorded answers: inputs of a page that came from outside after the page existed.
//!
//! An event names what it was asked on and contains the changes of the answer. It is part of
//! the body, so it is evaluated, blamed and rolled back like a call.

use storeyline_state::{Op, StateHash, Value, op};

use crate::digest::ReadingDigest;

/// A recorded answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// What a script of the card made of a state. It applies to exactly that state.
    Script { state: StateHash, ops: Vec<Op> },
    /// What a separate request wrote into tables. It applies to exactly this reading.
    Fill { reading: ReadingDigest, ops: Vec<Op> },
}

impl Event {
    pub fn to_value(&self) -> Value {
        let (word, asked, ops) = match self {
            Event::Script { state, ops } => ("script", state.to_string(), ops),
            Event::Fill { reading, ops } => ("fill", reading.to_string(), ops),
        };
        Value::list(vec![word.into(), Value::text(asked), Value::list(ops.iter().map(op::to_value).collect())])
    }

    pub fn from_value(value: &Value) -> Option<Event> {
        let [word, asked, ops] = value.as_list()? else { return None };
        let ops = ops.read_list(op::from_value)?;
        match (word.as_text()?, asked.as_text()?) {
            ("script", state) => Some(Event::Script { state: state.parse().ok()?, ops }),
            ("fill", reading) => Some(Event::Fill { reading: reading.parse().ok()?, ops }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use storeyline_state::{Change, Step};

    use super::*;

    #[test]
    fn an_event_survives_storing() {
        let ops = vec![Op {
            path: vec![Step::Key("a".into()), Step::Index(2)],
            change: Change::Insert { new: Value::text("x"), at: 2 },
        }];
        for event in [
            Event::Script { state: Value::Null.hash(), ops: ops.clone() },
            Event::Fill { reading: ReadingDigest([7; 16]), ops },
        ] {
            assert_eq!(Event::from_value(&event.to_value()), Some(event));
        }
        assert_eq!(Event::from_value(&Value::text("script")), None);
    }
}
