//! Parses a value without quotes: a number, a keyword, arithmetic, or words.

use storeyline_state::Value;

use super::escape::unescaped;
use super::lookahead;
use super::parser::{Context, LooseParser, Unreadable, UnreadableKind};
use super::repair::Repair;
use crate::call::Arg;
use crate::value::Form;
use crate::{arithmetic, value};

/// Maximum length of a number, keyword or expression, in bytes.
const LONGEST_LITERAL: usize = 500;

/// Maximum length of the parameters of a JavaScript function, in bytes.
const LONGEST_HEAD: usize = 300;

impl<'a> LooseParser<'a> {
    /// Parses an argument without an opening quote.
    pub(crate) fn words(&mut self, context: Context) -> Result<Arg, Unreadable> {
        let start = self.at;
        if let Some(value) = self.without_opening_quote(context)? {
            return Ok(Arg::new(value, Form::Quoted));
        }
        if let Some(value) = self.literal_before_more() {
            return Ok(Arg::new(value, Form::Literal));
        }
        let end = self.bare_end(context);
        let word = self.text[start..end].trim();
        self.at = end;
        if let Some(value) = literal_before_remark(word) {
            self.note(Repair::SkippedWords);
            return Ok(Arg::new(value, Form::Literal));
        }
        if let Some((value, length)) = literal_before_number(word) {
            self.at = start + length;
            return Ok(Arg::new(value, Form::Literal));
        }
        if let Some(value) = damaged_literal(word) {
            self.note(Repair::Brackets);
            return Ok(Arg::new(value, Form::Literal));
        }
        let read = value::read(word);
        let holds =
            read.value.as_text().is_some_and(|text| read.form == Form::Bare && lookahead::contains_structure(text));
        if holds || word.is_empty() {
            return Err(Unreadable { why: UnreadableKind::Structure, at: start });
        }
        if read.form == Form::Bare {
            self.note(Repair::NoQuotes);
        }
        Ok(Arg::new(read.value, read.form))
    }

    fn without_opening_quote(&mut self, context: Context) -> Result<Option<Value>, Unreadable> {
        let Some((content, next)) = self.text_without_opening_quote(context) else { return Ok(None) };
        let content_text = &self.text[self.at..content];
        if lookahead::contains_structure(content_text) {
            return Err(self.unreadable(UnreadableKind::Structure));
        }
        self.note(Repair::MissingQuote);
        self.at = next;
        Ok(Some(Value::text(unescaped(content_text))))
    }

    pub(super) fn bare(&mut self, context: Context) -> Result<Value, Unreadable> {
        let start = self.at;
        if !self.exact
            && let Some(value) = self.without_opening_quote(context)?
        {
            return Ok(value);
        }
        if !self.exact
            && let Some(end) = self.function_end(context)
        {
            self.at = end;
            return Ok(Value::text(&self.text[start..end]));
        }
        if !self.exact
            && let Some(value) = self.literal_before_more()
        {
            return Ok(value);
        }
        let end = if self.exact { self.exact_bare_end() } else { self.bare_end(context) };
        let word = self.text[start..end].trim();
        if word.is_empty() {
            return Err(self.unreadable(UnreadableKind::Structure));
        }
        self.at = end;
        if let Some(value) = literal(word) {
            return Ok(value);
        }
        if let Some(value) = damaged_literal(word).filter(|_| !self.exact) {
            self.note(Repair::Brackets);
            return Ok(value);
        }
        if let Some((value, length)) = literal_before_number(word).filter(|_| !self.exact) {
            self.at = start + length;
            return Ok(value);
        }
        if self.exact {
            return Err(self.unreadable(UnreadableKind::NotExact));
        }
        if let Some(number) = thousands(word) {
            self.note(Repair::Thousands);
            return Ok(number);
        }
        if let Some(value) = literal_before_remark(word) {
            self.note(Repair::SkippedWords);
            return Ok(value);
        }
        let text = value::stripped(word);
        if lookahead::contains_structure(&text) || self.is_cut_at(self.at) && context != Context::Alone {
            return Err(Unreadable { why: UnreadableKind::Structure, at: start });
        }
        self.note(if text.len() < word.len() { Repair::MissingQuote } else { Repair::NoQuotes });
        Ok(Value::text(text))
    }

    /// Parses a literal with a missing comma after it: `5 "b": …`, `null {…}`. The end of the words is
    /// searched only if there is none: it may be the end of the text, each time.
    fn literal_before_more(&mut self) -> Option<Value> {
        let rest = &self.text[self.at..self.text.floor_char_boundary(self.at + LONGEST_LITERAL)];
        let length = rest.find(char::is_whitespace)?;
        let next = self.at + length + rest[length..].find(|next: char| !next.is_whitespace())?;
        let mark = lookahead::first(self.text, next)?;
        let more = lookahead::is_quote(mark) || matches!(mark, '{' | '[') || lookahead::key_at(self.text, next, false);
        let value = literal(&rest[..length]).filter(|_| more)?;
        self.at += length;
        Some(value)
    }

