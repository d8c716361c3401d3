//! Requests and responses as bytes: `u32` length, then tagged values, all little-endian. Numbers
//! that are not whole go as their decimal text, so nothing is rounded on the way.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::time::Duration;

use storeyline_functions::script::Found;
use storeyline_state::json::MAX_DEPTH;
use storeyline_state::{Change, Object, Op, Step, Value};

use crate::limits::Limits;
use crate::refuse;
use crate::request::{Answer, Code, Job, Refused, Request, Response, Update};

/// The longest frame that is read.
const MAX_FRAME: usize = 256 << 20;

/// Writes one frame.
pub(crate) fn send(out: &mut impl Write, frame: &[u8]) -> io::Result<()> {
    let length = u32::try_from(frame.len()).map_err(|_| io::Error::other("a frame is too long"))?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(frame)?;
    out.flush()
}

/// Reads one frame; nothing at the end of the stream.
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

/// Something that goes over the wire.
pub(crate) trait Wire: Sized {
    fn put(&self, out: &mut Vec<u8>);
    fn take(from: &mut Reader<'_>) -> Option<Self>;

    fn to_frame(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.put(&mut out);
        out
    }

    fn from_frame(frame: &[u8]) -> Option<Self> {
        let mut reader = Reader { bytes: frame, depth: 0 };
        let value = Self::take(&mut reader)?;
        reader.bytes.is_empty().then_some(value)
    }
}

/// What is left of a frame.
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    /// How deep the value is that is being read.
    depth: usize,
}

impl<'a> Reader<'a> {
    fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.bytes.split_at_checked(count)?;
        self.bytes = rest;
        Some(head)
    }

    fn tag(&mut self) -> Option<u8> {
        Some(self.bytes(1)?[0])
    }

    fn text(&mut self) -> Option<&'a str> {
        let length = u64::take(self)?;
        std::str::from_utf8(self.bytes(usize::try_from(length).ok()?)?).ok()
    }
}

impl Wire for u64 {
    fn put(&self, out: &mut Vec<u8>) {
        out.extend(self.to_le_bytes());
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        Some(u64::from_le_bytes(from.bytes(8)?.try_into().ok()?))
    }
}

impl Wire for i64 {
    fn put(&self, out: &mut Vec<u8>) {
        out.extend(self.to_le_bytes());
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        Some(i64::from_le_bytes(from.bytes(8)?.try_into().ok()?))
    }
}

impl Wire for usize {
    fn put(&self, out: &mut Vec<u8>) {
        (*self as u64).put(out);
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        usize::try_from(u64::take(from)?).ok()
    }
}

impl Wire for bool {
    fn put(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        Some(from.tag()? == 1)
    }
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    text.len().put(out);
    out.extend(text.as_bytes());
}

impl Wire for String {
    fn put(&self, out: &mut Vec<u8>) {
        put_text(out, self);
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        from.text().map(str::to_owned)
    }
}

impl<T: Wire> Wire for Option<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.is_some().put(out);
        if let Some(value) = self {
            value.put(out);
        }
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        Some(if bool::take(from)? { Some(T::take(from)?) } else { None })
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.len().put(out);
        for item in self {
            item.put(out);
        }
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        let length = usize::take(from)?;
        (0..length).map(|_| T::take(from)).collect()
    }
}

impl Wire for Value {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Value::Null => out.push(0),
            Value::Bool(value) => out.push(1 + u8::from(*value)),
            Value::Number(number) => match number.as_i64() {
                Some(whole) => {
                    out.push(7);
                    whole.put(out);
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
                items.len().put(out);
                for item in items.iter() {
                    item.put(out);
                }
            }
            Value::Object(object) => {
                out.push(6);
                object.len().put(out);
                for (key, value) in object.iter() {
                    put_text(out, key);
                    value.put(out);
                }
            }
        }
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        if from.depth > MAX_DEPTH {
            return None;
        }
        from.depth += 1;
        let value = take_value(from);
        from.depth -= 1;
        value
    }
}

fn take_value(from: &mut Reader<'_>) -> Option<Value> {
    Some(match from.tag()? {
        0 => Value::Null,
        1 => Value::Bool(false),
        2 => Value::Bool(true),
        3 => Value::Number(from.text()?.parse().ok()?),
        4 => Value::text(from.text()?),
        5 => Value::list(Vec::take(from)?),
        6 => {
            let mut object = Object::default();
            for at in 0..usize::take(from)? {
                let key = Arc::from(from.text()?);
                object.insert_at(at, key, Value::take(from)?);
            }
            Value::object(object)
        }
        7 => Value::from(i64::take(from)?),
        _ => return None,
    })
}

impl Wire for Step {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Step::Key(key) => {
                out.push(0);
                put_text(out, key);
            }
            Step::Index(index) => {
                out.push(1);
                index.put(out);
            }
        }
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        Some(match from.tag()? {
            0 => Step::Key(Arc::from(from.text()?)),
            1 => Step::Index(usize::take(from)?),
            _ => return None,
        })
    }
}

impl Wire for Op {
    fn put(&self, out: &mut Vec<u8>) {
        self.path.put(out);
        match &self.change {
            Change::Set { old, new } => {
                out.push(0);
                old.put(out);
                new.put(out);
            }
            Change::Insert { new, at } => {
                out.push(1);
                new.put(out);
                at.put(out);
            }
            Change::Remove { old, at } => {
                out.push(2);
                old.put(out);
                at.put(out);
            }
        }
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        let path = Vec::take(from)?;
        let change = match from.tag()? {
            0 => Change::Set { old: Value::take(from)?, new: Value::take(from)? },
            1 => Change::Insert { new: Value::take(from)?, at: usize::take(from)? },
            2 => Change::Remove { old: Value::take(from)?, at: usize::take(from)? },
            _ => return None,
        };
        Some(Op { path, change })
    }
}

