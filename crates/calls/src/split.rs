//! Finds the end of a call and splits its arguments: brackets balanced, quotes respected.
//!
//! A quote inside a word (`it's`) is a letter. A full-width comma separates only after a path or a
//! complete quoted text, because in prose it is punctuation.

use std::ops::Range;

use crate::loose::{self, closing};
use crate::whitespace;

/// A call up to its closing bracket.
#[derive(Debug, PartialEq)]
pub(crate) struct SplitCall {
    pub(crate) arguments: Vec<Range<usize>>,
    /// Offset after the closing bracket.
    pub(crate) end: usize,
    /// Stable codes of the repairs.
    pub(crate) repaired: Vec<&'static str>,
}

/// Why a call could not be split.
#[derive(Debug, PartialEq)]
pub(crate) struct Broken {
    pub(crate) code: &'static str,
    pub(crate) at: usize,
}

/// Maximum length of a call in bytes. It keeps one call from inflating a state.
pub(crate) const MAX_LENGTH: usize = 256 * 1024;

/// Maximum nesting of brackets.
const MAX_NESTING: usize = 200;

/// Splits the arguments of a call. `start` is the offset after the opening bracket.
pub(crate) fn call(text: &str, start: usize) -> Result<SplitCall, Broken> {
    // The limit bounds the work on a call that is never closed.
    let window = &text[..text.floor_char_boundary(start + MAX_LENGTH)];
    split_arguments(window, start).map_err(|broken| match broken.at == window.len() && window.len() < text.len() {
        true => Broken { code: "E-CALL-LONG", ..broken },
        false => broken,
    })
}

fn split_arguments(text: &str, start: usize) -> Result<SplitCall, Broken> {
    let mut arguments = Vec::new();
    let mut repaired = Vec::new();
    let mut at = start;
    loop {
        let start = whitespace::skip(text, at);
        let (end, mark) = Walker::new(text, at).end_of(Piece::new(text, start), arguments.is_empty())?;
        at = end + mark.len_utf8();
        if matches!(mark, '，' | '）') {
            note(&mut repaired, "W-FULL-WIDTH");
        }
        let is_last = matches!(mark, ')' | '）');
        if !is_last || start < end {
            arguments.push(start..end);
        } else if !arguments.is_empty() {
            note(&mut repaired, "W-TRAILING-COMMA");
        }
        if is_last {
            return Ok(SplitCall { arguments, end: at, repaired });
        }
    }
}

/// Records the code of a repair, once.
pub(crate) fn note(repaired: &mut Vec<&'static str>, code: &'static str) {
    if !repaired.contains(&code) {
        repaired.push(code);
    }
}

/// A piece whose end is not known yet.
struct Piece<'a> {
    text: &'a str,
    /// Offset of its first non-whitespace byte.
    start: usize,
    /// Cached offset after the quoted text with which it begins.
    quote_end: Option<Option<usize>>,
}

impl<'a> Piece<'a> {
    fn new(text: &'a str, start: usize) -> Self {
        Piece { text, start, quote_end: None }
    }

    /// Tells whether the piece up to `end` is one quoted text. Each quoted text is scanned once,
    /// because the result is cached.
    fn is_quoted_up_to(&mut self, end: usize) -> bool {
        let rest = &self.text[self.start..];
        let quote_end = self.quote_end.get_or_insert_with(|| {
            let open = rest.chars().next()?;
            quote_end(rest, open.len_utf8(), closing(open)?).map(|end| self.start + end)
        });
        quote_end.is_some_and(|found| found <= end && self.text[found..end].trim().is_empty())
    }
}

/// Returns the text between the quotes, and the opening quote, if a text is one quoted text from
/// its first to its last character.
pub(crate) fn unquoted(text: &str) -> Option<(&str, char)> {
    let open = text.chars().next()?;
    let close = closing(open)?;
    let inner = || &text[open.len_utf8()..text.len() - close.len_utf8()];
    (quote_end(text, open.len_utf8(), close) == Some(text.len())).then(|| (inner(), open))
}

/// Returns the offset after the closing quote.
fn quote_end(text: &str, start: usize, close: char) -> Option<usize> {
    loose::next_quote(text, start, close).map(|at| at + close.len_utf8())
}

/// Iterates over the characters outside of quotes and nested brackets.
struct Walker<'a> {
    text: &'a str,
    at: usize,
    open: Vec<char>,
    /// Whether the previous character belongs to a word.
    in_word: bool,
}

impl<'a> Walker<'a> {
    fn new(text: &'a str, at: usize) -> Self {
        Walker { text, at, open: Vec::new(), in_word: false }
    }

    /// Returns the mark that ends an argument.
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

    /// Returns the next comma, colon or closing bracket at the top level.
    fn next_mark(&mut self) -> Result<Option<(usize, char)>, Broken> {
        while let Some(character) = self.text[self.at..].chars().next() {
            let at = self.at;
            // Fast path for common characters.
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
                    Some(open) if is_pair(open, character) => {}
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
                        // A word directly after the closing quote: it was the opening quote of
                        // something later.
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
        // Between arguments a slash may be text; inside a list or an object it begins a comment.
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

fn is_pair(open: char, close: char) -> bool {
    matches!((open, close), ('(' | '（', ')' | '）') | ('[', ']') | ('{', '}'))
}

/// Tells whether a line begins with a call. It ends the call before it, whose bracket is missing.
fn starts_call(line: &str) -> bool {
    let line = line.trim_start_matches([' ', '\t']);
    let Some(rest) = line.strip_prefix("@.").or_else(|| line.strip_prefix("_.")).or_else(|| line.strip_prefix('#'))
    else {
        return false;
    };
    let name = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.')).count();
    name > 0 && rest[name..].starts_with('(')
}
