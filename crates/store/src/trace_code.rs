//! A trace as it lies in a row, and a small filter of the places that it changed.

use storeyline_history::trace::{diagnostic_from_value, diagnostic_to_value};
use storeyline_history::{CallTrace, Trace, Verdict};
use storeyline_state::{Change, Diagnostic, Op, Step, Value};

use crate::code::{Reader, Writer};

const HAS_REASON: u8 = 4;
const HAS_REMARKS: u8 = 8;

/// Few traces are longer; those that are grow.
const USUAL: usize = 512;

pub(crate) fn write(trace: &Trace) -> Vec<u8> {
    if trace.calls.is_empty() && trace.diagnostics.is_empty() {
        return Vec::new();
    }
    let mut writer = Writer { bytes: Vec::with_capacity(USUAL) };
    writer.count(trace.calls.len());
    for call in &trace.calls {
        write_call(&mut writer, call);
    }
    if !trace.diagnostics.is_empty() {
        write_remarks(&mut writer, &trace.diagnostics);
    }
    writer.bytes
}

pub(crate) fn read(bytes: &[u8]) -> Option<Trace> {
    let mut reader = Reader::new(bytes);
    if reader.is_empty() {
        return Some(Trace::default());
    }
    let calls = reader.list(read_call)?;
    let diagnostics = if reader.is_empty() { Vec::new() } else { read_remarks(&mut reader)? };
    reader.is_empty().then_some(Trace { calls, diagnostics })
}

/// Carries out what a trace did, without reading the rest of it; nothing if it does not fit the state.
pub(crate) fn carry_out(bytes: &[u8], state: &mut Value) -> Option<()> {
    let mut reader = Reader::new(bytes);
    if reader.is_empty() {
        return Some(());
    }
    let mut path = Vec::new();
    for _ in 0..reader.count()? {
        let flags = reader.byte()?;
        reader.skip_text()?;
        reader.count()?;
        reader.count()?;
        if flags & HAS_REASON != 0 {
            reader.skip_text()?;
        }
        for _ in 0..reader.count()? {
            let op = read_change(&mut reader, Old::Skipped, path)?;
            op.apply(state).ok()?;
            path = op.path;
        }
        if flags & HAS_REMARKS != 0 {
            reader.skip_text()?;
        }
    }
    Some(())
}

fn write_call(writer: &mut Writer, call: &CallTrace) {
    let verdict = match call.verdict {
        Verdict::Done => 0,
        Verdict::Repaired => 1,
        Verdict::Failed => 2,
    };
    let reason = if call.reason.is_some() { HAS_REASON } else { 0 };
    let remarks = if call.diagnostics.is_empty() { 0 } else { HAS_REMARKS };
    writer.byte(verdict | reason | remarks);
    writer.text(&call.name);
    writer.count(call.span.start);
    writer.count(call.span.end - call.span.start);
    if let Some(reason) = &call.reason {
        writer.text(reason);
    }
    writer.count(call.ops.len());
    call.ops.iter().for_each(|op| write_op(writer, op));
    if !call.diagnostics.is_empty() {
        write_remarks(writer, &call.diagnostics);
    }
}

fn read_call(reader: &mut Reader<'_>) -> Option<CallTrace> {
    let flags = reader.byte()?;
    let verdict = [Verdict::Done, Verdict::Repaired, Verdict::Failed].get(usize::from(flags & 3)).copied()?;
    let name = reader.text()?.to_owned().into();
    let start = reader.count()?;
    let span = start..start.checked_add(reader.count()?)?;
    let reason = if flags & HAS_REASON != 0 { Some(reader.text()?.into()) } else { None };
    let ops = reader.list(read_op)?.into();
    let diagnostics = if flags & HAS_REMARKS != 0 { read_remarks(reader)? } else { Vec::new() };
    Some(CallTrace { name, span, verdict, reason, ops, diagnostics })
}

fn write_remarks(writer: &mut Writer, remarks: &[Diagnostic]) {
    writer.value(&Value::list(remarks.iter().map(diagnostic_to_value).collect()));
}

fn read_remarks(reader: &mut Reader<'_>) -> Option<Vec<Diagnostic>> {
    reader.value()?.as_list()?.iter().map(diagnostic_from_value).collect()
}

fn write_op(writer: &mut Writer, op: &Op) {
    writer.count(op.path.len());
    for step in &op.path {
        match step {
            Step::Key(key) => {
                writer.count(key.len() << 1);
                writer.raw(key.as_bytes());
            }
            Step::Index(index) => writer.count((index << 1) | 1),
        }
    }
    match &op.change {
        Change::Set { old, new } => {
            writer.byte(0);
            writer.value(old);
            writer.value(new);
        }
        Change::Insert { new, at } => {
            writer.byte(1);
            writer.value(new);
            writer.count(*at);
        }
        Change::Remove { old, at } => {
            writer.byte(2);
            writer.value(old);
            writer.count(*at);
        }
    }
}

/// Whether the value before is wanted: going forwards nobody asks for it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Old {
    Read,
    Skipped,
}

impl Old {
    fn read(self, reader: &mut Reader<'_>) -> Option<Value> {
        match self {
            Old::Read => reader.value(),
            Old::Skipped => reader.skip_text().map(|()| Value::Null),
        }
    }
}

