//! Functions composed of other functions (seed 001 §4.3), and automatic rules (§4.4).

use storeyline_state::{Number, Object, Value, Words, named};

use crate::library::function::Scope;

/// Maximum number of steps of one function or rule.
const MAX_STEPS: usize = 100;

/// One step: a function and its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Name of a built-in or of a function of the library.
    pub function: String,
    pub args: Vec<Value>,
}

/// A rule that runs without being called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AutoRule {
    pub id: String,
    pub name: String,
    pub enabled: bool,
    /// Sort key among rules and passive functions.
    pub order: Number,
    pub trigger: Trigger,
    /// JavaScript that must be truthy: `(ctx) => …` or an expression.
    pub condition: Option<String>,
    pub actions: Vec<Step>,
    pub scope: Scope,
    /// The only speaker for whom the rule is active; `None` for all.
    pub speaker: Option<String>,
}

named! {
    pub enum Trigger {
        /// Before the calls of an AI page.
        BeforeParse = "before_parse",
        /// After the calls of an AI page.
        AfterParse = "after_parse",
        /// After the calls of every page, including the user's.
        EveryMessage = "every_message",
    }
}

impl AutoRule {
    pub fn from_value(value: &Value, scope: Scope) -> Result<AutoRule, Words> {
        let text = |key: &str| value.get(key).and_then(Value::as_text);
        let name = text("name").unwrap_or("").to_owned();
        let word = text("trigger").unwrap_or("after_parse");
        let trigger = Trigger::from_word(word).ok_or_else(|| {
            Words::new(
                format!("规则“{name}”的 trigger 是“{word}”，应是 before_parse、after_parse 或 every_message。"),
                format!(
                    "The `trigger` of the rule `{name}` is `{word}`; it must be before_parse, after_parse or every_message."
                ),
            )
        })?;
        Ok(AutoRule {
            id: text("id").filter(|id| !id.is_empty()).unwrap_or(&name).to_owned(),
            enabled: value.get("enabled").and_then(Value::as_bool).unwrap_or(true),
            order: value.get("order").and_then(Value::as_number).unwrap_or(Number::ZERO),
            condition: text("condition").map(str::to_owned),
            actions: read_steps(&name, value.get("actions"))?,
            trigger,
            scope,
            speaker: text("speaker").map(str::to_owned),
            name,
        })
    }

    pub fn to_value(&self) -> Value {
        let mut object = Object::from([
            ("id", Value::text(&self.id)),
            ("name", Value::text(&self.name)),
            ("enabled", self.enabled.into()),
            ("trigger", self.trigger.as_str().into()),
        ]);
        if self.order != Number::ZERO {
            object.insert("order".into(), Value::Number(self.order));
        }
        if let Some(speaker) = &self.speaker {
            object.insert("speaker".into(), Value::text(speaker));
        }
        if let Some(condition) = &self.condition {
            object.insert("condition".into(), Value::text(condition));
        }
        object.insert("actions".into(), steps_to_value(&self.actions));
        Value::object(object)
    }
}

/// Parses `{"type": "composite", "steps": […]}`.
pub(super) fn composite(name: &str, implementation: &Value) -> Result<Vec<Step>, Words> {
    match implementation.get("type").and_then(Value::as_text) {
        Some("composite") | None => read_steps(name, implementation.get("steps")),
        Some(other) => Err(Words::new(
            format!("函数“{name}”的 implementation.type 是“{other}”，只认识 composite。"),
            format!("The `implementation.type` of the function `{name}` is `{other}`; only composite is known."),
        )),
    }
}

/// Writes the form that [`composite`] parses.
pub(super) fn composite_to_value(steps: &[Step]) -> Value {
    Value::entries([("type", "composite".into()), ("steps", steps_to_value(steps))])
}

fn steps_to_value(steps: &[Step]) -> Value {
    let step = |step: &Step| {
        Value::entries([("function", Value::text(&step.function)), ("args", Value::list(step.args.clone()))])
    };
    Value::list(steps.iter().map(step).collect())
}

fn read_steps(name: &str, value: Option<&Value>) -> Result<Vec<Step>, Words> {
    let steps = value
        .and_then(Value::as_list)
        .ok_or_else(|| Words::new(format!("“{name}”没有步骤列表。"), format!("`{name}` has no list of steps.")))?;
    if steps.len() > MAX_STEPS {
        return Err(Words::new(
            format!("“{name}”的步骤超过 {MAX_STEPS} 个。"),
            format!("`{name}` has more than {MAX_STEPS} steps."),
        ));
    }
    let step = |(index, value): (usize, &Value)| {
        let function = value.get("function").and_then(Value::as_text).ok_or_else(|| {
            Words::new(
                format!("“{name}”的第 {} 步没有 function。", index + 1),
                format!("Step {} of `{name}` has no `function`.", index + 1),
            )
        })?;
        let args = value.get("args").and_then(Value::as_list).map(<[Value]>::to_vec).unwrap_or_default();
        Ok(Step { function: function.to_owned(), args })
    };
    steps.iter().enumerate().map(step).collect()
}
