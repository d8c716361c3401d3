//! Decodes the escapes of a quoted text, as JSON and JavaScript write them. An unknown escape
//! stands for the character after the backslash.

use std::borrow::Cow;

use memchr::memchr;

use super::lookahead;

/// Returns the text with its escapes decoded.
pub(crate) fn unescaped(inner: &str) -> Cow<'_, str> {
    if memchr(b'\\', inner.as_bytes()).is_none() {
        return Cow::Borrowed(inner);
    }
    let mut out = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = escape(&rest[at + 1..], &mut out);
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Decodes what follows a backslash and returns the rest.
fn escape<'a>(rest: &'a str, out: &mut String) -> &'a str {
    let Some(character) = lookahead::first(rest, 0) else { return rest };
    let after = &rest[character.len_utf8()..];
    match character {
        'n' => out.push('\n'),
        't' => out.push('\t'),
        'r' => out.push('\r'),
        'b' => out.push('\u{8}'),
        'f' => out.push('\u{c}'),
        'v' => out.push('\u{b}'),
        '0' if !after.starts_with(|next: char| next.is_ascii_digit()) => out.push('\0'),
        '\n' => {}
        'x' => return hex2(after, out),
        'u' => return unicode(after, out),
        other => out.push(other),
    }
    after
}

fn hex2<'a>(after: &'a str, out: &mut String) -> &'a str {
    let digits = after.get(..2).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
    match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
        Some(byte) => {
            out.push(char::from(byte));
            &after[2..]
        }
        None => {
            out.push('x');
            after
        }
    }
}

fn unicode<'a>(after: &'a str, out: &mut String) -> &'a str {
    let Some(unit) = hex4(after) else {
        out.push('u');
        return after;
    };
    let low = after[4..].strip_prefix("\\u").and_then(hex4).filter(|low| (0xdc00..0xe000).contains(low));
    match low.filter(|_| (0xd800..0xdc00).contains(&unit)) {
        Some(low) => {
            let code = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
            out.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            &after[10..]
        }
        None => {
            out.push(char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER));
            &after[4..]
        }
    }
}

fn hex4(text: &str) -> Option<u32> {
    let digits = text.get(..4)?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())?
}
