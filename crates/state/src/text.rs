//! Canonical text: the one form of a message that is hashed, stored and evaluated.
//!
//! CRLF and CR become LF; nothing is trimmed. Lone surrogates cannot exist in a Rust string; the
//! JSON parser has already replaced them by U+FFFD.

use std::borrow::Cow;
use std::ops::Range;

use sha2::{Digest, Sha256};

use crate::id::TextHash;

/// Returns the text with every line end as LF.
pub fn canonical(text: &str) -> Cow<'_, str> {
    if memchr::memchr(b'\r', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
}

/// Returns the line and the column of an offset, both from 1; the column in characters.
pub fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..text.floor_char_boundary(offset)];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// Length of an excerpt, in characters.
const EXCERPT: usize = 200;

/// Returns the beginning of a part of a text, with `…` if it was cut. Parts may overlap: all of them together can be
/// far longer than the text.
pub fn excerpt(text: &str, span: Range<usize>) -> String {
    let part = text.get(span).unwrap_or_default();
    match part.char_indices().nth(EXCERPT) {
        Some((end, _)) => format!("{}…", &part[..end]),
        None => part.to_owned(),
    }
}

/// Returns the hash that a host message stores for this text.
pub fn hash(text: &str) -> TextHash {
    let digest = Sha256::digest(canonical(text).as_bytes());
    let mut first = [0; 16];
    first.copy_from_slice(&digest[..16]);
    TextHash::from_bytes(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_is_short_whatever_the_span_is() {
        let text = "金".repeat(1_000);
        assert_eq!(excerpt("一二三", 3..6), "二");
        assert_eq!(excerpt(&text, 0..text.len()), format!("{}…", "金".repeat(EXCERPT)));
        assert_eq!(excerpt(&text, 1..2), "", "a broken span is nothing");
    }

    #[test]
    fn line_ends_do_not_change_the_hash() {
        assert_eq!(canonical("a\r\nb\rc\n"), "a\nb\nc\n");
        assert_eq!(hash("a\r\nb"), hash("a\nb"));
        assert_ne!(hash("a "), hash("a"));
    }

    #[test]
    fn the_hash_is_the_start_of_sha256_in_base64url() {
        // SHA-256("") = e3b0c442 98fc1c14 9afbf4c8 996fb924 …
        assert_eq!(hash("").to_string(), "47DEQpj8HBSa-_TImW-5JA");
    }
}
