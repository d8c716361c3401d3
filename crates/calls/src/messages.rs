//! Diagnostics for repaired and dropped calls.

use std::ops::Range;

use storeyline_state::Diagnostic;

/// Makes the warning for a repair.
pub(crate) fn repaired(code: &'static str, span: Range<usize>) -> Diagnostic {
    let (zh, en) = match code {
        "W-FULL-WIDTH" => ("全角符号按半角读取。", "Full-width marks were read as plain ones."),
        "W-CURLY-QUOTES" => ("弯引号按直引号读取。", "Curly quotes were read as straight ones."),
        "W-TRAILING-COMMA" => ("多余的逗号已忽略。", "A comma too many was left out."),
        "W-NO-QUOTES" => ("没有引号的文字按文本读取。", "A word without quotes was read as text."),
        "W-THOUSANDS" => ("千位逗号按一个数字读取。", "A comma between thousands was read as part of the number."),
        "W-COMMA" => ("缺少的逗号已补上。", "A missing comma was added."),
        "W-EXTRA-COMMA" => ("多余的逗号已忽略。", "A comma too many was left out."),
        "W-COLON" => ("缺少的冒号已补上。", "A missing colon was added."),
        "W-NO-VALUE" => ("缺少的值按空值读取。", "A missing value was read as null."),
        "W-BRACKETS" => ("缺少或多余的括号已修正。", "A missing or extra bracket was repaired."),
        "W-INNER-QUOTES" => ("文本里没有转义的引号按文字读取。", "Unescaped quotes were read as part of the text."),
        "W-QUOTE" => ("缺少的引号已补上。", "A missing quote was added."),
        "W-SKIPPED-WORDS" => ("多余的文字已忽略。", "Words that belong to no value were left out."),
        "W-CUT" => ("文本在这里断了，已补上括号。", "The text breaks off; open brackets were closed."),
        "W-NAME" => ("函数名的写法已修正。", "The name of the call was repaired."),
        "W-ENTITIES" => ("HTML 实体按原来的符号读取。", "HTML entities were read as the marks they stand for."),
        "W-ESCAPED" => ("多余的转义已去掉。", "Escapes that were one too many were taken off."),
        "W-PATCH-FORM" => ("补丁块的写法已修正。", "The form of the patch block was repaired."),
        _ => ("调用已修正。", "The call was repaired."),
    };
    Diagnostic::warning(code, span, zh, en)
}

/// Makes the diagnostic for a call that line mode takes for prose.
pub(crate) fn in_a_sentence(span: Range<usize>) -> Diagnostic {
    Diagnostic::warning(
        "W-CALL-SENTENCE",
        span,
        "SAM 3.5 只读取写在行首的调用，这个没有执行。",
        "SAM 3.5 reads calls at the start of a line only; this one was not carried out.",
    )
}

/// Makes the diagnostic for an update in a skipped comment.
pub(crate) fn in_a_comment(span: Range<usize>) -> Diagnostic {
    Diagnostic::warning(
        "W-CALL-COMMENT",
        span,
        "HTML 注释里的更新没有执行；这个故事的规则不读取注释。",
        "An update in an HTML comment was not carried out: the rules of this story do not read comments.",
    )
}

/// Makes the error for something that looks like a call and was dropped.
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
        "E-CALL-NAME" => (
            "没有这个名字的调用，没有执行。可用 set add insert assign remove unset delete。",
            "There is no call of this name; nothing was done. Known are set add insert assign remove unset delete.",
        ),
        "E-CALL-UNREAD" => (
            "这里像是变量更新，但不是可读取的写法，没有执行。请写成 _.set('路径', 值);",
            "This looks like an update but is not written as one; nothing was done. Write _.set('path', value);",
        ),
        "E-PATCH-TAG" => (
            "这里像是补丁，但不在 <JSONPatch> 或 <UpdateVariable> 里，没有执行。",
            "This looks like a patch but stands in no <JSONPatch> or <UpdateVariable>; nothing was done.",
        ),
        "E-PATCH-READ" => ("补丁块无法读取，没有执行。", "The patch block cannot be read; it was not carried out."),
        "E-PATCH-BROKEN" => (
            "补丁里的这一项损坏，无法确定它的值，没有执行。",
            "This entry of the patch is damaged and its value uncertain; it was not carried out.",
        ),
        "E-CALL-DAMAGED" => (
            "这个调用损坏，无法确定它的值，没有执行。",
            "This call is damaged and its value uncertain; it was not carried out.",
        ),
        "E-PATCH-OP" => (
            "补丁里的这一项缺少 op 或 path，没有执行。",
            "This entry of the patch has no op or no path; it was not carried out.",
        ),
        _ => ("参数无法读取，没有执行。", "The arguments cannot be read; the call was not carried out."),
    };
    Diagnostic::error(code, span, zh, en)
}
