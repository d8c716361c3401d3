//! The scanner: one pass over the text that stops at what looks like a call.
//!
//! Text inside a call belongs to that call, so a call that stands in a string value is data.

use std::ops::Range;

use storeyline_state::object::kinds::Kind;
use storeyline_state::{Diagnostic, Text};

use crate::call::{Arg, Call, Dialect, Parsed};
use crate::head::{self, Head};
use crate::json_call::{self, Found};
use crate::mend::{self, Mended};
use crate::split::{self, Argument, Broken, Divided, Notes};
use crate::value::Form;
use crate::{MAX_CALLS, ParseSettings, blanks, find, loose, patch, tag_call, unread, value, words};

/// After this many unreadable calls the rest of the text is left alone; it bounds the work.
const MAX_BROKEN: usize = 64;

/// Room for the calls of a usual reply, so that they are not moved as they come in.
const USUAL_CALLS: usize = 32;

pub(crate) fn scan(text: &str, skipped: &[Range<usize>], settings: &ParseSettings) -> Parsed {
    let mut scan = Scan::new(text, settings);
    scan.read(skipped);
    scan.tell_unread(skipped);
    scan.parsed
}

/// What was found so far. Each way of reading returns the place where the next mark is looked for.
struct Scan<'a> {
    text: &'a str,
    settings: &'a ParseSettings,
    parsed: Parsed,
    /// How many calls could not be read.
    broken: usize,
    notes: Notes,
    /// The kind of the last object in the arguments.
    before: Option<Kind>,
    /// Where patch blocks stand.
    blocks: Vec<Range<usize>>,
}

impl<'a> Scan<'a> {
    fn new(text: &'a str, settings: &'a ParseSettings) -> Self {
        let (parsed, notes) = (Parsed::default(), Notes::default());
        Scan { text, settings, parsed, broken: 0, notes, before: None, blocks: Vec::new() }
    }

    fn read(&mut self, mut skipped: &[Range<usize>]) {
        let text = self.text;
        let mut at = 0;
        while let Some(start) = next_mark(text.as_bytes(), at, self.settings) {
            while let [block, rest @ ..] = skipped
                && block.end <= start
            {
                skipped = rest;
            }
            if let Some(block) = skipped.first().filter(|block| block.start <= start) {
                at = block.end;
                continue;
            }
            if self.is_full() {
                // A block that was too long has said so itself.
                if self.parsed.diagnostics.last().is_none_or(|last| last.code != "E-CALL-MANY") {
                    self.parsed.diagnostics.push(words::dropped("E-CALL-MANY", start..text.len()));
                }
                break;
            }
            at = match text.as_bytes()[start] {
                b'{' => self.take(start, json_call::read(text, start)),
                b'<' => self.tag(start),
                b'(' => self.loose_call(start),
                _ => self.call(start),
            };
        }
    }

    /// Makes a remark on updates that stand where none is read.
    fn tell_unread(&mut self, skipped: &[Range<usize>]) {
        if let Some(span) = unread::commented(self.text, skipped).filter(|_| !self.is_full()) {
            self.parsed.diagnostics.push(words::in_a_comment(span));
        }
        if let Some(span) = unread::encoded_block(self.text).filter(|_| !self.is_full()) {
            self.parsed.diagnostics.push(words::dropped("E-PATCH-TAG", span));
        }
        if memchr::memmem::find(self.text.as_bytes(), b"\"op\"").is_none() {
            return;
        }
        let calls = self.parsed.calls.iter().filter(|call| call.block.is_none()).map(|call| call.span.clone());
        let mut read: Vec<_> = calls.chain(self.blocks.iter().cloned()).chain(skipped.iter().cloned()).collect();
        read.sort_by_key(|stretch| stretch.start);
        read.dedup_by(|next, kept| {
            let overlaps = next.start <= kept.end;
            kept.end = if overlaps { kept.end.max(next.end) } else { kept.end };
            overlaps
        });
        if let Some(span) = unread::ops(self.text, &read).filter(|_| !self.is_full()) {
            self.parsed.diagnostics.push(words::dropped("E-PATCH-TAG", span));
        }
    }

