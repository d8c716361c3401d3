//! The sentences for what was repaired or dropped while reading.

use std::ops::Range;

use storeyline_state::Diagnostic;

/// What had to be repaired to read a call.
pub(crate) fn repaired(code: &'static str, span: Range<usize>) -> Diagnostic {
    let (zh, en) = match code {
        "W-FULL-WIDTH" => ("全角符号按半角读取。", "Full-width marks were read as plain ones."),
        "W-CURLY-QUOTES" => ("弯引号按直引号读取。", "Curly quotes were read as straight ones."),
        "W-TRAILING-COMMA" => ("多余的逗号已忽略。", "A comma too many was left out."),
        "W-NO-QUOTES" => ("没有引号的文字按文本读取。", "A word without quotes was read as text."),
        "W-THOUSANDS" => ("千位逗号按一个数字读取。", "A comma between thousands was read as part of the number."),
        "W-PATCH-FORM" => ("补丁块的写法已修正。", "The form of the patch block was repaired."),
        _ => ("调用已修正。", "The call was repaired."),
    };
    Diagnostic::warning(code, span, zh, en)
}

/// A call that a reader of lines takes for prose.
pub(crate) fn in_a_sentence(span: Range<usize>) -> Diagnostic {
    Diagnostic::warning(
        "W-CALL-SENTENCE",
        span,
        "SAM 3.5 只读取写在行首的调用，这个没有执行。",
        "SAM 3.5 reads calls at the start of a line only; this one was not carried out.",
    )
}

/// Why something that looks like a call was dropped.
pub(crate) fn dropped(code: &'static str, span: Range<usize>) -> Diagnostic {
    let (zh, en) = match code {
        "E-CALL-OPEN" => ("这个调用没有写完，没有执行。", "This call is not finished; it was not carried out."),
        "E-CALL-BRACKET" => ("括号不配对，没有执行。", "The brackets do not match; the call was not carried out."),
        "E-CALL-LONG" => ("这个调用太长，没有执行。", "This call is too long; it was not carried out."),
        "E-CALL-DEEP" => {
            ("括号嵌套过深，没有执行。", "The brackets are nested too deeply; the call was not carried out.")
        }
        "E-CALL-MANY" => (
            "调用或错误太多，其余部分没有读取。",
            "There are too many calls or errors; the rest of the text was not read.",
        ),
        "E-PATCH-READ" => ("补丁块无法读取，没有执行。", "The patch block cannot be read; it was not carried out."),
        "E-PATCH-OP" => (
            "补丁里的这一项缺少 op 或 path，没有执行。",
            "This entry of the patch has no op or no path; it was not carried out.",
        ),
        _ => ("参数无法读取，没有执行。", "The arguments cannot be read; the call was not carried out."),
    };
    Diagnostic::error(code, span, zh, en)
}
