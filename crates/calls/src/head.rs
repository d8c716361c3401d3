//! The head of a call: the mark of its dialect, its name, and the opening bracket.
//!
//! A head alone is not a call yet: the arguments may have no end.

use crate::call::{Dialect, Forced};
use crate::loose::is_quote;
use crate::name::Name;
use crate::whitespace;

pub(crate) struct Head<'a> {
    pub(crate) dialect: Dialect,
    pub(crate) forced: Option<Forced>,
    name: &'a str,
    /// Offset after the opening bracket.
    pub(crate) arguments: usize,
    /// Whether that bracket is full-width.
    pub(crate) wide: bool,
    close: char,
    /// Offset of the call.
    pub(crate) start: usize,
    pub(crate) is_usual: bool,
}

impl Head<'_> {
    /// Returns the bracket that closes the call.
    pub(crate) fn closing(&self) -> char {
        self.close
    }

    /// Makes the name of the call. Called only once the call is complete, because it may allocate.
    pub(crate) fn name(&self) -> Name {
        Name::new(self.dialect, self.name)
    }
}

/// Parses `@.NAME(`, `_.name(` or `#NAME(`.
pub(crate) fn read(text: &str, start: usize) -> Option<Head<'_>> {
    match text.as_bytes()[start] {
        b'_' => {
            let name = Name::underscore(&text[start + 2..])?;
            let (arguments, wide) = whitespace::mark(text, start + 2 + name.len(), b'(', "（")?;
            let dialect = Dialect::Underscore;
            Some(Head { dialect, forced: None, name, arguments, wide, close: ')', start, is_usual: true })
        }
        b'@' => {
            let (forced, name) = prefix(text, start + 2);
            named(text, name, Dialect::At, forced).map(|head| Head { start, ..head })
        }
        b'#' => named(text, start + 1, Dialect::Hash, None).map(|head| Head { start, ..head }),
        _ => None,
    }
}

/// Parses what models write instead of `_.name(` and `@.NAME(`: another letter case, `lodash.`,
/// another kind of bracket or none. `mark` is the offset of `_.`, of `@.` or of the opening
/// bracket.
pub(crate) fn read_loosely(text: &str, mark: usize) -> Option<Head<'_>> {
    let found = match text.as_bytes()[mark] {
        b'_' => Before { start: mark, name: mark + 2, dialect: Dialect::Underscore, quote_wanted: false },
        b'@' => Before { start: mark, name: mark + 2, dialect: Dialect::At, quote_wanted: true },
        _ => name_before(text, mark)?,
    };
    let Before { start, name: name_at, dialect, quote_wanted } = found;
    let name = match dialect {
        Dialect::At => {
            let length = upper_case(&text.as_bytes()[name_at..]).filter(|length| *length > 1)?;
            &text[name_at..name_at + length]
        }
        _ => Name::underscore_in_any_case(&text[name_at..])?,
    };
    let (arguments, wide, close) = loose_bracket(text, name_at + name.len())?;
    if quote_wanted && !text[whitespace::skip(text, arguments)..].starts_with(is_quote) {
        return None;
    }
    let usual = if dialect == Dialect::At { "@." } else { "_." };
    let is_usual = close == ')'
        && name_at == start + 2
        && text[start..].starts_with(usual)
        && text[name_at + name.len()..].starts_with('(');
    Some(Head { dialect, forced: None, name, arguments, wide, close, start, is_usual })
}

fn upper_case(text: &[u8]) -> Option<usize> {
    let length = text.iter().take(24).take_while(|byte| byte.is_ascii_uppercase() || **byte == b'_').count();
    (!text.get(length).is_some_and(u8::is_ascii_alphanumeric)).then_some(length)
}

/// The text before an opening bracket, as a possible call.
struct Before {
    start: usize,
    name: usize,
    dialect: Dialect,
    /// Whether the first argument must be quoted, because the name alone is ambiguous.
    quote_wanted: bool,
}

/// Returns the offset after the opening bracket, whether it is full-width, and its closing bracket.
/// Another kind of bracket is accepted, and none if a quote follows.
fn loose_bracket(text: &str, at: usize) -> Option<(usize, bool, char)> {
    // The bracket may be on the next line.
    let near = at + text[at..text.floor_char_boundary(at + MOST_BULLETS)].len()
        - text[at..text.floor_char_boundary(at + MOST_BULLETS)].trim_start().len();
    if let Some((arguments, wide)) = whitespace::mark(text, near, b'(', "（") {
        return Some((arguments, wide, ')'));
    }
    let rest = text[at..].trim_start_matches([' ', '\t']);
    // A stray mark before the bracket.
    let marks = rest
        .bytes()
        .take(2)
        .take_while(|byte| matches!(byte, b',' | b']' | b'}' | b'[' | b'{' | b'.' | b'"' | b'\''))
        .count();
    if marks > 0
        && let Some((arguments, wide)) = whitespace::mark(rest, marks, b'(', "（")
    {
        return Some((text.len() - rest.len() + arguments, wide, '）'));
    }
    let (inner, close) = match rest.as_bytes().first()? {
        b'[' => (&rest[1..], ']'),
        b'{' => (&rest[1..], '}'),
        _ => (rest, ')'),
    };
    inner.trim_start_matches(' ').starts_with(is_quote).then_some((text.len() - inner.len(), false, close))
}