    fn is_full(&self) -> bool {
        self.parsed.calls.len() >= MAX_CALLS || self.broken >= MAX_BROKEN
    }

    fn tag(&mut self, start: usize) -> usize {
        let Some(block) = patch::block(self.text, start).or_else(|| patch::bare_block(self.text, start)) else {
            return match self.settings.tag_calls {
                true => self.take(start, tag_call::read(self.text, start)),
                false => start + 1,
            };
        };
        let before = self.parsed.diagnostics.len();
        let end = patch::read(self.text, &block, &mut self.parsed, MAX_BROKEN - self.broken);
        self.broken += self.parsed.diagnostics.len() - before;
        self.blocks.push(start..end);
        end
    }

    fn take(&mut self, start: usize, found: Found) -> usize {
        match found {
            Found::Call(call) => {
                let end = call.span.end;
                self.parsed.calls.push(call);
                end
            }
            Found::Other(end) => end,
            Found::Broken(found) => {
                self.broken += 1;
                self.parsed.diagnostics.push(unreadable(self.text, start, &found));
                start + 1
            }
        }
    }

    /// Not inlined: the way through prose and the way through a call have little to share.
    #[inline(never)]
    fn call(&mut self, start: usize) -> usize {
        let Some(head) = head::read(self.text, start) else { return self.loose_call(start) };
        match split::call(self.text, head.arguments, &mut self.notes, &mut self.before) {
            Ok(divided) => self.finish(&head, divided),
            Err(found) => self.mended(&head, found),
        }
    }

    /// A call whose name or bracket is not written as it should be, or nothing of the kind.
    #[cold]
    fn loose_call(&mut self, mark: usize) -> usize {
        match head::read_loosely(self.text, mark) {
            Some(head) => self.mended(&head, Broken { code: "E-CALL-OPEN", at: head.arguments }),
            None => {
                if let Some((span, code)) = unread::at(self.text, mark) {
                    self.broken += 1;
                    self.parsed.diagnostics.push(words::dropped(code, span));
                }
                mark + 1
            }
        }
    }

    /// Reads a damaged call; `found` says why it could not be read as it is.
    #[cold]
    fn mended(&mut self, head: &Head<'_>, found: Broken) -> usize {
        let prose =
            head.dialect == Dialect::Hash && !self.text[head.arguments..].trim_start().starts_with(loose::is_quote);
        let mended = match found.code {
            "E-CALL-LONG" | "E-CALL-DEEP" => Err(found),
            _ if prose => Err(found),
            _ => mend::call(self.text, head.arguments, head.closing()),
        };
        match mended {
            Ok(Mended { args, end, repaired }) => {
                self.notes.repaired = repaired;
                if !head.is_usual {
                    self.notes.repair("W-NAME");
                }
                self.push(head, args, end)
            }
            Err(found) => {
                self.broken += 1;
                // A hash in prose is often only a hash.
                if !prose {
                    self.parsed.diagnostics.push(unreadable(self.text, head.start, &found));
                }
                head.arguments
            }
        }
    }

    fn finish(&mut self, head: &Head<'_>, divided: Divided) -> usize {
        let (text, notes) = (self.text, &mut self.notes);
        let Divided { mut args, end } = divided;
        if head.wide {
            notes.repair("W-FULL-WIDTH");
        }
        let joined = args.len() > 2 && join_thousands(text, notes);
        if notes.has_unread {
            read_rest(text, &mut args, joined, notes);
            let written = notes.arguments.iter().map(|argument| &text[argument.range.clone()]);
            if args.iter().zip(written).enumerate().any(|(at, (arg, written))| is_doubtful(arg, written, at == 0)) {
                return self.doubtful(head, args, end);
            }
        }
        self.push(head, args, end)
    }

