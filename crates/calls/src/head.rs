//! How a call begins: the mark of its dialect, its name, and the bracket before its arguments.
//!
//! What is told here is no call yet: its arguments may have no end.

use crate::blanks;
use crate::call::{Dialect, Forced};
use crate::name::Name;

/// What stands before the arguments.
pub(crate) struct Head<'a> {
    pub(crate) dialect: Dialect,
    pub(crate) forced: Option<Forced>,
    name: Named<'a>,
    /// The byte after the opening bracket.
    pub(crate) arguments: usize,
    /// Whether that bracket is a full-width one.
    pub(crate) wide: bool,
}

impl Head<'_> {
    /// Makes the name of the call: not before it is known to be one.
    pub(crate) fn name(&self) -> Name {
        match self.name {
            Named::Known(written) => Name::known(self.dialect, written),
            Named::Other(name) => Name::new(self.dialect, name),
        }
    }
}

enum Named<'a> {
    /// With the mark: a dialect has it.
    Known(&'static str),
    Other(&'a str),
}

/// Reads `@.NAME(`, `_.name(` or `#NAME(`.
#[inline]
pub(crate) fn read(text: &str, start: usize) -> Option<Head<'_>> {
    match text.as_bytes()[start] {
        b'_' => {
            let (name, length) = Name::underscore(&text.as_bytes()[start + 2..])?;
            let (arguments, wide) = blanks::mark(text, start + 2 + length, b'(', "（")?;
            Some(Head { dialect: Dialect::Underscore, forced: None, name: Named::Known(name), arguments, wide })
        }
        b'@' => {
            let (forced, start) = prefix(text, start + 2);
            named(text, start, Dialect::At, forced)
        }
        b'#' => named(text, start + 1, Dialect::Hash, None),
        _ => None,
    }
}

/// Whose rules are asked for, and where the name begins.
fn prefix(text: &str, start: usize) -> (Option<Forced>, usize) {
    match text.as_bytes()[start..] {
        [b'v', b'a', b'r', b'.', ..] => (Some(Forced::Native), start + 4),
        [b's', b'a', b'm', b'.', ..] => (Some(Forced::Sam), start + 4),
        _ => (None, start),
    }
}

fn named(text: &str, start: usize, dialect: Dialect, forced: Option<Forced>) -> Option<Head<'_>> {
    let end = name_end(text, start, dialect);
    let (arguments, wide) = blanks::mark(text, end, b'(', "（")?;
    let name = &text[start..end];
    let begins = name.starts_with(|first: char| first.is_alphabetic() || first == '_');
    begins.then_some(Head { dialect, forced, name: Named::Other(name), arguments, wide })
}

fn name_end(text: &str, start: usize, dialect: Dialect) -> usize {
    let bytes = text.as_bytes();
    let end = start + bytes[start..].iter().take_while(|byte| IN_NAME[usize::from(**byte)]).count();
    // Functions of the library may have Chinese names; a hash before one is more often a topic.
    if dialect == Dialect::At && bytes.get(end).is_some_and(|byte| !byte.is_ascii()) {
        let in_name = |character: char| character.is_alphanumeric() || character == '_';
        return text[end..].find(|next| !in_name(next)).map_or(text.len(), |more| end + more);
    }
    end
}

/// The bytes of which most names are made.
const IN_NAME: [bool; 256] = {
    let mut in_name = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        in_name[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
        byte += 1;
    }
    in_name
};
