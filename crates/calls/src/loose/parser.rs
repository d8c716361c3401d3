//! Parses one value: strictly, as JSON5 with quotes enclosing every text, or with repairs of what
//! models and authors get wrong. Time and memory are linear in the length of the text; nesting is
//! bounded.

use std::borrow::Cow;

use storeyline_state::{Object, Text, Value};

use super::lookahead;
use super::ops::first_key;
use super::repair::{Repair, Repairs};
use super::text::is_ellipsis;

/// The context of a value; it decides what may follow the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Context {
    Key,
    /// The value of a member. `bare_keys`: the keys enclosing it have no quotes.
    Member {
        bare_keys: bool,
    },
    /// An item of a list. `in_object`: the list is in an object.
    Item {
        in_object: bool,
    },
    Argument {
        is_first: bool,
    },
    /// The value is the whole text.
    Alone,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnreadableKind {
    /// It is not JSON5; it may be parsed with repairs.
    NotExact,
    /// It is nested too deeply.
    Deep,
    /// Its end had to be guessed, and it would contain structure of the surrounding JSON.
    Structure,
    /// There is no value.
    Nothing,
}

/// A value that cannot be parsed, and the offset of the error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unreadable {
    pub why: UnreadableKind,
    pub at: usize,
}

/// The containers enclosing a value.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Enclosing {
    pub(super) depth: usize,
    pub(super) in_list: bool,
    pub(super) in_object: bool,
}

pub(crate) struct LooseParser<'a> {
    pub(super) text: &'a str,
    /// The start of the text that follows `text`.
    pub(crate) after: &'a str,
    pub(crate) at: usize,
    /// Whether repairs are forbidden.
    pub(super) exact: bool,
    /// Whether the text was cut off at its end.
    pub(crate) cut: bool,
    /// Inside the arguments of a call: `)` closes all open containers.
    pub(super) in_call: bool,
    /// The bracket that closes the call.
    pub(super) call_close: char,
    /// Inside an op, which contains no other op.
    pub(super) in_op: bool,
    pub(super) max_depth: usize,
    pub(crate) repairs: Repairs,
    /// The first kind of quote; strict texts use one kind.
    pub(super) quote: Option<char>,
    /// The quote that closes keys, if it does not match their opening quote.
    pub(super) closed_by: Option<(char, char)>,
    /// Offset of the last quoted text.
    pub(super) opened_at: usize,
    /// Number of bytes that may still be searched for the ends of texts. It bounds the work on
    /// texts with mismatched quotes.
    pub(super) budget: usize,
    /// Whether a function without an end was seen.
    pub(super) has_open_function: bool,
    /// Kinds of quotes that do not occur after an offset.
    pub(super) none_after: Vec<(char, usize)>,
}

/// The members of an object, and how it was written.
pub(crate) struct Members {
    pub(crate) entries: Vec<(Text, Value)>,
    /// Whether its closing bracket was there.
    pub(crate) closed: bool,
    /// Whether a member had no value.
    pub(crate) has_hole: bool,
}

impl<'a> LooseParser<'a> {
    pub(crate) fn new(text: &'a str, exact: bool, max_depth: usize) -> Self {
        LooseParser {
            text,
            after: "",
            at: 0,
            exact,
            cut: false,
            in_call: false,
            call_close: ')',
            in_op: false,
            max_depth,
            repairs: Repairs::default(),
            quote: None,
            closed_by: None,
            opened_at: 0,
            budget: budget(text.len()),
            has_open_function: false,
            none_after: Vec::new(),
        }
    }

    /// Makes a parser for the arguments of a damaged call.
    pub(crate) fn in_call(text: &'a str, close: char, max_depth: usize) -> Self {
        LooseParser { in_call: true, call_close: close, ..LooseParser::new(text, false, max_depth) }
    }

    pub(crate) fn read(&mut self, context: Context) -> Result<Value, Unreadable> {
        self.value(context, Enclosing::default())
    }

    /// Continues at `at` with a new budget in proportion to the remaining text.
    pub(super) fn begin_at(&mut self, at: usize) {
        self.at = at;
        self.budget = budget(self.text.len() - at);
    }