    /// A call with words that hold marks: these may be damage. If mending it gives nothing better, words
    /// that hold no structure are what they seem to be.
    #[cold]
    fn doubtful(&mut self, head: &Head<'_>, args: Vec<Arg>, end: usize) -> usize {
        match mend::call(self.text, head.arguments, head.closing()) {
            Ok(mended) => {
                self.notes.repaired = mended.repaired;
                self.push(head, mended.args, mended.end)
            }
            Err(_) if args.iter().all(|arg| arg.form != Form::Bare || !holds_structure(arg)) => {
                self.push(head, args, end)
            }
            Err(found) => {
                self.broken += 1;
                self.parsed.diagnostics.push(unreadable(self.text, head.start, &found));
                end
            }
        }
    }

    fn push(&mut self, head: &Head<'_>, mut args: Vec<Arg>, mut end: usize) -> usize {
        let text = self.text;
        if let Some(named) = named_arguments(head, &args) {
            self.notes.repair("W-NAME");
            args = named;
        }
        if let Some((after, _)) = blanks::mark(text, end, b';', "；") {
            end = after;
        }
        let reason = reason(text, &mut end);
        let span = head.start..end;
        if self.settings.line_mode && head.dialect == Dialect::At && !self.begins_line(head.start) {
            self.broken += 1;
            self.parsed.diagnostics.push(words::in_a_sentence(span));
            return end;
        }
        let (dialect, forced, name) = (head.dialect, head.forced, head.name());
        let repairs = repairs(&self.notes.repaired, &span);
        let calls = &mut self.parsed.calls;
        if calls.capacity() == 0 {
            *calls = Vec::with_capacity(USUAL_CALLS);
        }
        calls.push(Call { dialect, forced, name, args, reason, block: None, span, repairs });
        end
    }

    /// Whether only blanks stand between a call and the start of its line or the call before it.
    fn begins_line(&self, start: usize) -> bool {
        let before = self.parsed.calls.last().map_or(0, |call| call.span.end);
        let bytes = self.text.as_bytes();
        let blanks = bytes[before..start].iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let edge = start - blanks;
        edge == before || bytes[edge - 1] == b'\n'
    }
}

/// The next byte where a call or a block may begin.
fn next_mark(bytes: &[u8], from: usize, settings: &ParseSettings) -> Option<usize> {
    let mut at = from;
    loop {
        at += find::byte(bytes.get(at..)?, |byte| {
            (byte == b'@')
                | (byte == b'_')
                | (byte == b'#')
                | (byte == b'<')
                | (byte == b'(')
                | (settings.json_calls & (byte == b'{'))
        })?;
        let next = bytes.get(at + 1);
        let is_mark = match bytes[at] {
            b'@' | b'_' => next == Some(&b'.'),
            b'#' => next.is_some_and(u8::is_ascii_alphabetic),
            b'{' => true,
            b'(' => at > from && (bytes[at - 1].is_ascii_alphabetic() || bytes[at - 1] == b' '),
            b'<' if next == Some(&b' ') => matches!(bytes.get(at + 2), Some(b'J' | b'j' | b'U' | b'u')),
            _ => {
                matches!(next, Some(b'J' | b'j' | b'U' | b'u'))
                    || (settings.tag_calls && next.is_some_and(u8::is_ascii_alphabetic))
            }
        };
        if is_mark {
            return Some(at);
        }
        at += 1;
    }
}

/// Whether an argument may be damaged: nothing stands where a value should, or words without quotes
/// hold marks that belong to a call.
fn is_doubtful(arg: &Arg, written: &str, is_first: bool) -> bool {
    match arg.form {
        Form::Empty => true,
        _ if is_first && written.contains(mend::ZERO_WIDTH) => true,
        Form::Bare => {
            written.contains(|next| loose::is_quote(next) || matches!(next, ';' | '；' | '\n'))
                || (is_first && written.contains(['=', ':', '：']))
                || ["//", "/*", "->", "=>", "→"].iter().any(|mark| written.contains(mark))
                || two_numbers(written)
                || written.contains(|next| matches!(next, '０'..='９'))
                || loose::holds_structure(written)
        }
        _ => false,
    }
}

