//! Finds initial variables in a text: `<initvar>` tags and code fences around them.

use std::borrow::Cow;

use storeyline_calls::tagged;

/// Returns the variables of an `[initvar]` entry, as MVU does: the text inside tags, if there are
/// any, then the text inside a code fence.
pub(crate) fn entry_text(content: &str) -> Cow<'_, str> {
    let content = content.trim_start_matches('\u{feff}');
    let blocks = tagged(content, "initvar");
    let inner = if blocks.is_empty() { Cow::Borrowed(content) } else { Cow::Owned(blocks.join("\n")) };
    match fenced(&inner) {
        Some(fenced) => Cow::Owned(fenced.to_owned()),
        None => inner,
    }
}

/// Returns the variables of an `<initvar>` block in a greeting, without its fence.
pub(crate) fn block_text(inner: &str) -> &str {
    fenced(inner).unwrap_or(inner)
}

/// Returns the text between the first line that opens a fence and the last that closes one.
fn fenced(text: &str) -> Option<&str> {
    let open = line_starts(text).find(|at| text[*at..].trim_start_matches([' ', '\t']).starts_with("```"))?;
    let body = open + text[open..].find('\n')? + 1;
    let close = line_starts(&text[body..]).filter(|at| text[body + at..].trim_start().starts_with("```")).last();
    Some(close.map_or(&text[body..], |close| &text[body..body + close]))
}

fn line_starts(text: &str) -> impl Iterator<Item = usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_fences_are_taken_off() {
        for content in [
            "a: 1\n",
            "说明\n```yaml\na: 1\n```\n后面",
            "<InitVar>\na: 1\n</initvar>",
            "前言 <initvar>\n```json\na: 1\n```\n</initvar> 结语",
            "```\na: 1\n",
        ] {
            assert_eq!(entry_text(content).trim(), "a: 1", "{content}");
        }
        assert_eq!(block_text("\n```yaml\na: 1\n```\n").trim(), "a: 1");
        assert_eq!(entry_text("a: 用`x`表示"), "a: 用`x`表示");
    }
}
