//! Skips whitespace before a mark.

/// Returns the offset of the first character at or after `from` that is not whitespace.
pub(crate) fn skip(text: &str, from: usize) -> usize {
    text.len() - text[from..].trim_start().len()
}

/// Returns the offset after a mark that may follow spaces and tabs, and whether it was the
/// full-width form.
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
