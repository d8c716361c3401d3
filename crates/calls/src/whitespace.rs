//! Trimming whitespace. Most pieces begin and end with a visible byte, which is a fast path here.

/// Trims whitespace at both ends, as the standard library does.
#[inline]
pub fn trim(text: &str) -> &str {
    if begins_visibly(text.as_bytes()) && ends_visibly(text.as_bytes()) { text } else { text.trim() }
}

/// Returns the offset of the first character at or after `from` that is not whitespace.
#[inline]
pub(crate) fn skip(text: &str, from: usize) -> usize {
    match text.as_bytes()[from..] {
        [b'!'..=b'~', ..] => from,
        [b' ' | b'\n', b'!'..=b'~', ..] => from + 1,
        _ => text.len() - text[from..].trim_start().len(),
    }
}

/// Tells whether a text begins with an ASCII mark or letter or with a common Chinese character: the
/// first bytes of U+4000 to U+9FFF are the first bytes of no whitespace.
fn begins_visibly(bytes: &[u8]) -> bool {
    matches!(bytes, [b'!'..=b'~' | 0xe4..=0xe9, ..])
}

/// Tells whether a text ends with an ASCII mark or letter.
fn ends_visibly(bytes: &[u8]) -> bool {
    matches!(bytes, [.., b'!'..=b'~'] | [.., 0xe4..=0xe9, _, _])
}

/// Returns the offset after a mark that may follow spaces and tabs, and whether it was the
/// full-width form.
#[inline]
pub(crate) fn mark(text: &str, from: usize, mark: u8, full_width: &str) -> Option<(usize, bool)> {
    let bytes = text.as_bytes();
    let mut at = from;
    loop {
        match bytes.get(at) {
            Some(byte) if *byte == mark => return Some((at + 1, false)),
            Some(b' ' | b'\t') => at += 1,
            _ => return bytes[at..].starts_with(full_width.as_bytes()).then(|| (at + full_width.len(), true)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_is_left_out_or_kept_as_in_the_standard_library() {
        for character in '\0'..=char::MAX {
            let alone = String::from(character);
            let between = format!(" {character}金{character}\n");
            for text in
                [alone.as_str(), between.as_str(), between.trim_start_matches(' '), &between[..between.len() - 1]]
            {
                assert_eq!((trim(text), &text[skip(text, 0)..]), (text.trim(), text.trim_start()), "{text:?}");
            }
        }
    }
}
