//! Parses `<JSONPatch>` blocks: each op is a call whose only argument is the op itself.
//!
//! A block is parsed as JSON, else as what models write instead: without brackets, wrapped, cut
//! off, as YAML.

use std::ops::Range;

use storeyline_state::{Object, Value, json};

use crate::MAX_CALLS;
use crate::call::{Arg, Call, Dialect, Parsed};
use crate::loose::{self, LooseOp, OpLimits, Repairs};
use crate::value::{self, Form};
use crate::{messages, whitespace};

/// A block: its span and the span of its contents.
pub(crate) struct Block {
    inner: Range<usize>,
    start: usize,
    pub(crate) end: usize,
    /// Whether its closing tag was there; otherwise the reply may be cut off.
    closed: bool,
}

/// Finds the block that begins at `start`. Of repeated opening tags the innermost counts. An
/// unclosed block ends with the surrounding update, else with the text.
pub(crate) fn block(text: &str, start: usize) -> Option<Block> {
    let mut inner = patch_tag(text, start, "<")?;
    let mut at = inner;
    while let Some(found) = memchr::memchr(b'<', &text.as_bytes()[at..]) {
        let here = at + found;
        at = here + 1;
        if let Some(end) = patch_tag(text, here, "</") {
            return Some(Block { inner: inner..here, start, end, closed: true });
        }
        if update_tag(text, here, "</").is_some() {
            return Some(Block { inner: inner..here, start, end: here, closed: true });
        }
        if let Some(again) = patch_tag(text, here, "<") {
            // `[…]<JSONPatch>`: the closing tag lacks its slash.
            if loose::has_ops(&text[inner..here]) {
                return Some(Block { inner: inner..here, start, end: again, closed: true });
            }
            inner = again;
        }
    }
    Some(Block { inner: inner..text.len(), start, end: text.len(), closed: false })
}

/// Finds the `<UpdateVariable>` at `start` that contains ops without a patch tag.
pub(crate) fn bare_block(text: &str, start: usize) -> Option<Block> {
    let inner = update_tag(text, start, "<")?;
    let mut at = inner;
    let (mut end, mut closed) = (text.len(), false);
    while let Some(found) = memchr::memchr(b'<', &text.as_bytes()[at..]) {
        let here = at + found;
        at = here + 1;
        if patch_tag(text, here, "<").is_some() || update_tag(text, here, "<").is_some() {
            return None;
        }
        if update_tag(text, here, "</").is_some() {
            (end, closed) = (here, true);
            break;
        }
    }
    let inner = inner..end;
    loose::has_ops(&text[inner.clone()]).then_some(Block { inner, start, end, closed })
}

/// Tells whether a tag of a patch or an update begins at `at`, opening or closing.
pub(crate) fn is_tag(text: &str, at: usize) -> bool {
    ["<", "</"].iter().any(|open| patch_tag(text, at, open).or_else(|| update_tag(text, at, open)).is_some())
}

/// Returns the offset after `<JSONPatch>`, `<json_patch>` and similar tags.
fn patch_tag(text: &str, at: usize, open: &str) -> Option<usize> {
    tag(text, at, open, "json", "patch")
}

/// Returns the offset after `<UpdateVariable>` and similar tags.
fn update_tag(text: &str, at: usize, open: &str) -> Option<usize> {
    tag(text, at, open, "update", "variable")
}

fn tag(text: &str, at: usize, open: &str, one: &str, two: &str) -> Option<usize> {
    let bytes = text.as_bytes().get(at..)?.strip_prefix(open.as_bytes())?;
    let rest = without_blanks(bytes);
    let rest = without_prefix(rest, one)?;
    let rest = rest.strip_prefix(b"_").or_else(|| rest.strip_prefix(b"-")).unwrap_or(without_blanks(rest));
    let rest = without_prefix(rest, two)?;
    let rest = rest.strip_prefix(b"s").unwrap_or(rest);
    // Attributes are short and on the same line.
    let end = rest.iter().take(80).position(|byte| matches!(byte, b'>' | b'<' | b'\n'))?;
    (rest[end] == b'>' && !rest.first().is_some_and(u8::is_ascii_alphanumeric))
        .then(|| text.len() - rest.len() + end + 1)
}

fn without_blanks(bytes: &[u8]) -> &[u8] {
    &bytes[bytes.iter().take_while(|byte| **byte == b' ').count()..]
}

fn without_prefix<'a>(bytes: &'a [u8], prefix: &str) -> Option<&'a [u8]> {
    let fits = bytes.get(..prefix.len())?.eq_ignore_ascii_case(prefix.as_bytes());
    fits.then(|| &bytes[prefix.len()..])
}

