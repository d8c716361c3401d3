//! Parses YAML 1.2 with the types of MVU's parser: core schema with merge keys, dates stay text.
//!
//! Builds the value from the events of a parser, without recursion and within limits: an alias
//! counts as much as what it refers to, so an alias bomb is refused before it is expanded.

use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle, Span, Tag};
use storeyline_state::json::MAX_DEPTH;
use storeyline_state::{Diagnostic, Number, Object, Text, Value, json};

use super::{ParsedVariables, at, warn_at};

/// Maximum weight of a value with aliases expanded: 16 per node, plus the bytes of its text. Without aliases a text
/// weighs 17 per byte at most.
fn max_weight(source: &str) -> usize {
    4_000 + 32 * source.len()
}

/// Maximum number of duplicate keys that are reported.
const MAX_REPORTED: usize = 20;

/// Parses the first document.
pub(super) fn read(source: &str) -> ParsedVariables {
    let mut builder = Builder { source, ..Builder::default() };
    let mut parser = Parser::new_from_str(source);
    while let Some(next) = parser.next_event() {
        let step = match next {
            Ok((event, span)) => builder.event(event, span),
            Err(error) => {
                let (line, column) = (error.marker().line(), error.marker().col() + 1);
                builder.stop(
                    line,
                    column,
                    format!("读不懂（{}），从这里起没有读。", error.info()),
                    format!("{}; nothing was read from here on", error.info()),
                );
                Step::Stop
            }
        };
        if step == Step::Stop {
            break;
        }
    }
    builder.finish()
}

#[derive(PartialEq, Eq)]
enum Step {
    Go,
    Stop,
}

/// A complete node.
#[derive(Clone)]
struct Node {
    value: Value,
    weight: usize,
    depth: usize,
    /// `<<` without quotes.
    is_merge: bool,
}

/// A list or a mapping that is still open.
struct Frame {
    anchor: usize,
    weight: usize,
    depth: usize,
    kind: Container,
}

enum Container {
    List(Vec<Value>),
    Map { entries: Vec<(Text, Value)>, seen: HashMap<Text, KeyOrigin>, key: Option<Node> },
}

/// How a key came into a mapping.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyOrigin {
    Written,
    Merged,
}

#[derive(Default)]
struct Builder<'a> {
    source: &'a str,
    frames: Vec<Frame>,
    anchors: HashMap<usize, Node>,
    /// Weight of all open and complete nodes, aliases expanded.
    weight: usize,
    document: Option<Value>,
    diagnostics: Vec<Diagnostic>,
}

