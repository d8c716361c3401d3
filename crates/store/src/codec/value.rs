//! A whole state as it lies in a row: what it is made of first, then all its texts in one piece, so that
//! reading it looks at no byte twice and at all texts at once.
//!
//! Each value is a number whose lowest three bits say what it is and whose other bits say how much of it
//! there is. Objects with the same keys in the same order are of one kind: the first names the keys, the
//! others the kind.

use storeyline_state::json::MAX_DEPTH;
use storeyline_state::object::shape::Shape;
use storeyline_state::{Number, Object, Text, Value};

use super::bytes::{Reader, Writer};

const NULL: u64 = 0;
const FALSE: u64 = 1;
const TRUE: u64 = 2;
const WHOLE: u64 = 3;
const NUMBER: u64 = 4;
const TEXT: u64 = 5;
const LIST: u64 = 6;
const OBJECT: u64 = 7;

/// Room from the start for each half of a state that is not large.
const USUAL: usize = 8_192;

/// How an object is written: key and value in turn; all keys and then all values, which makes a kind known;
/// or the values of a kind that is known.
const WIDE: u64 = 0;
const FIRST_OF_KIND: u64 = 1;
const OF_KIND: u64 = 2;

/// The kinds that are known, by their prints. Of two with the same print the later one counts.
struct Known(Vec<Option<Shape>>);

impl Known {
    fn new() -> Known {
        Known(vec![None; 256])
    }
}

pub(crate) fn write(value: &Value) -> Vec<u8> {
    let parts = Writer { bytes: Vec::with_capacity(USUAL) };
    let mut out = Out { parts, texts: Vec::with_capacity(USUAL), known: Known::new() };
    out.value(value);
    let mut whole = Writer { bytes: Vec::with_capacity(out.parts.bytes.len() + out.texts.len() + 5) };
    whole.count(out.parts.bytes.len());
    whole.raw(&out.parts.bytes);
    whole.raw(&out.texts);
    whole.bytes
}

pub(crate) fn read(bytes: &[u8]) -> Option<Value> {
    let mut whole = Reader::new(bytes);
    let length = whole.count()?;
    let parts = Reader::new(whole.raw(length)?);
    let texts = simdutf8::basic::from_utf8(whole.rest()).ok()?;
    let mut found = In { parts, texts, known: Known::new() };
    let value = found.value(0)?;
    (found.parts.is_empty() && found.texts.is_empty()).then_some(value)
}

struct Out {
    parts: Writer,
    texts: Vec<u8>,
    known: Known,
}

impl Out {
    fn head(&mut self, what: u64, rest: u64) {
        self.parts.number((rest << 3) | what);
    }

    fn text(&mut self, text: &str) {
        self.texts.extend_from_slice(text.as_bytes());
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Null => self.head(NULL, 0),
            Value::Bool(false) => self.head(FALSE, 0),
            Value::Bool(true) => self.head(TRUE, 0),
            Value::Number(number) => match number.as_i64().and_then(|number| u64::try_from(number).ok()) {
                Some(small) if small < 1 << 60 => self.head(WHOLE, small),
                _ => {
                    let digits = number.to_string();
                    self.head(NUMBER, digits.len() as u64);
                    self.text(&digits);
                }
            },
            Value::Text(text) => {
                self.head(TEXT, text.len() as u64);
                self.text(text);
            }
            Value::List(items) => {
                self.head(LIST, items.len() as u64);
                items.iter().for_each(|item| self.value(item));
            }
            Value::Object(object) => self.object(object),
        }
    }

    fn object(&mut self, object: &Object) {
        let head = |how: u64, rest: u64| (rest << 2) | how;
        let Some(kind) = Shape::of(object) else {
            self.head(OBJECT, head(WIDE, object.len() as u64));
            for (key, value) in object.iter() {
                self.parts.count(key.len());
                self.text(key);
                self.value(value);
            }
            return;
        };
        let print = kind.fingerprint();
        if self.known.0[usize::from(print)].as_ref() == Some(&kind) {
            self.head(OBJECT, head(OF_KIND, print.into()));
        } else {
            self.head(OBJECT, head(FIRST_OF_KIND, kind.keys().len() as u64));
            self.parts.byte(print);
            for key in kind.keys() {
                self.parts.count(key.len());
                self.text(key);
            }
            self.known.0[usize::from(print)] = Some(kind);
        }
        object.iter().for_each(|(_, value)| self.value(value));
    }
}

struct In<'a> {
    parts: Reader<'a>,
    texts: &'a str,
    known: Known,
}