/// Parses the ops of a block, until there are too many calls or too many unreadable ones. Returns
/// the offset at which scanning continues.
pub(crate) fn read(text: &str, block: &Block, parsed: &mut Parsed, may_break: usize) -> usize {
    let inner = without_fence(text, block.inner.clone());
    let source = &text[inner.clone()];
    let found = match exact(source) {
        Some(found) => found,
        None if source.starts_with('-') && !loose::has_starts(source) => yaml(source).unwrap_or_default(),
        None => loose(source, !block.closed, may_break),
    };
    if found.is_empty() && !is_empty(source) {
        // It may contain calls of another dialect.
        if source.contains("_.") || source.contains("@.") {
            return inner.start;
        }
        parsed.diagnostics.push(messages::dropped("E-PATCH-READ", block.start..block.end));
        return block.end;
    }
    let mut end = inner.start;
    let bracketed = source.starts_with('[');
    let mut broken = 0;
    for found in found {
        let at = |span: Range<usize>| inner.start + span.start..inner.start + span.end;
        if parsed.calls.len() >= MAX_CALLS || broken >= may_break {
            parsed.diagnostics.push(messages::dropped("E-CALL-MANY", block.start..block.end));
            return block.end;
        }
        end = at(found.as_ref().map_or_else(Range::clone, |op| op.span.clone())).end;
        match found {
            Ok(op) => match call(op, block.start, at, bracketed) {
                Ok(call) => parsed.calls.push(call),
                Err(span) => {
                    parsed.diagnostics.push(messages::dropped("E-PATCH-OP", span));
                    broken += 1;
                }
            },
            Err(span) => {
                parsed.diagnostics.push(messages::dropped("E-PATCH-BROKEN", at(span)));
                broken += 1;
            }
        }
    }
    if block.closed { block.end } else { end }
}

/// Makes the call of one op, or reports something that is none.
fn call(
    op: LooseOp,
    block: usize,
    at: impl Fn(Range<usize>) -> Range<usize>,
    bracketed: bool,
) -> Result<Call, Range<usize>> {
    let span = at(op.span.clone());
    let value = with_usual_keys(op.value);
    let name = value.get("op").and_then(Value::as_text).map(usual_name);
    let placed = value.get("path").or(value.get("to")).and_then(Value::as_text).is_some();
    let name = name.filter(|name| placed || matches!(name.as_str(), "time" | "func")).ok_or_else(|| span.clone())?;
    let mut repairs: Vec<_> =
        op.repairs.iter().map(|(repair, _)| messages::repaired(repair.as_str(), span.clone())).collect();
    if !bracketed {
        repairs.push(messages::repaired("W-PATCH-FORM", span.clone()));
    }
    let call = Call::new(Dialect::Patch, &name, vec![Arg::new(value, Form::Literal)], span);
    Ok(Call { block: Some(block), repairs, ..call })
}

/// Returns the standard name of an op for what models write instead.
fn usual_name(written: &str) -> String {
    let written = written.trim();
    match written.to_ascii_lowercase().as_str() {
        "set" | "update" | "modify" | "change" => "replace".to_owned(),
        "delete" | "del" | "unset" => "remove".to_owned(),
        "increment" | "incr" | "increase" => "delta".to_owned(),
        "append" => "push".to_owned(),
        "addtoset" => "addToSet".to_owned(),
        lower if USUAL_NAMES.contains(&lower) => lower.to_owned(),
        _ => written.to_owned(),
    }
}

const USUAL_NAMES: [&str; 17] = [
    "add", "replace", "remove", "move", "copy", "test", "delta", "inc", "mul", "min", "max", "push", "pull", "pop",
    "insert", "time", "func",
];

/// Returns the op with its keys in lower case, and `value` for the names that models write instead.
fn with_usual_keys(op: Value) -> Value {
    let Some(object) = op.as_object() else { return op };
    let is_usual = |key: &str, value: &Value| {
        matches!(key, "op" | "value" | "from") || (key == "path" && value.as_list().is_none())
    };
    if object.iter().all(|(key, value)| is_usual(key, value)) {
        return op;
    }
    let has = |wanted: &str| object.iter().any(|(key, _)| key.eq_ignore_ascii_case(wanted));
    let mut usual = Object::default();
    for (key, value) in object.iter() {
        let lower = key.trim().to_ascii_lowercase();
        let name = match lower.as_str() {
            "to" if has("path") && !has("value") && !has("from") => "value",
            "op" | "path" | "value" | "from" | "to" => lower.as_str(),
            "new_value" | "newvalue" | "new" | "val" | "data" | "content" if !has("value") => "value",
            "key" | "target" | "pointer" | "field" | "路径" if !has("path") => "path",
            "operation" | "action" | "type" if !has("op") => "op",
            _ => key.as_str(),
        };
        let value = if name == "path" { as_pointer(value) } else { value.clone() };
        usual.insert(name.into(), value);
    }
    Value::object(usual)
}

/// `["a", "b"]` as a path is `/a/b`.
fn as_pointer(path: &Value) -> Value {
    let Some(keys) = path.as_list() else { return path.clone() };
    let key = |key: &Value| match key {
        Value::Text(text) => text.replace('~', "~0").replace('/', "~1"),
        other => json::write(other),
    };
    Value::text(keys.iter().map(|one| format!("/{}", key(one))).collect::<String>())
}