    pub(crate) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Skips separators between the arguments of a call, and tells whether there were any. Models
    /// write arrows between an old and a new value, and colons after a path.
    pub(crate) fn skip_separators(&mut self) -> bool {
        let mut seen = 0;
        loop {
            self.skip_blanks();
            let rest = self.rest();
            let length = match self.peek() {
                Some(',') => 1,
                Some('，' | '→' | '：' | '、') => 3,
                Some('-' | '=') if rest[1..].starts_with('>') => 2,
                Some(':' | '=') => 1,
                // A stray bracket before the first argument.
                Some('(') if self.at == 0 || seen > 0 => 1,
                _ => return seen > 0,
            };
            if !rest.starts_with(',') {
                self.note(Repair::SkippedWords);
            } else if seen > 0 {
                self.note(Repair::ExtraComma);
            }
            seen += 1;
            self.at += length;
        }
    }

    pub(crate) fn note(&mut self, repair: Repair) {
        self.repairs.note(repair, self.at);
    }

    pub(super) fn unreadable(&self, why: UnreadableKind) -> Unreadable {
        Unreadable { why, at: self.at }
    }

    pub(crate) fn peek(&self) -> Option<char> {
        lookahead::first(self.text, self.at)
    }

    pub(crate) fn skip_blanks(&mut self) {
        loop {
            let next = lookahead::skip_whitespace(self.text, self.at);
            if next == self.at {
                break;
            }
            self.at = next;
        }
        // A bracket that Markdown escaped.
        if !self.exact && ["\\{", "\\}", "\\[", "\\]"].iter().any(|escaped| self.rest().starts_with(escaped)) {
            self.at += 1;
        }
    }

    pub(super) fn is_cut_at(&self, at: usize) -> bool {
        self.cut && self.text[at..].trim_start().is_empty()
    }

    /// Skips commas, and records a repair if there are too many or other marks instead.
    fn skip_commas(&mut self, allowed: usize) {
        let mut seen = 0;
        self.skip_blanks();
        while let Some(mark) = self.peek().filter(|next| lookahead::is_comma(*next)) {
            seen += 1;
            if seen > allowed {
                self.note(Repair::ExtraComma);
            } else if mark != ',' {
                self.note(Repair::FullWidth);
            }
            self.at += mark.len_utf8();
            self.skip_blanks();
        }
    }

    pub(super) fn value(&mut self, context: Context, enclosing: Enclosing) -> Result<Value, Unreadable> {
        if enclosing.depth >= self.max_depth {
            return Err(self.unreadable(UnreadableKind::Deep));
        }
        self.skip_blanks();
        match self.peek() {
            None => Err(self.unreadable(UnreadableKind::Nothing)),
            Some('{') if !self.is_macro() => self.object(enclosing),
            Some('[') => self.list(enclosing),
            Some(next) if lookahead::closing(next).is_some() && self.is_member(context) => {
                self.repair(Repair::Brackets)?;
                let members = self.members(enclosing, |_, key| lookahead::is_op_key(key))?;
                Ok(Value::object(members.entries.into_iter().collect::<Object>()))
            }
            Some(next) if lookahead::closing(next).is_some() => {
                let text = self.texts(context).map(Value::text)?;
                if self.is_open_list(context) { self.rest_of_list(text, enclosing) } else { Ok(text) }
            }
            Some(_) => self.bare(context),
        }
    }

    /// Tells whether a key is where a value should be: the opening bracket of an object is missing.
    fn is_member(&self, context: Context) -> bool {
        !self.exact && matches!(context, Context::Member { .. }) && lookahead::key_at(self.text, self.at, false)
    }

    /// Tells whether a text as the value of a member is the first item of a list whose opening
    /// bracket is missing: `"value": "a", "b"]`.
    fn is_open_list(&self, context: Context) -> bool {
        if self.exact || !matches!(context, Context::Member { .. }) {
            return false;
        }
        let comma = lookahead::skip_whitespace(self.text, self.at);
        let near = &self.text[comma..self.text.floor_char_boundary(comma + 400)];
        let next = near.strip_prefix(',').map_or(comma, |_| lookahead::skip_whitespace(self.text, comma + 1));
        let closed = near.find([']', '}', '{', '[', ':']).is_some_and(|end| near[end..].starts_with(']'));
        next > comma && closed && lookahead::first(self.text, next).is_some_and(lookahead::is_quote)
    }

