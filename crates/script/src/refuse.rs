//! The refusals of scripts: stable codes and messages in both languages.

use storeyline_functions::script::CONTEXT_NAMES;

use crate::request::Refused;

pub(crate) const SYNTAX: &str = "E-JS-SYNTAX";
pub(crate) const THROW: &str = "E-JS-THROW";
pub(crate) const CONTEXT: &str = "E-JS-CONTEXT";
pub(crate) const TICKS: &str = "E-JS-TICKS";
pub(crate) const PAGE: &str = "E-JS-PAGE";
pub(crate) const MEMORY: &str = "E-JS-MEMORY";
pub(crate) const STACK: &str = "E-JS-STACK";
pub(crate) const OUTPUT: &str = "E-JS-OUTPUT";
pub(crate) const SOURCE: &str = "E-JS-SOURCE";
pub(crate) const VALUE: &str = "E-JS-VALUE";
pub(crate) const CYCLE: &str = "E-JS-CYCLE";
pub(crate) const DEEP: &str = "E-JS-DEEP";
pub(crate) const RESULT: &str = "E-JS-RESULT";
pub(crate) const PATTERN: &str = "E-JS-PATTERN";

/// Every code, so that a code read from a frame becomes one of these.
const CODES: [&str; 14] =
    [SYNTAX, THROW, CONTEXT, TICKS, PAGE, MEMORY, STACK, OUTPUT, SOURCE, VALUE, CYCLE, DEEP, RESULT, PATTERN];

/// Returns the static code equal to a text.
pub(crate) fn code(text: &str) -> Option<&'static str> {
    CODES.into_iter().find(|code| *code == text)
}

/// Tells whether a refusal may depend on earlier calls in the same realm.
pub(crate) fn is_limit(refused: &Refused) -> bool {
    [TICKS, PAGE, MEMORY, STACK, OUTPUT].contains(&refused.code)
}

pub(crate) fn new(code: &'static str, zh: impl Into<String>, en: impl Into<String>) -> Refused {
    Refused { code, zh: zh.into(), en: en.into() }
}

pub(crate) fn context(name: &str) -> Refused {
    let names = CONTEXT_NAMES.join("、");
    let instead = match name {
        "chat" => {
            ("聊天记录不是输入；这一页的文字是 text，", "The chat is no input; `text` is the text of this page. ")
        }
        _ => ("", ""),
    };
    new(
        CONTEXT,
        format!("条件用了 {name}，这里没有。{}可用的有 {names}、snapshot。", instead.0),
        format!(
            "The condition uses `{name}`, which is not there. {}There are {} and snapshot.",
            instead.1,
            CONTEXT_NAMES.join(", ")
        ),
    )
}

pub(crate) fn ticks(limit: u64) -> Refused {
    new(
        TICKS,
        format!("脚本运行太久（上限 {limit} 个计数），已停止，没有改动。"),
        format!("The script ran too long (limit {limit} ticks) and was stopped; nothing was changed."),
    )
}

pub(crate) fn page(limit: u64) -> Refused {
    new(
        PAGE,
        format!("这一页的脚本一共运行太久（上限 {limit} 个计数），没有改动。"),
        format!("The scripts of this page ran too long together (limit {limit} ticks); nothing was changed."),
    )
}

pub(crate) fn memory(limit: usize) -> Refused {
    let limit = limit >> 20;
    new(
        MEMORY,
        format!("脚本用的内存超过 {limit} MB，已停止，没有改动。"),
        format!("The script used more than {limit} MB of memory and was stopped; nothing was changed."),
    )
}

pub(crate) fn stack() -> Refused {
    new(STACK, "脚本调用层次过深，没有改动。", "The script called itself too deeply; nothing was changed.")
}

pub(crate) fn output(limit: usize) -> Refused {
    let limit = limit >> 10;
    new(
        OUTPUT,
        format!("脚本的结果超过 {limit} KB，没有改动。"),
        format!("The result of the script is larger than {limit} KB; nothing was changed."),
    )
}

pub(crate) fn source(limit: usize) -> Refused {
    let limit = limit >> 10;
    new(
        SOURCE,
        format!("脚本或表达式的文本超过 {limit} KB，没有执行。"),
        format!("The text of the script or pattern is larger than {limit} KB; it was not run."),
    )
}

pub(crate) fn value(position: &str, kind: &str) -> Refused {
    new(
        VALUE,
        format!("脚本在 {position} 写入了 {kind}，状态里不能有，没有改动。"),
        format!("The script left {kind} at {position}, which a state cannot hold; nothing was changed."),
    )
}

pub(crate) fn cycle(position: &str) -> Refused {
    new(
        CYCLE,
        format!("脚本的结果在 {position} 处循环引用自身，没有改动。"),
        format!("The result of the script contains itself at {position}; nothing was changed."),
    )
}

pub(crate) fn deep(limit: usize) -> Refused {
    new(
        DEEP,
        format!("脚本的结果嵌套超过 {limit} 层，没有改动。"),
        format!("The result of the script is nested deeper than {limit} levels; nothing was changed."),
    )
}

pub(crate) fn result(kind: &str) -> Refused {
    new(
        RESULT,
        format!("脚本返回了 {kind}；应不返回或返回一个对象，没有改动。"),
        format!("The script returned {kind}; return nothing or an object. Nothing was changed."),
    )
}

/// Line and column of the author's text, from 1.
pub(crate) type SourcePosition = Option<(u32, u32)>;

fn place_zh(position: SourcePosition) -> String {
    position.map_or_else(String::new, |(line, column)| format!("（第 {line} 行第 {column} 列）"))
}

fn place_en(position: SourcePosition) -> String {
    position.map_or_else(String::new, |(line, column)| format!(" at line {line}, column {column}"))
}

pub(crate) fn thrown(message: &str, position: SourcePosition) -> Refused {
    new(
        THROW,
        format!("脚本出错{}：{message}，没有改动。", place_zh(position)),
        format!("The script failed{}: {message}; nothing was changed.", place_en(position)),
    )
}

pub(crate) fn syntax(message: &str, position: SourcePosition) -> Refused {
    new(
        SYNTAX,
        format!("脚本有语法错误{}：{message}，没有执行。", place_zh(position)),
        format!("The script has a syntax error{}: {message}; it was not run.", place_en(position)),
    )
}

pub(crate) fn pattern(message: &str, at: Option<usize>, hint: (&str, &str)) -> Refused {
    let (zh, en) = match at {
        Some(at) => (format!("第 {} 个字符处", at + 1), format!(" at character {}", at + 1)),
        None => (String::new(), String::new()),
    };
    new(
        PATTERN,
        format!("正则表达式{zh}不能编译：{message}。{}", hint.0),
        format!("The pattern cannot be compiled{en}: {message}. {}", hint.1),
    )
}
