//! The records of an archive: each is declared once, for writing and for reading.
//!
//! A field is JSON of a certain type. The reader checks whether the records that it refers to exist.

use std::str::FromStr;

use storeyline_history::{Body, Role};
use storeyline_state::{Change, ChatId, Op, PageId, RefId, StateHash, StoryId, Value, ValueHash, op};
use storeyline_store::RefKind;

use super::problem::ArchiveProblem;
use crate::object::object;

/// The kinds of records that the last line counts, in this order.
pub(super) const COUNTED: [&str; 7] = ["text", "value", "state", "page", "node", "ref", "cursor"];

/// A value of a field, as JSON.
pub(super) trait Field: Sized {
    fn to_value(&self) -> Value;
    fn from_value(value: &Value) -> Option<Self>;
}

/// Reads a field of a record; it must be there, even if it is `null`.
pub(super) fn field<T: Field>(record: &Value, key: &'static str) -> Result<T, ArchiveProblem> {
    record.get(key).and_then(T::from_value).ok_or(ArchiveProblem::Record(key))
}

/// Declares a record: its fields with their keys in JSON, in the order in which they are written.
macro_rules! record {
    ($name:ident { $($field:ident $key:literal: $type:ty),* $(,)? }) => {
        pub(super) struct $name {
            $(pub(super) $field: $type),*
        }

        impl $name {
            pub(super) fn write(&self) -> Value {
                object([$(($key, self.$field.to_value())),*])
            }

            pub(super) fn read(record: &Value) -> Result<Self, ArchiveProblem> {
                Ok($name { $($field: field(record, $key)?),* })
            }
        }
    };
}

record!(StoryRecord {
    id "story": StoryId,
    title "title": String,
    card "card": String,
    card_rules "card_rules": ValueHash,
    choices "choices": Option<ValueHash>,
    settings "settings": Option<ValueHash>,
    current "current": Option<RefId>,
    created "created": i64,
    trashed "trashed": Option<i64>,
});

record!(NodeRecord {
    parent "node": Option<usize>,
    role "role": Role,
    name "name": String,
    hidden "hidden": bool,
    active "active": usize,
    pages "pages": Vec<usize>,
    host "host": Option<ValueHash>,
    state "state": StateHash,
    ops "ops": Vec<Op>,
});

record!(RefRecord {
    id "ref": RefId,
    kind "kind": RefKind,
    name "name": String,
    note "note": String,
    colour "colour": String,
    origin "origin": Option<RefId>,
    head "head": Option<usize>,
    host "host": Option<HostRecord>,
    header "header": Option<ValueHash>,
    updated "updated": i64,
    trashed "trashed": Option<i64>,
});

record!(HostRecord {
    chat "chat": ChatId,
    file "file": String,
    owner "owner": String,
    reported "reported": Option<usize>,
});

record!(CursorRecord {
    of "cursor": RefId,
    page "page": PageId,
    leaf "leaf": usize,
});

/// A version of a page. Its other fields are those of the body.
pub(super) struct PageRecord {
    pub(super) id: PageId,
    pub(super) body: Body,
}

/// Declares how types are written and read.
macro_rules! fields {
    ($($type:ty: $write:expr, $read:expr;)*) => {$(
        impl Field for $type {
            fn to_value(&self) -> Value {
                let write: fn(&$type) -> Value = $write;
                write(self)
            }

            fn from_value(value: &Value) -> Option<Self> {
                let read: fn(&Value) -> Option<$type> = $read;
                read(value)
            }
        }
    )*};
}

fields! {
    String: text, parse;
    StoryId: text, parse;
    RefId: text, parse;
    PageId: text, parse;
    ChatId: text, parse;
    ValueHash: text, parse;
    StateHash: text, parse;
    Role: |role| role.as_str().into(), |value| Role::from_word(value.as_text()?);
    RefKind: |kind| kind.as_str().into(), |value| {
        [RefKind::Branch, RefKind::Tag].into_iter().find(|kind| value.as_text() == Some(kind.as_str()))
    };
    bool: |flag| (*flag).into(), Value::as_bool;
    i64: |number| (*number).into(), |value| value.as_number()?.as_i64();
    usize: |number| (*number as i64).into(), |value| value.as_number()?.as_index();
    HostRecord: HostRecord::write, |value| HostRecord::read(value).ok();
}

fn text<T: ToString>(field: &T) -> Value {
    Value::text(field.to_string())
}

fn parse<T: FromStr>(value: &Value) -> Option<T> {
    value.as_text()?.parse().ok()
}

impl<T: Field> Field for Option<T> {
    fn to_value(&self) -> Value {
        self.as_ref().map_or(Value::Null, T::to_value)
    }

    fn from_value(value: &Value) -> Option<Self> {
        if *value == Value::Null { Some(None) } else { T::from_value(value).map(Some) }
    }
}

impl<T: Field> Field for Vec<T> {
    fn to_value(&self) -> Value {
        Value::list(self.iter().map(T::to_value).collect())
    }

    fn from_value(value: &Value) -> Option<Self> {
        value.as_list()?.iter().map(T::from_value).collect()
    }
}

/// Without the old value: it is in the state above.
impl Field for Op {
    fn to_value(&self) -> Value {
        let path = Value::list(self.path.iter().map(op::step_to_value).collect());
        Value::list(match &self.change {
            Change::Set { new, .. } => vec!["set".into(), path, new.clone()],
            Change::Insert { new, at } => vec!["insert".into(), path, new.clone(), at.to_value()],
            Change::Remove { at, .. } => vec!["remove".into(), path, at.to_value()],
        })
    }

    fn from_value(value: &Value) -> Option<Self> {
        let (kind, rest) = value.as_list()?.split_first()?;
        let (path, rest) = rest.split_first()?;
        let path = path.as_list()?.iter().map(op::step_from_value).collect::<Option<Vec<_>>>()?;
        let old = Value::Null;
        let change = match (kind.as_text()?, rest) {
            ("set", [new]) => Change::Set { old, new: new.clone() },
            ("insert", [new, at]) => Change::Insert { new: new.clone(), at: usize::from_value(at)? },
            ("remove", [at]) => Change::Remove { old, at: usize::from_value(at)? },
            _ => return None,
        };
        Some(Op { path, change })
    }
}
