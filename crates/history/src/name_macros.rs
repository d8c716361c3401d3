//! `{{user}}`, `<user>`, `{{char}}` and `<char>`: replaced by names, within a limit.
//!
//! A name comes from a file and may be as long as one; a text may contain its macro thousands of times. What the
//! names add is therefore in proportion to the text; a macro after that stays as it is.

use std::cell::Cell;

use memchr::memchr2_iter;

/// Bytes of names per byte of text. A name of 96 bytes always fits: the shortest macro has 6.
const NAMES_PER_BYTE: usize = 16;

/// Bytes of names in any text.
const LEAST_NAMES: usize = 1_000;

/// The names of a message or card, and how much of them may still be put in.
#[derive(Debug)]
pub struct NameMacros<'a> {
    user: &'a str,
    character: &'a str,
    left: Cell<usize>,
}

impl<'a> NameMacros<'a> {
    /// Returns the macros of a text of some bytes and of all parts of it. An empty name is not known, and its macro
    /// stays.
    pub fn in_text_of(bytes: usize, user: &'a str, character: &'a str) -> Self {
        let left = Cell::new(LEAST_NAMES + NAMES_PER_BYTE * bytes);
        NameMacros { user, character, left }
    }

    /// Tells whether a text contains a macro with a known name.
    pub fn occur_in(&self, text: &str) -> bool {
        memchr2_iter(b'{', b'<', text.as_bytes()).any(|at| self.at_start(&text[at..]).is_some())
    }

    /// Replaces the macros of a text by the names.
    pub fn resolve(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(open) = rest.find(['{', '<']) {
            out.push_str(&rest[..open]);
            rest = &rest[open..];
            let (length, shown) = self.at_start(rest).unwrap_or((1, &rest[..1]));
            out.push_str(shown);
            self.left.set(self.left.get() - if length > 1 { shown.len() } else { 0 });
            rest = &rest[length..];
        }
        out + rest
    }

    /// Returns the length of the macro at the start of a text, and the name that replaces it.
    fn at_start(&self, text: &str) -> Option<(usize, &'a str)> {
        let braces = text.strip_prefix("{{").map(str::trim_start);
        let inner = braces.or_else(|| text.strip_prefix('<'))?;
        let is = |word: &str| {
            inner.as_bytes().get(..word.len()).is_some_and(|own| own.eq_ignore_ascii_case(word.as_bytes()))
        };
        let name = [("user", self.user), ("char", self.character)].into_iter().find(|(word, _)| is(word))?.1;
        let after = &inner["user".len()..];
        let rest = if braces.is_some() { after.trim_start().strip_prefix("}}")? } else { after.strip_prefix('>')? };
        (!name.is_empty() && name.len() <= self.left.get()).then_some((text.len() - rest.len(), name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_replace_their_macros() {
        let names = NameMacros::in_text_of(0, "旅人", "");
        assert!(names.occur_in("{{ User }}") && !names.occur_in("{{char}}"));
        assert_eq!(names.resolve("{{user}}, <USER>, {{char}} {x <y {{user"), "旅人, 旅人, {{char}} {x <y {{user");
    }

    #[test]
    fn what_names_make_is_in_proportion_to_the_text() {
        let (text, name) = ("{{char}}".repeat(5_000), "x".repeat(10_000));
        let names = NameMacros::in_text_of(text.len(), "", &name);
        let made = names.resolve(&text);
        assert!(made.len() < 1_000 + 20 * text.len(), "{}", made.len());
        assert!(made.ends_with("{{char}}"), "what does not fit stays as it is");
        assert_eq!(names.resolve("{{char}} "), "{{char}} ", "the limit is shared by all parts");
        let usual = "名".repeat(32);
        let names = NameMacros::in_text_of(6, "", &usual);
        assert_eq!(names.resolve(&"<char>".repeat(10)), usual.repeat(10));
    }
}
