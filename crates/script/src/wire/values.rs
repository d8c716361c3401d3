//! Encodes states and their ops as bytes.

use storeyline_state::json::MAX_DEPTH;
use storeyline_state::object::shape::ObjectBuilder;
use storeyline_state::{Change, Op, Step, Value};

use super::{Decoder, Wire, put_text};

impl Wire for Value {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Value::Null => out.push(0),
            Value::Bool(value) => out.push(1 + u8::from(*value)),
            Value::Number(number) => match number.as_i64() {
                Some(whole) => {
                    out.push(7);
                    whole.encode(out);
                }
                None => {
                    out.push(3);
                    put_text(out, &number.to_string());
                }
            },
            Value::Text(text) => {
                out.push(4);
                put_text(out, text);
            }
            Value::List(items) => {
                out.push(5);
                items.len().encode(out);
                for item in items.iter() {
                    item.encode(out);
                }
            }
            Value::Object(object) => {
                out.push(6);
                object.len().encode(out);
                for (key, value) in object.iter() {
                    put_text(out, key);
                    value.encode(out);
                }
            }
        }
    }

    fn decode(from: &mut Decoder<'_>) -> Option<Self> {
        if from.depth > MAX_DEPTH {
            return None;
        }
        from.depth += 1;
        let value = take_value(from);
        from.depth -= 1;
        value
    }
}

fn take_value(from: &mut Decoder<'_>) -> Option<Value> {
    Some(match from.tag()? {
        0 => Value::Null,
        1 => Value::Bool(false),
        2 => Value::Bool(true),
        3 => Value::Number(from.text()?.parse().ok()?),
        4 => Value::text(from.text()?),
        5 => Value::list(Vec::decode(from)?),
        6 => {
            let mut object = ObjectBuilder::with_capacity(0);
            for _ in 0..usize::decode(from)? {
                let key = from.text()?;
                let value = Value::decode(from)?;
                object.insert(key, value, &mut from.shapes);
            }
            Value::object(object.finish(&mut from.shapes))
        }
        7 => Value::from(i64::decode(from)?),
        _ => return None,
    })
}

impl Wire for Step {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Step::Key(key) => {
                out.push(0);
                put_text(out, key);
            }
            Step::Index(index) => {
                out.push(1);
                index.encode(out);
            }
        }
    }

    fn decode(from: &mut Decoder<'_>) -> Option<Self> {
        Some(match from.tag()? {
            0 => Step::Key(from.text()?.into()),
            1 => Step::Index(usize::decode(from)?),
            _ => return None,
        })
    }
}

impl Wire for Op {
    fn encode(&self, out: &mut Vec<u8>) {
        self.path.encode(out);
        match &self.change {
            Change::Set { old, new } => {
                out.push(0);
                old.encode(out);
                new.encode(out);
            }
            Change::Insert { new, at } => {
                out.push(1);
                new.encode(out);
                at.encode(out);
            }
            Change::Remove { old, at } => {
                out.push(2);
                old.encode(out);
                at.encode(out);
            }
        }
    }

    fn decode(from: &mut Decoder<'_>) -> Option<Self> {
        let path = Vec::decode(from)?;
        let change = match from.tag()? {
            0 => Change::Set { old: Value::decode(from)?, new: Value::decode(from)? },
            1 => Change::Insert { new: Value::decode(from)?, at: usize::decode(from)? },
            2 => Change::Remove { old: Value::decode(from)?, at: usize::decode(from)? },
            _ => return None,
        };
        Some(Op { path, change })
    }
}