    fn rest_of_list(&mut self, first: Value, enclosing: Enclosing) -> Result<Value, Unreadable> {
        self.repair(Repair::Brackets)?;
        let context = Context::Item { in_object: true };
        let mut items = vec![first];
        loop {
            self.skip_commas(1);
            match self.peek() {
                None => return Err(self.unreadable(UnreadableKind::Structure)),
                Some(']') => {
                    self.at += 1;
                    return Ok(Value::list(items));
                }
                Some(_) => {
                    items.push(
                        self.value(context, Enclosing { depth: enclosing.depth + 1, in_list: true, ..enclosing })?,
                    );
                    self.after_value(context)?;
                }
            }
        }
    }

    /// `{{user}}` is text.
    fn is_macro(&self) -> bool {
        let inner = self.text[self.at..].strip_prefix("{{");
        inner.is_some_and(|inner| {
            inner.trim_start_matches(|next: char| next.is_alphanumeric() || next == '_').starts_with("}}")
        })
    }

    /// Parses a quoted text, or several joined by `+`.
    fn texts(&mut self, context: Context) -> Result<Cow<'a, str>, Unreadable> {
        let mut decoded = self.quoted(context)?;
        while !self.exact && context != Context::Alone {
            let plus = lookahead::skip_whitespace(self.text, self.at);
            if lookahead::first(self.text, plus) != Some('+') {
                break;
            }
            let next = lookahead::skip_whitespace(self.text, plus + 1);
            if !lookahead::first(self.text, next).is_some_and(lookahead::is_quote) {
                break;
            }
            self.at = next;
            decoded.to_mut().push_str(&self.quoted(context)?);
        }
        Ok(decoded)
    }

    fn object(&mut self, enclosing: Enclosing) -> Result<Value, Unreadable> {
        self.at += 1;
        if self.in_op && self.exact && starts_op(self.text, self.at - 1) {
            return Err(self.unreadable(UnreadableKind::NotExact));
        }
        let members = self.members(enclosing, |_, _| false)?;
        Ok(Value::object(members.entries.into_iter().collect::<Object>()))
    }

    /// Parses the members of an object up to its closing bracket. `stop` is called with each key
    /// after the first and tells whether that key begins something else.
    pub(super) fn members(
        &mut self,
        enclosing: Enclosing,
        stop: impl Fn(&[(Text, Value)], &str) -> bool,
    ) -> Result<Members, Unreadable> {
        let mut members = Members { entries: Vec::new(), closed: false, has_hole: false };
        let enclosing = Enclosing { depth: enclosing.depth + 1, in_object: true, ..enclosing };
        let mut bare_keys = false;
        loop {
            self.skip_commas(usize::from(!members.entries.is_empty()));
            let start = self.at;
            match self.peek() {
                None => {
                    self.repair(Repair::CutOff)?;
                    return Ok(members);
                }
                Some(close @ ('}' | '｝')) => {
                    self.at += close.len_utf8();
                    members.closed = true;
                    return Ok(members);
                }
                Some(')' | '）') if self.in_call => return self.missing_bracket(members),
                Some(']') if enclosing.in_list => return self.missing_bracket(members),
                Some(close @ (']' | '）' | ')')) => self.skip_mark(close)?,
                // A stray bracket in front, or something that is no member.
                Some('{') if members.entries.is_empty() => self.skip_mark('{')?,
                Some('{' | '[') => return Err(self.unreadable(UnreadableKind::Structure)),
                Some('.' | '…') if is_ellipsis(&self.text[self.at..]) => self.skip_ellipsis()?,
                Some(_) => {
                    let Some((key, bare)) = self.key()? else {
                        self.refuse_at_end()?;
                        continue;
                    };
                    bare_keys |= bare;
                    if stop(&members.entries, &key) {
                        self.at = start;
                        return self.missing_bracket(members);
                    }
                    let value = match self.no_value() {
                        true => {
                            self.repair(Repair::MissingValue)?;
                            members.has_hole = true;
                            Value::Null
                        }
                        false => self.value(Context::Member { bare_keys }, enclosing)?,
                    };
                    members.entries.push((Text::from(key), value));
                    self.after_value(Context::Member { bare_keys })?;
                }
            }
        }
    }

    /// Refuses a key without a value at the end: the text was cut off there.
    fn refuse_at_end(&mut self) -> Result<(), Unreadable> {
        self.skip_blanks();
        if self.peek().is_none() { Err(self.unreadable(UnreadableKind::Structure)) } else { Ok(()) }
    }

    /// Records a repair, or fails if repairs are forbidden.
    pub(super) fn repair(&mut self, repair: Repair) -> Result<(), Unreadable> {
        if self.exact {
            return Err(self.unreadable(UnreadableKind::NotExact));
        }
        self.note(repair);
        Ok(())
    }

    fn missing_bracket<T>(&mut self, read: T) -> Result<T, Unreadable> {
        self.repair(Repair::Brackets)?;
        Ok(read)
    }

    fn skip_mark(&mut self, mark: char) -> Result<(), Unreadable> {
        self.repair(Repair::Brackets)?;
        self.at += mark.len_utf8();
        Ok(())
    }

    fn skip_ellipsis(&mut self) -> Result<(), Unreadable> {
        self.repair(Repair::SkippedWords)?;
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches(['.', '…']).len();
        Ok(())
    }

    fn no_value(&mut self) -> bool {
        self.skip_blanks();
        self.peek().is_none_or(|next| lookahead::is_comma(next) || lookahead::is_closer(next))
    }

    fn list(&mut self, enclosing: Enclosing) -> Result<Value, Unreadable> {
        self.at += 1;
        let inside = Enclosing { depth: enclosing.depth + 1, in_list: true, ..enclosing };
        let context = Context::Item { in_object: enclosing.in_object };
        let mut items: Vec<Value> = Vec::new();
        loop {
            self.skip_commas(usize::from(!items.is_empty()));
            match self.peek() {
                None => {
                    self.repair(Repair::CutOff)?;
                    break;
                }
                Some(close @ (']' | '］')) => {
                    self.at += close.len_utf8();
                    break;
                }
                Some(')' | '）') if self.in_call => return self.missing_bracket(Value::list(items)),
                Some('}') if enclosing.in_object && !self.items_go_on() => {
                    return self.missing_bracket(Value::list(items));
                }
                Some(close @ ('}' | ')' | '）')) => self.skip_mark(close)?,
                Some('.' | '…') if is_ellipsis(&self.text[self.at..]) => self.skip_ellipsis()?,
                // A member of the surrounding object: the list was not closed.
                Some(_) if !self.exact && enclosing.in_object && lookahead::key_at(self.text, self.at, false) => {
                    return self.missing_bracket(Value::list(items));
                }
                Some(_) => {
                    items.push(self.value(context, inside)?);
                    self.after_value(context)?;
                }
            }
        }
        Ok(Value::list(items))
    }

    /// Tells whether the bracket here is stray: another item follows it.
    fn items_go_on(&self) -> bool {
        let comma = lookahead::skip_whitespace(self.text, self.at + 1);
        if !self.text[comma..].starts_with(',') {
            return false;
        }
        let next = lookahead::skip_whitespace(self.text, comma + 1);
        lookahead::first(self.text, next).is_some_and(lookahead::is_quote)
            && !lookahead::member_at(self.text, next, false)
    }

    /// Checks what follows a value: a comma may be missing, and words may follow.
    fn after_value(&mut self, context: Context) -> Result<(), Unreadable> {
        self.skip_blanks();
        let Some(next) = self.peek() else { return Ok(()) };
        if lookahead::is_comma(next) || lookahead::is_closer(next) || (self.in_call && matches!(next, ')' | '）')) {
            return Ok(());
        }
        let fits = match context {
            Context::Member { bare_keys } => next == '{' || lookahead::member_at(self.text, self.at, bare_keys),
            _ => lookahead::is_quote(next) || matches!(next, '{' | '[') || next.is_alphanumeric(),
        };
        if fits {
            return self.repair(Repair::MissingComma);
        }
        // A stray quote, or a remark after the value.
        self.repair(Repair::SkippedWords)?;
        while let Some(next) = self.peek() {
            let at_mark =
                lookahead::is_comma(next) || lookahead::is_closer(next) || next == '{' || (self.in_call && next == ')');
            if at_mark || (lookahead::is_quote(next) && lookahead::key_at(self.text, self.at, false)) {
                break;
            }
            self.at += next.len_utf8();
        }
        Ok(())
    }
}

/// Returns the search budget for a text: a few times its length.
fn budget(bytes: usize) -> usize {
    12 * bytes + 20_000
}

/// Tells whether an object in a list begins like an op.
fn starts_op(text: &str, brace: usize) -> bool {
    first_key(text, brace).is_some_and(|key| key.eq_ignore_ascii_case("op"))
        && lookahead::before(text, brace) != Some(':')
}
