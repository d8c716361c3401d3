//! The scanner: one pass over the text that stops at everything that looks like a call.
//!
//! Text inside a call belongs to that call, so a call in a string value is data.

use std::ops::Range;

use storeyline_state::{Diagnostic, Text};

use crate::call::{Arg, Call, Dialect, Parsed};
use crate::damaged::{self, RepairedCall};
use crate::head::{self, Head};
use crate::json_call::{self, Candidate};
use crate::split::{self, Broken, SplitCall, note};
use crate::value::Form;
use crate::{MAX_CALLS, ParseSettings, find, loose, messages, patch, tag_call, unread, value, whitespace};

/// Maximum number of unreadable calls; the rest of the text is skipped. It bounds the work.
const MAX_BROKEN: usize = 64;

pub(crate) fn scan(text: &str, skipped: &[Range<usize>], settings: &ParseSettings) -> Parsed {
    let mut scan = Scan::new(text, settings);
    scan.read(skipped);
    scan.tell_unread(skipped);
    scan.parsed
}

/// State of a scan. Each parsing method returns the offset at which scanning continues.
struct Scan<'a> {
    text: &'a str,
    settings: &'a ParseSettings,
    parsed: Parsed,
    /// Number of calls that could not be parsed.
    broken: usize,
    /// The spans of the patch blocks.
    blocks: Vec<Range<usize>>,
}

impl<'a> Scan<'a> {
    fn new(text: &'a str, settings: &'a ParseSettings) -> Self {
        Scan { text, settings, parsed: Parsed::default(), broken: 0, blocks: Vec::new() }
    }

    fn read(&mut self, mut skipped: &[Range<usize>]) {
        let text = self.text;
        let mut at = 0;
        while let Some(start) = next_mark(text.as_bytes(), at, self.settings) {
            while let [block, rest @ ..] = skipped
                && block.end <= start
            {
                skipped = rest;
            }
            if let Some(block) = skipped.first().filter(|block| block.start <= start) {
                at = block.end;
                continue;
            }
            if self.is_full() {
                // A block that was too long has reported it already.
                if self.parsed.diagnostics.last().is_none_or(|last| last.code != "E-CALL-MANY") {
                    self.parsed.diagnostics.push(messages::dropped("E-CALL-MANY", start..text.len()));
                }
                break;
            }
            at = match text.as_bytes()[start] {
                b'{' => self.take_candidate(start, json_call::parse_at(text, start)),
                b'<' => self.tag(start),
                b'(' => self.loose_call(start),
                _ => self.call(start),
            };
        }
    }

    /// Reports updates in ranges that are not parsed.
    fn tell_unread(&mut self, skipped: &[Range<usize>]) {
        if let Some(span) = unread::commented(self.text, skipped).filter(|_| !self.is_full()) {
            self.parsed.diagnostics.push(messages::in_a_comment(span));
        }
        if let Some(span) = unread::encoded_block(self.text).filter(|_| !self.is_full()) {
            self.parsed.diagnostics.push(messages::dropped("E-PATCH-TAG", span));
        }
        if memchr::memmem::find(self.text.as_bytes(), b"\"op\"").is_none() {
            return;
        }
        let calls = self.parsed.calls.iter().filter(|call| call.block.is_none()).map(|call| call.span.clone());
        let mut read: Vec<_> = calls.chain(self.blocks.iter().cloned()).chain(skipped.iter().cloned()).collect();
        read.sort_by_key(|range| range.start);
        read.dedup_by(|next, kept| {
            let overlaps = next.start <= kept.end;
            kept.end = if overlaps { kept.end.max(next.end) } else { kept.end };
            overlaps
        });
        if let Some(span) = unread::ops(self.text, &read).filter(|_| !self.is_full()) {
            self.parsed.diagnostics.push(messages::dropped("E-PATCH-TAG", span));
        }
    }

    fn is_full(&self) -> bool {
        self.parsed.calls.len() >= MAX_CALLS || self.broken >= MAX_BROKEN
    }

