//! One call as it was found in a text.

use std::ops::Range;

use storeyline_state::{Diagnostic, Text, Value};

use crate::name::Name;
use crate::value::Form;

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
    /// Returns the prefix of a name in this dialect.
    pub fn mark(self) -> &'static str {
        match self {
            Dialect::At => "@.",
            Dialect::Underscore => "_.",
            Dialect::Hash => "#",
            Dialect::Patch => "",
        }
    }
}

/// A rule set that a call selects by its prefix, whatever the profile of the story is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forced {
    /// `@.var.NAME(args)`: native rules.
    Native,
    /// `@.sam.NAME(args)`: SAM's rules.
    Sam,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    pub dialect: Dialect,
    pub forced: Option<Forced>,
    pub name: Name,
    pub args: Vec<Arg>,
    /// The text of `//reason` after the call.
    pub reason: Option<Text>,
    /// Start offset of the patch block that an op belongs to.
    pub block: Option<usize>,
    /// Bytes of the text, including the final `;`.
    pub span: Range<usize>,
    /// One warning per repair that was needed to parse the call.
    pub repairs: Vec<Diagnostic>,
}

impl Call {
    pub fn new(dialect: Dialect, name: &str, args: Vec<Arg>, span: Range<usize>) -> Call {
        let name = Name::new(dialect, name);
        Call { dialect, forced: None, name, args, reason: None, block: None, span, repairs: Vec::new() }
    }
}

/// One argument. It records how it was written, because the peers treat the forms differently.
#[derive(Debug, Clone, PartialEq)]
pub struct Arg {
    pub value: Value,
    pub form: Form,
    /// The text of a number with commas, such as `1,500`, which some peers read as two arguments.
    pub commas: Option<Box<str>>,
}

impl Arg {
    pub fn new(value: Value, form: Form) -> Arg {
        Arg { value, form, commas: None }
    }

    /// Makes an argument of a value that was not written as an argument.
    pub fn given(value: Value) -> Arg {
        let form = if value.as_text().is_some() { Form::Quoted } else { Form::Literal };
        Arg::new(value, form)
    }
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Parsed {
    /// In text order.
    pub calls: Vec<Call>,
    /// About text that looked like a call and could not be parsed.
    pub diagnostics: Vec<Diagnostic>,
}