/// `1 44` and `1，44`: the comma between old and new is missing or full-width.
fn two_numbers(written: &str) -> bool {
    let number = |text: &str| value::plain_number(text.trim()).is_ok() || value::keyword(text.trim()).is_some();
    written.trim().split_once(['，', '、', ' ']).is_some_and(|(one, other)| number(one) && number(other))
}

/// `_.set({path: 'a', value: 1})`: the arguments by their names.
fn named_arguments(head: &Head<'_>, args: &[Arg]) -> Option<Vec<Arg>> {
    let [Arg { value: only @ storeyline_state::Value::Object(_), .. }] = args else { return None };
    if head.dialect != Dialect::Underscore {
        return None;
    }
    let path = only.get("path").or(only.get("key")).filter(|path| path.as_text().is_some())?;
    let value = ["value", "new", "new_value", "delta"].iter().find_map(|key| only.get(key));
    let quoted = Arg::new(path.clone(), Form::Quoted);
    Some(std::iter::once(quoted).chain(value.map(|value| Arg::new(value.clone(), Form::Literal))).collect())
}

fn holds_structure(arg: &Arg) -> bool {
    arg.value.as_text().is_some_and(loose::holds_structure)
}

/// Reads the arguments that were not plain to see.
#[cold]
fn read_rest(text: &str, args: &mut Vec<Arg>, joined: bool, notes: &mut Notes) {
    args.truncate(notes.arguments.len());
    for index in 0..args.len() {
        if notes.arguments[index].is_plain {
            continue;
        }
        let source = blanks::trim(&text[notes.arguments[index].range.clone()]);
        let digits = (joined && index + 1 == args.len()).then(|| source.replace(',', ""));
        let read = value::read(digits.as_deref().unwrap_or(source));
        read.repaired.iter().for_each(|code| notes.repair(code));
        args[index] = Arg { value: read.value, form: read.form, commas: digits.map(|_| source.into()) };
    }
}

/// Makes one number of the last pieces of `("path", 1,500)`: groups of three digits, without a blank
/// after their commas where the comma before the number has one.
fn join_thousands(text: &str, notes: &mut Notes) -> bool {
    let arguments = &mut notes.arguments;
    let range = |at: usize| arguments[at].range.clone();
    let is_digits = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_group = |at: usize| {
        // Most last arguments are told by their first byte.
        let begins = text.as_bytes()[range(at).start].is_ascii_digit();
        let group = || text[range(at)].trim_end();
        begins && group().len() == 3 && is_digits(group()) && range(at).start == range(at - 1).end + 1
    };
    let mut head = arguments.len() - 1;
    while head >= 2 && is_group(head) {
        head -= 1;
    }
    if head + 1 == arguments.len() {
        return false;
    }
    let number = text[range(head)].trim_start_matches(['-', '+']);
    let is_head = (1..=3).contains(&number.len()) && is_digits(number) && !number.starts_with('0');
    let joined = is_head && range(head).start > range(head - 1).end + 1;
    if joined {
        let whole = range(head).start..range(arguments.len() - 1).end;
        arguments.truncate(head);
        arguments.push(Argument { range: whole, is_plain: false });
        notes.has_unread = true;
        notes.repair("W-THOUSANDS");
    }
    joined
}

/// Reads `//reason` up to the end of the line, also on the next line: what stands in it is not read.
fn reason(text: &str, end: &mut usize) -> Option<Text> {
    let start = blanks::skip(text, *end);
    if !text.as_bytes()[start..].starts_with(b"//") {
        return None;
    }
    let comment = &text[start + 2..];
    let line = match find::either(comment.as_bytes(), b'\n', b'\n') {
        Some(length) => comment[..length].strip_suffix('\r').unwrap_or(&comment[..length]),
        None => comment,
    };
    *end = start + 2 + line.len();
    let reason = blanks::trim(line);
    (!reason.is_empty()).then(|| reason.into())
}

