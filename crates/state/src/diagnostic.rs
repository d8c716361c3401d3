//! Messages about unusual content: a stable code, a sentence in two languages, a span of the text.

use std::ops::Range;

/// A message in Chinese and English.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    pub zh: String,
    pub en: String,
}

impl Words {
    pub fn new(zh: impl Into<String>, en: impl Into<String>) -> Self {
        Words { zh: zh.into(), en: en.into() }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// Something was not done.
    Error,
    /// Something was done differently than written.
    Warning,
    Info,
}

impl Severity {
    /// Returns the word used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
        }
    }

    /// Parses the word used in JSON.
    pub fn from_word(word: &str) -> Option<Self> {
        [Severity::Error, Severity::Warning, Severity::Info].into_iter().find(|severity| severity.as_str() == word)
    }
}

/// One message about a text or a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable, for example `E-ADD-NUM`.
    pub code: String,
    pub severity: Severity,
    pub message: Words,
    /// Bytes of the message text.
    pub span: Range<usize>,
}

impl Diagnostic {
    pub fn error(code: &str, span: Range<usize>, zh: impl Into<String>, en: impl Into<String>) -> Self {
        Diagnostic { code: code.into(), severity: Severity::Error, message: Words::new(zh, en), span }
    }

    pub fn warning(code: &str, span: Range<usize>, zh: impl Into<String>, en: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, zh, en) }
    }

    pub fn info(code: &str, span: Range<usize>, zh: impl Into<String>, en: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Info, ..Diagnostic::error(code, span, zh, en) }
    }
}
