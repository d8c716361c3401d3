//! One call as it was found in a text.

use std::ops::Range;

use storeyline_state::{Diagnostic, Value};

/// How a call was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// `@.NAME(args)`
    At,
    /// `_.name(args);//reason`
    Underscore,
}

/// One call.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// How it was written.
    pub dialect: Dialect,
    /// The name as written, without the mark of the dialect.
    pub name: String,
    /// The arguments, in order.
    pub args: Vec<Value>,
    /// Why, in the words of the text (`//reason`).
    pub reason: Option<String>,
    /// Where it stands, in bytes, with its final `;`.
    pub span: Range<usize>,
    /// What had to be repaired to read it.
    pub repairs: Vec<Diagnostic>,
}

/// All calls of a text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Parsed {
    /// In text order.
    pub calls: Vec<Call>,
    /// Remarks on what looked like a call and could not be read.
    pub diagnostics: Vec<Diagnostic>,
}
