//! Parses the ops of a patch block, however the brackets enclosing and between them are damaged.
//!
//! An op begins with `{` and a key of an op. These offsets are found first, so damage in one op
//! never affects the next. Each op is parsed strictly if possible, else repaired within its own
//! range.

use std::ops::Range;

use storeyline_state::{Object, Text, Value};

use super::lookahead;
use super::parser::{Enclosing, LooseParser, Members, Unreadable};
use super::repair::Repairs;

pub(crate) struct LooseOp {
    pub(crate) value: Value,
    pub(crate) span: Range<usize>,
    pub(crate) repairs: Repairs,
}

/// The range of something that is no complete op.
pub(crate) type RefusedSpan = Range<usize>;

#[derive(Debug, Clone, Copy)]
pub(crate) struct OpLimits {
    pub(crate) ops: usize,
    pub(crate) refused: usize,
    pub(crate) depth: usize,
}

/// Parses the ops of a text, in text order. `cut` tells that the text was cut off at its end.
pub(crate) fn read_ops(text: &str, cut: bool, limits: OpLimits) -> Vec<Result<LooseOp, RefusedSpan>> {
    let starts = starts(text);
    let mut ops = OpParser { text, cut, limits, found: Vec::new(), refused: 0 };
    ops.rest(0, starts.first().copied().unwrap_or(text.len()));
    let mut done = 0;
    for (index, &start) in starts.iter().enumerate() {
        if start < done {
            continue;
        }
        if ops.is_full() {
            break;
        }
        let next = starts.get(index + 1).copied().unwrap_or(text.len());
        done = match ops.exact(start) {
            Some(end) => {
                let next = starts[index..].iter().copied().find(|start| *start >= end).unwrap_or(text.len());
                ops.rest(end, next);
                next
            }
            None => {
                ops.repaired(start, next);
                next
            }
        };
    }
    ops.found
}

/// Tells whether a text contains something like an op.
pub(crate) fn has_ops(text: &str) -> bool {
    op_key(text, 0).is_some()
}

/// Tells whether a text contains the start of an op with its bracket.
pub(crate) fn has_starts(text: &str) -> bool {
    !starts(text).is_empty()
}