    fn tag(&mut self, start: usize) -> usize {
        let Some(block) = patch::block(self.text, start).or_else(|| patch::bare_block(self.text, start)) else {
            return match self.settings.tag_calls {
                true => self.take_candidate(start, tag_call::read(self.text, start)),
                false => start + 1,
            };
        };
        let before = self.parsed.diagnostics.len();
        let end = patch::read(self.text, &block, &mut self.parsed, MAX_BROKEN - self.broken);
        self.broken += self.parsed.diagnostics.len() - before;
        self.blocks.push(start..end);
        end
    }

    fn take_candidate(&mut self, start: usize, found: Candidate) -> usize {
        match found {
            Candidate::Call(call) => {
                let end = call.span.end;
                self.parsed.calls.push(call);
                end
            }
            Candidate::NotACall(end) => end,
            Candidate::Broken(found) => {
                self.broken += 1;
                self.parsed.diagnostics.push(unreadable(self.text, start, &found));
                start + 1
            }
        }
    }

    fn call(&mut self, start: usize) -> usize {
        let Some(head) = head::read(self.text, start) else { return self.loose_call(start) };
        match split::call(self.text, head.arguments) {
            Ok(split) => self.finish(&head, split),
            Err(found) => self.damaged_call(&head, found),
        }
    }

    /// Parses a call whose name or bracket is not written correctly.
    fn loose_call(&mut self, mark: usize) -> usize {
        match head::read_loosely(self.text, mark) {
            Some(head) => self.damaged_call(&head, Broken { code: "E-CALL-OPEN", at: head.arguments }),
            None => {
                if let Some((span, code)) = unread::at(self.text, mark) {
                    self.broken += 1;
                    self.parsed.diagnostics.push(messages::dropped(code, span));
                }
                mark + 1
            }
        }
    }

    /// Parses a damaged call; `found` is the error of the strict attempt.
    fn damaged_call(&mut self, head: &Head<'_>, found: Broken) -> usize {
        let prose =
            head.dialect == Dialect::Hash && !self.text[head.arguments..].trim_start().starts_with(loose::is_quote);
        let repaired = match found.code {
            "E-CALL-LONG" | "E-CALL-DEEP" => Err(found),
            _ if prose => Err(found),
            _ => damaged::call(self.text, head.arguments, head.closing()),
        };
        match repaired {
            Ok(RepairedCall { args, end, mut repaired }) => {
                if !head.is_usual {
                    note(&mut repaired, "W-NAME");
                }
                self.push(head, args, end, repaired)
            }
            Err(found) => {
                self.broken += 1;
                // A hash in prose is often only a hash.
                if !prose {
                    self.parsed.diagnostics.push(unreadable(self.text, head.start, &found));
                }
                head.arguments
            }
        }
    }

    fn finish(&mut self, head: &Head<'_>, split: SplitCall) -> usize {
        let SplitCall { mut arguments, end, mut repaired } = split;
        if head.wide {
            note(&mut repaired, "W-FULL-WIDTH");
        }
        let joined = join_thousands(self.text, &mut arguments);
        if joined {
            note(&mut repaired, "W-THOUSANDS");
        }
        let written: Vec<&str> = arguments.into_iter().map(|argument| &self.text[argument]).collect();
        let args = read_arguments(&written, joined, &mut repaired);
        let mut both = args.iter().zip(written).enumerate();
        match both.any(|(at, (arg, written))| is_doubtful(arg, written, at == 0)) {
            true => self.doubtful(head, args, end, repaired),
            false => self.push(head, args, end, repaired),
        }
    }

