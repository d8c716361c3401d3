//! Finds the end of a quoted text, and decodes it.
//!
//! Parsed strictly, a text ends at the first closing quote that is not escaped. With repairs, a
//! quote ends the text only if what follows can follow a text; otherwise it is part of the text. If
//! the next key begins before such a quote is found, the closing quote was forgotten.

use std::borrow::Cow;

use super::escape::unescaped;
use super::lookahead;
use super::parser::{Context, LooseParser, Unreadable, UnreadableKind};
use super::repair::Repair;

/// Cost of checking the surroundings of one quote, charged to the budget in bytes.
const LOOK: usize = 48;

/// Maximum length of a key, in bytes.
const LONGEST_KEY: usize = 200;

/// A longer line is not searched for the end of a call, in bytes.
const LONGEST_LINE: usize = 2_000;

struct End {
    /// Offset after its last character.
    content: usize,
    /// Offset at which parsing continues.
    next: usize,
    /// Number of quotes that were taken as part of the text.
    inner_quotes: usize,
    /// Whether the closing quote was missing.
    unclosed: bool,
    /// Whether a quote in it is doubled.
    doubled: bool,
}

impl<'a> LooseParser<'a> {
    /// Parses the quoted text at the current offset.
    pub(super) fn quoted(&mut self, context: Context) -> Result<Cow<'a, str>, Unreadable> {
        let open = lookahead::first(self.text, self.at).expect("the caller saw a quote");
        self.skip_doubled_quote(open, context);
        let start = self.at + open.len_utf8();
        let end = match self.exact {
            true => self.exact_end(open, start, context)?,
            false => self.repaired_end(open, start, context)?,
        };
        let content = &self.text[start..end.content];
        let guessed = end.unclosed || end.inner_quotes > 0;
        // Only the text is left up to the end: the input was cut off inside the text.
        let in_json = matches!(context, Context::Member { .. } | Context::Item { .. });
        if end.unclosed && in_json && self.text[end.next..].trim_start().is_empty() {
            return Err(self.unreadable(UnreadableKind::Structure));
        }
        if guessed
            && (lookahead::contains_structure(content)
                || (end.unclosed && context != Context::Key && self.is_cut_at(end.next)))
        {
            return Err(self.unreadable(UnreadableKind::Structure));
        }
        if end.unclosed {
            self.note(Repair::MissingQuote);
        }
        if end.inner_quotes > 0 {
            self.note(Repair::InnerQuotes);
        }
        if !open.is_ascii() {
            self.note(Repair::CurlyQuotes);
        }
        self.at = end.next;
        if end.doubled {
            let single = content.replace(&format!("{open}{open}"), &open.to_string());
            return Ok(Cow::Owned(unescaped(&single).into_owned()));
        }
        Ok(unescaped(content))
    }

    /// Skips a doubled opening quote: `""text"`.
    fn skip_doubled_quote(&mut self, open: char, context: Context) {
        let second = self.at + open.len_utf8();
        if self.exact || !self.text[second..].starts_with(open) {
            return;
        }
        let start = second + open.len_utf8();
        let within = &self.text[..self.text.floor_char_boundary(start + LONGEST_LINE)];
        let close = next_quote(within, start, lookahead::closing(open).unwrap_or(open));
        let begins = self.text[start..].starts_with(|next: char| next.is_alphanumeric() || next == '/');
        if begins && close.is_some_and(|close| self.can_follow(close + open.len_utf8(), context)) {
            self.note(Repair::InnerQuotes);
            self.at += open.len_utf8();
        }
    }

    fn exact_end(&mut self, open: char, start: usize, context: Context) -> Result<End, Unreadable> {
        let close = lookahead::closing(open).ok_or_else(|| self.unreadable(UnreadableKind::NotExact))?;
        if *self.quote.get_or_insert(open) != open {
            return Err(self.unreadable(UnreadableKind::NotExact));
        }
        let content = next_quote(self.text, start, close).ok_or_else(|| self.unreadable(UnreadableKind::NotExact))?;
        let next = content + close.len_utf8();
        if !self.can_follow_exact(next, context) {
            return Err(self.unreadable(UnreadableKind::NotExact));
        }
        Ok(End { content, next, inner_quotes: 0, unclosed: false, doubled: false })
    }

    fn can_follow_exact(&self, next: usize, context: Context) -> bool {
        let mark = lookahead::first(self.text, lookahead::skip_whitespace(self.text, next));
        match context {
            Context::Key => mark == Some(':'),
            _ => matches!(mark, None | Some(',' | '}' | ']')),
        }
    }

    fn repaired_end(&mut self, open: char, start: usize, context: Context) -> Result<End, Unreadable> {
        let usual = lookahead::closing(open).unwrap_or(open);
        let close = self.closed_by.filter(|(opens, _)| *opens == open).map_or(usual, |(_, closes)| closes);
        self.opened_at = self.at;
        if let Some(end) = self.end_by(close, start, context, true) {
            return Ok(end);
        }
        // Other quotes that a model may have written instead.
        for other in ['"', '\'', '”', '“', '’', '」', '』'] {
            if other != close
                && let Some(end) = self.end_by(other, start, context, false)
                && !(context == Context::Argument { is_first: true }
                    && self.text[start..end.content].contains([',', '，']))
            {
                self.note(Repair::MissingQuote);
                return Ok(end);
            }
        }
        if self.budget == 0 || self.may_end_later(open, context) {
            return Err(self.unreadable(UnreadableKind::Structure));
        }
        Ok(self.unclosed_end(start, context))
    }

    /// Tells whether the closing quote of a call's last text may be the opening quote of a later
    /// call. If a reason follows the call on its line, the call certainly ends with the line.
    fn may_end_later(&self, open: char, context: Context) -> bool {
        context == Context::Argument { is_first: false } && !self.after.starts_with("//") && self.after.contains(open)
    }

    /// Searches for the end by one kind of closing quote. Returns `None` if no such quote fits. If
    /// the text was `opened` by the same kind, the quotes that do not fit are counted as well.
    fn end_by(&mut self, close: char, start: usize, context: Context, opened: bool) -> Option<End> {
        if self.none_after.iter().any(|(quote, from)| *quote == close && *from <= start) {
            return None;
        }
        let (mut at, mut passed, mut last, mut doubled) = (start, 0, 0, false);
        let closed_at = |content: usize, inner_quotes: usize, doubled: bool| End {
            content,
            next: content + close.len_utf8(),
            inner_quotes,
            unclosed: false,
            doubled,
        };
        let within = &self.text[..self.text_limit(start, context)];
        while let Some(quote) = next_quote(within, at, close) {
            self.budget = self.budget.saturating_sub(quote - at + LOOK);
            if self.budget == 0 {
                return None;
            }
            let after = quote + close.len_utf8();
            if opened && quote > start && passed % 2 == 0 && self.closes_twice(quote, after, close, context) {
                return Some(End { next: after + close.len_utf8(), ..closed_at(quote, passed, doubled) });
            }
            if opened
                && quote > start
                && self.is_doubled(quote, after, close)
                && !self.can_follow(after + close.len_utf8(), context)
            {
                doubled = true;
                at = after + close.len_utf8();
                continue;
            }
            if self.can_follow(after, context) {
                return Some(closed_at(quote, passed, doubled));
            }
            if opened && self.opens_next(quote, context) {
                // An odd number of quotes before: the last of them closed the text, and words
                // follow it.
                return Some(match passed % 2 {
                    1 => closed_at(last, passed - 1, doubled),
                    _ => self.unclosed_before(start, quote, passed),
                });
            }
            (at, passed, last) = (after, passed + 1, quote);
        }
        match passed {
            0 if within.len() == self.text.len() => {
                self.none_after.push((close, start));
                None
            }
            _ if opened && passed % 2 == 1 => Some(closed_at(last, passed - 1, doubled)),
            _ => None,
        }
    }

    /// Tells whether the closing quote is doubled: `"text""`.
    fn closes_twice(&self, quote: usize, after: usize, close: char, context: Context) -> bool {
        let twice = self.text[after..].starts_with(close);
        twice
            && self.text[..quote].ends_with(char::is_alphanumeric)
            && self.can_follow(after + close.len_utf8(), context)
    }

    /// Returns the limit of the search: the end of the line, if the line looks like the end of a
    /// call.
    fn text_limit(&self, start: usize, context: Context) -> usize {
        match context {
            Context::Key => return self.text.floor_char_boundary(start + LONGEST_KEY),
            Context::Argument { .. } => {}
            _ => return self.text.len(),
        }
        let near = &self.text[start..self.text.floor_char_boundary(start + LONGEST_LINE)];
        let Some(line) = near.find('\n').map(|end| &near[..end]) else { return self.text.len() };
        let call = line.split("//").next().unwrap_or(line).trim_end();
        if call.ends_with([')', '）', ';', '；']) { start + line.len() } else { self.text.len() }
    }

    /// Tells whether a quote in a text is doubled: `'it''s'`.
    fn is_doubled(&self, quote: usize, after: usize, close: char) -> bool {
        let word = |next: Option<char>| next.is_some_and(char::is_alphanumeric);
        let near = &self.text[after..self.text.floor_char_boundary(after + 400)];
        let Some(line) = near.lines().next().and_then(|line| line.strip_prefix(close)) else { return false };
        let pair: String = [close, close].iter().collect();
        // `"a""b"` is two texts without a comma, unless the quotes come in pairs or it is an
        // apostrophe.
        let apostrophe = close == '\'' && line.starts_with(|next: char| next.is_ascii_lowercase());
        let meant = apostrophe || line.contains(&pair) || self.doubled_before(quote, &pair);
        meant && (word(self.text[..quote].chars().next_back()) || word(lookahead::first(line, 0)))
    }

    /// Tells whether this text already contains a doubled quote.
    fn doubled_before(&self, quote: usize, pair: &str) -> bool {
        let start = self.opened_at + pair.len() / 2;
        start <= quote && self.text[start..quote].contains(pair)
    }

    /// Tells whether a quote opens the next key or item.
    fn opens_next(&self, quote: usize, context: Context) -> bool {
        let behind_mark =
            lookahead::before(self.text, quote).is_some_and(|mark| matches!(mark, ',' | '，' | '{' | '['));
        let behind_mark = behind_mark || lookahead::begins_line(self.text, quote);
        match context {
            _ if !behind_mark => false,
            Context::Item { .. } => lookahead::key_at(self.text, quote, false) || self.pairs_follow(quote),
            Context::Argument { .. } => self.pairs_follow(quote),
            Context::Member { .. } | Context::Key => lookahead::member_at(self.text, quote, false),
            Context::Alone => false,
        }
    }

    /// Tells whether the quotes from here to the end of the line or list come in pairs.
    fn pairs_follow(&self, quote: usize) -> bool {
        let rest = &self.text[quote..self.text.floor_char_boundary(quote + 400)];
        let line = &rest[..rest.find(['\n', ']']).unwrap_or(rest.len())];
        let kind = lookahead::first(rest, 0).expect("a quote stands here");
        line.matches(kind).count().is_multiple_of(2)
    }

    /// Returns the end of a text whose closing quote is missing before the key or item at `next`.
    fn unclosed_before(&self, start: usize, next: usize, inner_quotes: usize) -> End {
        let next = content_end(&self.text[start..next]) + start;
        End { content: self.before_stray_quote(start, next), next, inner_quotes, unclosed: true, doubled: false }
    }

    /// Returns the end of a text without a stray closing quote of another kind.
    fn before_stray_quote(&self, start: usize, end: usize) -> usize {
        let content_text = &self.text[start..end];
        let stray = content_text
            .chars()
            .next_back()
            .filter(|last| lookahead::is_quote(*last) && content_text.matches(*last).count() == 1);
        end - stray.map_or(0, char::len_utf8)
    }

    /// Same, if no quote fits at all: the text ends before the marks that close the line or the
    /// surrounding containers.
    fn unclosed_end(&self, start: usize, context: Context) -> End {
        let rest = &self.text[start..];
        let end = match context {
            Context::Key => rest.find([':', '：']).unwrap_or(rest.len()),
            Context::Argument { is_first: true } => rest.find([',', '，', ')', '\n']).unwrap_or(rest.len()),
            Context::Argument { .. } => argument_end(rest),
            _ => rest.len(),
        };
        let content = match context {
            Context::Key | Context::Argument { .. } => start + rest[..end].trim_end().len(),
            _ => start + content_end(&rest[..end]),
        };
        let end = self.before_stray_quote(start, content);
        End { content: end, next: content, inner_quotes: 0, unclosed: true, doubled: false }
    }

    /// Tells whether the input after a closing quote can follow a text.
    pub(super) fn can_follow(&self, after: usize, context: Context) -> bool {
        let text = self.text;
        if context == Context::Key {
            return text[after..].trim_start_matches([' ', '\t']).starts_with(lookahead::is_colon);
        }
        let at = lookahead::skip_whitespace(text, after);
        let Some(mark) = lookahead::first(text, at) else { return true };
        let spaced = at > after;
        match context {
            Context::Alone | Context::Key => false,
            Context::Member { bare_keys } => match mark {
                '+' => self.quote_follows(at + 1),
                '<' | '`' => text[at..].starts_with("</") || text[at..].starts_with("```"),
                '{' => lookahead::key_at(text, lookahead::skip_whitespace(text, at + 1), bare_keys),
                _ if lookahead::is_closer(mark) => lookahead::closers_at(text, at),
                _ if lookahead::is_comma(mark) => self.member_follows(at, bare_keys),
                _ => {
                    lookahead::is_quote(mark) && lookahead::key_at(text, at, false)
                        || (spaced && lookahead::key_at(text, at, bare_keys))
                }
            },
            Context::Item { .. } => match mark {
                '+' => self.quote_follows(at + 1),
                _ if lookahead::is_closer(mark) => lookahead::closers_at(text, at),
                _ if lookahead::is_comma(mark) => self.item_follows(at),
                _ => {
                    let begins =
                        lookahead::is_quote(mark) || matches!(mark, '{' | '[') || lookahead::keyword_at(text, at);
                    (spaced || self.text_follows(at, context)) && (begins || lookahead::number_at(text, at))
                }
            },
            Context::Argument { is_first } => match mark {
                ')' | '）' => self.call_ends(at + mark.len_utf8()),
                ']' | '}' => {
                    let rest = text[at..].trim_start_matches([']', '}']);
                    rest.is_empty() || rest.starts_with([')', '）', ';', '；', '\n'])
                }
                _ if mark == self.call_close => self.call_ends(at + 1),
                ';' | '；' => true,
                '-' | '=' if text[at + 1..].starts_with('>') => true,
                '→' => true,
                ':' | '：' | '=' => is_first,
                // A path ends at its comma.
                ',' | '，' | '、' => is_first || self.item_follows(at),
                _ if text[after..at].contains('\n') => is_line_end(text, after),
                _ if is_line_end(text, after) => true,
                _ => {
                    let begins =
                        lookahead::is_quote(mark) || matches!(mark, '{' | '[') || lookahead::number_at(text, at);
                    begins && (spaced || self.text_follows(at, context))
                }
            },
        }
    }

    /// Tells whether a complete text follows directly: `"a""b"`.
    fn text_follows(&self, at: usize, context: Context) -> bool {
        let Some(open) = lookahead::first(self.text, at).filter(|open| matches!(open, '"' | '\'')) else {
            return false;
        };
        let inner = at + 1;
        let close = next_quote(&self.text[..self.text.floor_char_boundary(inner + 200)], inner, open);
        let is_last = |after: usize| {
            let mark = lookahead::first(self.text, lookahead::skip_whitespace(self.text, after));
            mark.is_none_or(|mark| {
                lookahead::is_comma(mark) || lookahead::is_closer(mark) || matches!(mark, ')' | '）')
            })
        };
        context != Context::Alone && close.is_some_and(|close| close > inner && is_last(close + 1))
    }

    fn quote_follows(&self, at: usize) -> bool {
        lookahead::first(self.text, lookahead::skip_whitespace(self.text, at)).is_some_and(lookahead::is_quote)
    }

    fn past_commas(&self, from: usize) -> usize {
        let mut at = lookahead::skip_whitespace(self.text, from);
        while let Some(comma) = lookahead::first(self.text, at).filter(|next| lookahead::is_comma(*next)) {
            at = lookahead::skip_whitespace(self.text, at + comma.len_utf8());
        }
        at
    }

    pub(super) fn member_follows(&self, comma: usize, bare_keys: bool) -> bool {
        let at = self.past_commas(comma);
        match lookahead::first(self.text, at) {
            None | Some('}' | ']' | '{') => true,
            Some(next) if lookahead::is_quote(next) && self.items_follow(at) => true,
            Some('.' | '…') => is_ellipsis(&self.text[at..]),
            Some(_) => lookahead::member_at(self.text, at, bare_keys),
        }
    }

    /// Tells whether texts follow up to the end of a list whose opening bracket is missing.
    fn items_follow(&self, at: usize) -> bool {
        let near = &self.text[at..self.text.floor_char_boundary(at + 400)];
        let list = near.find([']', '}', '{', '[', ':', '\n']).filter(|end| near[*end..].starts_with(']'));
        list.is_some_and(|end| {
            near[..end].trim_end().ends_with(lookahead::is_quote) && near[..end].matches('"').count().is_multiple_of(2)
        })
    }

    fn item_follows(&self, comma: usize) -> bool {
        let at = self.past_commas(comma);
        lookahead::first(self.text, at).is_none_or(|next| matches!(next, ']' | '}' | ')' | '）'))
            || lookahead::value_at(self.text, at)
            || !self.pairs_follow(self.opened_at)
    }

    /// Tells whether a closing bracket ends a call: neither a word nor a quote follows it directly.
    fn call_ends(&self, after: usize) -> bool {
        !lookahead::first(self.text, after).is_some_and(|next| next.is_alphanumeric() || lookahead::is_quote(next))
    }
}

