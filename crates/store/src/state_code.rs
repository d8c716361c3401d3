//! A whole state as it lies in a row: values one after another, each with its kind and length first, so
//! that reading it looks at no byte twice.
//!
//! The lowest three bits of the first number say what follows, the others how long it is.

use storeyline_state::json::MAX_DEPTH;
use storeyline_state::object::kinds::{Kinds, Unfinished};
use storeyline_state::{Number, Value};

use crate::code::{Reader, Writer};

const NULL: u64 = 0;
const FALSE: u64 = 1;
const TRUE: u64 = 2;
const WHOLE: u64 = 3;
const NUMBER: u64 = 4;
const TEXT: u64 = 5;
const LIST: u64 = 6;
const OBJECT: u64 = 7;

pub(crate) fn write(value: &Value) -> Vec<u8> {
    let mut writer = Writer::default();
    write_value(&mut writer, value);
    writer.bytes
}

pub(crate) fn read(bytes: &[u8]) -> Option<Value> {
    let mut reader = Reader::new(bytes);
    let value = read_value(&mut reader, &mut Kinds::default(), 0)?;
    reader.is_empty().then_some(value)
}

fn write_value(writer: &mut Writer, value: &Value) {
    let mut head = |kind: u64, rest: u64| writer.number((rest << 3) | kind);
    match value {
        Value::Null => head(NULL, 0),
        Value::Bool(false) => head(FALSE, 0),
        Value::Bool(true) => head(TRUE, 0),
        Value::Number(number) => match number.as_i64().and_then(|number| u64::try_from(number).ok()) {
            Some(small) if small < 1 << 60 => head(WHOLE, small),
            _ => {
                let digits = number.to_string();
                head(NUMBER, digits.len() as u64);
                writer.raw(digits.as_bytes());
            }
        },
        Value::Text(text) => {
            head(TEXT, text.len() as u64);
            writer.raw(text.as_bytes());
        }
        Value::List(_) => {
            let items = value.as_list().unwrap_or_default();
            head(LIST, items.len() as u64);
            items.iter().for_each(|item| write_value(writer, item));
        }
        Value::Object(_) => {
            let Some(object) = value.as_object() else { return };
            head(OBJECT, object.len() as u64);
            for (key, value) in object.iter() {
                writer.text(key);
                write_value(writer, value);
            }
        }
    }
}

fn read_value(reader: &mut Reader<'_>, kinds: &mut Kinds, depth: usize) -> Option<Value> {
    (depth <= MAX_DEPTH).then_some(())?;
    let head = reader.number()?;
    let length = usize::try_from(head >> 3).ok()?;
    Some(match head & 7 {
        NULL => Value::Null,
        FALSE => Value::Bool(false),
        TRUE => Value::Bool(true),
        WHOLE => Value::from(i64::try_from(head >> 3).ok()?),
        NUMBER => Value::Number(text(reader, length)?.parse::<Number>().ok()?),
        TEXT => Value::text(text(reader, length)?),
        LIST => {
            let mut items = Vec::with_capacity(reader.room_for(length)?);
            for _ in 0..length {
                items.push(read_value(reader, kinds, depth + 1)?);
            }
            Value::list(items)
        }
        _ => {
            let mut object = Unfinished::with_room(reader.room_for(length)?);
            for _ in 0..length {
                let length = reader.count()?;
                let key = reader.raw(length)?;
                // What is equal to a text is one.
                if object.is_of_kind_with(key) {
                    object.push(read_value(reader, kinds, depth + 1)?);
                } else {
                    let key = std::str::from_utf8(key).ok()?;
                    object.insert(key, read_value(reader, kinds, depth + 1)?, kinds);
                }
            }
            let object = object.finish(kinds);
            // A key that came twice, or in another order than ours, was not written by us.
            (object.len() == length).then_some(())?;
            Value::object(object)
        }
    })
}

fn text<'a>(reader: &mut Reader<'a>, length: usize) -> Option<&'a str> {
    std::str::from_utf8(reader.raw(length)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use storeyline_state::json;

    fn value(text: &str) -> Value {
        json::read(text).unwrap()
    }

    #[test]
    fn states_survive_with_their_order_and_their_numbers() {
        for text in [
            "null",
            "[]",
            "{}",
            r#"{"2":1,"10":-7,"名字":"雨","空":"","深":[[{"a":null}],true,false]}"#,
            "[0,1,-1,0.1,-0.25,1e30,12345678901234567890,1152921504606846975,1152921504606846976]",
        ] {
            let state = value(text);
            let read = read(&write(&state)).unwrap();
            assert_eq!(json::write(&read), json::write(&state));
            assert_eq!(read.hash(), state.hash());
        }
        let wide = value(&format!("{{{}}}", (0..99).map(|n| format!("\"k{n}\":{n}")).collect::<Vec<_>>().join(",")));
        assert_eq!(read(&write(&wide)), Some(wide));
    }

    #[test]
    fn broken_bytes_are_nothing() {
        let whole = write(&value(r#"{"a":[1,2,"雨夜"],"b":{"c":0.5}}"#));
        for end in 0..whole.len() {
            assert_eq!(read(&whole[..end]), None);
        }
        for at in 0..whole.len() {
            for byte in 0..=255 {
                let mut broken = whole.clone();
                broken[at] = byte;
                // Whatever it is now, it is read to its end or not at all.
                let _ = read(&broken);
            }
        }
        assert_eq!(read(&[0xff; 20]), None);
        assert_eq!(read(&[0x0e; 400]), None, "nested too deeply");
    }

    #[test]
    fn a_key_that_comes_twice_is_damage() {
        let mut writer = Writer::default();
        writer.number((2 << 3) | OBJECT);
        for _ in 0..2 {
            writer.text("a");
            writer.number(NULL);
        }
        assert_eq!(read(&writer.bytes), None);
    }
}
