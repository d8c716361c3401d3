//! Extracts `<tag>…</tag>` blocks, which cards and hosts put into a text.

/// Returns the contents of each closed block, in order, ignoring the case of the tag.
pub fn tagged<'a>(text: &'a str, tag: &str) -> Vec<&'a str> {
    let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
    let mut blocks = Vec::new();
    let mut at = 0;
    while let Some(start) = find(text, &open, at).map(|start| start + open.len()) {
        let Some(end) = find(text, &close, start) else { break };
        blocks.push(&text[start..end]);
        at = end + close.len();
    }
    blocks
}

fn find(text: &str, wanted: &str, from: usize) -> Option<usize> {
    let here = |at: &usize| {
        text.as_bytes().get(*at..at + wanted.len()).is_some_and(|bytes| bytes.eq_ignore_ascii_case(wanted.as_bytes()))
    };
    text[from..].match_indices('<').map(|(at, _)| from + at).find(here)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_found_in_any_case() {
        let text = "开场<InitVar>a: 1</initvar>。<initvar>b</INITVAR><initvar>cut";
        assert_eq!(tagged(text, "initvar"), ["a: 1", "b"]);
        assert_eq!(tagged("<<initvar>é</initvar>", "initvar"), ["é"]);
        assert!(tagged("没有", "initvar").is_empty());
    }
}
