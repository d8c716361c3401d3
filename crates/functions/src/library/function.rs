//! One function of the library: seed 000 §3.2, with the optional fields of seed 001 §4.1.

use storeyline_state::{Number, Object, Value, Words, named, written};

use crate::library::steps::{self, Step};

/// In bytes.
const MAX_NAME: usize = 400;
/// In bytes.
const MAX_PATTERN: usize = 10_000;
/// In bytes.
const MAX_EXECUTOR: usize = 256 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VarFunction {
    pub id: String,
    /// Shown to users; also the name by which calls address the function.
    pub name: String,
    pub enabled: bool,
    /// Sort key among functions; the lowest runs first.
    pub order: Number,
    /// For prompts.
    pub description: String,
    pub kind: FunctionKind,
    pub executor: Executor,
    pub scope: Scope,
    /// The only speaker for whom the function is active; `None` for all. In a group each card has
    /// its own functions.
    pub speaker: Option<String>,
    pub notes: AuthorNotes,
}

/// When a function runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FunctionKind {
    /// When the text calls it, by its name or by its own pattern.
    Active {
        /// A JavaScript regular expression.
        pattern: Option<String>,
    },
    /// On every page of the AI.
    Passive {
        timing: Timing,
        /// Has no effect; kept so that a file stays as its author wrote it.
        pattern: Option<String>,
    },
}

named! {
    /// Before or after the calls of a page.
    pub enum Timing {
        /// 主动函数前
        BeforeActive = "before_active",
        /// 主动函数后
        AfterActive = "after_active",
    }
}

/// What a function does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Executor {
    /// JavaScript.
    Script(String),
    /// Other functions, run in order.
    Steps(Vec<Step>),
}

written! {
    /// Who owns a function. The order of the variants matters: a card's function has priority over a
    /// global one of the same name.
    pub enum Scope {
        /// 局域: it belongs to one card.
        Card = "card",
        /// 全局: it belongs to the user.
        Global = "global",
    }
}

/// Optional descriptions by the author; they have no effect.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AuthorNotes {
    /// `基础`, `高级`, `自定义`.
    pub category: Option<String>,
    pub syntax: Option<String>,
    pub example: Option<String>,
    pub parameters: Option<Value>,
}

impl VarFunction {
    /// Parses a definition. Missing fields get defaults.
    pub fn from_value(value: &Value, scope: Scope) -> Result<VarFunction, Words> {
        let text = |key: &str| value.get(key).and_then(Value::as_text);
        let name = text("name").map(str::trim).filter(|name| !name.is_empty());
        let name = name.ok_or_else(|| Words::new("函数没有名称（name）。", "The function has no `name`."))?;
        limit(name, "name", name, MAX_NAME)?;
        let pattern = pattern(name, value.get("pattern"))?;
        let kind = match text("type") {
            Some("passive") => FunctionKind::Passive { timing: timing(name, text("timing"))?, pattern },
            Some("active") | None => FunctionKind::Active { pattern },
            Some(other) => return Err(unknown(name, "type", other, "active, passive")),
        };
        Ok(VarFunction {
            id: text("id").filter(|id| !id.is_empty()).unwrap_or(name).to_owned(),
            enabled: value.get("enabled").and_then(Value::as_bool).unwrap_or(true),
            order: value.get("order").and_then(Value::as_number).unwrap_or(Number::ZERO),
            description: text("description").unwrap_or_default().to_owned(),
            executor: executor(name, value)?,
            notes: AuthorNotes {
                category: text("category").map(str::to_owned),
                syntax: text("syntax").map(str::to_owned),
                example: text("example").map(str::to_owned),
                parameters: value.get("parameters").cloned(),
            },
            name: name.to_owned(),
            kind,
            scope,
            speaker: text("speaker").map(str::to_owned),
        })
    }

    /// Returns the definition in the form of seed 000 §4.4.
    pub fn to_value(&self) -> Value {
        let mut object = Object::default();
        let mut put = |key: &str, value: Option<Value>| {
            if let Some(value) = value {
                object.insert(key.into(), value);
            }
        };
        let optional = |text: &Option<String>| text.as_ref().map(Value::text);
        put("id", Some(Value::text(&self.id)));
        put("name", Some(Value::text(&self.name)));
        put("type", Some(if matches!(self.kind, FunctionKind::Active { .. }) { "active" } else { "passive" }.into()));
        put("enabled", Some(self.enabled.into()));
        put("order", Some(Value::Number(self.order)));
        match &self.kind {
            FunctionKind::Active { pattern } => put("pattern", optional(pattern)),
            FunctionKind::Passive { timing, pattern } => {
                put("timing", Some(timing.as_str().into()));
                put("pattern", optional(pattern));
            }
        }
        put("description", Some(Value::text(&self.description)));
        put("speaker", optional(&self.speaker));
        put("category", optional(&self.notes.category));
        put("syntax", optional(&self.notes.syntax));
        put("parameters", self.notes.parameters.clone());
        put("example", optional(&self.notes.example));
        match &self.executor {
            Executor::Script(source) => put("executor", Some(Value::text(source))),
            Executor::Steps(steps) => put("implementation", Some(steps::composite_to_value(steps))),
        }
        Value::object(object)
    }
}

fn timing(name: &str, word: Option<&str>) -> Result<Timing, Words> {
    let word = word.unwrap_or("after_active");
    Timing::from_word(word).ok_or_else(|| unknown(name, "timing", word, "before_active, after_active"))
}

fn pattern(name: &str, value: Option<&Value>) -> Result<Option<String>, Words> {
    let Some(pattern) = value.and_then(Value::as_text).filter(|pattern| !pattern.is_empty()) else {
        return Ok(None);
    };
    limit(name, "pattern", pattern, MAX_PATTERN)?;
    Ok(Some(pattern.to_owned()))
}

fn executor(name: &str, value: &Value) -> Result<Executor, Words> {
    if let Some(implementation) = value.get("implementation") {
        return steps::composite(name, implementation).map(Executor::Steps);
    }
    match value.get("executor").and_then(Value::as_text) {
        Some(source) => {
            limit(name, "executor", source, MAX_EXECUTOR)?;
            Ok(Executor::Script(source.to_owned()))
        }
        None => Err(Words::new(
            format!("函数“{name}”没有代码（executor），也没有步骤（implementation.steps）。"),
            format!("The function `{name}` has neither an `executor` nor `implementation.steps`."),
        )),
    }
}

fn limit(name: &str, field: &str, text: &str, most: usize) -> Result<(), Words> {
    if text.len() <= most {
        return Ok(());
    }
    let name: String = name.chars().take(40).collect();
    Err(Words::new(
        format!("函数“{name}”的 {field} 超过 {most} 字节。"),
        format!("The `{field}` of the function `{name}` is longer than {most} bytes."),
    ))
}

fn unknown(name: &str, field: &str, given: &str, allowed: &str) -> Words {
    Words::new(
        format!("函数“{name}”的 {field} 是“{given}”，应是 {allowed} 之一。"),
        format!("The `{field}` of the function `{name}` is `{given}`; it must be one of {allowed}."),
    )
}