fn read_op(reader: &mut Reader<'_>) -> Option<Op> {
    read_change(reader, Old::Read, Vec::new())
}

/// Reads an op; `path` gives its room to the new one's.
fn read_change(reader: &mut Reader<'_>, old: Old, mut path: Vec<Step>) -> Option<Op> {
    path.clear();
    let steps = reader.count()?;
    path.reserve(reader.room_for(steps)?);
    for _ in 0..steps {
        let code = reader.count()?;
        path.push(match code & 1 {
            1 => Step::Index(code >> 1),
            _ => Step::Key(std::str::from_utf8(reader.raw(code >> 1)?).ok()?.into()),
        });
    }
    let change = match reader.byte()? {
        0 => Change::Set { old: old.read(reader)?, new: reader.value()? },
        1 => Change::Insert { new: reader.value()?, at: reader.count()? },
        2 => Change::Remove { old: old.read(reader)?, at: reader.count()? },
        _ => return None,
    };
    Some(Op { path, change })
}

/// Which places a trace may have changed: 64 bits for the places themselves, 64 for these and all
/// above them. A place that is not in it was not changed; one that is in it must be looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Places {
    exact: u64,
    above: u64,
}

impl Places {
    pub(crate) fn of(trace: &Trace) -> Places {
        let mut places = Places::default();
        for op in trace.ops() {
            if op.path.is_empty() {
                return Places { exact: u64::MAX, above: u64::MAX };
            }
            let mut last = 0;
            for mark in marks(&op.path) {
                places.above |= mark;
                last = mark;
            }
            places.exact |= last;
        }
        places
    }

    /// Tells whether the value at a path may have changed: itself, something above or below it.
    pub(crate) fn may_hold(self, path: &[Step]) -> bool {
        let Some(own) = marks(path).last() else { return self.above != 0 };
        self.above & own == own || marks(path).any(|mark| self.exact & mark == mark)
    }

    pub(crate) fn to_bytes(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&self.exact.to_le_bytes());
        bytes[8..].copy_from_slice(&self.above.to_le_bytes());
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Places> {
        let number = |bytes: &[u8]| bytes.try_into().ok().map(u64::from_le_bytes);
        Some(Places { exact: number(bytes.get(..8)?)?, above: number(bytes.get(8..16)?)? })
    }
}

/// Two bits for each beginning of a path. A list counts as one place: its items move.
fn marks(path: &[Step]) -> impl Iterator<Item = u64> {
    let keys = path.iter().map_while(|step| match step {
        Step::Key(key) => Some(key),
        Step::Index(_) => None,
    });
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    keys.map(move |key| {
        for byte in key.bytes().chain([0xff]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        // The last bytes reach all bits only after another round.
        let mixed = (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (1 << (mixed >> 58)) | (1 << ((mixed >> 52) & 63))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn op(path: &[&str], change: Change) -> Op {
        let step = |step: &&str| match step.parse() {
            Ok(index) => Step::Index(index),
            Err(_) => Step::Key((*step).into()),
        };
        Op { path: path.iter().map(step).collect(), change }
    }

    fn trace() -> Trace {
        let set = Change::Set { old: Value::Null, new: Value::text("雨") };
        let remark = Diagnostic::warning("W-X", 3..5, "怪", "odd");
        let call = CallTrace {
            name: "@.SET".into(),
            span: 10..40,
            verdict: Verdict::Repaired,
            reason: Some("因为".into()),
            ops: vec![
                op(&["角色", "阿丽娅", "hp"], set),
                op(&["包", "2"], Change::Insert { new: Value::from(5), at: 2 }),
                op(&["旧"], Change::Remove { old: Value::empty_object(), at: 1 }),
            ]
            .into(),
            diagnostics: vec![remark.clone()],
        };
        Trace { calls: vec![call], diagnostics: vec![remark] }
    }

    #[test]
    fn a_trace_survives() {
        assert_eq!(read(&write(&trace())), Some(trace()));
        assert_eq!(read(&write(&Trace::default())), Some(Trace::default()));
        let bytes = write(&trace());
        let mut state = storeyline_state::json::read(r#"{"角色":{"阿丽娅":{"hp":null}},"包":[1,2],"旧":{}}"#).unwrap();
        carry_out(&bytes, &mut state).unwrap();
        let wanted = r#"{"角色":{"阿丽娅":{"hp":"雨"}},"包":[1,2,5]}"#;
        assert_eq!(storeyline_state::json::write(&state), wanted);
        for length in 1..bytes.len() {
            assert_ne!(read(&bytes[..length]), Some(trace()), "cut at {length}");
        }
    }

    #[test]
    fn the_filter_never_misses() {
        let places = Places::of(&trace());
        let path = |path: &[&str]| op(path, Change::Insert { new: Value::Null, at: 0 }).path;
        for held in [
            &["角色"][..],
            &["角色", "阿丽娅"],
            &["角色", "阿丽娅", "hp"],
            &["角色", "阿丽娅", "hp", "x"],
            &["包"],
            &["包", "7"],
            &["旧"],
            &[],
        ] {
            assert!(places.may_hold(&path(held)), "{held:?}");
        }
        assert!(!places.may_hold(&path(&["角色", "老板"])), "a sibling is not held");
        assert_eq!(Places::from_bytes(&places.to_bytes()), Some(places));
    }
}
