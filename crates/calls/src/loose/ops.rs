//! The ops of a patch block, however the brackets around and between them are damaged.
//!
//! An op begins with `{` and a key of an op; that place is known before anything is read, so damage
//! in one op never reaches the next. Each op is read exactly where that is possible, else mended
//! inside its own stretch of text.

use std::ops::Range;

use storeyline_state::{Object, Text, Value};

use super::look;
use super::reader::{Around, Members, Reader, Unreadable};
use super::repair::Repairs;

/// One op that could be read.
pub(crate) struct Op {
    pub(crate) value: Value,
    pub(crate) span: Range<usize>,
    pub(crate) repairs: Repairs,
}

/// Something that is no whole op.
pub(crate) type Refused = Range<usize>;

/// Bounds on the work for one block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) ops: usize,
    pub(crate) refused: usize,
    pub(crate) depth: usize,
}

/// Reads the ops of a text, in text order. `cut`: the text broke off at its end.
pub(crate) fn read_ops(text: &str, cut: bool, limits: Limits) -> Vec<Result<Op, Refused>> {
    let starts = starts(text);
    let mut reading = Reading { text, cut, limits, found: Vec::new(), refused: 0 };
    reading.rest(0, starts.first().copied().unwrap_or(text.len()));
    let mut done = 0;
    for (index, &start) in starts.iter().enumerate() {
        if start < done {
            continue;
        }
        if reading.is_full() {
            break;
        }
        let next = starts.get(index + 1).copied().unwrap_or(text.len());
        done = match reading.exact(start) {
            Some(end) => {
                let next = starts[index..].iter().copied().find(|start| *start >= end).unwrap_or(text.len());
                reading.rest(end, next);
                next
            }
            None => {
                reading.mended(start, next);
                next
            }
        };
    }
    reading.found
}

/// Says whether a text holds something like an op.
pub(crate) fn has_ops(text: &str) -> bool {
    op_key(text, 0).is_some()
}

/// Says whether an op begins in a text with its bracket.
pub(crate) fn has_starts(text: &str) -> bool {
    !starts(text).is_empty()
}

/// Where the ops begin. The first key of the first op tells how the others begin, unless that is `op`.
fn starts(text: &str) -> Vec<usize> {
    let opened = memchr::memchr_iter(b'{', text.as_bytes());
    let mut lead: Option<&str> = None;
    let mut starts = Vec::new();
    for brace in opened {
        let Some(key) = first_key(text, brace) else { continue };
        let is_value = look::before(text, brace).is_some_and(|mark| matches!(mark, ':' | '：'));
        if is_value && !starts.is_empty() && !key.eq_ignore_ascii_case("op") {
            continue;
        }
        let is_lead = key.eq_ignore_ascii_case("op") || lead.is_some_and(|lead| lead.eq_ignore_ascii_case(key));
        if is_lead || lead.is_none() {
            lead.get_or_insert(key);
            starts.push(brace);
        }
    }
    starts
}

/// The key behind an opening bracket, if it is a key of an op.
pub(super) fn first_key(text: &str, brace: usize) -> Option<&str> {
    let at = look::past_blanks(text, brace + 1);
    let rest = &text[at..text.floor_char_boundary(at + 40)];
    let word = rest.trim_start_matches(look::is_quote);
    let length = word.find(|next: char| !next.is_ascii_alphabetic() && next != '_').unwrap_or(word.len());
    let key = &word[..length];
    (look::is_op_key(key) && look::member_at(text, at, true)).then_some(key)
}

struct Reading<'a> {
    text: &'a str,
    cut: bool,
    limits: Limits,
    found: Vec<Result<Op, Refused>>,
    refused: usize,
}

impl<'a> Reading<'a> {
    /// Reads a well-formed op and returns its end.
    fn exact(&mut self, start: usize) -> Option<usize> {
        let mut reader = Reader::new(self.text, true, self.limits.depth);
        reader.in_op = true;
        reader.at = start + 1;
        let members = self.members(&mut reader).ok()?;
        // A bracket too many may have closed it, or its value, early.
        let stray = look::first(self.text, look::past_blanks(self.text, reader.at)) == Some('}');
        let is_number = |key: &str| key.bytes().all(|byte| byte.is_ascii_digit());
        if stray || next_key(&reader).is_some_and(|key| !is_number(key)) {
            return None;
        }
        let op = Op { value: object(members.entries), span: start..reader.at, repairs: reader.repairs };
        let end = reader.at;
        self.found.push(Ok(op));
        Some(end)
    }

    fn mended(&mut self, start: usize, end: usize) {
        let stop = self.mend_from(start, start + 1, end);
        self.rest(stop, end);
    }

    /// What stands between two ops: nothing, words, or ops without their brackets.
    fn rest(&mut self, start: usize, end: usize) {
        let mut at = start;
        while let Some(key) = op_key(&self.text[..end], at) {
            self.tell_lost(at, key);
            // The next op begins with the next such key.
            let next = op_key(&self.text[..end], key + 4).unwrap_or(end);
            at = self.mend_from(key, key, next).max(key + 1);
        }
        self.tell_lost(at, end);
    }

    /// Refuses what looks like a part of an op and belongs to none.
    fn tell_lost(&mut self, start: usize, end: usize) {
        let gap =
            self.text[start..end].trim_matches(|next: char| next.is_whitespace() || matches!(next, ',' | '{' | '['));
        if gap.contains(look::is_quote)
            && ["path\"", "\"path", "value\"", "\"value", "\"op\""].iter().any(|word| gap.contains(word))
        {
            let start = gap.as_ptr().addr() - self.text.as_ptr().addr();
            self.refuse(start..start + gap.len());
        }
    }