impl Builder<'_> {
    fn event(&mut self, event: Event<'_>, span: Span) -> Step {
        let (line, column) = (span.start.line(), span.start.col() + 1);
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let node = scalar(&text, style, tag.as_deref());
                self.weight += node.weight;
                self.node(node, anchor, line, column)
            }
            Event::SequenceStart(anchor, _) => self.open(anchor, Container::List(Vec::new()), line, column),
            Event::MappingStart(anchor, _) => {
                let kind = Container::Map { entries: Vec::new(), seen: HashMap::new(), key: None };
                self.open(anchor, kind, line, column)
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(line, column),
            Event::Alias(anchor) => match self.anchors.get(&anchor).cloned() {
                Some(node) => {
                    self.weight += node.weight;
                    self.node(node, 0, line, column)
                }
                None => {
                    let (zh, en) = (
                        "别名指向自身或不存在，从这里起没有读。",
                        "the alias names itself or nothing; nothing was read from here on",
                    );
                    self.stop(line, column, zh.into(), en.into());
                    Step::Stop
                }
            },
            Event::DocumentStart(_) if self.document.as_ref().is_some_and(|value| *value != Value::Null) => {
                let (zh, en) = (
                    "有多个 YAML 文档（`---`），只用了第一个。",
                    "there are several YAML documents (`---`); only the first was used",
                );
                self.diagnostics.push(warn_at(self.source, "W-INIT-DOCUMENTS", line, column, zh, en));
                Step::Stop
            }
            _ => Step::Go,
        }
    }

    fn stop(&mut self, line: usize, column: usize, zh: String, en: String) {
        self.diagnostics.push(at(self.source, "E-INIT-YAML", line, column, &zh, &en));
    }

    /// Drops everything when a limit is exceeded: the readable part of a bomb is most of it.
    fn refuse(&mut self, line: usize, column: usize) -> Step {
        let (zh, en) =
            ("展开后太大或嵌套太深，没有用它。", "too large when written out, or nested too deeply; left out");
        self.diagnostics.push(at(self.source, "E-INIT-SIZE", line, column, zh, en));
        self.frames.clear();
        self.document = None;
        Step::Stop
    }

    fn open(&mut self, anchor: usize, kind: Container, line: usize, column: usize) -> Step {
        if self.frames.len() >= MAX_DEPTH {
            return self.refuse(line, column);
        }
        self.weight += 16;
        self.frames.push(Frame { anchor, weight: 16, depth: 1, kind });
        Step::Go
    }

    fn close(&mut self, line: usize, column: usize) -> Step {
        let Some(frame) = self.frames.pop() else { return Step::Go };
        let anchor = frame.anchor;
        self.node(frame.finished(), anchor, line, column)
    }

    /// Adds a complete node to its parent. Its weight is already counted.
    fn node(&mut self, node: Node, anchor: usize, line: usize, column: usize) -> Step {
        if self.weight > max_weight(self.source) || self.frames.len() + node.depth > MAX_DEPTH {
            return self.refuse(line, column);
        }
        if anchor != 0 {
            self.anchors.insert(anchor, node.clone());
        }
        let Some(frame) = self.frames.last_mut() else {
            self.document = Some(node.value);
            return Step::Go;
        };
        // Finding a line costs as much as the text is long, so only the first ones are reported.
        if let Some(key) = frame.take(node).filter(|_| self.diagnostics.len() < MAX_REPORTED) {
            let zh = format!("键 `{key}` 出现了两次，用了后一个。");
            let en = format!("the key `{key}` stands twice; the later one was used");
            self.diagnostics.push(warn_at(self.source, "W-INIT-TWICE", line, column, &zh, &en));
        }
        Step::Go
    }

    /// Closes what a broken text left open, so that the readable part is kept.
    fn finish(mut self) -> ParsedVariables {
        while let Some(frame) = self.frames.pop() {
            let node = frame.finished();
            match self.frames.last_mut() {
                Some(outer) => {
                    outer.take(node);
                }
                None => self.document = Some(node.value),
            }
        }
        ParsedVariables { value: self.document, diagnostics: self.diagnostics }
    }
}

impl Frame {
    fn finished(self) -> Node {
        let value = match self.kind {
            Container::List(items) => Value::list(items),
            Container::Map { entries, .. } => Value::object(entries.into_iter().collect::<Object>()),
        };
        Node { value, weight: self.weight, depth: self.depth, is_merge: false }
    }

    /// Takes an item, a key or a value; returns a key that was there before.
    fn take(&mut self, node: Node) -> Option<Text> {
        self.weight += node.weight;
        self.depth = self.depth.max(node.depth + 1);
        match &mut self.kind {
            Container::List(items) => items.push(node.value),
            Container::Map { key: key @ None, .. } => *key = Some(node),
            Container::Map { entries, seen, key } => {
                let key = key.take().expect("the arm before has no key");
                if key.is_merge && merge(&node.value, entries, seen) {
                    return None;
                }
                let name = key_text(&key.value);
                let before = seen.insert(name.clone(), KeyOrigin::Written);
                entries.push((name.clone(), node.value));
                return before.filter(|origin| *origin == KeyOrigin::Written).map(|_| name);
            }
        }
        None
    }
}

/// Merges `<<: *base` or `<<: [*a, *b]`: adds entries that are not written in the mapping itself.
fn merge(given: &Value, entries: &mut Vec<(Text, Value)>, seen: &mut HashMap<Text, KeyOrigin>) -> bool {
    let sources = match given {
        Value::Object(_) => std::slice::from_ref(given),
        Value::List(items) if items.iter().all(|item| item.as_object().is_some()) => items,
        _ => return false,
    };
    for (key, value) in sources.iter().filter_map(Value::as_object).flat_map(Object::iter) {
        if !seen.contains_key(key) {
            seen.insert(key.clone(), KeyOrigin::Merged);
            entries.push((key.clone(), value.clone()));
        }
    }
    true
}

/// Converts a key to text as JavaScript would.
fn key_text(value: &Value) -> Text {
    match value {
        Value::Text(text) => text.clone(),
        Value::Null => "".into(),
        other => json::write(other).into(),
    }
}

fn scalar(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Node {
    let tag = tag.filter(|tag| tag.is_yaml_core_schema()).map(|tag| tag.suffix.as_str());
    let plain = style == ScalarStyle::Plain;
    let value = match tag {
        Some("str") => Value::text(text),
        None if !plain => Value::text(text),
        _ => typed(text),
    };
    Node { value, weight: 16 + text.len(), depth: 0, is_merge: plain && text == "<<" }
}

/// Applies the core schema: `yes`, `on` and dates are text.
fn typed(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        // JSON has no such numbers; JavaScript saves them as null.
        ".nan" | ".NaN" | ".NAN" => Value::Null,
        _ if matches!(text.trim_start_matches(['+', '-']), ".inf" | ".Inf" | ".INF") => Value::Null,
        _ => number(text).map_or_else(|| Value::text(text), Value::Number),
    }
}