/// Returns the contents of a block without a surrounding code fence.
fn without_fence(text: &str, inner: Range<usize>) -> Range<usize> {
    let source = &text[inner.clone()];
    let trimmed = source.trim();
    let start = inner.start + (source.len() - source.trim_start().len());
    let Some(rest) = trimmed.strip_prefix("```") else { return start..start + trimmed.len() };
    let language = rest.find(|next: char| !next.is_ascii_alphanumeric()).unwrap_or(rest.len());
    let body = rest[language..].trim_start();
    let start = start + trimmed.len() - body.len();
    let body = body.trim_end().strip_suffix("```").unwrap_or(body).trim_end();
    start..start + body.len()
}

/// Tells whether a block states that nothing changes.
fn is_empty(source: &str) -> bool {
    source.chars().all(|next| next.is_whitespace() || matches!(next, '[' | ']' | '{' | '}' | ','))
}

type OpResults = Vec<Result<LooseOp, Range<usize>>>;

/// Parses the ops of a list that is strict JSON.
fn exact(source: &str) -> Option<OpResults> {
    let mut at = source.strip_prefix('[').map(|_| 1)?;
    let mut found = Vec::new();
    while found.len() <= MAX_CALLS {
        let start = whitespace::skip(source, at);
        if found.is_empty() && source[start..].starts_with(']') {
            return source[start + 1..].trim().is_empty().then_some(found);
        }
        let (value, length) = json::read_start(&source[start..])?;
        // Nested lists are left to the tolerant parser.
        value.as_list().is_none().then_some(())?;
        found.push(Ok(LooseOp { value, span: start..start + length, repairs: Repairs::default() }));
        at = whitespace::skip(source, start + length);
        match source.as_bytes().get(at)? {
            b',' => at += 1,
            b']' => {
                return (source[at + 1..].trim().is_empty() && !has_more_keys(source, found.len())).then_some(found);
            }
            _ => return None,
        }
    }
    Some(found)
}

/// Tells whether there are more keys `op` than ops: one object may contain the keys of two ops,
/// with the brackets between them missing.
fn has_more_keys(source: &str, ops: usize) -> bool {
    memchr::memmem::find_iter(source.as_bytes(), "\"op\"").nth(ops).is_some()
}

fn loose(source: &str, cut: bool, may_break: usize) -> OpResults {
    let limits = OpLimits { ops: MAX_CALLS + 1, refused: may_break, depth: value::MAX_DEPTH };
    let Some(plain) = without_escapes(source) else { return loose::read_ops(source, cut, limits) };
    // The offsets of an op in the original block are unknown.
    let whole = |read: Result<LooseOp, Range<usize>>| match read {
        Ok(op) => Ok(LooseOp { span: 0..source.len(), ..op }),
        Err(_) => Err(0..source.len()),
    };
    loose::read_ops(&plain, cut, limits).into_iter().map(whole).collect()
}

/// Returns the text of a block that was escaped as a whole: as a JSON string, or as HTML.
fn without_escapes(source: &str) -> Option<String> {
    let has = |written: &str| memchr::memmem::find(source.as_bytes(), written.as_bytes()).is_some();
    if has("\\\"op\\\"") && !has("{\"op\"") {
        return Some(loose::unescaped(source).into_owned());
    }
    if has("\u{200b}") || has("\u{feff}") || has("\u{200d}") || has("\u{2060}") {
        return Some(source.replace(['\u{200b}', '\u{feff}', '\u{200d}', '\u{2060}'], ""));
    }
    if has("｛") && !has("{") {
        return Some(source.chars().map(narrow_bracket).collect());
    }
    let quoted = |line: &str| line.trim().is_empty() || line.trim_start().starts_with('>');
    if source.starts_with('>') && source.lines().all(quoted) {
        return Some(
            source.lines().map(|line| line.trim_start().trim_start_matches('>')).collect::<Vec<_>>().join("\n"),
        );
    }
    let html = has("&quot;op&quot;") || has("&#34;op&#34;") || has("&#39;op&#39;") || has("&#x27;op&#x27;");
    html.then(|| crate::entities::decoded(source))
}

fn narrow_bracket(mark: char) -> char {
    match mark {
        '｛' => '{',
        '｝' => '}',
        '【' | '［' => '[',
        '】' | '］' => ']',
        other => other,
    }
}

/// Returns the length of the `{…}` at the start of a text, respecting strings.
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

/// Parses ops as a YAML list of flat maps, which some models write instead of JSON.
fn yaml(text: &str) -> Option<OpResults> {
    let mut ops: Vec<(Object, Range<usize>)> = Vec::new();
    for line in text.split_inclusive('\n') {
        let start = line.as_ptr().addr() - text.as_ptr().addr();
        let written = line.trim();
        if written.is_empty() || written.starts_with('#') {
            continue;
        }
        let entry = match written.strip_prefix("- ") {
            Some(entry) => {
                ops.push((Object::default(), start..start));
                entry
            }
            None => written,
        };
        let (key, value) = entry.split_once([':', '：'])?;
        let (op, span) = ops.last_mut()?;
        op.insert(key.trim().trim_matches(['"', '\'']).into(), value::read(value).value);
        span.end = start + line.trim_end().len();
    }
    let read = |(op, span)| Ok(LooseOp { value: Value::object(op), span, repairs: Repairs::default() });
    Some(ops.into_iter().map(read).collect())
}