impl Wire for Update {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Update::Whole(value) => {
                out.push(0);
                value.put(out);
            }
            Update::Ops(ops) => {
                out.push(1);
                ops.put(out);
            }
        }
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        Some(match from.tag()? {
            0 => Update::Whole(Value::take(from)?),
            1 => Update::Ops(Vec::take(from)?),
            _ => return None,
        })
    }
}

impl Wire for Code {
    fn put(&self, out: &mut Vec<u8>) {
        let (tag, parameters) = match self {
            Code::Body(_) => (0, None),
            Code::Function(_) => (1, None),
            Code::Sam { parameters, .. } => (2, Some(parameters)),
        };
        out.push(tag);
        put_text(out, self.text());
        if let Some(parameters) = parameters {
            parameters.put(out);
        }
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        let tag = from.tag()?;
        let text = String::take(from)?;
        Some(match tag {
            0 => Code::Body(text),
            1 => Code::Function(text),
            2 => Code::Sam { parameters: Vec::take(from)?, body: text },
            _ => return None,
        })
    }
}

impl Wire for Job {
    fn put(&self, out: &mut Vec<u8>) {
        self.code.put(out);
        self.args.put(out);
        self.context.put(out);
        self.seed.put(out);
        self.time.put(out);
        self.ticks.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        Some(Job {
            code: Code::take(from)?,
            args: Vec::take(from)?,
            context: Value::take(from)?,
            seed: u64::take(from)?,
            time: i64::take(from)?,
            ticks: u64::take(from)?,
        })
    }
}

impl Wire for Request {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Request::Run(update, job) => {
                out.push(0);
                update.put(out);
                job.put(out);
            }
            Request::Test(update, job) => {
                out.push(1);
                update.put(out);
                job.put(out);
            }
            Request::Find { pattern, text, ticks } => {
                out.push(2);
                pattern.put(out);
                text.put(out);
                ticks.put(out);
            }
            Request::Probe => out.push(3),
        }
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        Some(match from.tag()? {
            0 => Request::Run(Update::take(from)?, Job::take(from)?),
            1 => Request::Test(Update::take(from)?, Job::take(from)?),
            2 => Request::Find { pattern: String::take(from)?, text: String::take(from)?, ticks: u64::take(from)? },
            3 => Request::Probe,
            _ => return None,
        })
    }
}

impl Wire for Found {
    fn put(&self, out: &mut Vec<u8>) {
        self.span.start.put(out);
        self.span.end.put(out);
        self.groups.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        Some(Found { span: usize::take(from)?..usize::take(from)?, groups: Vec::take(from)? })
    }
}

impl Wire for Response {
    fn put(&self, out: &mut Vec<u8>) {
        self.ticks.put(out);
        match &self.answer {
            Answer::Changed(ops) => {
                out.push(0);
                ops.put(out);
            }
            Answer::Truth(truth) => {
                out.push(1);
                truth.put(out);
            }
            Answer::Found(found) => {
                out.push(2);
                found.put(out);
            }
            Answer::Refused(Refused { code, zh, en }) => {
                out.push(3);
                put_text(out, code);
                zh.put(out);
                en.put(out);
            }
            Answer::Failed(how) => {
                out.push(4);
                how.put(out);
            }
        }
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        let ticks = u64::take(from)?;
        let answer = match from.tag()? {
            0 => Answer::Changed(Vec::take(from)?),
            1 => Answer::Truth(bool::take(from)?),
            2 => Answer::Found(Vec::take(from)?),
            3 => Answer::Refused(Refused {
                code: refuse::code(from.text()?)?,
                zh: String::take(from)?,
                en: String::take(from)?,
            }),
            4 => Answer::Failed(String::take(from)?),
            _ => return None,
        };
        Some(Response { ticks, answer })
    }
}

impl Wire for Limits {
    fn put(&self, out: &mut Vec<u8>) {
        for number in [self.call_ticks, self.page_ticks, self.request_ticks, self.wall.as_millis() as u64] {
            number.put(out);
        }
        for bytes in [self.memory, self.stack, self.output, self.source] {
            bytes.put(out);
        }
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        let (call_ticks, page_ticks, request_ticks) = (u64::take(from)?, u64::take(from)?, u64::take(from)?);
        Some(Limits {
            call_ticks,
            page_ticks,
            request_ticks,
            wall: Duration::from_millis(u64::take(from)?),
            memory: usize::take(from)?,
            stack: usize::take(from)?,
            output: usize::take(from)?,
            source: usize::take(from)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use storeyline_state::json;

    use super::*;

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
        let state = json::read(&format!(r#"{{"b":1,"a":[null,true,"药",1e-300,{deep}]}}"#).replace("a", "b2"))
            .unwrap_or(Value::Null);
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
        let found = Found { span: 1..4, groups: vec![None, Some("金".into())] };
        there_and_back(&Response { ticks: 3, answer: Answer::Found(vec![found]) });
        there_and_back(&Response { ticks: 3, answer: Answer::Refused(refuse::ticks(4)) });
        there_and_back(&Limits::default());
    }

    #[test]
    fn a_frame_that_is_nested_without_end_is_no_value() {
        let list_of_one = [vec![5], 1u64.to_le_bytes().to_vec()].concat();
        assert_eq!(Value::from_frame(&list_of_one.repeat(1_000_000)), None);
    }
}
