//! What is told to people about odd content: a stable code, a sentence in two languages, a place.

use std::ops::Range;

/// A sentence in Chinese and English.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// 中文
    pub zh: String,
    /// English
    pub en: String,
}

impl Words {
    /// Makes a sentence from both languages.
    pub fn new(zh: impl Into<String>, en: impl Into<String>) -> Self {
        Words { zh: zh.into(), en: en.into() }
    }
}

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// Something was not done.
    Error,
    /// Something was done in another way than written.
    Warning,
    /// Good to know.
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

    /// Reads the word used in JSON.
    pub fn from_word(word: &str) -> Option<Self> {
        [Severity::Error, Severity::Warning, Severity::Info].into_iter().find(|severity| severity.as_str() == word)
    }
}

/// One remark about a text or a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable, for example `E-ADD-NUM`.
    pub code: String,
    /// How bad it is.
    pub severity: Severity,
    /// What happened, to what, and what stays.
    pub message: Words,
    /// Where in the text, in bytes.
    pub span: Range<usize>,
}

impl Diagnostic {
    /// Makes an error.
    pub fn error(code: &str, span: Range<usize>, zh: impl Into<String>, en: impl Into<String>) -> Self {
        Diagnostic { code: code.into(), severity: Severity::Error, message: Words::new(zh, en), span }
    }

    /// Makes a warning.
    pub fn warning(code: &str, span: Range<usize>, zh: impl Into<String>, en: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, zh, en) }
    }

    /// Makes a remark that is good to know.
    pub fn info(code: &str, span: Range<usize>, zh: impl Into<String>, en: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Info, ..Diagnostic::error(code, span, zh, en) }
    }
}
