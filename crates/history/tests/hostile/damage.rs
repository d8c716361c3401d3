//! Damages a text: pieces are lost, doubled, exchanged, and unexpected marks are inserted.

use crate::random::Random;

const MARKS: [&str; 54] = [
    "\"",
    "'",
    "`",
    "“",
    "”",
    "‘",
    "’",
    "(",
    ")",
    "（",
    "）",
    "[",
    "]",
    "{",
    "}",
    ",",
    "，",
    ":",
    "：",
    ";",
    "；",
    "\\",
    "\\u",
    "\\ud800",
    "\\udc00",
    "\\u{1F600}",
    "/",
    "//",
    "/*",
    "*/",
    "<",
    ">",
    "</",
    "@.",
    "_.",
    "#",
    "$",
    "-",
    "\n",
    "\t",
    "\u{0}",
    "\u{feff}",
    "\u{200b}",
    "\u{202e}",
    "\u{2028}",
    "\u{85}",
    "\u{3000}",
    "\u{a0}",
    "\u{fffd}",
    "😀",
    "é",
    "\u{301}",
    "١",
    "Ⅷ",
];

const LONG: [&str; 12] = [
    "(",
    "[",
    "{\"a\":",
    "\"",
    "\\",
    "@.SET(",
    "<JSONPatch>",
    "<think>",
    "/*",
    "k",
    "\u{301}",
    "$$$$$$data_block$$$$$$",
];

/// Maximum length of a damaged text, in bytes.
const MAX_LENGTH: usize = 20_000;

/// Damages a text in one way.
pub(crate) fn damage(text: &mut String, random: &mut Random, others: &[String]) {
    let (one, two) = random_range(text, random);
    match random.below(11) {
        0 => text.replace_range(one..two, ""),
        1 => text.truncate(two),
        2 => drop(text.drain(..one)),
        3 => {
            let again = text[one..two].to_owned();
            text.insert_str(two, &again);
        }
        4 => {
            let other = random.pick(others);
            let (start, end) = random_range(other, random);
            text.insert_str(one, &other[start..end]);
        }
        5 => {
            let mark = *random.pick(&LONG);
            text.insert_str(one, &mark.repeat(1 + random.below(300)));
        }
        6 => swap_lines(text, random),
        7 => *text = widen(text),
        8 => remove_one_of(text, random, &["\"", "'", "(", ")", "[", "]", "{", "}", ",", "/", "`"]),
        _ => {
            let mark = *random.pick(&MARKS);
            text.insert_str(one, mark);
        }
    }
    if text.len() > MAX_LENGTH {
        text.truncate(boundary(text, MAX_LENGTH));
    }
}

/// Returns a random range of a text, mostly short.
fn random_range(text: &str, random: &mut Random) -> (usize, usize) {
    let one = boundary(text, random.below(text.len() + 1));
    let most = if random.once_in(3) { text.len() } else { 12 };
    let two = boundary(text, (one + random.below(most)).min(text.len()));
    (one.min(two), one.max(two))
}

fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn swap_lines(text: &mut String, random: &mut Random) {
    let mut lines: Vec<&str> = text.split('\n').collect();
    let (one, two) = (random.below(lines.len()), random.below(lines.len()));
    lines.swap(one, two);
    *text = lines.join("\n");
}

/// Replaces every mark by its full-width form, as a Chinese keyboard writes it.
fn widen(text: &str) -> String {
    text.chars()
        .map(|character| match character {
            '(' => '（',
            ')' => '）',
            ',' => '，',
            ':' => '：',
            ';' => '；',
            '"' => '”',
            other => other,
        })
        .collect()
}

fn remove_one_of(text: &mut String, random: &mut Random, marks: &[&str]) {
    let mark = *random.pick(marks);
    let places: Vec<usize> = text.match_indices(mark).map(|(at, _)| at).collect();
    if !places.is_empty() {
        let at = *random.pick(&places);
        text.replace_range(at..at + mark.len(), "");
    }
}
