//! Where a quoted text ends, and what it says.
//!
//! Read exactly, it ends at the first closing quote that is not escaped. While mending, a quote ends
//! the text only if what follows fits behind a text; one that does not is part of the text. If the
//! next key begins before such a quote is found, the closing quote was forgotten.

use std::borrow::Cow;

use super::escape::unescaped;
use super::look;
use super::reader::{Place, Reader, Unreadable, Why};
use super::repair::Repair;

/// What a look at the surroundings of a quote costs, in bytes that are looked through.
const LOOK: usize = 48;

/// Keys are not longer, in bytes.
const LONGEST_KEY: usize = 200;

/// A longer line is not looked through for the end of a call.
const LONGEST_LINE: usize = 2_000;

/// Where a text ends.
struct End {
    /// The byte after its last character.
    content: usize,
    /// Where reading goes on.
    next: usize,
    /// How many quotes were taken for a part of the text.
    inner_quotes: usize,
    /// Whether the closing quote was forgotten.
    unclosed: bool,
    /// Whether a quote in it is written twice.
    doubled: bool,
}

impl<'a> Reader<'a> {
    /// Reads the quoted text that begins here.
    pub(super) fn quoted(&mut self, place: Place) -> Result<Cow<'a, str>, Unreadable> {
        let open = look::first(self.text, self.at).expect("the caller saw a quote");
        self.skip_doubled_quote(open, place);
        let start = self.at + open.len_utf8();
        let end = match self.exact {
            true => self.exact_end(open, start, place)?,
            false => self.mended_end(open, start, place)?,
        };
        let content = &self.text[start..end.content];
        let guessed = end.unclosed || end.inner_quotes > 0;
        // Nothing but the text stands there up to the end: it broke off inside the text.
        let in_json = matches!(place, Place::Member { .. } | Place::Item { .. });
        if end.unclosed && in_json && self.text[end.next..].trim().is_empty() {
            return Err(self.unreadable(Why::Structure));
        }
        if guessed
            && (look::holds_structure(content) || (end.unclosed && place != Place::Key && self.is_cut_at(end.next)))
        {
            return Err(self.unreadable(Why::Structure));
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

    /// `""text"`: the opening quote stands there twice.
    fn skip_doubled_quote(&mut self, open: char, place: Place) {
        let second = self.at + open.len_utf8();
        if self.exact || !self.text[second..].starts_with(open) {
            return;
        }
        let start = second + open.len_utf8();
        let within = &self.text[..self.text.floor_char_boundary(start + LONGEST_LINE)];
        let close = next_quote(within, start, look::closing(open).unwrap_or(open));
        let begins = self.text[start..].starts_with(|next: char| next.is_alphanumeric() || next == '/');
        if begins && close.is_some_and(|close| self.fits_behind(close + open.len_utf8(), place)) {
            self.note(Repair::InnerQuotes);
            self.at += open.len_utf8();
        }
    }

    fn exact_end(&mut self, open: char, start: usize, place: Place) -> Result<End, Unreadable> {
        let close = look::closing(open).ok_or_else(|| self.unreadable(Why::NotExact))?;
        if *self.quote.get_or_insert(open) != open {
            return Err(self.unreadable(Why::NotExact));
        }
        let content = next_quote(self.text, start, close).ok_or_else(|| self.unreadable(Why::NotExact))?;
        let next = content + close.len_utf8();
        if !self.fits_behind_exact(next, place) {
            return Err(self.unreadable(Why::NotExact));
        }
        Ok(End { content, next, inner_quotes: 0, unclosed: false, doubled: false })
    }

    fn fits_behind_exact(&self, next: usize, place: Place) -> bool {
        let mark = look::first(self.text, look::past_blanks(self.text, next));
        match place {
            Place::Key => mark == Some(':'),
            _ => matches!(mark, None | Some(',' | '}' | ']')),
        }
    }

    fn mended_end(&mut self, open: char, start: usize, place: Place) -> Result<End, Unreadable> {
        let usual = look::closing(open).unwrap_or(open);
        let close = self.closed_by.filter(|(opens, _)| *opens == open).map_or(usual, |(_, closes)| closes);
        self.opened_at = self.at;
        if let Some(end) = self.end_by(close, start, place, true) {
            return Ok(end);
        }
        // The other quotes that a model may have put in its place.
        for other in ['"', '\'', '”', '“', '’', '」', '』'] {
            if other != close
                && let Some(end) = self.end_by(other, start, place, false)
                && !(place == Place::Argument { is_first: true } && self.text[start..end.content].contains([',', '，']))
            {
                self.note(Repair::MissingQuote);
                return Ok(end);
            }
        }
        if self.budget == 0 || self.may_end_later(open, place) {
            return Err(self.unreadable(Why::Structure));
        }
        Ok(self.unclosed_end(start, place))
    }

    /// Whether the closing quote of a call's last text may be the opening one of a later call. Where a
    /// reason follows the call on its line, the line is certain to be its end.
    fn may_end_later(&self, open: char, place: Place) -> bool {
        place == Place::Argument { is_first: false } && !self.after.starts_with("//") && self.after.contains(open)
    }

    /// Looks for the end by one kind of closing quote; nothing if no such quote fits. Where the text was
    /// `opened` by the same kind, the quotes that do not fit tell as well.
    fn end_by(&mut self, close: char, start: usize, place: Place, opened: bool) -> Option<End> {
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
        let within = &self.text[..self.text_limit(start, place)];
        while let Some(quote) = next_quote(within, at, close) {
            self.budget = self.budget.saturating_sub(quote - at + LOOK);
            if self.budget == 0 {
                return None;
            }
            let after = quote + close.len_utf8();
            if opened && quote > start && passed % 2 == 0 && self.closes_twice(quote, after, close, place) {
                return Some(End { next: after + close.len_utf8(), ..closed_at(quote, passed, doubled) });
            }
            if opened
                && quote > start
                && self.is_doubled(quote, after, close)
                && !self.fits_behind(after + close.len_utf8(), place)
            {
                doubled = true;
                at = after + close.len_utf8();
                continue;
            }
            if self.fits_behind(after, place) {
                return Some(closed_at(quote, passed, doubled));
            }
            if opened && self.opens_next(quote, place) {
                // An odd number of quotes before: the last of them closed the text, and words follow it.
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

    /// `"text""`: the closing quote stands there twice.
    fn closes_twice(&self, quote: usize, after: usize, close: char, place: Place) -> bool {
        let twice = self.text[after..].starts_with(close);
        twice
            && self.text[..quote].ends_with(char::is_alphanumeric)
            && self.fits_behind(after + close.len_utf8(), place)
    }

    /// How far a text can reach. Where its line looks like the end of a call, not beyond the line.
    fn text_limit(&self, start: usize, place: Place) -> usize {
        match place {
            Place::Key => return self.text.floor_char_boundary(start + LONGEST_KEY),
            Place::Argument { .. } => {}
            _ => return self.text.len(),
        }
        let near = &self.text[start..self.text.floor_char_boundary(start + LONGEST_LINE)];
        let Some(line) = near.find('\n').map(|end| &near[..end]) else { return self.text.len() };
        let call = line.split("//").next().unwrap_or(line).trim_end();
        if call.ends_with([')', '）', ';', '；']) { start + line.len() } else { self.text.len() }
    }

    /// `'it''s'`: a quote in a text, written twice.
    fn is_doubled(&self, quote: usize, after: usize, close: char) -> bool {
        let word = |next: Option<char>| next.is_some_and(char::is_alphanumeric);
        let near = &self.text[after..self.text.floor_char_boundary(after + 400)];
        let Some(line) = near.lines().next().and_then(|line| line.strip_prefix(close)) else { return false };
        let pair: String = [close, close].iter().collect();
        // `"a""b"` is two texts without a comma, unless the quotes come in pairs or it is an apostrophe.
        let apostrophe = close == '\'' && line.starts_with(|next: char| next.is_ascii_lowercase());
        let meant = apostrophe || line.contains(&pair) || self.doubled_before(quote, &pair);
        meant && (word(self.text[..quote].chars().next_back()) || word(look::first(line, 0)))
    }

    /// Whether a doubled quote stands in this text already.
    fn doubled_before(&self, quote: usize, pair: &str) -> bool {
        let start = self.opened_at + pair.len() / 2;
        start <= quote && self.text[start..quote].contains(pair)
    }

    /// Whether a quote opens the next key or item.
    fn opens_next(&self, quote: usize, place: Place) -> bool {
        let behind_mark = look::before(self.text, quote).is_some_and(|mark| matches!(mark, ',' | '，' | '{' | '['));
        let behind_mark = behind_mark || look::begins_line(self.text, quote);
        match place {
            _ if !behind_mark => false,
            Place::Item { .. } => look::key_at(self.text, quote, false) || self.pairs_follow(quote),
            Place::Argument { .. } => self.pairs_follow(quote),
            Place::Member { .. } | Place::Key => look::member_at(self.text, quote, false),
            Place::Alone => false,
        }
    }

    /// Whether the quotes from here to the end of the line or list come in pairs.
    fn pairs_follow(&self, quote: usize) -> bool {
        let rest = &self.text[quote..self.text.floor_char_boundary(quote + 400)];
        let line = &rest[..rest.find(['\n', ']']).unwrap_or(rest.len())];
        let kind = look::first(rest, 0).expect("a quote stands here");
        line.matches(kind).count().is_multiple_of(2)
    }

    /// The end of a text whose closing quote was forgotten before the key or item that begins at `next`.
    fn unclosed_before(&self, start: usize, next: usize, inner_quotes: usize) -> End {
        let next = content_end(&self.text[start..next]) + start;
        End { content: self.before_stray_quote(start, next), next, inner_quotes, unclosed: true, doubled: false }
    }

    /// The end of a text without the closing quote of another kind that may stand there.
    fn before_stray_quote(&self, start: usize, end: usize) -> usize {
        let said = &self.text[start..end];
        let stray = said.chars().next_back().filter(|last| look::is_quote(*last) && said.matches(*last).count() == 1);
        end - stray.map_or(0, char::len_utf8)
    }

    /// The same where no quote fits at all: the text ends before the marks that close the line or what
    /// stands around it.
    fn unclosed_end(&self, start: usize, place: Place) -> End {
        let rest = &self.text[start..];
        let end = match place {
            Place::Key => rest.find([':', '：']).unwrap_or(rest.len()),
            Place::Argument { is_first: true } => rest.find([',', '，', ')', '\n']).unwrap_or(rest.len()),
            Place::Argument { .. } => argument_end(rest),
            _ => rest.len(),
        };
        let content = match place {
            Place::Key | Place::Argument { .. } => start + rest[..end].trim_end().len(),
            _ => start + content_end(&rest[..end]),
        };
        let end = self.before_stray_quote(start, content);
        End { content: end, next: content, inner_quotes: 0, unclosed: true, doubled: false }
    }

    /// Whether what follows the closing quote of a text fits there.
    pub(super) fn fits_behind(&self, after: usize, place: Place) -> bool {
        let text = self.text;
        if place == Place::Key {
            return text[after..].trim_start_matches([' ', '\t']).starts_with(look::is_colon);
        }
        let at = look::past_blanks(text, after);
        let Some(mark) = look::first(text, at) else { return true };
        let spaced = at > after;
        match place {
            Place::Alone | Place::Key => false,
            Place::Member { bare_keys } => match mark {
                '+' => self.quote_follows(at + 1),
                '<' | '`' => text[at..].starts_with("</") || text[at..].starts_with("```"),
                '{' => look::key_at(text, look::past_blanks(text, at + 1), bare_keys),
                _ if look::is_closer(mark) => look::closers_at(text, at),
                _ if look::is_comma(mark) => self.member_follows(at, bare_keys),
                _ => {
                    look::is_quote(mark) && look::key_at(text, at, false)
                        || (spaced && look::key_at(text, at, bare_keys))
                }
            },
            Place::Item { .. } => match mark {
                '+' => self.quote_follows(at + 1),
                _ if look::is_closer(mark) => look::closers_at(text, at),
                _ if look::is_comma(mark) => self.item_follows(at),
                _ => {
                    let begins = look::is_quote(mark) || matches!(mark, '{' | '[') || look::keyword_at(text, at);
                    (spaced || self.text_follows(at, place)) && (begins || look::number_at(text, at))
                }
            },
            Place::Argument { is_first } => match mark {
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
                    let begins = look::is_quote(mark) || matches!(mark, '{' | '[') || look::number_at(text, at);
                    begins && (spaced || self.text_follows(at, place))
                }
            },
        }
    }

    /// Whether a whole text stands here, directly behind another: `"a""b"`.
    fn text_follows(&self, at: usize, place: Place) -> bool {
        let Some(open) = look::first(self.text, at).filter(|open| matches!(open, '"' | '\'')) else { return false };
        let inner = at + 1;
        let close = next_quote(&self.text[..self.text.floor_char_boundary(inner + 200)], inner, open);
        let is_last = |after: usize| {
            let mark = look::first(self.text, look::past_blanks(self.text, after));
            mark.is_none_or(|mark| look::is_comma(mark) || look::is_closer(mark) || matches!(mark, ')' | '）'))
        };
        place != Place::Alone && close.is_some_and(|close| close > inner && is_last(close + 1))
    }

    fn quote_follows(&self, at: usize) -> bool {
        look::first(self.text, look::past_blanks(self.text, at)).is_some_and(look::is_quote)
    }

    fn past_commas(&self, from: usize) -> usize {
        let mut at = look::past_blanks(self.text, from);
        while let Some(comma) = look::first(self.text, at).filter(|next| look::is_comma(*next)) {
            at = look::past_blanks(self.text, at + comma.len_utf8());
        }
        at
    }

    pub(super) fn member_follows(&self, comma: usize, bare_keys: bool) -> bool {
        let at = self.past_commas(comma);
        match look::first(self.text, at) {
            None | Some('}' | ']' | '{') => true,
            Some(next) if look::is_quote(next) && self.items_follow(at) => true,
            Some('.' | '…') => is_ellipsis(&self.text[at..]),
            Some(_) => look::member_at(self.text, at, bare_keys),
        }
    }

    /// Whether texts follow up to the end of a list whose opening bracket is missing.
    fn items_follow(&self, at: usize) -> bool {
        let near = &self.text[at..self.text.floor_char_boundary(at + 400)];
        let list = near.find([']', '}', '{', '[', ':', '\n']).filter(|end| near[*end..].starts_with(']'));
        list.is_some_and(|end| {
            near[..end].trim_end().ends_with(look::is_quote) && near[..end].matches('"').count().is_multiple_of(2)
        })
    }

    fn item_follows(&self, comma: usize) -> bool {
        let at = self.past_commas(comma);
        look::first(self.text, at).is_none_or(|next| matches!(next, ']' | '}' | ')' | '）'))
            || look::value_at(self.text, at)
            || !self.pairs_follow(self.opened_at)
    }

    /// Whether a closing bracket ends a call: neither a word nor a quote follows it directly.
    fn call_ends(&self, after: usize) -> bool {
        !look::first(self.text, after).is_some_and(|next| next.is_alphanumeric() || look::is_quote(next))
    }
}

pub(super) fn is_ellipsis(text: &str) -> bool {
    text.starts_with("...") || text.starts_with('…')
}

fn is_line_end(text: &str, at: usize) -> bool {
    matches!(text[at..].trim_start_matches([' ', '\t', '\r']).as_bytes().first(), None | Some(b'\n'))
}

/// The end of the last argument of a call on its line, the closing bracket forgotten or not.
fn argument_end(rest: &str) -> usize {
    let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
    let line = line.split("//").next().unwrap_or(line).trim_end();
    let line = line.trim_end_matches([';', '；', ' ']);
    line.strip_suffix([')', '）']).unwrap_or(line).len()
}

/// Where a text ends whose closing quote was forgotten: before the brackets, commas and blanks at its end.
fn content_end(text: &str) -> usize {
    text.trim_end_matches(|next: char| next.is_whitespace() || matches!(next, ',' | '，' | '{' | '}' | '[' | ']')).len()
}

/// The place of the next such quote that is not escaped.
fn next_quote(text: &str, from: usize, quote: char) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut buffer = [0; 4];
    let wanted = quote.encode_utf8(&mut buffer).as_bytes();
    let mut at = from;
    loop {
        at += memchr::memchr2(wanted[0], b'\\', bytes.get(at..)?)?;
        if bytes[at] == b'\\' {
            at += 1 + look::first(text, at + 1).map_or(0, char::len_utf8);
        } else if bytes[at..].starts_with(wanted) {
            return Some(at);
        } else {
            at += 1;
        }
    }
}