    /// Handles a call with unquoted words that contain marks, which may be damage. If the tolerant
    /// parser does no better, words without structure are taken literally.
    fn doubtful(&mut self, head: &Head<'_>, args: Vec<Arg>, end: usize, repaired: Vec<&'static str>) -> usize {
        match damaged::call(self.text, head.arguments, head.closing()) {
            Ok(repaired) => self.push(head, repaired.args, repaired.end, repaired.repaired),
            Err(_) if args.iter().all(|arg| arg.form != Form::Bare || !contains_structure(arg)) => {
                self.push(head, args, end, repaired)
            }
            Err(found) => {
                self.broken += 1;
                self.parsed.diagnostics.push(unreadable(self.text, head.start, &found));
                end
            }
        }
    }

    fn push(&mut self, head: &Head<'_>, mut args: Vec<Arg>, mut end: usize, mut repaired: Vec<&'static str>) -> usize {
        let text = self.text;
        if let Some(named) = named_arguments(head, &args) {
            note(&mut repaired, "W-NAME");
            args = named;
        }
        if let Some((after, _)) = whitespace::mark(text, end, b';', "；") {
            end = after;
        }
        let reason = reason(text, &mut end);
        let span = head.start..end;
        if self.settings.line_mode && head.dialect == Dialect::At && !self.begins_line(head.start) {
            self.broken += 1;
            self.parsed.diagnostics.push(messages::in_a_sentence(span));
            return end;
        }
        let (dialect, forced, name) = (head.dialect, head.forced, head.name());
        let repairs = repaired.into_iter().map(|code| messages::repaired(code, span.clone())).collect();
        self.parsed.calls.push(Call { dialect, forced, name, args, reason, block: None, span, repairs });
        end
    }

    /// Tells whether only whitespace is between a call and the start of its line or the call before
    /// it.
    fn begins_line(&self, start: usize) -> bool {
        let before = self.parsed.calls.last().map_or(0, |call| call.span.end);
        let bytes = self.text.as_bytes();
        let whitespace = bytes[before..start].iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let edge = start - whitespace;
        edge == before || bytes[edge - 1] == b'\n'
    }
}

/// Returns the offset of the next byte at which a call or a block may begin.
fn next_mark(bytes: &[u8], from: usize, settings: &ParseSettings) -> Option<usize> {
    let mut at = from;
    loop {
        at += find::byte(bytes.get(at..)?, |byte| {
            (byte == b'@')
                | (byte == b'_')
                | (byte == b'#')
                | (byte == b'<')
                | (byte == b'(')
                | (settings.json_calls & (byte == b'{'))
        })?;
        let next = bytes.get(at + 1);
        let is_mark = match bytes[at] {
            b'@' | b'_' => next == Some(&b'.'),
            b'#' => next.is_some_and(u8::is_ascii_alphabetic),
            b'{' => true,
            b'(' => at > from && (bytes[at - 1].is_ascii_alphabetic() || bytes[at - 1] == b' '),
            b'<' if next == Some(&b' ') => matches!(bytes.get(at + 2), Some(b'J' | b'j' | b'U' | b'u')),
            _ => {
                matches!(next, Some(b'J' | b'j' | b'U' | b'u'))
                    || (settings.tag_calls && next.is_some_and(u8::is_ascii_alphabetic))
            }
        };
        if is_mark {
            return Some(at);
        }
        at += 1;
    }
}

/// Tells whether an argument may be damaged: it is empty, or unquoted words contain marks that
/// belong to a call.
fn is_doubtful(arg: &Arg, written: &str, is_first: bool) -> bool {
    match arg.form {
        Form::Empty => true,
        // In quotes it is part of the text.
        Form::Quoted => false,
        _ if is_first && written.contains(damaged::ZERO_WIDTH) => true,
        Form::Bare => {
            written.contains(|next| loose::is_quote(next) || matches!(next, ';' | '；' | '\n'))
                || (is_first && written.contains(['=', ':', '：']))
                || ["//", "/*", "->", "=>", "→"].iter().any(|mark| written.contains(mark))
                || two_numbers(written)
                || written.contains(|next| matches!(next, '０'..='９'))
                || loose::contains_structure(written)
        }
        _ => false,
    }
}

