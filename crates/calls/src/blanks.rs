//! Leaving out blanks at the ends of a piece. Most pieces begin and end with a mark or a digit, and
//! then one look at their first and last byte is enough.

/// Returns the text without the blanks at both ends, as the standard library does; quick where there are none.
#[inline]
pub fn trim(text: &str) -> &str {
    if begins_visibly(text.as_bytes()) && ends_visibly(text.as_bytes()) { text } else { text.trim() }
}

/// Returns the place of the first character from there on that is no blank.
#[inline]
pub(crate) fn skip(text: &str, from: usize) -> usize {
    match text.as_bytes()[from..] {
        [b'!'..=b'~', ..] => from,
        [b' ' | b'\n', b'!'..=b'~', ..] => from + 1,
        _ => text.len() - text[from..].trim_start().len(),
    }
}

/// Whether a text begins with an ASCII mark or letter or with a usual Chinese one: those from U+4000
/// to U+9FFF have first bytes that no blank has.
fn begins_visibly(bytes: &[u8]) -> bool {
    matches!(bytes, [b'!'..=b'~' | 0xe4..=0xe9, ..])
}

/// Whether it ends with such a letter or mark.
fn ends_visibly(bytes: &[u8]) -> bool {
    matches!(bytes, [.., b'!'..=b'~'] | [.., 0xe4..=0xe9, _, _])
}

/// Returns the byte after a mark that may stand behind blanks and tabs, and whether it was its
/// full-width twin.
#[inline]
pub(crate) fn mark(text: &str, from: usize, mark: u8, twin: &str) -> Option<(usize, bool)> {
    let bytes = text.as_bytes();
    let mut at = from;
    loop {
        match bytes.get(at) {
            Some(byte) if *byte == mark => return Some((at + 1, false)),
            Some(b' ' | b'\t') => at += 1,
            _ => return bytes[at..].starts_with(twin.as_bytes()).then(|| (at + twin.len(), true)),
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
