//! The name of a call together with the mark of its dialect: `_.set` is `set` in the library and
//! `_.set` in messages.

use std::fmt;
use std::ops::Deref;

use crate::call::Dialect;

const UNDERSCORE: [&str; 7] = ["set", "add", "insert", "assign", "remove", "unset", "delete"];

/// A name. It dereferences to the text without the mark.
#[derive(Clone, PartialEq, Eq)]
pub struct Name {
    written: String,
    /// Length of the mark in bytes.
    mark: usize,
}

impl Name {
    pub fn new(dialect: Dialect, name: &str) -> Name {
        let mark = dialect.mark();
        Name { written: format!("{mark}{name}"), mark: mark.len() }
    }

    /// Returns the MVU name at the start of a text.
    pub(crate) fn underscore(text: &str) -> Option<&'static str> {
        UNDERSCORE.into_iter().find(|name| text.starts_with(name))
    }

    /// Same, ignoring the case of the letters.
    pub(crate) fn underscore_in_any_case(text: &str) -> Option<&'static str> {
        let begins = |name: &&str| text.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
        let name = UNDERSCORE.into_iter().find(begins)?;
        (!text[name.len()..].starts_with(|next: char| next.is_ascii_alphanumeric())).then_some(name)
    }

    /// Returns the name without the mark.
    pub fn as_str(&self) -> &str {
        &self.written[self.mark..]
    }

    /// Returns the name with the mark of its dialect, as shown to users.
    pub fn written(&self) -> &str {
        &self.written
    }

    /// Same as [`written`](Self::written), by value.
    pub fn into_written(self) -> String {
        self.written
    }
}

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.written(), f)
    }
}