/// Returns the offsets of the ops. The first key of the first op tells how the others begin, unless
/// it is `op`.
fn starts(text: &str) -> Vec<usize> {
    let opened = memchr::memchr_iter(b'{', text.as_bytes());
    let mut lead: Option<&str> = None;
    let mut starts = Vec::new();
    for brace in opened {
        let Some(key) = first_key(text, brace) else { continue };
        let is_value = lookahead::before(text, brace).is_some_and(|mark| matches!(mark, ':' | '：'));
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

/// Returns the key after an opening bracket, if it is a key of an op.
pub(super) fn first_key(text: &str, brace: usize) -> Option<&str> {
    let at = lookahead::skip_whitespace(text, brace + 1);
    let rest = &text[at..text.floor_char_boundary(at + 40)];
    let word = rest.trim_start_matches(lookahead::is_quote);
    let length = word.find(|next: char| !next.is_ascii_alphabetic() && next != '_').unwrap_or(word.len());
    let key = &word[..length];
    (lookahead::is_op_key(key) && lookahead::member_at(text, at, true)).then_some(key)
}

struct OpParser<'a> {
    text: &'a str,
    cut: bool,
    limits: OpLimits,
    found: Vec<Result<LooseOp, RefusedSpan>>,
    refused: usize,
}

impl<'a> OpParser<'a> {
    /// Parses a well-formed op and returns its end.
    fn exact(&mut self, start: usize) -> Option<usize> {
        let mut parser = LooseParser::new(self.text, true, self.limits.depth);
        parser.in_op = true;
        parser.at = start + 1;
        let members = self.members(&mut parser).ok()?;
        // A stray bracket may have closed it, or its value, too early.
        let stray = lookahead::first(self.text, lookahead::skip_whitespace(self.text, parser.at)) == Some('}');
        let is_number = |key: &str| key.bytes().all(|byte| byte.is_ascii_digit());
        if stray || next_key(&parser).is_some_and(|key| !is_number(key)) {
            return None;
        }
        let op = LooseOp { value: object(members.entries), span: start..parser.at, repairs: parser.repairs };
        let end = parser.at;
        self.found.push(Ok(op));
        Some(end)
    }

    fn repaired(&mut self, start: usize, end: usize) {
        let stop = self.repair_from(start, start + 1, end);
        self.rest(stop, end);
    }

    /// Parses what is between two ops: nothing, words, or ops without their brackets.
    fn rest(&mut self, start: usize, end: usize) {
        let mut at = start;
        while let Some(key) = op_key(&self.text[..end], at) {
            self.tell_lost(at, key);
            // The next op begins with the next such key.
            let next = op_key(&self.text[..end], key + 4).unwrap_or(end);
            at = self.repair_from(key, key, next).max(key + 1);
        }
        self.tell_lost(at, end);
    }

    /// Refuses text that looks like a part of an op and belongs to none.
    fn tell_lost(&mut self, start: usize, end: usize) {
        let gap =
            self.text[start..end].trim_matches(|next: char| next.is_whitespace() || matches!(next, ',' | '{' | '['));
        if gap.contains(lookahead::is_quote)
            && ["path\"", "\"path", "value\"", "\"value", "\"op\""].iter().any(|word| gap.contains(word))
        {
            let start = gap.as_ptr().addr() - self.text.as_ptr().addr();
            self.refuse(start..start + gap.len());
        }
    }

    /// Parses the op whose first key is at or after `from`, and returns its end.
    fn repair_from(&mut self, start: usize, from: usize, end: usize) -> usize {
        if self.is_full() {
            return end;
        }
        let text = &self.text[..end];
        let mut parser = LooseParser::new(text, false, self.limits.depth);
        parser.cut = self.cut && end == self.text.len();
        parser.begin_at(from);
        let read = self.op(&mut parser);
        let stop = parser.at.max(from + 1);
        let span = |stop: usize| start..start + text[start..stop].trim_end().len();
        match read {
            Ok(Some(value)) => self.found.push(Ok(LooseOp { value, span: span(stop), repairs: parser.repairs })),
            Ok(None) => self.refuse(span(stop)),
            Err(_) => self.refuse(span(op_key(text, stop).unwrap_or(end))),
        }
        stop
    }

    fn refuse(&mut self, span: RefusedSpan) {
        self.refused += 1;
        self.found.push(Err(span));
    }

    fn is_full(&self) -> bool {
        self.found.len() >= self.limits.ops || self.refused >= self.limits.refused
    }

    fn op(&self, parser: &mut LooseParser<'a>) -> Result<Option<Value>, Unreadable> {
        let mut members = self.members(parser)?;
        // A stray bracket inside the op: its other keys follow.
        let mut too_many = false;
        while members.closed && next_key(parser).is_some_and(|key| belongs(&members.entries, key)) {
            too_many = true;
            let more = self.members(parser)?;
            members.closed = more.closed;
            members.has_hole |= more.has_hole;
            members.entries.extend(more.entries);
            parser.note(super::Repair::Brackets);
        }
        if members.has_hole || (!members.closed && parser.is_cut_at(parser.at)) {
            return Ok(None);
        }
        let stray = lookahead::skip_whitespace(parser.text, parser.at);
        too_many |= members.closed && lookahead::first(parser.text, stray) == Some('}');
        let entries = if too_many { with_foreign_keys_inside(members.entries) } else { members.entries };
        Ok(Some(object(entries)))
    }

    fn members(&self, parser: &mut LooseParser<'a>) -> Result<Members, Unreadable> {
        let starts_next = |entries: &[(Text, Value)], key: &str| {
            key.eq_ignore_ascii_case("op") && entries.iter().any(|(known, _)| known.eq_ignore_ascii_case("op"))
        };
        parser.members(Enclosing::default(), starts_next)
    }
}

fn object(entries: Vec<(Text, Value)>) -> Value {
    Value::object(entries.into_iter().collect::<Object>())
}

fn has(entries: &[(Text, Value)], key: &str) -> bool {
    entries.iter().any(|(known, _)| known.eq_ignore_ascii_case(key))
}

/// Tells whether a key that follows the closing bracket of an op belongs to it nevertheless: a key
/// that it lacks, or a foreign one that belongs into its value.
fn belongs(entries: &[(Text, Value)], key: &str) -> bool {
    match lookahead::is_op_key(key) {
        true => !has(entries, key),
        // `{"0": {…}, "1": {…}}`: the number belongs to the next op.
        false if key.bytes().all(|byte| byte.is_ascii_digit()) => false,
        false => {
            entries.iter().any(|(known, value)| known.eq_ignore_ascii_case("value") && value.as_object().is_some())
        }
    }
}

/// Returns the key that follows the closing bracket of an op.
fn next_key<'a>(parser: &LooseParser<'a>) -> Option<&'a str> {
    let mut at = lookahead::skip_whitespace(parser.text, parser.at);
    while lookahead::first(parser.text, at).is_some_and(|next| next == ',' || next == '}') {
        at = lookahead::skip_whitespace(parser.text, at + 1);
    }
    let rest = &parser.text[at..parser.text.floor_char_boundary(at + 100)];
    let word = rest.trim_start_matches(lookahead::is_quote);
    let length = word.find(|next| lookahead::is_quote(next) || matches!(next, ':' | '：')).unwrap_or(word.len());
    lookahead::key_at(parser.text, at, false).then_some(&word[..length])
}

/// Moves foreign keys after an object value into that value: the keys of an op are known, so a
/// stray bracket closed the value too early.
fn with_foreign_keys_inside(mut entries: Vec<(Text, Value)>) -> Vec<(Text, Value)> {
    let Some(value) =
        entries.iter().position(|(key, value)| key.eq_ignore_ascii_case("value") && value.as_object().is_some())
    else {
        return entries;
    };
    let foreign = entries[value + 1..].iter().position(|(key, _)| !lookahead::is_op_key(key));
    let Some(foreign) = foreign.map(|found| value + 1 + found) else { return entries };
    let moved = entries.split_off(foreign);
    let mut inner: Object = entries[value].1.as_object().cloned().unwrap_or_default();
    for (key, value) in moved {
        inner.insert(key, value);
    }
    entries[value].1 = Value::object(inner);
    entries
}

/// Returns the offset of the next key `op` with its colon.
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
        let start = word - before.filter(|quote| lookahead::is_quote(*quote)).map_or(0, char::len_utf8);
        let alone = before.is_none_or(|before| !before.is_alphanumeric() && !matches!(before, '_' | '\\' | '/'));
        if start >= from && alone && lookahead::member_at(text, start, false) {
            return Some(start);
        }
    }
    None
}
