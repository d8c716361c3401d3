//! Reads one value: exactly, as JSON5 without words that lack quotes, or mending what models and
//! authors get wrong. Time and memory are in proportion to the text; nesting is bounded.

use std::borrow::Cow;

use storeyline_state::{Object, Text, Value};

use super::look;
use super::ops::first_key;
use super::repair::{Repair, Repairs};
use super::text::is_ellipsis;

/// Where a value stands; it decides what may follow it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// The key of an object.
    Key,
    /// The value of a member. `bare_keys`: the keys around it have no quotes.
    Member { bare_keys: bool },
    /// An item of a list. `in_object`: the list stands in an object.
    Item { in_object: bool },
    /// An argument of a call.
    Argument { is_first: bool },
    /// All of the text is this value.
    Alone,
}

/// Why a value cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// It is not JSON5; mending may read it.
    NotExact,
    /// It is nested too deeply.
    Deep,
    /// Its end had to be guessed, and it would hold structure of what stands around it.
    Structure,
    /// There is no value.
    Nothing,
}

/// A value that cannot be read, and where reading stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unreadable {
    pub why: Why,
    pub at: usize,
}

/// What stands around a value.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Around {
    pub(super) depth: usize,
    pub(super) in_list: bool,
    pub(super) in_object: bool,
}

pub(crate) struct Reader<'a> {
    pub(super) text: &'a str,
    /// The beginning of what stands behind the text.
    pub(crate) after: &'a str,
    pub(crate) at: usize,
    /// Whether nothing may be mended.
    pub(super) exact: bool,
    /// Whether the text broke off at its end.
    pub(crate) cut: bool,
    /// Inside a call's arguments: `)` ends what is open.
    pub(super) in_call: bool,
    /// The bracket that closes the call.
    pub(super) call_close: char,
    /// Inside an op, which holds no other op.
    pub(super) in_op: bool,
    pub(super) max_depth: usize,
    pub(crate) repairs: Repairs,
    /// The first kind of quote; exact texts have one kind.
    pub(super) quote: Option<char>,
    /// The quote that closes keys, where it is not the one that belongs to their opening quote.
    pub(super) closed_by: Option<(char, char)>,
    /// Where the last quoted text began.
    pub(super) opened_at: usize,
    /// How many bytes may still be looked through for the ends of texts; it bounds the work on texts whose
    /// quotes fit nowhere.
    pub(super) budget: usize,
    /// Whether a function was seen that does not end.
    pub(super) has_open_function: bool,
    /// Kinds of quotes of which no more come after a place.
    pub(super) none_after: Vec<(char, usize)>,
}

