//! The name of a call together with the mark of its dialect: `_.set` is `set` in the library and
//! `_.set` in messages. Names known to a dialect are static and need no allocation.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

use crate::call::Dialect;

/// A name. It dereferences to the text without the mark.
#[derive(Clone, PartialEq, Eq)]
pub struct Name {
    written: Cow<'static, str>,
    /// Length of the mark in bytes.
    mark: usize,
}

impl Name {
    pub fn new(dialect: Dialect, name: &str) -> Name {
        let mark = dialect.mark();
        let mut written = String::with_capacity(mark.len() + name.len());
        written.push_str(mark);
        written.push_str(name);
        Name { written: written.into(), mark: mark.len() }
    }

    /// Makes a static name from its form with the mark.
    pub(crate) fn known(dialect: Dialect, written: &'static str) -> Name {
        Name { written: written.into(), mark: dialect.mark().len() }
    }

    /// Returns the MVU name at the start of a text, with its mark, and the length of the name.
    pub(crate) fn underscore(text: &[u8]) -> Option<(&'static str, usize)> {
        let written = match text {
            [b's', b'e', b't', ..] => "_.set",
            [b'a', b'd', b'd', ..] => "_.add",
            [b'i', b'n', b's', b'e', b'r', b't', ..] => "_.insert",
            [b'a', b's', b's', b'i', b'g', b'n', ..] => "_.assign",
            [b'r', b'e', b'm', b'o', b'v', b'e', ..] => "_.remove",
            [b'u', b'n', b's', b'e', b't', ..] => "_.unset",
            [b'd', b'e', b'l', b'e', b't', b'e', ..] => "_.delete",
            _ => return None,
        };
        Some((written, written.len() - Dialect::Underscore.mark().len()))
    }

    /// Same, ignoring the case of the letters.
    pub(crate) fn underscore_in_any_case(text: &[u8]) -> Option<(&'static str, usize)> {
        let mut lower = [0; 8];
        let length = text.len().min(lower.len());
        lower[..length].copy_from_slice(&text[..length]);
        lower.make_ascii_lowercase();
        let (written, length) = Name::underscore(&lower[..length])?;
        (!text.get(length).is_some_and(u8::is_ascii_alphanumeric)).then_some((written, length))
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
    pub fn into_written(self) -> Cow<'static, str> {
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
