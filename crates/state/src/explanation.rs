//! The explanation of an error: a code for programs, a message and a hint for people.

use std::fmt::Display;

use crate::Words;

/// The explanation of a failed request. Server and CLI add only a status or an exit code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// Stable. Decides the HTTP status, so errors of one kind share it.
    pub code: &'static str,
    /// What happened, and to what; a clause without a full stop.
    pub words: Words,
    /// What to do next, in full sentences.
    pub hint: Words,
}

/// An error with an explanation; its `Display` is the English message.
pub trait Explain: Display {
    /// Returns code, message and hint.
    fn explain(&self) -> Explanation;

    /// Makes the explanation from what `Display` does not contain.
    fn explained(&self, code: &'static str, zh: String, hint: (&str, &str)) -> Explanation {
        Explanation { code, words: Words::new(zh, self.to_string()), hint: Words::new(hint.0, hint.1) }
    }
}
