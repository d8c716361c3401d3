//! Parses the key of a member and its colon: in quotes of any kind, with one of them missing, or
//! without.

use std::borrow::Cow;

use super::lookahead;
use super::parser::{Context, LooseParser, Unreadable};
use super::repair::Repair;

impl<'a> LooseParser<'a> {
    /// Parses a key and its colon, and tells whether the key has no quotes. Returns `None` for
    /// words that belong to nothing.
    pub(super) fn key(&mut self) -> Result<Option<(Cow<'a, str>, bool)>, Unreadable> {
        let first = self.peek().expect("the caller saw a character");
        let quoted = lookahead::closing(first).is_some();
        let key = if quoted { self.quoted_key()? } else { self.bare_key() };
        let before = self.at;
        self.skip_blanks();
        match self.peek() {
            Some(':') => {
                self.at += 1;
                if self.rest().starts_with(':') {
                    self.repair(Repair::MissingColon)?;
                    self.at += 1;
                }
            }
            Some('：') => {
                self.repair(Repair::FullWidth)?;
                self.at += '：'.len_utf8();
            }
            Some('=') => {
                self.repair(Repair::MissingColon)?;
                self.at += 1 + usize::from(self.text[self.at + 1..].starts_with('>'));
            }
            Some(next) if quoted && (lookahead::is_quote(next) || matches!(next, '{' | '[' | '-' | '0'..='9')) => {
                self.repair(Repair::MissingColon)?;
            }
            _ => {
                self.at = before;
                self.repair(Repair::SkippedWords)?;
                self.skip_words();
                return Ok(None);
            }
        }
        Ok(Some((key, !quoted)))
    }

    fn quoted_key(&mut self) -> Result<Cow<'a, str>, Unreadable> {
        let (start, repairs) = (self.at, self.repairs.len());
        if let Some(key) = self.key_before_any_quote() {
            return Ok(key);
        }
        let key = self.quoted(Context::Key);
        let fits = key.as_ref().is_ok_and(|key| !key.contains([':', '：', ',']) && self.repairs.len() == repairs);
        if fits || self.exact {
            return key;
        }
        // `"path: "/a"`: the closing quote of the key is missing.
        let open = lookahead::first(self.text, start).map_or(1, char::len_utf8);
        let rest = &self.text[start + open..];
        let end = rest.find([':', '：', '\n', '{', '}', '[', ']', ',']).unwrap_or(rest.len());
        let word = rest[..end].trim_matches(|next: char| next.is_whitespace() || lookahead::is_quote(next));
        if !rest[end..].starts_with([':', '：']) || word.is_empty() {
            return key;
        }
        self.repairs.truncate(repairs);
        self.at = start + open + end;
        if !rest[..end].trim_end().ends_with(lookahead::is_quote) {
            self.note(Repair::MissingQuote);
        }
        Ok(Cow::Borrowed(word))
    }

    /// Parses a key that is closed by another kind of quote.
    fn key_before_any_quote(&mut self) -> Option<Cow<'a, str>> {
        let open = self.peek().filter(|_| !self.exact)?;
        let doubled = self.text[self.at + open.len_utf8()..].starts_with(open);
        let start = self.at + open.len_utf8() * (1 + usize::from(doubled));
        let rest = &self.text[start..self.text.floor_char_boundary(start + 200)];
        let end = rest.find(|next| lookahead::is_quote(next) || matches!(next, '\n' | '\\' | '{' | '}'))?;
        let close = lookahead::first(rest, end).filter(|next| lookahead::is_quote(*next))?;
        let after = start + end + close.len_utf8();
        let colon = lookahead::first(self.text, lookahead::skip_whitespace(self.text, after))
            .is_some_and(|next| matches!(next, ':' | '：'));
        if !colon && lookahead::key_without_colon(self.text, self.at).is_none() {
            return None;
        }
        if !open.is_ascii() || !close.is_ascii() {
            self.note(Repair::CurlyQuotes);
        }
        if lookahead::closing(open) != Some(close) {
            self.closed_by = Some((open, close));
        }
        self.at = after;
        Some(Cow::Borrowed(&rest[..end]))
    }

    fn bare_key(&mut self) -> Cow<'a, str> {
        let rest = &self.text[self.at..];
        let end = rest.find([':', '：', '\n', '{', '}', '[', ']', ',', '，']).unwrap_or(rest.len());
        let end = rest[..end].find(" = ").map_or(end, |equals| equals.min(end));
        self.at += end;
        let word = rest[..end].trim();
        let key = word.trim_matches(|next| lookahead::is_quote(next) || next == '\\');
        if key.len() < word.len() && !self.exact {
            self.note(Repair::MissingQuote);
        }
        Cow::Borrowed(key)
    }

    /// Skips words that belong to nothing, up to the next mark; at least one character.
    fn skip_words(&mut self) {
        let rest = &self.text[self.at..];
        let first = lookahead::first(rest, 0).map_or(0, char::len_utf8);
        let is_mark = |next: char| {
            lookahead::is_comma(next) || lookahead::is_closer(next) || matches!(next, '\n' | '{' | '[' | '"')
        };
        let length = rest[first..].find(is_mark).map_or(rest.len(), |found| first + found);
        // A closing bracket or comma ends the words even if it is the first character.
        self.at += if lookahead::first(rest, 0).is_some_and(|next| is_mark(next) && next != '"') { 0 } else { length };
    }
}