/// Maximum number of bytes of whitespace and bullets before a call.
const MOST_BULLETS: usize = 40;

/// Returns the name before the bracket at `bracket`. A bare `set(` is a call only at the start of a
/// line.
fn name_before(text: &str, bracket: usize) -> Option<Before> {
    let before = text[..bracket].trim_end_matches(' ');
    let letters = before.bytes().rev().take(24).take_while(|byte| byte.is_ascii_alphabetic() || *byte == b'_').count();
    let word = before.len() - letters;
    if let Some(start) = sign_before(&text[..word], &["@", "＠"])
        && upper_case(&text.as_bytes()[word..]).is_some()
    {
        return Some(Before { start, name: word, dialect: Dialect::At, quote_wanted: true });
    }
    let name = word + text[word..before.len()].bytes().take_while(|byte| *byte == b'_').count();
    let dialect = Dialect::Underscore;
    Name::underscore_in_any_case(&text[name..])?;
    let signs = ["_", "＿", "$", "lodash", "Lodash", "LODASH"];
    let sign = if name > word { Some(word) } else { sign_before(&text[..name], &signs) };
    if let Some(start) = sign.filter(|start| !text[..*start].ends_with(|next: char| next.is_ascii_alphanumeric())) {
        let start = text[..start].strip_suffix('\\').map_or(start, str::len);
        return Some(Before { start, name, dialect, quote_wanted: false });
    }
    // A long line is prose; it is not searched again for each of its brackets.
    let before = &text[..name];
    let near = &before[before.ceil_char_boundary(before.len().saturating_sub(MOST_BULLETS))..];
    let line = near.rfind('\n').map(|end| &near[end + 1..]).or((near.len() == before.len()).then_some(near))?;
    let bullet = |next: char| {
        next.is_whitespace() || next.is_ascii_digit() || matches!(next, '-' | '*' | '>' | '•' | '`' | '.' | '、')
    };
    line.chars().all(bullet).then_some(Before { start: name, name, dialect, quote_wanted: true })
}

/// Returns the start of the dialect's mark that ends the text, with stray marks between it and the
/// name.
fn sign_before(text: &str, signs: &[&str]) -> Option<usize> {
    let marks = |next: char| matches!(next, '.' | '。' | '．' | ',' | ' ' | '\\' | ':' | '-' | '>');
    let near = &text[text.ceil_char_boundary(text.len().saturating_sub(MOST_BULLETS))..];
    let rest = near.trim_end_matches(marks);
    signs.iter().find_map(|sign| rest.strip_suffix(sign)).map(|rest| text.len() - near.len() + rest.len())
}

/// Returns the rule set selected by a prefix, and the offset of the name.
fn prefix(text: &str, start: usize) -> (Option<Forced>, usize) {
    match text.as_bytes()[start..] {
        [b'v', b'a', b'r', b'.', ..] => (Some(Forced::Native), start + 4),
        [b's', b'a', b'm', b'.', ..] => (Some(Forced::Sam), start + 4),
        _ => (None, start),
    }
}

fn named(text: &str, start: usize, dialect: Dialect, forced: Option<Forced>) -> Option<Head<'_>> {
    let end = name_end(text, start, dialect);
    let (arguments, wide) = whitespace::mark(text, end, b'(', "（")?;
    let name = &text[start..end];
    let begins = name.starts_with(|first: char| first.is_alphabetic() || first == '_');
    begins.then_some(Head { dialect, forced, name, arguments, wide, close: ')', start, is_usual: true })
}

fn name_end(text: &str, start: usize, dialect: Dialect) -> usize {
    let bytes = text.as_bytes();
    let in_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let end = start + bytes[start..].iter().take_while(in_name).count();
    // Functions of the library may have Chinese names; a hash before a Chinese word is usually a
    // topic.
    if dialect == Dialect::At && bytes.get(end).is_some_and(|byte| !byte.is_ascii()) {
        let in_name = |character: char| character.is_alphanumeric() || character == '_';
        return text[end..].find(|next| !in_name(next)).map_or(text.len(), |more| end + more);
    }
    end
}
