//! Where a model thinks aloud: `<think>…</think>` and `<thinking>…</thinking>`.

use std::ops::Range;

/// Returns the stretches to leave out, in order. A block that is not closed goes to the end: the
/// reply was stopped while the model was thinking.
pub(crate) fn blocks(text: &str) -> Vec<Range<usize>> {
    let mut blocks = Vec::new();
    let mut at = 0;
    while let Some((start, tag)) = next_open(text, at) {
        let close = format!("</{tag}>");
        let end = find_ignoring_case(text, &close, start).map_or(text.len(), |found| found + close.len());
        blocks.push(start..end);
        at = end;
    }
    blocks
}

fn next_open(text: &str, from: usize) -> Option<(usize, &'static str)> {
    let mut at = from;
    while let Some(found) = text[at..].find('<') {
        let start = at + found;
        for tag in ["thinking", "think"] {
            let rest = &text.as_bytes()[start + 1..];
            let named = rest.len() > tag.len() && rest[..tag.len()].eq_ignore_ascii_case(tag.as_bytes());
            if named && rest[tag.len()] == b'>' {
                return Some((start, tag));
            }
        }
        at = start + 1;
    }
    None
}

fn find_ignoring_case(text: &str, wanted: &str, from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(found) = text[at..].find('<') {
        let start = at + found;
        let here = text.as_bytes().get(start..start + wanted.len());
        if here.is_some_and(|bytes| bytes.eq_ignore_ascii_case(wanted.as_bytes())) {
            return Some(start);
        }
        at = start + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_and_open_blocks_are_found() {
        assert_eq!(blocks("a<think>b</think>c<THINKING>d</thinking>"), [1..17, 18..40]);
        assert_eq!(blocks("a<think>b").first(), Some(&(1..9)));
        assert!(blocks("a<thinker>b</think> < think>").is_empty());
    }
}
