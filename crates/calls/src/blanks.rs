//! Blanks before a mark.

/// Returns the place of the first character from there on that is no blank.
pub(crate) fn skip(text: &str, from: usize) -> usize {
    text.len() - text[from..].trim_start().len()
}

/// Returns the byte after a mark that may stand behind blanks and tabs, and whether it was its
/// full-width twin.
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
