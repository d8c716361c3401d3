//! Well-formed replies whose texts contain everything that looks like structure.

use storeyline_state::{Value, json};

use crate::random::Random;

const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ",",
    "，",
    ":",
    "：",
    ";",
    "；",
    "\"",
    "'",
    "`",
    "“",
    "”",
    "‘",
    "’",
    "「",
    "」",
    "\\",
    "/",
    "//",
    "/*",
    "*/",
    "#",
    "@.SET(\"a\", 1);",
    "_.set('a', 1);",
    "set('a', 2)",
    "{\"op\":\"replace\",\"path\":\"/a\",\"value\":1}",
    "}, {\"op\": \"add\"",
    "\"op\":",
    "\"path\": \"/a\"",
    "[1, 2]",
    "{\"a\": {\"b\": 1}}",
    "</b>",
    "<i>",
    "&quot;",
    "&#39;",
    "->",
    "→",
    "...",
    "…",
    "^_^",
    ":)",
    ":-}",
    "(╯°□°)╯︵ ┻━┻",
    "T_T",
    "{{user}}",
    "true",
    "null",
    "12",
    "1,500",
    "-3.5",
    "5%",
    " ",
    "\n",
    "\t",
    "她说",
    "hello",
    "it's",
    "don't",
    "走吧",
    "。",
    "！",
    "=",
    "+",
    "%20",
    "undefined",
    "\\n",
    "\"\"",
    "''",
    "',",
    "\"}",
    "\"]",
    "\", \"",
    "\": \"",
    "😀",
    "```",
    "- a\n- b",
];

const LITERALS: &[&str] = &["true", "null", "-12.50", "0", "12345678901234567890"];

pub(crate) fn text(random: &mut Random) -> String {
    (0..1 + random.below(7)).map(|_| *random.pick(PIECES)).collect()
}

fn value(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth == 0 { 3 } else { 6 }) {
        0..=2 => Value::text(text(random)),
        3 => Value::list((0..random.below(3)).map(|_| value(random, depth - 1)).collect()),
        4 => json::read(random.pick::<&str>(LITERALS)).unwrap(),
        _ => Value::object((0..random.below(3)).map(|_| (text(random).into(), value(random, depth - 1))).collect()),
    }
}

/// How a value is written.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Way {
    /// In a patch block, as JSON.
    Patch,
    /// As the argument of a call; a text between these quotes.
    Call(&'static str, char),
}

pub(crate) const WAYS: &[Way] = &[
    Way::Patch,
    Way::Call("_.set('a', ", '"'),
    Way::Call("_.set('a', ", '\''),
    Way::Call("_.set(\"a\", ", '`'),
    Way::Call("@.SET(\"a\", ", '"'),
    Way::Call("@.SET('a', ", '\''),
];

/// Returns a value, and a message that writes it to `a`.
pub(crate) fn message(random: &mut Random, way: Way) -> (Value, String) {
    let value = value(random, 2);
    let written = json::write(&value);
    let text = match way {
        Way::Patch => {
            let pretty = if random.chance(50) { json::write_pretty(&value) } else { written };
            format!(
                "好。<JSONPatch>[{{\"op\":\"replace\",\"path\":\"/a\",\"value\":{pretty}}},\n{{\"op\":\"replace\",\"path\":\"/b\",\"value\":2}}]</JSONPatch>"
            )
        }
        Way::Call(head, quote) => {
            let argument = match value.as_text() {
                Some(text) => {
                    let escaped = text.replace('\\', "\\\\").replace(quote, &format!("\\{quote}"));
                    format!("{quote}{escaped}{quote}")
                }
                None => written,
            };
            format!("好。\n{head}{argument});//因为\n_.set('b', 2);")
        }
    };
    (value, text)
}