    fn exact_bare_end(&self) -> usize {
        let rest = &self.text[self.at..self.text.floor_char_boundary(self.at + LONGEST_LITERAL)];
        let end = rest.find([',', '}', ']', '\n']).unwrap_or(rest.len());
        let end = [" //", "/*"].iter().filter_map(|comment| rest[..end].find(comment)).min().unwrap_or(end);
        self.at + end
    }

    /// Returns the end of a text whose opening quote is missing, without and with its closing
    /// quote. Any kind of quote that follows a word counts.
    fn text_without_opening_quote(&self, context: Context) -> Option<(usize, usize)> {
        let rest = &self.text[self.at..self.text.floor_char_boundary(self.at + 400)];
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        for (found, written) in line.match_indices(lookahead::is_quote) {
            let before = line[..found].chars().next_back()?;
            if before == '\\' {
                continue;
            }
            if before.is_whitespace() || matches!(before, ',' | ':' | '(' | '[' | '{') {
                return None;
            }
            let next = self.at + found + written.len();
            if self.can_follow(next, context) {
                return Some((self.at + found, next));
            }
        }
        None
    }

    fn bare_end(&self, context: Context) -> usize {
        if let Some(end) = self.literal_end(context) {
            return end;
        }
        let (mut depth, mut looked) = (0usize, self.at);
        for (offset, next) in self.text[self.at..].char_indices() {
            let at = self.at + offset;
            match next {
                // Whitespace is scanned once, however many lines it has.
                '\n' if at < looked => {}
                '\n' => match self.after_line(at, context) {
                    None => return at,
                    Some(next) => looked = next,
                },
                '(' | '（' => depth += 1,
                ')' | '）' if depth > 0 => depth -= 1,
                ')' | '）' if self.in_call => return at,
                '}' | ']' | '｝' | '］' if depth == 0 || !self.in_call => return at,
                ',' | '，' | ';' | '；' if depth == 0 && self.ends_bare(at, next, context) => return at,
                '-' | '=' if depth == 0 && self.in_call && self.text[at + 1..].starts_with('>') => return at,
                '→' if depth == 0 && self.in_call => return at,
                '/' if self.text[at..].starts_with("/*") => return at,
                '/' if self.text[at..].starts_with("//") && (self.blank_before(at) || self.is_literal_up_to(at)) => {
                    return at;
                }
                '#' if self.blank_before(at) && !self.in_call => return at,
                _ => {}
            }
        }
        self.text.len()
    }

    /// Returns the end of a JavaScript function, which libraries of authors contain. It is stored
    /// as text.
    fn function_end(&mut self, context: Context) -> Option<usize> {
        let rest = &self.text[self.at..self.text.floor_char_boundary(self.at + LONGEST_HEAD)];
        let body = match rest.starts_with("function") || rest.starts_with("async ") {
            true => rest.find('{')?,
            false => {
                let arrow = rest.find("=>").filter(|arrow| are_parameters(&rest[..*arrow]))?;
                arrow + 2 + rest[arrow + 2..].find(|next: char| !next.is_whitespace())?
            }
        };
        let start = self.at + body;
        let in_json = matches!(context, Context::Member { .. } | Context::Item { .. });
        if !in_json || self.has_open_function {
            return None;
        }
        let end = expression_end(self.text, start);
        // If one function has no end, later ones have none either; they are not scanned again.
        self.has_open_function = end.is_none();
        end
    }

    /// Returns the end of a number or keyword that is followed by another value or key without a
    /// comma.
    fn literal_end(&self, context: Context) -> Option<usize> {
        let rest = &self.text[self.at..self.text.floor_char_boundary(self.at + 40)];
        let end = rest.find(|next: char| !next.is_alphanumeric() && !matches!(next, '.' | '-' | '+'))?;
        let next = lookahead::skip_whitespace(self.text, self.at + end);
        if next == self.at + end || literal(&rest[..end]).is_none() {
            return None;
        }
        let mark = lookahead::first(self.text, next)?;
        let begins = lookahead::is_quote(mark) || matches!(mark, '{' | '[');
        let follows = match context {
            Context::Member { bare_keys } => lookahead::member_at(self.text, next, bare_keys),
            Context::Item { .. } => begins || mark.is_ascii_digit() || lookahead::keyword_at(self.text, next),
            Context::Argument { .. } => begins || lookahead::number_at(self.text, next) && mark.is_ascii_digit(),
            Context::Key | Context::Alone => false,
        };
        follows.then_some(self.at + end)
    }

    /// Tells whether the text before this offset is a complete number or keyword. Groups of
    /// thousands are not.
    fn is_literal_up_to(&self, at: usize) -> bool {
        let word = self.text[self.at..at].trim();
        let group = self.text[at..]
            .strip_prefix(',')
            .is_some_and(|rest| rest.bytes().take_while(u8::is_ascii_digit).count() == 3 && !rest.starts_with("000\""));
        word.len() < 30 && !group && (value::keyword(word).is_some() || value::plain_number(word).is_ok())
    }

    fn blank_before(&self, at: usize) -> bool {
        at > self.at && self.text[..at].ends_with([' ', '\t'])
    }