fn number(text: &str) -> Option<Number> {
    let radix = |digits: &str, radix| {
        let plain = !digits.starts_with(['+', '-']);
        i64::from_str_radix(digits, radix).ok().filter(|_| plain).map(Number::from)
    };
    if let Some(digits) = text.strip_prefix("0x") {
        return radix(digits, 16);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return radix(digits, 8);
    }
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(source: &str) -> String {
        read(source).value.map_or("-".into(), |value| json::write(&value))
    }

    #[test]
    fn scalars_have_the_types_of_the_core_schema() {
        let source = "a: yes\nb: True\nc: ~\nd:\ne: 007\nf: 0x1F\ng: 0o17\nh: 1.50\ni: .5\nj: 1e3\nk: 2031-05-07\nl: 08:30\nm: 2031-05-07T08:00:00Z\nn: '5'\no: !!str 5\np: -.INF\nq: 12345678901234567890\nr: 1_000\ns: -3\nt: 45%\nu: 0x\nv: 1e999";
        assert_eq!(
            shown(source),
            r#"{"a":"yes","b":true,"c":null,"d":null,"e":7,"f":31,"g":15,"h":1.5,"i":0.5,"j":1000,"k":"2031-05-07","l":"08:30","m":"2031-05-07T08:00:00Z","n":"5","o":"5","p":null,"q":12345678901234567890,"r":"1_000","s":-3,"t":"45%","u":"0x","v":"1e999"}"#
        );
    }

    #[test]
    fn blocks_anchors_and_merge_keys_are_read() {
        let source = "base: &b {hp: 1, mp: 2}\nhero:\n  mp: 9\n  <<: *b\n  名: 林\nlist: [*b, *b]\ntext: |\n  一\n  二\nfolded: >-\n  三\n  四\n10: x\n2: y\n\"<<\": z\ntrue: t";
        assert_eq!(
            shown(source),
            r#"{"2":"y","10":"x","base":{"hp":1,"mp":2},"hero":{"mp":9,"hp":1,"名":"林"},"list":[{"hp":1,"mp":2},{"hp":1,"mp":2}],"text":"一\n二\n","folded":"三 四","<<":"z","true":"t"}"#
        );
    }

    #[test]
    fn several_documents_and_double_keys_are_told() {
        let several = read("---\na: 1\n---\nb: 2\n");
        assert_eq!(several.value.map(|value| json::write(&value)), Some(r#"{"a":1}"#.into()));
        assert_eq!(several.diagnostics[0].code, "W-INIT-DOCUMENTS");
        let twice = read("a: 1\nb: 2\na: 3");
        assert_eq!(twice.value.map(|value| json::write(&value)), Some(r#"{"a":3,"b":2}"#.into()));
        assert_eq!(twice.diagnostics[0].code, "W-INIT-TWICE");
        assert!(twice.diagnostics[0].message.en.starts_with("line 3"), "{:?}", twice.diagnostics);
    }

    #[test]
    fn bombs_do_nothing() {
        let mut laughs = String::from("a0: &a0 [lol,lol,lol,lol,lol,lol,lol,lol,lol]\n");
        for level in 1..40 {
            let before = format!("*a{},", level - 1).repeat(9);
            laughs += &format!("a{level}: &a{level} [{before}]\n");
        }
        let long = format!("a: &a {}\nb: [{}]", "x".repeat(1_000_000), "*a,".repeat(100_000));
        let deep_alias = (1..200)
            .fold("a0: &a0 [1]\n".to_owned(), |text, level| text + &format!("a{level}: &a{level} [*a{}]\n", level - 1));
        for source in [
            laughs,
            long,
            deep_alias,
            "[".repeat(10_000),
            "- ".repeat(10_000),
            "{a: ".repeat(10_000),
            "a: &a [*a]".into(),
            "? ".repeat(10_000),
        ] {
            let found = read(&source);
            assert!(found.has_error(), "{}", &source[..10]);
            assert!(found.value.is_none_or(|value| json::write(&value).len() < 100), "{}", &source[..10]);
        }
        let deep: String = (0..10_000).map(|level| " ".repeat(level.min(300)) + "a:\n").collect();
        read(&deep);
    }
}