/// An object, with what its reader saw of its form.
pub(crate) struct Members {
    pub(crate) entries: Vec<(Text, Value)>,
    /// Whether its closing bracket was there.
    pub(crate) closed: bool,
    /// Whether a member had no value.
    pub(crate) has_hole: bool,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(text: &'a str, exact: bool, max_depth: usize) -> Self {
        Reader {
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

    /// A reader of the arguments of a damaged call.
    pub(crate) fn in_call(text: &'a str, close: char, max_depth: usize) -> Self {
        Reader { in_call: true, call_close: close, ..Reader::new(text, false, max_depth) }
    }

    /// Reads the value that begins here.
    pub(crate) fn read(&mut self, place: Place) -> Result<Value, Unreadable> {
        self.value(place, Around::default())
    }

    /// Reads on from a place; the work is in proportion to what follows it.
    pub(super) fn begin_at(&mut self, at: usize) {
        self.at = at;
        self.budget = budget(self.text.len() - at);
    }

    pub(crate) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Skips what divides the arguments of a call, and says whether there was anything. Between an old
    /// value and a new one models write arrows, behind a path colons.
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
                // A bracket too many before the first argument.
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

    pub(super) fn unreadable(&self, why: Why) -> Unreadable {
        Unreadable { why, at: self.at }
    }

    pub(crate) fn peek(&self) -> Option<char> {
        look::first(self.text, self.at)
    }

    pub(crate) fn skip_blanks(&mut self) {
        loop {
            let next = look::past_blanks(self.text, self.at);
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
        self.cut && self.text[at..].trim().is_empty()
    }

    /// Skips commas, and notes where there are too many or other marks in their place.
    fn skip_commas(&mut self, allowed: usize) {
        let mut seen = 0;
        self.skip_blanks();
        while let Some(mark) = self.peek().filter(|next| look::is_comma(*next)) {
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

    pub(super) fn value(&mut self, place: Place, around: Around) -> Result<Value, Unreadable> {
        if around.depth >= self.max_depth {
            return Err(self.unreadable(Why::Deep));
        }
        self.skip_blanks();
        match self.peek() {
            None => Err(self.unreadable(Why::Nothing)),
            Some('{') if !self.is_macro() => self.object(around),
            Some('[') => self.list(around),
            Some(next) if look::closing(next).is_some() && self.is_member(place) => {
                self.mend(Repair::Brackets)?;
                let members = self.members(around, |_, key| look::is_op_key(key))?;
                Ok(Value::object(members.entries.into_iter().collect::<Object>()))
            }
            Some(next) if look::closing(next).is_some() => {
                let text = self.texts(place).map(Value::text)?;
                if self.is_open_list(place) { self.rest_of_list(text, around) } else { Ok(text) }
            }
            Some(_) => self.bare(place, around),
        }
    }

    /// Whether a key stands where a value should: the opening bracket of an object is missing.
    fn is_member(&self, place: Place) -> bool {
        !self.exact && matches!(place, Place::Member { .. }) && look::key_at(self.text, self.at, false)
    }

    /// Whether a text as the value of a member is the first item of a list whose opening bracket is missing:
    /// `"value": "a", "b"]`.
    fn is_open_list(&self, place: Place) -> bool {
        if self.exact || !matches!(place, Place::Member { .. }) {
            return false;
        }
        let comma = look::past_blanks(self.text, self.at);
        let near = &self.text[comma..self.text.floor_char_boundary(comma + 400)];
        let next = near.strip_prefix(',').map_or(comma, |_| look::past_blanks(self.text, comma + 1));
        let closed = near.find([']', '}', '{', '[', ':']).is_some_and(|end| near[end..].starts_with(']'));
        next > comma && closed && look::first(self.text, next).is_some_and(look::is_quote)
    }

    fn rest_of_list(&mut self, first: Value, around: Around) -> Result<Value, Unreadable> {
        self.mend(Repair::Brackets)?;
        let place = Place::Item { in_object: true };
        let mut items = vec![first];
        loop {
            self.skip_commas(1);
            match self.peek() {
                None => return Err(self.unreadable(Why::Structure)),
                Some(']') => {
                    self.at += 1;
                    return Ok(Value::list(items));
                }
                Some(_) => {
                    items.push(self.value(place, Around { depth: around.depth + 1, in_list: true, ..around })?);
                    self.after_value(place)?;
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

    /// A quoted text, or several with `+` between them.
    fn texts(&mut self, place: Place) -> Result<Cow<'a, str>, Unreadable> {
        let mut said = self.quoted(place)?;
        while !self.exact && place != Place::Alone {
            let plus = look::past_blanks(self.text, self.at);
            if look::first(self.text, plus) != Some('+') {
                break;
            }
            let next = look::past_blanks(self.text, plus + 1);
            if !look::first(self.text, next).is_some_and(look::is_quote) {
                break;
            }
            self.at = next;
            said.to_mut().push_str(&self.quoted(place)?);
        }
        Ok(said)
    }

    fn object(&mut self, around: Around) -> Result<Value, Unreadable> {
        self.at += 1;
        if self.in_op && self.exact && starts_op(self.text, self.at - 1) {
            return Err(self.unreadable(Why::NotExact));
        }
        let members = self.members(around, |_, _| false)?;
        Ok(Value::object(members.entries.into_iter().collect::<Object>()))
    }

    /// Reads the members of an object up to its closing bracket. `stop` is asked about each key after the
    /// first: it says that this key begins something else.
    pub(super) fn members(
        &mut self,
        around: Around,
        stop: impl Fn(&[(Text, Value)], &str) -> bool,
    ) -> Result<Members, Unreadable> {
        let mut members = Members { entries: Vec::new(), closed: false, has_hole: false };
        let around = Around { depth: around.depth + 1, in_object: true, ..around };
        let mut bare_keys = false;
        loop {
            self.skip_commas(usize::from(!members.entries.is_empty()));
            let start = self.at;
            match self.peek() {
                None => {
                    self.mend(Repair::CutOff)?;
                    return Ok(members);
                }
                Some(close @ ('}' | '｝')) => {
                    self.at += close.len_utf8();
                    members.closed = true;
                    return Ok(members);
                }
                Some(')' | '）') if self.in_call => return self.missing_bracket(members),
                Some(']') if around.in_list => return self.missing_bracket(members),
                Some(close @ (']' | '）' | ')')) => self.skip_mark(close)?,
                // A bracket too many in front, or something that is no member.
                Some('{') if members.entries.is_empty() => self.skip_mark('{')?,
                Some('{' | '[') => return Err(self.unreadable(Why::Structure)),
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
                            self.mend(Repair::MissingValue)?;
                            members.has_hole = true;
                            Value::Null
                        }
                        false => self.value(Place::Member { bare_keys }, around)?,
                    };
                    members.entries.push((Text::from(key), value));
                    self.after_value(Place::Member { bare_keys })?;
                }
            }
        }
    }

    /// A key without a value at the end: the text broke off there.
    fn refuse_at_end(&mut self) -> Result<(), Unreadable> {
        self.skip_blanks();
        if self.peek().is_none() { Err(self.unreadable(Why::Structure)) } else { Ok(()) }
    }

    /// Notes a repair, or fails where nothing may be mended.
    pub(super) fn mend(&mut self, repair: Repair) -> Result<(), Unreadable> {
        if self.exact {
            return Err(self.unreadable(Why::NotExact));
        }
        self.note(repair);
        Ok(())
    }

    fn missing_bracket<T>(&mut self, read: T) -> Result<T, Unreadable> {
        self.mend(Repair::Brackets)?;
        Ok(read)
    }

    fn skip_mark(&mut self, mark: char) -> Result<(), Unreadable> {
        self.mend(Repair::Brackets)?;
        self.at += mark.len_utf8();
        Ok(())
    }

    fn skip_ellipsis(&mut self) -> Result<(), Unreadable> {
        self.mend(Repair::SkippedWords)?;
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches(['.', '…']).len();
        Ok(())
    }

    fn no_value(&mut self) -> bool {
        self.skip_blanks();
        self.peek().is_none_or(|next| look::is_comma(next) || look::is_closer(next))
    }

    fn list(&mut self, around: Around) -> Result<Value, Unreadable> {
        self.at += 1;
        let inside = Around { depth: around.depth + 1, in_list: true, ..around };
        let place = Place::Item { in_object: around.in_object };
        let mut items: Vec<Value> = Vec::new();
        loop {
            self.skip_commas(usize::from(!items.is_empty()));
            match self.peek() {
                None => {
                    self.mend(Repair::CutOff)?;
                    break;
                }
                Some(close @ (']' | '］')) => {
                    self.at += close.len_utf8();
                    break;
                }
                Some(')' | '）') if self.in_call => return self.missing_bracket(Value::list(items)),
                Some('}') if around.in_object && !self.items_go_on() => {
                    return self.missing_bracket(Value::list(items));
                }
                Some(close @ ('}' | ')' | '）')) => self.skip_mark(close)?,
                Some('.' | '…') if is_ellipsis(&self.text[self.at..]) => self.skip_ellipsis()?,
                // A member of the object around: the list was not closed.
                Some(_) if !self.exact && around.in_object && look::key_at(self.text, self.at, false) => {
                    return self.missing_bracket(Value::list(items));
                }
                Some(_) => {
                    items.push(self.value(place, inside)?);
                    self.after_value(place)?;
                }
            }
        }
        Ok(Value::list(items))
    }

    /// Whether the bracket here is one too many: another item follows it.
    fn items_go_on(&self) -> bool {
        let comma = look::past_blanks(self.text, self.at + 1);
        if !self.text[comma..].starts_with(',') {
            return false;
        }
        let next = look::past_blanks(self.text, comma + 1);
        look::first(self.text, next).is_some_and(look::is_quote) && !look::member_at(self.text, next, false)
    }

    /// Looks at what follows a value: a comma may be forgotten, and words may stand there.
    fn after_value(&mut self, place: Place) -> Result<(), Unreadable> {
        self.skip_blanks();
        let Some(next) = self.peek() else { return Ok(()) };
        if look::is_comma(next) || look::is_closer(next) || (self.in_call && matches!(next, ')' | '）')) {
            return Ok(());
        }
        let fits = match place {
            Place::Member { bare_keys } => next == '{' || look::member_at(self.text, self.at, bare_keys),
            _ => look::is_quote(next) || matches!(next, '{' | '[') || next.is_alphanumeric(),
        };
        if fits {
            return self.mend(Repair::MissingComma);
        }
        // A quote that was left over, or a remark behind the value.
        self.mend(Repair::SkippedWords)?;
        while let Some(next) = self.peek() {
            let at_mark = look::is_comma(next) || look::is_closer(next) || next == '{' || (self.in_call && next == ')');
            if at_mark || (look::is_quote(next) && look::key_at(self.text, self.at, false)) {
                break;
            }
            self.at += next.len_utf8();
        }
        Ok(())
    }
}

/// Each byte may be looked through so many times on average.
fn budget(bytes: usize) -> usize {
    12 * bytes + 20_000
}

/// An object in a list that begins as an op does.
fn starts_op(text: &str, brace: usize) -> bool {
    first_key(text, brace).is_some_and(|key| key.eq_ignore_ascii_case("op")) && look::before(text, brace) != Some(':')
}
