//! One call as it was found in a text.

use std::ops::Range;

use storeyline_state::{Diagnostic, Text, Value};

use crate::name::Name;
use crate::value::Form;

/// How a call was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// `@.NAME(args)`
    At,
    /// `_.name(args);//reason`
    Underscore,
    /// `#NAME(args)`
    Hash,
    /// One op of a `<JSONPatch>` block.
    Patch,
}

impl Dialect {
    /// Returns what stands before a name.
    pub fn mark(self) -> &'static str {
        match self {
            Dialect::At => "@.",
            Dialect::Underscore => "_.",
            Dialect::Hash => "#",
            Dialect::Patch => "",
        }
    }
}

/// Whose rules a call asks for by its prefix, whatever the story's profile is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forced {
    /// `@.var.NAME(args)`: our own.
    Native,
    /// `@.sam.NAME(args)`: SAM's.
    Sam,
}

/// One call.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// How it was written.
    pub dialect: Dialect,
    /// Whose rules it asks for, if it does.
    pub forced: Option<Forced>,
    /// The name as written.
    pub name: Name,
    /// The arguments, in order.
    pub args: Vec<Arg>,
    /// Why, in the words of the text (`//reason`).
    pub reason: Option<Text>,
    /// The patch block that an op belongs to, by the byte where the block begins.
    pub block: Option<usize>,
    /// Where it stands, in bytes, with its final `;`.
    pub span: Range<usize>,
    /// What had to be repaired to read it.
    pub repairs: Vec<Diagnostic>,
}

/// One argument: its value and how it was written, because the peers differ in what they make of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Arg {
    /// What it means.
    pub value: Value,
    /// How it was written.
    pub form: Form,
    /// The text of a number with commas, which some mean as two.
    pub commas: Option<Box<str>>,
}

impl Arg {
    /// Makes an argument.
    pub fn new(value: Value, form: Form) -> Arg {
        Arg { value, form, commas: None }
    }
}

/// All calls of a text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Parsed {
    /// In text order.
    pub calls: Vec<Call>,
    /// Remarks on what looked like a call and could not be read.
    pub diagnostics: Vec<Diagnostic>,
}