impl<'a> In<'a> {
    fn text(&mut self, length: usize) -> Option<&'a str> {
        let (text, rest) = self.texts.split_at_checked(length)?;
        self.texts = rest;
        Some(text)
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        (depth <= MAX_DEPTH).then_some(())?;
        let head = self.parts.number()?;
        let rest = head >> 3;
        let length = usize::try_from(rest).ok()?;
        Some(match head & 7 {
            NULL => Value::Null,
            FALSE => Value::Bool(false),
            TRUE => Value::Bool(true),
            WHOLE => Value::from(i64::try_from(rest).ok()?),
            NUMBER => Value::Number(self.text(length)?.parse::<Number>().ok()?),
            TEXT => Value::text(self.text(length)?),
            LIST => Value::list(self.values(length, depth)?),
            _ => Value::object(self.object(rest & 3, length >> 2, depth)?),
        })
    }

    fn values(&mut self, count: usize, depth: usize) -> Option<Vec<Value>> {
        let mut values = Vec::with_capacity(self.parts.room_for(count)?);
        for _ in 0..count {
            values.push(self.value(depth + 1)?);
        }
        Some(values)
    }

    fn object(&mut self, how: u64, rest: usize, depth: usize) -> Option<Object> {
        match how {
            WIDE => {
                let mut object = Object::with_capacity(self.parts.room_for(rest)?);
                for _ in 0..rest {
                    let key = self.key()?;
                    object.insert(key, self.value(depth + 1)?);
                }
                // A key that came twice was not written by us.
                (object.len() == rest).then_some(object)
            }
            FIRST_OF_KIND => {
                let print = self.parts.byte()?;
                let mut keys = Vec::with_capacity(self.parts.room_for(rest)?);
                for _ in 0..rest {
                    keys.push(self.key()?);
                }
                let kind = Shape::new(keys)?;
                self.known.0[usize::from(print)] = Some(kind.clone());
                kind.object(self.values(rest, depth)?)
            }
            OF_KIND => {
                let kind = self.known.0.get(rest)?.clone()?;
                kind.object(self.values(kind.keys().len(), depth)?)
            }
            _ => None,
        }
    }

    fn key(&mut self) -> Option<Text> {
        let length = self.parts.count()?;
        Some(self.text(length)?.into())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use storeyline_state::json;

    use super::*;

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
            r#"[{"a":1,"b":2},{"a":3,"b":{"a":4,"b":{}}},{"b":1,"a":2},{"a":5,"b":6},{}]"#,
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
    fn keys_of_a_kind_are_written_once() {
        let people = |count: usize| value(&format!("[{}]", vec![r#"{"一个名字":1,"一个年龄":2}"#; count].join(",")));
        let (few, many) = (write(&people(1)), write(&people(11)));
        // Two bytes say which kind, and each number takes one.
        assert_eq!(many.len() - few.len(), 10 * 4);
    }

    fn any_state() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::Bool),
            (-5..300i64).prop_map(Value::from),
            "[a雨]{0,30}".prop_map(|text| Value::text(&text)),
        ];
        leaf.prop_recursive(4, 80, 40, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::list),
                // Few keys, so that kinds come again and in another order; sometimes more than a row holds.
                prop::collection::vec(("[甲乙12]{1,2}|k[0-9]{1,2}", inner), 0..40)
                    .prop_map(|entries| Value::object(entries.into_iter().map(|(key, v)| (key.into(), v)).collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn any_state_survives(state in any_state()) {
            let read = read(&write(&state)).unwrap();
            prop_assert_eq!(read.hash(), state.hash());
            prop_assert_eq!(&read, &state);
            prop_assert_eq!(write(&read), write(&state));
        }
    }

    #[test]
    fn broken_bytes_are_nothing() {
        let whole = write(&value(r#"{"a":[1,2,"雨夜"],"b":{"c":0.5},"d":[{"c":1},{"c":"x"}]}"#));
        for end in 0..whole.len() {
            assert_eq!(read(&whole[..end]), None);
        }
        for at in 0..whole.len() {
            for byte in 0..=255 {
                let mut broken = whole.clone();
                broken[at] = byte;
                // Whatever it is now, it is a state or nothing.
                if let Some(found) = read(&broken) {
                    assert_eq!(read(&write(&found)), Some(found), "byte {at} as {byte}");
                }
            }
        }
        assert_eq!(read(&[0xff; 20]), None);
        let mut deep = Writer::default();
        deep.count(400);
        deep.raw(&[0x0e; 400]);
        assert_eq!(read(&deep.bytes), None, "nested too deeply");
    }

    #[test]
    fn a_key_that_comes_twice_is_damage() {
        for (how, print) in [(WIDE, None), (FIRST_OF_KIND, Some(0))] {
            let mut parts = Writer::default();
            parts.number((((2 << 2) | how) << 3) | OBJECT);
            print.into_iter().for_each(|print| parts.byte(print));
            match how {
                WIDE => [1, NULL, 1, NULL],
                _ => [1, 1, NULL, NULL],
            }
            .into_iter()
            .for_each(|number| parts.number(number));
            for (texts, is_read) in [("ab", true), ("aa", false)] {
                let mut whole = Writer::default();
                whole.count(parts.bytes.len());
                whole.raw(&parts.bytes);
                whole.raw(texts.as_bytes());
                assert_eq!(read(&whole.bytes).is_some(), is_read, "{how} {texts}");
            }
        }
    }
}
