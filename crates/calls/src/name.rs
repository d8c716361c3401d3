//! The name of a call, kept together with the mark of its dialect: `_.set` is `set` to the library
//! and `_.set` to people.

use std::fmt;
use std::ops::Deref;

use crate::call::Dialect;

/// The calls of MVU.
const UNDERSCORE: [&str; 7] = ["set", "add", "insert", "assign", "remove", "unset", "delete"];

/// A name. It reads as the text without the mark.
#[derive(Clone, PartialEq, Eq)]
pub struct Name {
    written: String,
    /// The length of the mark.
    mark: usize,
}

impl Name {
    /// Makes the name of a call.
    pub fn new(dialect: Dialect, name: &str) -> Name {
        let mark = dialect.mark();
        Name { written: format!("{mark}{name}"), mark: mark.len() }
    }

    /// Returns the call of MVU with whose name a text begins.
    pub(crate) fn underscore(text: &str) -> Option<&'static str> {
        UNDERSCORE.into_iter().find(|name| text.starts_with(name))
    }

    /// The same where the case of the letters is not the usual one.
    pub(crate) fn underscore_in_any_case(text: &str) -> Option<&'static str> {
        let begins = |name: &&str| text.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
        let name = UNDERSCORE.into_iter().find(begins)?;
        (!text[name.len()..].starts_with(|next: char| next.is_ascii_alphanumeric())).then_some(name)
    }

    /// Returns the name without the mark.
    pub fn as_str(&self) -> &str {
        &self.written[self.mark..]
    }

    /// Returns the name with the mark of its dialect, as people know it.
    pub fn written(&self) -> &str {
        &self.written
    }

    /// Takes the name with the mark.
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