fn repairs(codes: &[&'static str], span: &Range<usize>) -> Vec<Diagnostic> {
    match codes {
        [] => Vec::new(),
        _ => codes.iter().map(|code| words::repaired(code, span.clone())).collect(),
    }
}

/// At most 400 bytes of a broken call are shown.
fn unreadable(text: &str, start: usize, broken: &Broken) -> Diagnostic {
    let shown = &text[start..text.floor_char_boundary(start + 400)];
    let line = shown.find('\n').unwrap_or(shown.len());
    let end = text.floor_char_boundary((start + line).max(broken.at).min(start + shown.len()));
    words::dropped(broken.code, start..end)
}

#[cfg(test)]
mod tests {
    use storeyline_state::{Value, json};

    use crate::{Forced, ParseSettings, parse};

    /// Every call as `NAME[args] reason`, then the codes.
    fn read(text: &str) -> Vec<String> {
        read_with(text, &ParseSettings::default())
    }

    fn read_with(text: &str, settings: &ParseSettings) -> Vec<String> {
        let parsed = parse(text, settings);
        let calls = parsed.calls.iter().map(|call| {
            let args = json::write(&Value::list(call.args.iter().map(|arg| arg.value.clone()).collect()));
            let reason = call.reason.as_deref().map(|reason| format!(" //{reason}")).unwrap_or_default();
            let repairs: String = call.repairs.iter().map(|repair| format!(" {}", repair.code)).collect();
            format!("{}{args}{reason}{repairs}", call.name)
        });
        calls.chain(parsed.diagnostics.iter().map(|diagnostic| diagnostic.code.clone())).collect()
    }

    #[test]
    fn calls_are_read_from_prose() {
        let cases: &[(&str, &[&str])] = &[
            ("她笑了。@.SET(\"角色.名字\", \"张三\");然后", &["SET[\"角色.名字\",\"张三\"]"]),
            ("@.ADD('金币', -5.50)", &["ADD[\"金币\",-5.5]"]),
            ("@.var.SET(\"a\", 1);", &["SET[\"a\",1]"]),
            ("@.SET(\n  \"a\",\n  {b: [1, 2,], 'c': null}\n);", &["SET[\"a\",{\"b\":[1,2],\"c\":null}]"]),
            ("_.set('a', 1, 2);//因为", &["set[\"a\",1,2] //因为"]),
            ("_.set('a', 2);\n// 不执行 _.set('b', 3);", &["set[\"a\",2] //不执行 _.set('b', 3);"]),
            ("@.SET（“金币”，5）；", &["SET[\"金币\",5] W-FULL-WIDTH W-CURLY-QUOTES"]),
            ("@.SET (金币, 5,)", &["SET[\"金币\",5] W-TRAILING-COMMA W-NO-QUOTES"]),
            ("@.SET(背包[0].名字, 刀)", &["SET[\"背包[0].名字\",\"刀\"] W-NO-QUOTES"]),
            ("@.SET(\"a\", \"@.SET('b', 1);\")", &["SET[\"a\",\"@.SET('b', 1);\"]"]),
            ("@.SET(\"a\", 1 @.ADD(\"b\", 2);", &["SET[\"a\",1] W-BRACKETS", "ADD[\"b\",2]"]),
            ("<think>@.SET(\"a\", 1);</think>@.SET(\"a\", 2);", &["SET[\"a\",2]"]),
            ("/* @.SET(\"a\", 1); */@.SET(\"a\", 2);", &["SET[\"a\",2]"]),
            ("mail me@.example or @.5(1) or @.SET or # set(1) or #1(x)", &[]),
            ("lodash_.set('a', 3);", &["set[\"a\",3]"]),
            ("@.UNSET(\"a\") @.SET(\"b\"", &["UNSET[\"a\"]", "E-CALL-OPEN"]),
            ("#set(\"hero.hp\", 2\n#set(\"hero.mp\", 3)", &["set[\"hero.hp\",2] W-BRACKETS", "set[\"hero.mp\",3]"]),
            ("#set(\"bio\", it's fine)\n#set(\"hp\", 4)", &["set[\"bio\",\"it's fine\"] W-NO-QUOTES", "set[\"hp\",4]"]),
            ("_.set('d', 'oops);\n_.set('b', 3);\n_.set('a', 4);", &["set[\"b\",3]", "set[\"a\",4]", "E-CALL-DAMAGED"]),
            ("_.set('d', 'oops);//说\n_.set('b', 3);", &["set[\"d\",\"oops\"] //说 W-QUOTE", "set[\"b\",3]"]),
            ("_.set('d', \"C:\\\\\"); _.set('e', 2);", &["set[\"d\",\"C:\\\\\"]", "set[\"e\",2]"]),
            ("_.set('a.状' , \"轻伤(左臂)\")；", &["set[\"a.状\",\"轻伤(左臂)\"]"]),
            ("_.set('a', 2));", &["set[\"a\",2]"]),
            ("@.SET(\"a\", [1, 2)", &["SET[\"a\",[1,2]] W-BRACKETS"]),
            ("@.HEAL();", &["HEAL[]"]),
            ("@.ADD(\"金\", 1,500);", &["ADD[\"金\",1500] W-THOUSANDS"]),
            ("@.ADD(\"金\", -12,345,678 )", &["ADD[\"金\",-12345678] W-THOUSANDS"]),
            ("_.set('金',1,500); _.set('金', 1, 500);", &["set[\"金\",1,500]", "set[\"金\",1,500]"]),
            ("@.A(1,500) @.A(\"a\", 1,50) @.A(\"a\", 0,500)", &["A[1,500]", "A[\"a\",1,50]", "A[\"a\",0,500]"]),
            ("@.SET(a[0][1], {{user}})", &["SET[\"a[0][1]\",\"{{user}}\"] W-NO-QUOTES"]),
        ];
        for (text, wanted) in cases {
            assert_eq!(read(text), *wanted, "{text}");
        }
    }

    #[test]
    fn objects_and_tags_are_calls_where_that_is_wanted() {
        let cases: &[(&str, &[&str])] = &[
            ("好 {\"function\": \"SET\", \"args\": [\"a\", 1]} 了", &["SET[\"a\",1]"]),
            (
                "```json\n[{\"function\":\"SET\",\"args\":[\"a\",{\"b\":1}]},\n {args: ['a', 2], function: 'ADD'}]\n```",
                &["SET[\"a\",{\"b\":1}]", "ADD[\"a\",2]"],
            ),
            ("{\"function\": {\"function\": \"SET\", \"args\": []}} {function} { x } {{user}}", &[]),
            ("{\"function\": \"a b\", \"args\": []} {\"function\": \"A\"}", &[]),
            ("{\"function\": \"SET\", \"args\": [\"a\", 1] @.SET(\"b\", 2)", &["SET[\"b\",2]", "E-CALL-OPEN"]),
            (
                "@.SET(\"a\", '{\"function\": \"SET\", \"args\": [\"b\", 1]}')",
                &["SET[\"a\",\"{\\\"function\\\": \\\"SET\\\", \\\"args\\\": [\\\"b\\\", 1]}\"]"],
            ),
            ("<set path=\"角色.名字\">张三</set>", &["set[\"角色.名字\",\"张三\"]"]),
            ("<ADD path='金'> 5 </add><unset path=\"x\"></unset>", &["add[\"金\",5]", "unset[\"x\"]"]),
            ("<set path=\"a\">{\"b\": [1, 2]}</set>", &["set[\"a\",{\"b\":[1,2]}]"]),
            ("<set path=\"a\">x &lt; y &amp; z</set>", &["set[\"a\",\"x < y & z\"]"]),
            ("<set path=\"a\"> 忘了 <set path=\"b\">1</set>", &["set[\"b\",1]", "E-CALL-OPEN"]),
            ("<set> <set path=a>1</set> <settings path=\"a\">1</settings> <b>", &[]),
            ("<think><set path=\"a\">1</set></think>", &[]),
        ];
        let settings = ParseSettings { json_calls: true, tag_calls: true, ..ParseSettings::default() };
        for (text, wanted) in cases {
            assert_eq!(read_with(text, &settings), *wanted, "{text}");
            assert!(text.contains('@') || read(text).is_empty(), "off by default: {text}");
        }
    }

    #[test]
    fn in_line_mode_a_call_in_a_sentence_is_prose() {
        let settings = ParseSettings { line_mode: true, ..ParseSettings::default() };
        let text = "  @.A(1); @.B(2); x @.C(3);\n@.D(\n4)\n她写下 @.E(5)";
        let parsed = parse(text, &settings);
        let names: Vec<&str> = parsed.calls.iter().map(|call| call.name.as_str()).collect();
        assert_eq!(names, ["A", "B", "D"]);
        assert!(parsed.diagnostics.iter().all(|diagnostic| diagnostic.code == "W-CALL-SENTENCE"));
        assert_eq!(parsed.diagnostics.len(), 2);
    }

    #[test]
    fn a_prefix_says_whose_rules_count() {
        let parsed = parse("@.var.A(1) @.sam.A(1) @.A(1) @.DB({$set: {\"a.b\": 1}});", &ParseSettings::default());
        let forced: Vec<_> = parsed.calls.iter().map(|call| (call.name.as_str(), call.forced)).collect();
        assert_eq!(forced, [("A", Some(Forced::Native)), ("A", Some(Forced::Sam)), ("A", None), ("DB", None)]);
        assert_eq!(json::write(&parsed.calls[3].args[0].value), r#"{"$set":{"a.b":1}}"#);
    }

    #[test]
    fn patch_blocks_are_calls_too() {
        let cases: &[(&str, &[&str])] = &[
            (
                "<JSONPatch>[{\"op\":\"replace\",\"path\":\"/a\",\"value\":1},{\"op\":\"remove\",\"path\":\"/b\"}]</JSONPatch>",
                &[
                    "replace[{\"op\":\"replace\",\"path\":\"/a\",\"value\":1}]",
                    "remove[{\"op\":\"remove\",\"path\":\"/b\"}]",
                ],
            ),
            (
                "<json_patch>\n```json\n[{op: 'delta', path: '/a', value: -4,},]\n```\n</json_patch>",
                &["delta[{\"op\":\"delta\",\"path\":\"/a\",\"value\":-4}]"],
            ),
            (
                "<JSONPatch>{\"op\":\"remove\",\"path\":\"/a\"}</JSONPatch>",
                &["remove[{\"op\":\"remove\",\"path\":\"/a\"}] W-PATCH-FORM"],
            ),
            (
                "<JSONPatch>{\"op\":\"remove\",\"path\":\"/a\"},{\"op\":\"remove\",\"path\":\"/b\"}</JSONPatch>",
                &[
                    "remove[{\"op\":\"remove\",\"path\":\"/a\"}] W-PATCH-FORM",
                    "remove[{\"op\":\"remove\",\"path\":\"/b\"}] W-PATCH-FORM",
                ],
            ),
            (
                "<JSONPatch>{\"operations\":[{\"op\":\"remove\",\"path\":\"/a\"}]}</JSONPatch>",
                &["remove[{\"op\":\"remove\",\"path\":\"/a\"}] W-PATCH-FORM"],
            ),
            (
                "<JSONPatch> 想 <JSONPatch>[{\"op\":\"remove\",\"path\":\"/a\"}]</JSONPatch>",
                &["remove[{\"op\":\"remove\",\"path\":\"/a\"}]"],
            ),
            (
                "<JSONPatch>[{\"op\":\"remove\",\"path\":\"/a\"}, {\"op\":\"replace\",\"pa",
                &["remove[{\"op\":\"remove\",\"path\":\"/a\"}]", "E-PATCH-BROKEN"],
            ),
            (
                "<JSONPatch>[{\"op\":\"remove\"},{\"op\":\"remove\",\"path\":\"/a\"}]</JSONPatch>",
                &["remove[{\"op\":\"remove\",\"path\":\"/a\"}]", "E-PATCH-OP"],
            ),
            (
                "<JSONPatch>\n- op: replace\n  path: /a\n  value: 8\n- op: insert\n  path: /l/-\n  value: 甲\n</JSONPatch>",
                &[
                    "replace[{\"op\":\"replace\",\"path\":\"/a\",\"value\":8}] W-PATCH-FORM",
                    "insert[{\"op\":\"insert\",\"path\":\"/l/-\",\"value\":\"甲\"}] W-PATCH-FORM",
                ],
            ),
            ("<JSONPatch>今天没有变化</JSONPatch>", &["E-PATCH-READ"]),
            ("<JSONPatch>[]</JSONPatch>", &[]),
            ("<think>{\"op\": 1}</think>```json\n[{\"op\":\"remove\",\"path\":\"/a\"}]\n```", &["E-PATCH-TAG"]),
            (
                "<UpdateVariable>\n```json\n[{\"op\":\"REMOVE\",\"path\":\"/a\"}]\n```\n</UpdateVariable>",
                &["remove[{\"op\":\"REMOVE\",\"path\":\"/a\"}]"],
            ),
            (
                "<JSONPatch>[{\"op\":\"replace\",\"path\":\"/s\",\"value\":\"写 _.set('a', 5); 即可\"}]</JSONPatch>",
                &["replace[{\"op\":\"replace\",\"path\":\"/s\",\"value\":\"写 _.set('a', 5); 即可\"}]"],
            ),
        ];
        for (text, wanted) in cases {
            assert_eq!(read(text), *wanted, "{text}");
        }
    }

    #[test]
    fn a_span_covers_the_call_and_its_semicolon() {
        let text = "金 @.SET(\"a\", 1) ; x";
        let parsed = parse(text, &ParseSettings::default());
        assert_eq!(&text[parsed.calls[0].span.clone()], "@.SET(\"a\", 1) ;");
    }

    #[test]
    fn a_call_of_half_a_megabyte_is_dropped_and_the_next_is_read() {
        let text = format!("@.SET(\"a\", \"{}\");@.SET(\"b\", 1);", "x".repeat(500_000));
        assert_eq!(read(&text), ["SET[\"b\",1]", "E-CALL-LONG"]);
    }

    #[test]
    fn hostile_text_is_bounded() {
        let texts = [
            "@.A(".repeat(50_000),
            "@.A([".repeat(50_000),
            "@.A(\"".repeat(50_000),
            "@.A(1)".repeat(50_000),
            format!("@.A(a{})", "[0]b".repeat(50_000)),
            format!("@.A({})", "[".repeat(50_000)),
            format!("@.A({}1{})", "[".repeat(150), "]".repeat(150)),
            "<JSONPatch>".repeat(50_000),
            "<JSONPatch></JSONPatch>".repeat(50_000),
            format!("<JSONPatch>[{}]</JSONPatch>", ["{}"; 50_000].join(",")),
            format!("<JSONPatch>[{}]</JSONPatch>", [r#"{"op":"remove","path":"/a"}"#; 5_000].join(",")).repeat(2),
            format!("@.A(`{}` {})", "x".repeat(100_000), "x，".repeat(30_000)),
            format!("@.A(a,{}{})", " ".repeat(100_000), "x，".repeat(30_000)),
            format!("<JSONPatch>{}", "[{".repeat(50_000)),
            "/*".repeat(50_000),
            "<think>".repeat(50_000),
        ];
        for text in texts {
            let parsed = parse(&text, &ParseSettings::default());
            assert!(parsed.calls.len() <= crate::MAX_CALLS);
            assert!(parsed.diagnostics.len() <= super::MAX_BROKEN + 1);
        }
    }

    #[test]
    fn ops_beyond_the_limit_are_reported() {
        let ops = vec![r#"{"op":"remove","path":"/a"}"#; crate::MAX_CALLS + 5].join(",");
        let parsed = parse(&format!("<JSONPatch>[{ops}]</JSONPatch> @.SET(\"a\", 1)"), &ParseSettings::default());
        assert_eq!(parsed.calls.len(), crate::MAX_CALLS);
        assert_eq!(parsed.diagnostics.iter().map(|d| d.code.as_str()).collect::<Vec<_>>(), ["E-CALL-MANY"]);
    }
}
