//! `<JSONPatch>` blocks: each op is a call whose one argument is the op itself.
//!
//! Read as JSON, else as what models write instead: without brackets, wrapped, cut off, as YAML.

use std::ops::Range;

use storeyline_state::{Value, json};

use crate::MAX_CALLS;
use crate::call::{Arg, Call, Dialect, Parsed};
use crate::name::Name;
use crate::value::{self, Form};
use crate::{split, words};

const TAGS: [(&str, &str); 2] = [("<jsonpatch>", "</jsonpatch>"), ("<json_patch>", "</json_patch>")];

/// A block: where it stands and where its contents do.
pub(crate) struct Block {
    inner: Range<usize>,
    start: usize,
    pub(crate) end: usize,
}

/// Finds the block that begins here. Of repeated opening tags the innermost counts; a block that is
/// not closed goes to the end: the reply was stopped.
pub(crate) fn block(text: &str, start: usize) -> Option<Block> {
    let (open, close) = opening(text, start)?;
    let mut inner = start + open.len();
    let mut at = inner;
    while let Some(found) = text[at..].find('<') {
        let here = at + found;
        if starts_ignoring_case(&text[here..], close) {
            return Some(Block { inner: inner..here, start, end: here + close.len() });
        }
        if let Some((again, _)) = opening(text, here) {
            inner = here + again.len();
        }
        at = here + 1;
    }
    Some(Block { inner: inner..text.len(), start, end: text.len() })
}

fn opening(text: &str, at: usize) -> Option<(&'static str, &'static str)> {
    TAGS.into_iter().find(|(open, _)| starts_ignoring_case(&text[at..], open))
}

fn starts_ignoring_case(text: &str, wanted: &str) -> bool {
    text.as_bytes().get(..wanted.len()).is_some_and(|bytes| bytes.eq_ignore_ascii_case(wanted.as_bytes()))
}

/// Reads the ops of a block, until there are too many calls or too many that cannot be read.
pub(crate) fn read(text: &str, block: &Block, parsed: &mut Parsed, mut may_break: usize) {
    let span = block.start..block.end;
    let inner = without_fence(&text[block.inner.clone()]);
    let Some((ops, repaired)) = ops(inner) else {
        parsed.diagnostics.push(words::dropped("E-PATCH-READ", span));
        return;
    };
    for op in ops {
        if parsed.calls.len() >= MAX_CALLS || may_break == 0 {
            parsed.diagnostics.push(words::dropped("E-CALL-MANY", span));
            return;
        }
        let name = op.get("op").and_then(Value::as_text).map(str::to_owned);
        let placed = op.get("path").or(op.get("to")).and_then(Value::as_text).is_some();
        let Some(name) = name.filter(|name| placed || name == "time" || name == "func") else {
            parsed.diagnostics.push(words::dropped("E-PATCH-OP", span.clone()));
            may_break -= 1;
            continue;
        };
        let repairs = if repaired { vec![words::repaired("W-PATCH-FORM", span.clone())] } else { Vec::new() };
        let args = vec![Arg::new(op, Form::Literal)];
        parsed.calls.push(Call {
            dialect: Dialect::Patch,
            forced: None,
            name: Name::new(Dialect::Patch, &name),
            args,
            reason: None,
            span: span.clone(),
            repairs,
        });
    }
}

fn without_fence(text: &str) -> &str {
    let text = text.trim();
    let Some(rest) = text.strip_prefix("```") else { return text };
    let body = rest.split_once('\n').map_or("", |(_, body)| body);
    body.trim_end().strip_suffix("```").unwrap_or(body).trim()
}

/// The ops, and whether the form had to be repaired.
fn ops(text: &str) -> Option<(Vec<Value>, bool)> {
    if let Some(list) = json::read(text).ok().and_then(as_ops) {
        return Some((list, !text.starts_with('[')));
    }
    if text.starts_with('-') {
        return yaml(text).map(|ops| (ops, true));
    }
    let inner = text.strip_prefix('[').unwrap_or(text);
    let whole = inner.trim_end().strip_suffix(']');
    let pieces = match whole.and_then(|inner| split::list(inner, ',', '，')) {
        Some(pieces) if text.starts_with('[') => return Some((objects(&pieces)?, false)),
        Some(pieces) => pieces,
        None => complete_pieces(inner),
    };
    objects(&pieces).filter(|ops| !ops.is_empty()).map(|ops| (ops, true))
}

/// A list, a single op, or a wrapper around a list.
fn as_ops(value: Value) -> Option<Vec<Value>> {
    if let Some(items) = value.as_list() {
        return Some(items.to_vec());
    }
    if value.get("op").is_some() {
        return Some(vec![value]);
    }
    let wrapped = value.as_object()?.iter().find_map(|(_, inner)| inner.as_list());
    wrapped.map(<[Value]>::to_vec)
}

fn objects(pieces: &[&str]) -> Option<Vec<Value>> {
    let read = |piece: &&str| Some(value::read(piece)).filter(|read| read.form != Form::Empty).map(|read| read.value);
    // One more than may be read: that there are too many is reported.
    let values: Vec<Value> = pieces.iter().filter_map(read).take(MAX_CALLS + 1).collect();
    values.iter().all(|value| value.as_object().is_some()).then_some(values)
}

/// The objects of a list that was cut off: each `{…}` that is whole.
fn complete_pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let Some(length) = object_length(&rest[open..]) else { break };
        pieces.push(&rest[open..open + length]);
        rest = &rest[open + length..];
    }
    pieces
}

/// The length of the `{…}` at the start of a text, strings respected.
pub(crate) fn object_length(text: &str) -> Option<usize> {
    let (mut depth, mut quote, mut escaped) = (0usize, None, false);
    for (at, character) in text.char_indices() {
        match (quote, character) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), close) if open == close => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(character),
            (None, '{') => depth += 1,
            (None, '}') => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Ops as a YAML list of flat maps: what models write when they do not write JSON.
fn yaml(text: &str) -> Option<Vec<Value>> {
    let mut ops: Vec<storeyline_state::Object> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let entry = match line.trim().strip_prefix("- ") {
            Some(entry) => {
                ops.push(storeyline_state::Object::default());
                entry
            }
            None => line.trim(),
        };
        let (key, written) = entry.split_once(':')?;
        let op = ops.last_mut()?;
        op.insert(key.trim().trim_matches(['"', '\'']).into(), value::read(written).value);
    }
    Some(ops.into_iter().map(Value::object).collect())
}
