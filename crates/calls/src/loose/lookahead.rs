//! Lookahead: tells whether a key, a value or the end of a container is at an offset.
//!
//! Every lookahead is bounded, so that the total work stays linear in the length of the text.

/// Maximum number of bytes of one lookahead.
const WINDOW: usize = 512;

/// Maximum number of bytes of comments that are skipped at once.
const MOST_COMMENTS: usize = 2_000;

/// Maximum length of a comment, in bytes.
const LONGEST_COMMENT: usize = 1_000;

/// Maximum length of a key that a lookahead recognises, in bytes.
const LONGEST_KEY: usize = 120;

/// The keys of a patch op. They mark where an op begins and which keys belong to it.
const OP_KEYS: [&str; 15] = [
    "op",
    "path",
    "value",
    "from",
    "to",
    "new_value",
    "newvalue",
    "old_value",
    "oldvalue",
    "reason",
    "func_name",
    "params",
    "operation",
    "action",
    "type",
];

pub(crate) fn is_op_key(word: &str) -> bool {
    OP_KEYS.iter().any(|key| key.eq_ignore_ascii_case(word))
}

pub(crate) fn first(text: &str, at: usize) -> Option<char> {
    text[at..].chars().next()
}

pub(crate) fn is_quote(character: char) -> bool {
    matches!(character, '"' | '\'' | '`' | '“' | '”' | '„' | '‘' | '’' | '「' | '」' | '『' | '』' | '＂' | '＇')
}

/// Returns the quote that closes this one, or `None` if it is not an opening quote.
#[inline]
pub(crate) fn closing(open: char) -> Option<char> {
    Some(match open {
        '"' | '\'' | '`' | '”' | '’' | '＂' | '＇' => open,
        '“' | '„' => '”',
        '‘' => '’',
        '「' => '」',
        '『' => '』',
        _ => return None,
    })
}

pub(crate) fn is_comma(character: char) -> bool {
    matches!(character, ',' | '，' | ';' | '；' | '、')
}

pub(crate) fn is_colon(character: char) -> bool {
    matches!(character, ':' | '：' | '=')
}

pub(crate) fn is_closer(character: char) -> bool {
    matches!(character, '}' | ']' | '｝' | '］')
}

/// Returns the offset after whitespace and comments, or an offset among them if there are very
/// many. An unclosed comment ends with the text; text longer than `LONGEST_COMMENT` is not a
/// comment.
pub(crate) fn skip_whitespace(text: &str, from: usize) -> usize {
    let mut at = from;
    loop {
        if at > from + MOST_COMMENTS {
            return at;
        }
        at += text[at..].len() - text[at..].trim_start().len();
        let window = window(text, at, LONGEST_COMMENT);
        let length = if window.starts_with("//") || is_hash_comment(window) {
            window.find('\n')
        } else if window.starts_with("/*") {
            window.find("*/").map(|end| end + 2)
        } else if window.starts_with("<!--") {
            window.find("-->").map(|end| end + 3)
        } else {
            return at;
        };
        match length {
            Some(length) => at += length,
            None if at + window.len() == text.len() => return text.len(),
            None => return at,
        }
    }
}

/// Tells whether a hash begins a comment. `#set(…)` is a call.
fn is_hash_comment(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('#') else { return false };
    let word = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    word == 0 || !rest[word..].starts_with('(')
}

fn window(text: &str, at: usize, length: usize) -> &str {
    &text[at..text.floor_char_boundary(at + length)]
}

/// Tells whether a key and its colon are at `at`. A key without quotes is accepted if `bare` is set
/// or if it is a key of a patch op.
pub(crate) fn key_at(text: &str, at: usize, bare: bool) -> bool {
    let text = window(text, at, LONGEST_KEY);
    let Some(open) = first(text, 0) else { return false };
    if is_quote(open) {
        return quoted_key(&text[open.len_utf8()..]);
    }
    let word = word_length(text);
    let rest = &text[word..];
    let half_quoted = first(rest, 0).filter(|next| is_quote(*next));
    let rest = &rest[half_quoted.map_or(0, char::len_utf8)..];
    let known = bare || half_quoted.is_some() || is_op_key(&text[..word]);
    let plain = || plain_value_follows(rest) && colon_follows(rest);
    word > 0 && (known || plain()) && colon_follows(rest) && !rest.trim_start().starts_with("://")
}

