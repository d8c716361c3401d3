//! Leaving out blanks at the ends of a piece. Most pieces begin and end with a mark or a digit, and
//! then one look at their first and last byte is enough.

/// Returns the text without the blanks at both ends.
#[inline]
pub(crate) fn trim(text: &str) -> &str {
    let visible = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_graphic);
    let bytes = text.as_bytes();
    if visible(bytes.first()) && visible(bytes.last()) { text } else { text.trim() }
}

/// Returns the text without the blanks at its start.
#[inline]
pub(crate) fn trim_start(text: &str) -> &str {
    match text.as_bytes() {
        [first, ..] if first.is_ascii_graphic() => text,
        [b' ', second, ..] if second.is_ascii_graphic() => &text[1..],
        _ => text.trim_start(),
    }
}

/// Returns how many blanks and tabs stand at the start.
#[inline]
pub(crate) fn leading(text: &str) -> usize {
    text.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}
