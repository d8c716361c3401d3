//! Where a call ends and where its arguments are divided: brackets balanced, quotes respected.
//!
//! A quote inside a word (`it's`) is a letter. A full-width comma divides only where a path or a
//! whole quoted text stands before it, because in prose it is punctuation.

use std::ops::Range;

use storeyline_state::Value;
use storeyline_state::object::shape::Shape;

use crate::call::Arg;
use crate::loose::closing;
use crate::value::Form;
use crate::{blanks, find, plain};

/// One argument between the brackets of a call.
#[derive(Debug, PartialEq)]
pub(crate) struct Argument {
    pub(crate) range: Range<usize>,
    /// Whether what it says was plain to see; else it has to be read.
    pub(crate) is_plain: bool,
}

/// A call up to its closing bracket.
#[derive(Debug, PartialEq)]
pub(crate) struct Divided {
    /// As many as there are arguments; those that were not plain say nothing yet.
    pub(crate) args: Vec<Arg>,
    /// The byte after the closing bracket.
    pub(crate) end: usize,
}

/// What is noted about a call besides, in place of what was noted about the one before: there is room already.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    /// Where the arguments stand.
    pub(crate) arguments: Vec<Argument>,
    /// Whether one of them still has to be read.
    pub(crate) has_unread: bool,
    /// What was tolerated, as stable codes.
    pub(crate) repaired: Vec<&'static str>,
}

impl Notes {
    /// Notes that something was tolerated.
    pub(crate) fn repair(&mut self, code: &'static str) {
        if !self.repaired.contains(&code) {
            self.repaired.push(code);
        }
    }
}

/// Why the end of a call was not found.
#[derive(Debug, PartialEq)]
pub(crate) struct Broken {
    pub(crate) code: &'static str,
    pub(crate) at: usize,
}

/// A longer call is dropped: no reply needs it, and a state must not swell by one.
pub(crate) const MAX_LENGTH: usize = 256 * 1024;

/// Brackets nested deeper than this are not a call.
const MAX_NESTING: usize = 200;

/// Few calls have more arguments.
const USUAL_ARGUMENTS: usize = 4;

/// Divides the arguments of a call; `start` is the byte after the opening bracket. `before` is the
/// kind of the object that was read before.
#[inline]
pub(crate) fn call(text: &str, start: usize, notes: &mut Notes, before: &mut Option<Shape>) -> Result<Divided, Broken> {
    // Looking no further bounds the work that a call costs which is never closed.
    let window = &text[..text.floor_char_boundary(start + MAX_LENGTH)];
    let plain = |text: &str, start: usize, args: &mut Vec<Arg>| plain::read(text, start, args, before);
    divide(window, start, notes, plain).map_err(|broken| match broken.at == window.len() && window.len() < text.len() {
        true => Broken { code: "E-CALL-LONG", ..broken },
        false => broken,
    })
}

/// `plain` is asked to read each argument and to return the place of the mark after it; it may always
/// leave that to the walker.
#[inline]
pub(crate) fn divide(
    text: &str,
    start: usize,
    notes: &mut Notes,
    mut plain: impl FnMut(&str, usize, &mut Vec<Arg>) -> Option<usize>,
) -> Result<Divided, Broken> {
    notes.arguments.clear();
    notes.has_unread = false;
    notes.repaired.clear();
    let mut args = Vec::with_capacity(USUAL_ARGUMENTS);
    let mut at = start;
    loop {
        let start = blanks::skip(text, at);
        if let Some(end) = plain(text, start, &mut args) {
            notes.arguments.push(Argument { range: start..end, is_plain: true });
            at = end + 1;
            if text.as_bytes()[end] == b')' {
                return Ok(Divided { args, end: at });
            }
            continue;
        }
        let (end, mark) = Walker::new(text, at).end_of(Piece::new(text, start), notes.arguments.is_empty())?;
        at = end + mark.len_utf8();
        if matches!(mark, '，' | '）') {
            notes.repair("W-FULL-WIDTH");
        }
        let is_last = matches!(mark, ')' | '）');
        if !is_last || start < end {
            notes.arguments.push(Argument { range: start..end, is_plain: false });
            notes.has_unread = true;
            args.push(Arg::new(Value::Null, Form::Empty));
        } else if !notes.arguments.is_empty() {
            notes.repaired.push("W-TRAILING-COMMA");
        }
        if is_last {
            return Ok(Divided { args, end: at });
        }
    }
}

/// A piece of which the end is not known yet.
struct Piece<'a> {
    text: &'a str,
    /// Its first byte that is no blank.
    start: usize,
    /// The byte after the quoted text with which it begins, once somebody asked.
    quote_end: Option<Option<usize>>,
}

impl<'a> Piece<'a> {
    fn new(text: &'a str, start: usize) -> Self {
        Piece { text, start, quote_end: None }
    }