/// Tells whether a member of an object is at `at`: a key, or a quoted key whose colon is missing.
pub(crate) fn member_at(text: &str, at: usize, bare: bool) -> bool {
    key_at(text, at, bare) || key_without_colon(text, at).is_some() || unclosed_key_at(text, at)
}

/// Tells whether a key without its closing quote is at `at`: `"数量: 5, "kind": …`. The next quote
/// opens something, or there is none.
fn unclosed_key_at(text: &str, at: usize) -> bool {
    let text = window(text, at, LONGEST_KEY);
    let Some(inner) = text.strip_prefix(is_quote) else { return false };
    let word = word_length(inner);
    let next = inner.find(is_quote).unwrap_or(inner.len());
    let opens = next == inner.len() || inner[..next].ends_with([' ', ',', '，', '\n', ':', '：', '{', '[']);
    word > 0 && opens && colon_follows(&inner[word..]) && plain_value_follows(&inner[word..])
}

/// Returns a quoted key whose colon is missing (a value follows after a space), and the offset
/// after it.
pub(crate) fn key_without_colon(text: &str, at: usize) -> Option<(&str, usize)> {
    let text = window(text, at, LONGEST_KEY);
    let open = first(text, 0).filter(|open| is_quote(*open))?;
    let inner = &text[open.len_utf8()..];
    let end = inner
        .find(|next: char| is_quote(next) || matches!(next, '\n' | '{' | '}' | '[' | ']' | ':' | '：' | ',' | '，'))?;
    let close = first(inner, end).filter(|next| is_quote(*next) && end > 0)?;
    let rest = &inner[end + close.len_utf8()..];
    let value = rest.trim_start_matches([' ', '\t']);
    let begins =
        value.starts_with(|next: char| is_quote(next) || next.is_ascii_digit() || matches!(next, '{' | '[' | '-'));
    let length = open.len_utf8() + end + close.len_utf8();
    (begins && value.len() < rest.len()).then_some((&inner[..end], at + length))
}

fn quoted_key(inner: &str) -> bool {
    let Some(end) = inner.find(|next| is_quote(next) || matches!(next, '\n' | '{' | '}' | '[' | ']')) else {
        return false;
    };
    let closed = first(inner, end).filter(|next| is_quote(*next) && end > 0);
    if closed.is_some_and(|quote| colon_follows(&inner[end + quote.len_utf8()..])) {
        return true;
    }
    // `"path: "/a"`: the closing quote is missing; `""path"`: the opening quote is doubled.
    let word = word_length(inner);
    let doubled = first(inner, 0).filter(|next| is_quote(*next));
    is_op_key(&inner[..word]) && colon_follows(&inner[word..])
        || doubled.is_some_and(|quote| {
            !inner[quote.len_utf8()..].starts_with(is_quote) && quoted_key(&inner[quote.len_utf8()..])
        })
}

/// Tells whether a colon and then something other than words follow.
fn plain_value_follows(text: &str) -> bool {
    let value = text.trim_start_matches([' ', '\t', ':', '：', '=', '>']);
    value.starts_with(|next: char| is_quote(next) || next.is_ascii_digit() || matches!(next, '-' | '{' | '['))
        || keyword_at(value, 0)
}

fn word_length(text: &str) -> usize {
    let in_word = |next: char| next.is_alphanumeric() || matches!(next, '_' | '-' | '$');
    text.find(|next| !in_word(next)).unwrap_or(text.len())
}

/// Tells whether a colon follows, perhaps after a stray quote.
fn colon_follows(text: &str) -> bool {
    let rest = text.trim_start_matches([' ', '\t']);
    rest.strip_prefix(is_quote).unwrap_or(rest).starts_with([':', '：', '='])
}

/// Tells whether a run of closing brackets at `at` closes something: no word may follow directly.
pub(crate) fn closers_at(text: &str, at: usize) -> bool {
    let rest = &text[at..];
    let run = rest.len() - rest.trim_start_matches(is_closer).len();
    run > 0 && !rest[run..].starts_with(char::is_alphanumeric)
}