pub(super) fn is_ellipsis(text: &str) -> bool {
    text.starts_with("...") || text.starts_with('…')
}

fn is_line_end(text: &str, at: usize) -> bool {
    matches!(text[at..].trim_start_matches([' ', '\t', '\r']).as_bytes().first(), None | Some(b'\n'))
}

/// Returns the end of the last argument of a call on its line, with or without the closing bracket.
fn argument_end(rest: &str) -> usize {
    let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
    let line = line.split("//").next().unwrap_or(line).trim_end();
    let line = line.trim_end_matches([';', '；', ' ']);
    line.strip_suffix([')', '）']).unwrap_or(line).len()
}

/// Returns the end of a text whose closing quote is missing: before the brackets, commas and
/// whitespace at its end.
fn content_end(text: &str) -> usize {
    text.trim_end_matches(|next: char| next.is_whitespace() || matches!(next, ',' | '，' | '{' | '}' | '[' | ']')).len()
}

/// Returns the offset of the next unescaped quote.
pub(crate) fn next_quote(text: &str, from: usize, quote: char) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut buffer = [0; 4];
    let wanted = quote.encode_utf8(&mut buffer).as_bytes();
    let mut at = from;
    loop {
        at += memchr::memchr2(wanted[0], b'\\', bytes.get(at..)?)?;
        if bytes[at] == b'\\' {
            at += 1 + lookahead::first(text, at + 1).map_or(0, char::len_utf8);
        } else if bytes[at..].starts_with(wanted) {
            return Some(at);
        } else {
            at += 1;
        }
    }
}
