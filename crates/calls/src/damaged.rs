//! Parses the arguments of a damaged call: quotes, commas or brackets are missing or stray, or
//! marks are HTML entities or escaped once too often.
//!
//! A damaged call never extends beyond the start of the next call, so damage in one never affects
//! another.

use std::ops::Range;

use crate::call::Arg;
use crate::loose::{self, Context, LooseParser, Repair, UnreadableKind};
use crate::name::Name;
use crate::split::{Broken, MAX_LENGTH};
use crate::value::{self, Form};
use crate::{entities, find, patch};

pub(crate) struct RepairedCall {
    pub(crate) args: Vec<Arg>,
    /// Offset after the closing bracket, or after the last argument.
    pub(crate) end: usize,
    /// Stable codes of the repairs.
    pub(crate) repaired: Vec<&'static str>,
}

/// Number of bytes after a damaged call that are examined.
const AFTER: usize = 2_000;

/// Characters without width that models put between or into words.
pub const ZERO_WIDTH: [char; 5] = ['\u{200b}', '\u{feff}', '\u{200c}', '\u{200d}', '\u{2060}'];

/// Maximum length of an escaped call, in bytes.
const LONGEST_ESCAPED: usize = 16_000;

/// Parameter names that models write before arguments.
const PARAMETERS: [&str; 10] =
    ["path", "key", "value", "old", "new", "old_value", "new_value", "oldvalue", "newvalue", "delta"];

/// Parses the arguments at `start`, up to the closing bracket.
pub(crate) fn call(text: &str, start: usize, close: char) -> Result<RepairedCall, Broken> {
    let range = max_range(text, start);
    let range = range.start..range.start + before_reason(&text[range.clone()]);
    let source = &text[range.clone()];
    let after = &text[range.end..text.floor_char_boundary(range.end + AFTER)];
    let cut = range.end == text.len() && !source.ends_with('\n');
    match plain(source) {
        None => arguments(source, after, cut, close).map(|read| RepairedCall { end: start + read.end, ..read }),
        Some((decoded, code)) => arguments(&decoded.text, after, cut, close).map(|mut read| {
            read.repaired.insert(0, code);
            RepairedCall { end: start + decoded.source_of(read.end), ..read }
        }),
    }
    .map_err(|broken| Broken { at: start + broken.at.min(source.len()), ..broken })
}

/// Returns the maximum range of a damaged call: up to the next call, block or closing tag.
fn max_range(text: &str, start: usize) -> Range<usize> {
    let window = &text[..text.floor_char_boundary(start + MAX_LENGTH)];
    let mut at = start;
    while let Some(found) = find::byte(&window.as_bytes()[at..], |byte| matches!(byte, b'_' | b'@' | b'\n' | b'<')) {
        let here = at + found;
        if loose::call_at(&window[here..]) || patch::is_tag(window, here) || begins_call(&window[here..]) {
            return start..here;
        }
        at = here + 1;
    }
    start..window.len()
}

/// Returns the length of a call without its reason, whose quotes do not belong to the call.
fn before_reason(source: &str) -> usize {
    let mut at = 0;
    while let Some(found) = source[at..].find("//") {
        let slashes = at + found;
        let before = source[..slashes].trim_end_matches([' ', '\t']);
        if before.ends_with([')', '）', ';', '；']) {
            return slashes;
        }
        at = slashes + 2;
    }
    source.len()
}

/// Tells whether a line begins here with a call. Two calls on one line have `_.` or a mark between
/// them.
fn begins_call(text: &str) -> bool {
    let Some(line) = text.strip_prefix('\n') else { return false };
    let line = line.trim_start_matches([' ', '\t', '-', '*']);
    let line = line.strip_prefix("lodash.").or_else(|| line.strip_prefix("Lodash.")).unwrap_or(line);
    let name = Name::underscore_in_any_case(line).map(str::len);
    loose::call_at(line) || name.is_some_and(|length| line[length..].starts_with(['(', '（']))
}

/// A text without its outer escapes, and the original offset of each of its bytes.
struct Decoded {
    text: String,
    ends: Vec<usize>,
}

impl Decoded {
    fn source_of(&self, at: usize) -> usize {
        at.checked_sub(1).and_then(|last| self.ends.get(last)).copied().unwrap_or(0)
    }
}