    /// Reads the op whose first key stands at or after `from`, and returns the place where it ends.
    fn mend_from(&mut self, start: usize, from: usize, end: usize) -> usize {
        if self.is_full() {
            return end;
        }
        let text = &self.text[..end];
        let mut reader = Reader::new(text, false, self.limits.depth);
        reader.cut = self.cut && end == self.text.len();
        reader.begin_at(from);
        let read = self.op(&mut reader);
        let stop = reader.at.max(from + 1);
        let span = |stop: usize| start..start + text[start..stop].trim_end().len();
        match read {
            Ok(Some(value)) => self.found.push(Ok(Op { value, span: span(stop), repairs: reader.repairs })),
            Ok(None) => self.refuse(span(stop)),
            Err(_) => self.refuse(span(op_key(text, stop).unwrap_or(end))),
        }
        stop
    }

    fn refuse(&mut self, span: Refused) {
        self.refused += 1;
        self.found.push(Err(span));
    }

    fn is_full(&self) -> bool {
        self.found.len() >= self.limits.ops || self.refused >= self.limits.refused
    }

    fn op(&self, reader: &mut Reader<'a>) -> Result<Option<Value>, Unreadable> {
        let mut members = self.members(reader)?;
        // A bracket too many inside the op: its other keys follow.
        let mut too_many = false;
        while members.closed && next_key(reader).is_some_and(|key| belongs(&members.entries, key)) {
            too_many = true;
            let more = self.members(reader)?;
            members.closed = more.closed;
            members.has_hole |= more.has_hole;
            members.entries.extend(more.entries);
            reader.note(super::Repair::Brackets);
        }
        if members.has_hole || (!members.closed && reader.is_cut_at(reader.at)) {
            return Ok(None);
        }
        let stray = look::past_blanks(reader.text, reader.at);
        too_many |= members.closed && look::first(reader.text, stray) == Some('}');
        let entries = if too_many { with_foreign_keys_inside(members.entries) } else { members.entries };
        Ok(Some(object(entries)))
    }

    fn members(&self, reader: &mut Reader<'a>) -> Result<Members, Unreadable> {
        let starts_next = |entries: &[(Text, Value)], key: &str| {
            key.eq_ignore_ascii_case("op") && entries.iter().any(|(known, _)| known.eq_ignore_ascii_case("op"))
        };
        reader.members(Around::default(), starts_next)
    }
}

fn object(entries: Vec<(Text, Value)>) -> Value {
    Value::object(entries.into_iter().collect::<Object>())
}

fn has(entries: &[(Text, Value)], key: &str) -> bool {
    entries.iter().any(|(known, _)| known.eq_ignore_ascii_case(key))
}

/// Whether a key that follows the closing bracket of an op belongs to it nevertheless: a key that it
/// lacks, or a foreign one that was closed out of its value.
fn belongs(entries: &[(Text, Value)], key: &str) -> bool {
    match look::is_op_key(key) {
        true => !has(entries, key),
        // `{"0": {…}, "1": {…}}`: the number belongs to the next op.
        false if key.bytes().all(|byte| byte.is_ascii_digit()) => false,
        false => {
            entries.iter().any(|(known, value)| known.eq_ignore_ascii_case("value") && value.as_object().is_some())
        }
    }
}

/// The key that follows the closing bracket of an op.
fn next_key<'a>(reader: &Reader<'a>) -> Option<&'a str> {
    let mut at = look::past_blanks(reader.text, reader.at);
    while look::first(reader.text, at).is_some_and(|next| next == ',' || next == '}') {
        at = look::past_blanks(reader.text, at + 1);
    }
    let rest = &reader.text[at..reader.text.floor_char_boundary(at + 100)];
    let word = rest.trim_start_matches(look::is_quote);
    let length = word.find(|next| look::is_quote(next) || matches!(next, ':' | '：')).unwrap_or(word.len());
    look::key_at(reader.text, at, false).then_some(&word[..length])
}

/// The keys of an op are known: a foreign one behind an object value belongs into that value, which a
/// bracket too many closed early.
fn with_foreign_keys_inside(mut entries: Vec<(Text, Value)>) -> Vec<(Text, Value)> {
    let Some(value) =
        entries.iter().position(|(key, value)| key.eq_ignore_ascii_case("value") && value.as_object().is_some())
    else {
        return entries;
    };
    let foreign = entries[value + 1..].iter().position(|(key, _)| !look::is_op_key(key));
    let Some(foreign) = foreign.map(|found| value + 1 + found) else { return entries };
    let moved = entries.split_off(foreign);
    let mut inner: Object = entries[value].1.as_object().cloned().unwrap_or_default();
    for (key, value) in moved {
        inner.insert(key, value);
    }
    entries[value].1 = Value::object(inner);
    entries
}

/// The place of the next key `op` with its colon.
fn op_key(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    while let Some(found) = memchr::memchr2(b'o', b'O', bytes.get(at..)?) {
        let word = at + found;
        at = word + 1;
        let is_word = matches!(bytes.get(word + 1), Some(b'p' | b'P'))
            && !bytes.get(word + 2).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        if !is_word {
            continue;
        }
        let before = text[..word].chars().next_back();
        let start = word - before.filter(|quote| look::is_quote(*quote)).map_or(0, char::len_utf8);
        let alone = before.is_none_or(|before| !before.is_alphanumeric() && !matches!(before, '_' | '\\' | '/'));
        if start >= from && alone && look::member_at(text, start, false) {
            return Some(start);
        }
    }
    None
}