/// `1 44` and `1，44`: the comma between old and new is missing or full-width.
fn two_numbers(written: &str) -> bool {
    let number = |text: &str| value::plain_number(text.trim()).is_ok() || value::keyword(text.trim()).is_some();
    written.trim().split_once(['，', '、', ' ']).is_some_and(|(one, other)| number(one) && number(other))
}

/// Returns the arguments of `_.set({path: 'a', value: 1})`, which are given by name.
fn named_arguments(head: &Head<'_>, args: &[Arg]) -> Option<Vec<Arg>> {
    let [Arg { value: only @ storeyline_state::Value::Object(_), .. }] = args else { return None };
    if head.dialect != Dialect::Underscore {
        return None;
    }
    let path = only.get("path").or(only.get("key")).filter(|path| path.as_text().is_some())?;
    let value = ["value", "new", "new_value", "delta"].iter().find_map(|key| only.get(key));
    let quoted = Arg::new(path.clone(), Form::Quoted);
    Some(std::iter::once(quoted).chain(value.map(|value| Arg::new(value.clone(), Form::Literal))).collect())
}

fn contains_structure(arg: &Arg) -> bool {
    arg.value.as_text().is_some_and(loose::contains_structure)
}

/// Parses the arguments. If groups of thousands were joined, the last one contains commas.
fn read_arguments(written: &[&str], joined: bool, repaired: &mut Vec<&'static str>) -> Vec<Arg> {
    let last = written.len().saturating_sub(1);
    let read = |(index, written): (usize, &&str)| {
        let source = written.trim();
        let digits = (joined && index == last).then(|| source.replace(',', ""));
        let read = value::read(digits.as_deref().unwrap_or(source));
        read.repaired.iter().for_each(|code| note(repaired, code));
        Arg { value: read.value, form: read.form, commas: digits.map(|_| source.into()) }
    };
    written.iter().enumerate().map(read).collect()
}

/// Joins the last pieces of `("path", 1,500)` to one number: groups of three digits, without a
/// space after their commas if the comma before the number has one.
fn join_thousands(text: &str, arguments: &mut Vec<Range<usize>>) -> bool {
    let is_digits = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_group = |at: usize| {
        let group = text[arguments[at].clone()].trim_end();
        group.len() == 3 && is_digits(group) && arguments[at].start == arguments[at - 1].end + 1
    };
    let groups = (2..arguments.len()).rev().take_while(|at| is_group(*at)).count();
    if groups == 0 {
        return false;
    }
    let head = arguments.len() - 1 - groups;
    let number = text[arguments[head].clone()].trim_start_matches(['-', '+']);
    let is_head = (1..=3).contains(&number.len()) && is_digits(number) && !number.starts_with('0');
    let joined = is_head && arguments[head].start > arguments[head - 1].end + 1;
    if joined {
        let whole = arguments[head].start..arguments[arguments.len() - 1].end;
        arguments.splice(head.., [whole]);
    }
    joined
}

/// Parses `//reason` up to the end of the line, also on the next line. The reason is not scanned
/// for calls.
fn reason(text: &str, end: &mut usize) -> Option<Text> {
    let start = whitespace::skip(text, *end);
    if !text.as_bytes()[start..].starts_with(b"//") {
        return None;
    }
    let comment = &text[start + 2..];
    let line = match comment.find('\n') {
        Some(length) => comment[..length].strip_suffix('\r').unwrap_or(&comment[..length]),
        None => comment,
    };
    *end = start + 2 + line.len();
    let reason = line.trim();
    (!reason.is_empty()).then(|| reason.into())
}

/// Reports a broken call. Shows at most 400 bytes of it.
fn unreadable(text: &str, start: usize, broken: &Broken) -> Diagnostic {
    let shown = &text[start..text.floor_char_boundary(start + 400)];
    let line = shown.find('\n').unwrap_or(shown.len());
    let end = text.floor_char_boundary((start + line).max(broken.at).min(start + shown.len()));
    messages::dropped(broken.code, start..end)
}

#[cfg(test)]
mod tests;
