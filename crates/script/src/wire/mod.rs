//! Encodes requests and responses as bytes: `u32` length, then tagged values, all little-endian.
//! Numbers that are not integers are sent as decimal text, so nothing is rounded.

mod messages;
mod values;

use std::io::{self, Read, Write};

use storeyline_state::object::shape::ShapeCache;

/// Maximum length of a frame that is read, in bytes.
const MAX_FRAME: usize = 256 << 20;

pub(crate) fn send(out: &mut impl Write, frame: &[u8]) -> io::Result<()> {
    let length = u32::try_from(frame.len()).map_err(|_| io::Error::other("a frame is too long"))?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(frame)?;
    out.flush()
}

/// Reads one frame; `None` at the end of the stream.
pub(crate) fn receive(input: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    match input.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let length = u32::from_le_bytes(length) as usize;
    if length > MAX_FRAME {
        return Err(io::Error::other("a frame is too long"));
    }
    let mut frame = vec![0; length];
    input.read_exact(&mut frame)?;
    Ok(Some(frame))
}

/// A type that can be encoded.
pub(crate) trait Wire: Sized {
    fn encode(&self, out: &mut Vec<u8>);
    fn decode(from: &mut Decoder<'_>) -> Option<Self>;

    fn to_frame(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.encode(&mut out);
        out
    }

    fn from_frame(frame: &[u8]) -> Option<Self> {
        let mut decoder = Decoder { bytes: frame, depth: 0, shapes: ShapeCache::default() };
        let value = Self::decode(&mut decoder)?;
        decoder.bytes.is_empty().then_some(value)
    }
}

/// The rest of a frame.
pub(crate) struct Decoder<'a> {
    bytes: &'a [u8],
    /// Nesting depth of the value being decoded.
    depth: usize,
    shapes: ShapeCache,
}

impl<'a> Decoder<'a> {
    fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.bytes.split_at_checked(count)?;
        self.bytes = rest;
        Some(head)
    }

    fn tag(&mut self) -> Option<u8> {
        Some(self.bytes(1)?[0])
    }

    fn text(&mut self) -> Option<&'a str> {
        let length = u64::decode(self)?;
        std::str::from_utf8(self.bytes(usize::try_from(length).ok()?)?).ok()
    }
}

impl Wire for u64 {
    fn encode(&self, out: &mut Vec<u8>) {
        out.extend(self.to_le_bytes());
    }

    fn decode(from: &mut Decoder<'_>) -> Option<Self> {
        Some(u64::from_le_bytes(from.bytes(8)?.try_into().ok()?))
    }
}

impl Wire for i64 {
    fn encode(&self, out: &mut Vec<u8>) {
        out.extend(self.to_le_bytes());
    }

    fn decode(from: &mut Decoder<'_>) -> Option<Self> {
        Some(i64::from_le_bytes(from.bytes(8)?.try_into().ok()?))
    }
}

impl Wire for usize {
    fn encode(&self, out: &mut Vec<u8>) {
        (*self as u64).encode(out);
    }

    fn decode(from: &mut Decoder<'_>) -> Option<Self> {
        usize::try_from(u64::decode(from)?).ok()
    }
}

impl Wire for bool {
    fn encode(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }

    fn decode(from: &mut Decoder<'_>) -> Option<Self> {
        Some(from.tag()? == 1)
    }
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    text.len().encode(out);
    out.extend(text.as_bytes());
}

impl Wire for String {
    fn encode(&self, out: &mut Vec<u8>) {
        put_text(out, self);
    }

    fn decode(from: &mut Decoder<'_>) -> Option<Self> {
        from.text().map(str::to_owned)
    }
}

impl<T: Wire> Wire for Option<T> {
    fn encode(&self, out: &mut Vec<u8>) {
        self.is_some().encode(out);
        if let Some(value) = self {
            value.encode(out);
        }
    }

    fn decode(from: &mut Decoder<'_>) -> Option<Self> {
        Some(if bool::decode(from)? { Some(T::decode(from)?) } else { None })
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn encode(&self, out: &mut Vec<u8>) {
        self.len().encode(out);
        for item in self {
            item.encode(out);
        }
    }

    fn decode(from: &mut Decoder<'_>) -> Option<Self> {
        let length = usize::decode(from)?;
        (0..length).map(|_| T::decode(from)).collect()
    }
}

#[cfg(test)]
mod tests {
    use storeyline_functions::script::PatternMatch;
    use storeyline_state::{Change, Op, Step, Value, json};

    use super::*;
    use crate::limits::Limits;
    use crate::refuse;
    use crate::request::{Answer, Code, Job, Request, Response, Update};

    fn there_and_back<T: Wire + PartialEq + std::fmt::Debug>(value: &T) {
        let frame = value.to_frame();
        assert_eq!(T::from_frame(&frame).as_ref(), Some(value));
        for cut in (0..frame.len()).step_by(7) {
            assert!(T::from_frame(&frame[..cut]).is_none(), "cut at {cut}");
        }
    }

    #[test]
    fn what_is_sent_is_what_is_received() {
        let deep = "[".repeat(99) + &"]".repeat(99);
        let state = json::read(&format!(r#"{{"b":1,"a":[null,true,"药",1e-300,{deep}]}}"#).replace("a", "b2")).unwrap();
        let job = Job {
            code: Code::Sam { parameters: vec!["a".into(), "...rest".into()], body: "x".into() },
            args: vec![None, Some(state.clone())],
            context: Value::empty_object(),
            seed: u64::MAX,
            time: -1,
            ticks: 9,
        };
        there_and_back(&Request::Run(Update::Whole(state.clone()), job.clone()));
        let op = |change| Op { path: vec![Step::Key("a".into()), Step::Index(3)], change };
        let ops = vec![
            op(Change::Set { old: Value::Null, new: state.clone() }),
            op(Change::Insert { new: state.clone(), at: 3 }),
            op(Change::Remove { old: state, at: 3 }),
        ];
        there_and_back(&Request::Test(Update::Ops(ops.clone()), job));
        there_and_back(&Request::Find { pattern: "(".into(), text: "金".into(), ticks: 1 });
        there_and_back(&Response { ticks: 3, answer: Answer::Changed(ops) });
        let found = PatternMatch { span: 1..4, groups: vec![None, Some("金".into())] };
        there_and_back(&Response { ticks: 3, answer: Answer::Matches(vec![found]) });
        there_and_back(&Response { ticks: 3, answer: Answer::Refused(refuse::ticks(4)) });
        there_and_back(&Limits::default());
    }

    #[test]
    fn a_frame_that_is_nested_without_end_is_no_value() {
        let list_of_one = [vec![5], 1u64.to_le_bytes().to_vec()].concat();
        assert_eq!(Value::from_frame(&list_of_one.repeat(1_000_000)), None);
    }
}