/// Tells whether a value can begin at `at`. Words are accepted if no quote follows them before the
/// next mark; otherwise they are the inside of a text.
pub(crate) fn value_at(text: &str, at: usize) -> bool {
    let rest = window(text, at, WINDOW);
    let Some(next) = first(rest, 0) else { return true };
    if is_quote(next) || matches!(next, '{' | '[') {
        return true;
    }
    let end = rest.find([',', ')', '）', ']', '}', '\n', ';']).unwrap_or(rest.len());
    // `new Date('2030-02-03')`: the quotes belong to words in brackets.
    let in_brackets = rest[..rest.find(is_quote).unwrap_or(0)].ends_with('(');
    keyword_at(text, at)
        || named_at(rest)
        || in_brackets
        || (!rest[..end].contains(is_quote) && !rest[..end].trim().is_empty())
}

/// Tells whether a value with its name in front begins the text: `value='x'`.
fn named_at(text: &str) -> bool {
    let name = text.bytes().take_while(|byte| byte.is_ascii_alphabetic() || *byte == b'_').count();
    let rest = text[name..].trim_start();
    name > 0 && rest.strip_prefix(['=', ':', '：']).is_some_and(|rest| rest.trim_start().starts_with(is_quote))
}

pub(crate) fn keyword_at(text: &str, at: usize) -> bool {
    let rest = window(text, at, 16);
    let length = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    matches!(&rest[..length], "true" | "false" | "null" | "True" | "False" | "None" | "undefined")
}

/// Tells whether a number followed by a mark is at `at`.
pub(crate) fn number_at(text: &str, at: usize) -> bool {
    let rest = window(text, at, 64);
    let length = rest.bytes().take_while(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'-' | b'+')).count();
    length > 0
        && rest[length..]
            .trim_start_matches([' ', '\t'])
            .starts_with([',', '，', ')', '）', ']', '}', ';', '；', '"', '\''])
}

/// Returns the last non-whitespace character before `at`.
pub(crate) fn before(text: &str, at: usize) -> Option<char> {
    text[..at].trim_end().chars().next_back()
}

/// Tells whether only whitespace is between the start of the line and `at`.
pub(crate) fn begins_line(text: &str, at: usize) -> bool {
    text[..at].trim_end_matches([' ', '\t']).ends_with('\n')
}

/// Tells whether a text contains structure that must belong to the surrounding JSON: keys with
/// their colons after a mark, unbalanced brackets, calls.
pub(crate) fn contains_structure(text: &str) -> bool {
    let mut open: Vec<char> = Vec::new();
    let mut after_mark = false;
    for (at, next) in text.char_indices() {
        match next {
            '{' | '[' => open.push(next),
            '}' if open.pop() != Some('{') => return true,
            ']' if open.pop() != Some('[') => return true,
            _ if is_quote(next) && divides(text, at, next, after_mark) => return true,
            '_' | '@' if call_at(&text[at..]) => return true,
            _ => {}
        }
        after_mark = matches!(next, ',' | '，' | '{' | '\n') || (after_mark && next.is_whitespace());
    }
    !open.is_empty()
}

/// Tells whether the quote at `at` separates keys, values or items: a key begins with it, or a mark
/// and then another quote or value follow it.
fn divides(text: &str, at: usize, quote: char, after_mark: bool) -> bool {
    let rest = text[at + quote.len_utf8()..].trim_start();
    let value = rest.strip_prefix([',', '，', ':', '：']).map(str::trim_start);
    after_mark && member_at(text, at, false)
        || value.is_some_and(|value| {
            let behind_colon = rest.starts_with([':', '：']) && plain_value_follows(value);
            behind_colon
                || value.starts_with(|next: char| {
                    is_quote(next) || next.is_ascii_digit() || matches!(next, ':' | '{' | '[')
                })
        })
}

/// Tells whether a text begins with the head of a call.
pub(crate) fn call_at(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("@.").or_else(|| text.strip_prefix("_.")) else { return false };
    let name = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.')).count();
    name > 0 && rest[name..].starts_with(['(', '（'])
}