    /// Returns the offset at which words continue on the next line, or `None` if they end with
    /// their line.
    fn after_line(&self, at: usize, context: Context) -> Option<usize> {
        let next = lookahead::skip_whitespace(self.text, at);
        let mark = lookahead::first(self.text, next)?;
        let ends = match context {
            Context::Alone => false,
            Context::Argument { .. } | Context::Item { .. } => true,
            _ => {
                lookahead::is_comma(mark)
                    || lookahead::is_closer(mark)
                    || mark == '{'
                    || lookahead::key_at(self.text, next, true)
            }
        };
        (!ends).then_some(next)
    }

    fn ends_bare(&self, at: usize, mark: char, context: Context) -> bool {
        match context {
            Context::Alone => false,
            Context::Argument { .. } => {
                mark == ',' || matches!(mark, ';' | '；') || self.quoted_or_number_follows(at, mark)
            }
            Context::Item { .. } => mark == ',' || self.quoted_or_number_follows(at, mark),
            Context::Member { bare_keys } => self.is_literal_up_to(at) || self.member_follows(at, bare_keys),
            Context::Key => true,
        }
    }

    fn quoted_or_number_follows(&self, at: usize, mark: char) -> bool {
        let next = lookahead::skip_whitespace(self.text, at + mark.len_utf8());
        lookahead::first(self.text, next)
            .is_none_or(|mark| lookahead::is_quote(mark) || lookahead::is_closer(mark) || matches!(mark, '{' | '['))
            || lookahead::number_at(self.text, next)
    }
}

/// Tells whether a text is the parameter list of an arrow function: `x` or `(a, b)`.
fn are_parameters(text: &str) -> bool {
    let in_brackets = text.trim().strip_prefix('(').and_then(|inner| inner.strip_suffix(')'));
    let names = in_brackets.unwrap_or(text);
    names.chars().all(|next| next.is_alphanumeric() || next.is_whitespace() || matches!(next, '_' | '$' | ','))
}

/// Returns the end of a JavaScript expression: a comma or closing bracket outside of its own
/// brackets and texts.
fn expression_end(text: &str, start: usize) -> Option<usize> {
    let (mut depth, mut quote, mut escaped) = (0usize, None, false);
    for (offset, next) in text[start..].char_indices() {
        match (quote, next) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), _) if open == next => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(next),
            (None, '{' | '[' | '(') => depth += 1,
            (None, '}' | ']' | ')' | ',') if depth == 0 => {
                return Some(start + text[start..start + offset].trim_end().len());
            }
            (None, '}' | ']' | ')') => depth -= 1,
            _ => {}
        }
    }
    None
}

fn literal(word: &str) -> Option<Value> {
    // JSON has no form for these; JavaScript serializes them as null.
    if matches!(word, "undefined" | "NaN" | "Infinity" | "-Infinity" | "+Infinity") {
        return Some(Value::Null);
    }
    if let Some(value) = value::keyword(word) {
        return Some(value);
    }
    let number = value::plain_number(word).ok().or_else(|| arithmetic::compute(word));
    number.map(Value::Number)
}

/// Parses a literal that is followed by a number without a comma: `5 6`. Returns its length too.
fn literal_before_number(word: &str) -> Option<(Value, usize)> {
    let length = word.find(char::is_whitespace)?;
    value::plain_number(word[length..].trim_start()).ok()?;
    literal(&word[..length]).map(|value| (value, length))
}

/// Parses a literal that is followed by a remark: `5 (受伤)`, `true // 受伤`.
fn literal_before_remark(word: &str) -> Option<Value> {
    let length = word.find([' ', '\t', '/', '#', '（', '('])?;
    let rest = word[length..].trim_start();
    let bracketed = rest.starts_with('(') && rest.ends_with(')') || rest.starts_with('（') && rest.ends_with('）');
    let is_remark = bracketed || rest.starts_with("//") || rest.starts_with("/*") || rest.starts_with('#');
    let plain = |word| value::keyword(word).or_else(|| value::plain_number(word).ok().map(Value::Number));
    plain(&word[..length]).filter(|_| is_remark)
}

/// Parses a literal with a stray mark after it, or with full-width digits: `82 )`, `false\\`, `－３`.
fn damaged_literal(word: &str) -> Option<Value> {
    let narrow = |next: char| match next {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(next) - 0xfee0).unwrap_or(next),
        other => other,
    };
    if word.len() > 60 {
        return None;
    }
    let plain: String = word.chars().map(narrow).collect();
    let plain = plain.trim_end_matches(|next: char| next.is_whitespace() || matches!(next, ')' | '\\' | '}' | ']'));
    if plain == word { None } else { literal(plain) }
}

/// Parses `1,500` and `12,345,678`.
fn thousands(word: &str) -> Option<Value> {
    let (head, groups) = word.split_once(',')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let head = head.trim_start_matches(['-', '+']);
    let fits = digits(head) && head.len() <= 3 && groups.split(',').all(|group| group.len() == 3 && digits(group));
    fits.then(|| value::plain_number(&word.replace([',', '+'], "")).ok().map(Value::Number))?
}
