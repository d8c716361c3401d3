//! Messages about unusual content: a stable code, a sentence in two languages, a span of the text.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::written;

/// A message in Chinese and English.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Words {
    pub zh: String,
    pub en: String,
}

impl Words {
    pub fn new(zh: impl Into<String>, en: impl Into<String>) -> Self {
        Words { zh: zh.into(), en: en.into() }
    }
}

written! {
    #[derive(Serialize, Deserialize)]
    pub enum Severity {
        /// Something was not done.
        Error = "error",
        /// Something was done differently than written.
        Warning = "warning",
        Info = "info",
    }
}

/// One message about a text or a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