/// Returns the text before it was escaped, if its first argument shows that it was.
fn plain(source: &str) -> Option<(Decoded, &'static str)> {
    let source = &source[..source.floor_char_boundary(LONGEST_ESCAPED)];
    let first = source.trim_start();
    if entities::at_start(first).is_some_and(|(_, mark)| matches!(mark, "\"" | "'")) {
        let piece = |rest: &str| entities::at_start(rest).map(|(written, mark)| (written.len(), mark.to_owned()));
        return Some((decode(source, piece), "W-ENTITIES"));
    }
    if source.contains(ZERO_WIDTH) {
        let piece = |rest: &str| {
            rest.chars().next().filter(|next| ZERO_WIDTH.contains(next)).map(|next| (next.len_utf8(), String::new()))
        };
        return Some((decode(source, piece), "W-ESCAPED"));
    }
    let escaped = first.starts_with("\\\"") || first.starts_with("\\'");
    escaped.then(|| {
        let piece = |rest: &str| {
            let next = rest.strip_prefix('\\')?.chars().next()?;
            Some((1 + next.len_utf8(), next.to_string()))
        };
        (decode(source, piece), "W-ESCAPED")
    })
}

fn decode(source: &str, piece: impl Fn(&str) -> Option<(usize, String)>) -> Decoded {
    let mut decoded = Decoded { text: String::with_capacity(source.len()), ends: Vec::with_capacity(source.len()) };
    let mut at = 0;
    while let Some(next) = loose::first(source, at) {
        let (length, meant) = piece(&source[at..]).unwrap_or_else(|| (next.len_utf8(), next.to_string()));
        at += length;
        decoded.text.push_str(&meant);
        decoded.ends.resize(decoded.text.len(), at);
    }
    decoded
}

/// Parses arguments up to their closing bracket, or to the mark or line that ends the call without
/// one.
fn arguments<'a>(source: &'a str, after: &'a str, cut: bool, close: char) -> Result<RepairedCall, Broken> {
    let mut parser = LooseParser::in_call(source, close, value::MAX_DEPTH);
    parser.after = after;
    parser.cut = cut;
    let mut args: Vec<Arg> = Vec::new();
    let open = |at: usize| Broken { code: "E-CALL-OPEN", at };
    loop {
        let before = parser.at;
        let comma = parser.skip_separators();
        let closed = match parser.peek() {
            Some(')' | '）') => true,
            Some(next) if next == close => true,
            None if cut => return Err(open(source.len())),
            // Between the arguments a semicolon is a comma.
            Some(mark @ (';' | '；')) if !args.is_empty() && closes_on_line(&source[parser.at..]) => {
                parser.note(Repair::FullWidth);
                parser.at += mark.len_utf8();
                continue;
            }
            Some(mark @ (']' | '}')) if !args.is_empty() => {
                parser.note(Repair::Brackets);
                parser.at += mark.len_utf8();
                continue;
            }
            None | Some(';' | '；') => false,
            // A line end without a comma ends the call.
            Some(_) if !args.is_empty() && !comma && source[before..parser.at].contains('\n') => {
                parser.at = before;
                false
            }
            Some(_) => {
                args.push(argument(&mut parser, args.is_empty()).map_err(|why| Broken {
                    code: if why == UnreadableKind::Deep { "E-CALL-DEEP" } else { "E-CALL-DAMAGED" },
                    at: parser.at,
                })?);
                continue;
            }
        };
        // A list or an object that was never closed may be incomplete.
        if args.is_empty() || (!closed && parser.repairs.contains(Repair::CutOff)) {
            return Err(open(parser.at));
        }
        if closed {
            parser.at += parser.peek().map_or(0, char::len_utf8);
        } else {
            parser.note(Repair::Brackets);
        }
        let end = if closed { parser.at } else { source[..parser.at].trim_end().len() };
        let repaired = parser.repairs.iter().map(|(repair, _)| repair.as_str()).collect();
        return Ok(RepairedCall { args, end, repaired });
    }
}

fn closes_on_line(rest: &str) -> bool {
    let near = &rest[..rest.floor_char_boundary(AFTER)];
    near.lines().next().is_some_and(|line| line.contains([')', '）']))
}

fn argument(parser: &mut LooseParser<'_>, is_first: bool) -> Result<Arg, UnreadableKind> {
    skip_parameter(parser);
    let context = Context::Argument { is_first };
    let next = parser.peek();
    if next.is_some_and(|next| loose::closing(next).is_some()) {
        return parser.read(context).map(|value| Arg::new(value, Form::Quoted)).map_err(|error| error.why);
    }
    if matches!(next, Some('{' | '[')) {
        return parser.read(context).map(|value| Arg::new(value, Form::Literal)).map_err(|error| error.why);
    }
    parser.words(context).map_err(|error| error.why)
}

/// Skips `path=` and `value:` before an argument.
fn skip_parameter(parser: &mut LooseParser<'_>) {
    let rest = parser.rest();
    let name = rest.bytes().take_while(|byte| byte.is_ascii_alphabetic() || *byte == b'_').count();
    let mark = rest[name..].trim_start();
    if PARAMETERS.iter().any(|known| known.eq_ignore_ascii_case(&rest[..name]))
        && let Some(after) = mark.strip_prefix(['=', ':', '：'])
    {
        parser.at += rest.len() - after.trim_start().len();
        parser.note(Repair::SkippedWords);
    }
}
