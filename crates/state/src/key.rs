//! A key of a path: a stretch of a text that the other keys share.
//!
//! A path is divided on every call, and its keys are mostly looked up and dropped; they cost no
//! memory of their own.

use std::borrow::Borrow;
use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// One key. Two are equal if they read the same.
#[derive(Clone)]
pub struct Key {
    text: Arc<str>,
    /// On character boundaries.
    stretch: Range<usize>,
}

impl Key {
    /// Takes a stretch of a text, which begins and ends between characters.
    pub(crate) fn part(text: &Arc<str>, stretch: Range<usize>) -> Key {
        debug_assert!(text.get(stretch.clone()).is_some(), "between characters");
        Key { text: text.clone(), stretch }
    }

    /// Returns the key as a text of its own.
    pub fn to_shared(&self) -> Arc<str> {
        if self.len() == self.text.len() { self.text.clone() } else { Arc::from(&**self) }
    }
}

impl Deref for Key {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text[self.stretch.clone()]
    }
}

impl AsRef<str> for Key {
    fn as_ref(&self) -> &str {
        self
    }
}

/// What `join` asks for.
impl Borrow<str> for Key {
    fn borrow(&self) -> &str {
        self
    }
}

impl From<Arc<str>> for Key {
    fn from(text: Arc<str>) -> Key {
        Key { stretch: 0..text.len(), text }
    }
}

impl From<&str> for Key {
    fn from(text: &str) -> Key {
        Key::from(Arc::<str>::from(text))
    }
}

impl From<String> for Key {
    fn from(text: String) -> Key {
        Key::from(Arc::<str>::from(text))
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        **self == **other
    }
}

impl Eq for Key {}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}
