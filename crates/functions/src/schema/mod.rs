//! An optional schema for the state, checked when calls are executed.
//!
//! A subset of JSON Schema: `type`, `default`, `enum`, `minimum`, `maximum`, `readOnly`,
//! `properties`, `items`, `additionalProperties`. A number out of range is clamped and a numeric
//! text becomes a number, each with a diagnostic; any other violation is refused. Keys that begin
//! with `_` are read-only for calls.

mod enforce;
mod infer;

use storeyline_state::{Number, Step, Value, Words, named};

pub(crate) use enforce::enforce;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schema {
    source: Value,
    root: Rule,
}

/// The rule for one path.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Rule {
    kinds: Vec<ValueType>,
    default: Option<Value>,
    one_of: Option<Vec<Value>>,
    least: Option<Number>,
    most: Option<Number>,
    read_only: bool,
    fields: Vec<(String, Rule)>,
    items: Option<Box<Rule>>,
    others: Others,
}

/// What an object may contain besides its declared fields.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
enum Others {
    #[default]
    Free,
    None,
    Like(Box<Rule>),
}

named! {
    enum ValueType {
        Null = "null",
        Bool = "boolean",
        Number = "number",
        Integer = "integer",
        Text = "string",
        List = "array",
        Object = "object",
    }
}

impl ValueType {
    fn matches(self, value: &Value) -> bool {
        match (self, value) {
            (ValueType::Integer, Value::Number(number)) => number.floor() == *number,
            _ => self == ValueType::of(value),
        }
    }

    fn of(value: &Value) -> ValueType {
        match value {
            Value::Null => ValueType::Null,
            Value::Bool(_) => ValueType::Bool,
            Value::Number(_) => ValueType::Number,
            Value::Text(_) => ValueType::Text,
            Value::List(_) => ValueType::List,
            Value::Object(_) => ValueType::Object,
        }
    }
}

impl Schema {
    /// Parses a schema, or tells which keyword is unknown.
    pub fn read(source: &Value) -> Result<Schema, Words> {
        Ok(Schema { root: rule(source, "")?, source: source.clone() })
    }

    /// Makes the schema of a state: the same types everywhere, additional entries allowed.
    pub fn infer(state: &Value) -> Schema {
        let source = infer::infer(state);
        let root = rule(&source, "").expect("an inferred schema uses known words only");
        Schema { source, root }
    }

    /// Returns the schema as it was written.
    pub fn source(&self) -> &Value {
        &self.source
    }

    fn at(&self, path: &[Step]) -> Option<&Rule> {
        path.iter().try_fold(&self.root, Rule::below)
    }

    /// Tells whether a path leads through something read-only.
    fn is_read_only(&self, path: &[Step]) -> bool {
        let mut rule = Some(&self.root);
        path.iter().any(|step| {
            rule = rule.and_then(|rule| rule.below(step));
            let hidden = matches!(step, Step::Key(key) if key.starts_with('_'));
            hidden || rule.is_some_and(|rule| rule.read_only)
        })
    }
}

impl Rule {
    fn below(&self, step: &Step) -> Option<&Rule> {
        match step {
            Step::Index(_) => self.items.as_deref(),
            Step::Key(key) => {
                self.fields.iter().find(|(name, _)| **name == **key).map(|(_, rule)| rule).or(match &self.others {
                    Others::Like(rule) => Some(rule),
                    Others::Free | Others::None => None,
                })
            }
        }
    }
}

fn rule(source: &Value, at: &str) -> Result<Rule, Words> {
    let wrong = |what: &str| {
        let place = if at.is_empty() { "/" } else { at };
        Words::new(format!("schema 的 {place}：看不懂 {what}。"), format!("The schema at {place}: cannot read {what}."))
    };
    if source.as_object().is_none() {
        let place = if at.is_empty() { "/" } else { at };
        let en = format!("The schema at {place} is no object.");
        return Err(Words::new(format!("schema 的 {place} 不是对象。"), en));
    }
    let number = |key: &str| match source.get(key) {
        None => Ok(None),
        Some(value) => value.as_number().map(Some).ok_or_else(|| wrong(key)),
    };
    let below = |value: &Value, name: &str| rule(value, &format!("{at}/{name}"));
    let kind = |word: &Value| word.as_text().and_then(ValueType::from_word).ok_or_else(|| wrong("type"));
    let fields = source.get("properties").and_then(Value::as_object);
    let fields = fields.map(|fields| fields.iter().map(|(name, value)| Ok((name.to_string(), below(value, name)?))));
    Ok(Rule {
        kinds: match source.get("type") {
            None => Vec::new(),
            Some(Value::List(words)) => words.iter().map(kind).collect::<Result<_, _>>()?,
            Some(word) => vec![kind(word)?],
        },
        default: source.get("default").cloned(),
        one_of: source.get("enum").and_then(Value::as_list).map(<[Value]>::to_vec),
        least: number("minimum")?,
        most: number("maximum")?,
        read_only: source.get("readOnly").and_then(Value::as_bool).unwrap_or(false),
        fields: fields.map_or(Ok(Vec::new()), Iterator::collect)?,
        items: source.get("items").map(|items| below(items, "*")).transpose()?.map(Box::new),
        others: match source.get("additionalProperties") {
            None | Some(Value::Bool(true)) => Others::Free,
            Some(Value::Bool(false)) => Others::None,
            Some(value) => Others::Like(Box::new(below(value, "*")?)),
        },
    })
}