    /// Whether all of it is one quoted text. Each quoted text is walked through once, however often it is asked.
    fn is_quoted_up_to(&mut self, end: usize) -> bool {
        let rest = &self.text[self.start..];
        let quote_end = self.quote_end.get_or_insert_with(|| {
            let open = rest.chars().next()?;
            quote_end(rest, open.len_utf8(), closing(open)?).map(|end| self.start + end)
        });
        quote_end.is_some_and(|found| found <= end && self.text[found..end].trim().is_empty())
    }
}

/// What stands between the quotes, and the opening one, if a text is one quoted text from its first
/// to its last character.
pub(crate) fn unquoted(text: &str) -> Option<(&str, char)> {
    let open = text.chars().next()?;
    let close = closing(open)?;
    let inner = || &text[open.len_utf8()..text.len() - close.len_utf8()];
    (quote_end(text, open.len_utf8(), close) == Some(text.len())).then(|| (inner(), open))
}

/// The byte after the closing quote.
fn quote_end(text: &str, start: usize, close: char) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut buffer = [0; 4];
    let close = close.encode_utf8(&mut buffer).as_bytes();
    let mut at = start;
    loop {
        at += find::either(&bytes[at..], close[0], b'\\')?;
        if bytes[at] == b'\\' {
            // A backslash and the whole character after it.
            at += 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8);
        } else if bytes[at..].starts_with(close) {
            return Some(at + close.len());
        } else {
            at += 1;
        }
    }
}

/// Goes through a text and stops at what stands outside of quotes and inner brackets.
struct Walker<'a> {
    text: &'a str,
    at: usize,
    open: Vec<char>,
    /// Whether the character before belongs to a word.
    in_word: bool,
}

impl<'a> Walker<'a> {
    fn new(text: &'a str, at: usize) -> Self {
        Walker { text, at, open: Vec::new(), in_word: false }
    }

    /// The mark that ends an argument.
    fn end_of(&mut self, mut piece: Piece<'_>, is_first: bool) -> Result<(usize, char), Broken> {
        loop {
            match self.next_mark()? {
                None => return Err(Broken { code: "E-CALL-OPEN", at: self.text.len() }),
                Some((at, mark @ (',' | ')' | '）'))) => return Ok((at, mark)),
                Some((at, mark @ '，')) if is_first || piece.is_quoted_up_to(at) => return Ok((at, mark)),
                Some(_) => {}
            }
        }
    }

    /// The next comma, colon or closing bracket at the top level.
    fn next_mark(&mut self) -> Result<Option<(usize, char)>, Broken> {
        while let Some(character) = self.text[self.at..].chars().next() {
            let at = self.at;
            // The usual letters need no closer look.
            if character.is_ascii_alphanumeric() || character == ' ' {
                self.at += 1;
                self.in_word = character != ' ';
                continue;
            }
            self.at += character.len_utf8();
            if self.skip_comment(at, character) {
                continue;
            }
            match character {
                '\\' => {
                    self.at += self.text[self.at..].chars().next().map_or(0, char::len_utf8);
                    continue;
                }
                '(' | '[' | '{' | '（' => {
                    if self.open.len() >= MAX_NESTING {
                        return Err(Broken { code: "E-CALL-DEEP", at });
                    }
                    self.open.push(character);
                }
                ')' | ']' | '}' | '）' => match self.open.pop() {
                    None => return Ok(Some((at, character))),
                    Some(open) if fits(open, character) => {}
                    Some(_) => return Err(Broken { code: "E-CALL-BRACKET", at }),
                },
                ',' | '，' | ':' | '：' if self.open.is_empty() => {
                    self.in_word = false;
                    return Ok(Some((at, character)));
                }
                '\n' if starts_call(&self.text[self.at..]) => return Err(Broken { code: "E-CALL-OPEN", at }),
                quote => {
                    if let Some(close) = closing(quote).filter(|_| !self.in_word) {
                        let end = quote_end(self.text, self.at, close);
                        self.at = end.ok_or(Broken { code: "E-CALL-OPEN", at: self.text.len() })?;
                        // A word right after the closing quote: it was the opening quote of something later.
                        if self.text[self.at..].starts_with(char::is_alphanumeric) {
                            return Err(Broken { code: "E-CALL-OPEN", at });
                        }
                    }
                }
            }
            self.in_word = character.is_alphanumeric();
        }
        Ok(None)
    }

    fn skip_comment(&mut self, at: usize, character: char) -> bool {
        // Between arguments a slash may be text; inside a list or an object it is a comment.
        if character != '/' || self.open.is_empty() {
            return false;
        }
        let rest = &self.text[at..];
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            return false;
        };
        self.at = at + length;
        true
    }
}

fn fits(open: char, close: char) -> bool {
    matches!((open, close), ('(' | '（', ')' | '）') | ('[', ']') | ('{', '}'))
}

/// A line that begins with a call ends the one before, whose bracket was forgotten.
fn starts_call(line: &str) -> bool {
    let line = line.trim_start_matches([' ', '\t']);
    let Some(rest) = line.strip_prefix("@.").or_else(|| line.strip_prefix("_.")).or_else(|| line.strip_prefix('#'))
    else {
        return false;
    };
    let name = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.')).count();
    name > 0 && rest[name..].starts_with('(')
}
