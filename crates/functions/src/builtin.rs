//! The list of built-in functions. Everything said about one to people comes from here.

use storeyline_calls::Dialect;
use storeyline_state::Value;

use crate::draft::{Draft, Refusal};
use crate::{add, set, unset};

/// One built-in function.
pub struct Builtin {
    /// Its name in `@.NAME(…)`.
    pub name: &'static str,
    /// Its name in `_.name(…)`, if it has one.
    pub underscore: Option<&'static str>,
    /// How it is called.
    pub syntax: &'static str,
    /// What it does, in Chinese.
    pub zh: &'static str,
    /// What it does, in English.
    pub en: &'static str,
    /// An example.
    pub example: &'static str,
    /// Carries it out.
    pub apply: fn(&mut Draft, &[Value]) -> Result<(), Refusal>,
}

/// All built-in functions, in the order of the reference page.
pub const BUILTINS: &[Builtin] = &[set::SET, add::ADD, unset::UNSET];

/// Returns the function that a call names; upper and lower case are the same in `@.NAME`.
pub fn find(dialect: Dialect, name: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|builtin| match dialect {
        Dialect::At => builtin.name.eq_ignore_ascii_case(name),
        Dialect::Underscore => builtin.underscore == Some(name),
    })
}
