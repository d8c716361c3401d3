//! `ADD`: exact addition; on a list it appends.

use storeyline_state::{Number, StatePath, Value, json};

use crate::builtin::Builtin;
use crate::draft::{Draft, Refusal, count_arguments, path_argument};

pub(crate) const ADD: Builtin = Builtin {
    name: "ADD",
    underscore: None,
    syntax: "@.ADD(\"path.to.number\", 5);",
    zh: "数值加法",
    en: "adds to a number",
    example: "@.ADD(\"角色.金币\", 100);",
    apply,
};

fn apply(draft: &mut Draft, args: &[Value]) -> Result<(), Refusal> {
    count_arguments(args, ADD.syntax, 2..=2)?;
    let path = path_argument(args)?;
    let before = path.get(draft.state()).cloned();
    if let Some(Value::List(_)) = &before {
        return draft.append(&path, args[1].clone());
    }
    let sum = match (number(before.as_ref()), number(Some(&args[1]))) {
        (Some(left), Some(right)) => left.plus(right).map_err(|_| too_large(&path))?,
        _ => return Err(refuse(&path, &before, &args[1])),
    };
    draft.set(&path, Value::Number(sum))
}

/// A missing value and null count as 0, a text that is one whole number as that number.
fn number(value: Option<&Value>) -> Option<Number> {
    match value {
        None | Some(Value::Null) => Some(Number::ZERO),
        Some(Value::Number(number)) => Some(*number),
        Some(Value::Text(text)) => text.trim().parse().ok(),
        _ => None,
    }
}

fn refuse(path: &StatePath, before: &Option<Value>, added: &Value) -> Refusal {
    let stays = before.as_ref().map_or_else(|| "–".to_owned(), shown);
    let culprit = if number(Some(added)).is_none() { shown(added) } else { stays.clone() };
    Refusal::new(
        "E-ADD-NUM",
        format!("{culprit} 不是数字，{path} 保持 {stays}。"),
        format!("{culprit} is not a number; {path} stays {stays}."),
    )
}

fn too_large(path: &StatePath) -> Refusal {
    Refusal::new(
        "E-ADD-SIZE",
        format!("{path} 的结果位数过多，没有改动。"),
        format!("The result for {path} has too many digits; nothing was changed."),
    )
}

/// A value as it is named in a sentence: short.
fn shown(value: &Value) -> String {
    let text = json::write(value);
    if text.chars().count() <= 40 { text } else { text.chars().take(39).chain(['…']).collect() }
}

#[cfg(test)]
mod tests {
    use crate::run::tests_support::{after, refusal};

    #[test]
    fn add_is_exact_and_tolerant() {
        assert_eq!(after(r#"{"a":0.1}"#, "@.ADD(\"a\", 0.2);"), r#"{"a":0.3}"#);
        assert_eq!(after("{}", "@.ADD(\"a.b\", -5);"), r#"{"a":{"b":-5}}"#);
        assert_eq!(after(r#"{"a":"10"}"#, "@.ADD(\"a\", \"5\");"), r#"{"a":15}"#);
        assert_eq!(after(r#"{"a":[1]}"#, "@.ADD(\"a\", \"x\");"), r#"{"a":[1,"x"]}"#);
        assert_eq!(after(r#"{"a.b":[]}"#, "@.ADD(\"a.b\", 1);"), r#"{"a.b":[1]}"#);
    }

    #[test]
    fn add_says_what_is_not_a_number_and_what_stays() {
        let refusal = refusal(r#"{"力气":4}"#, "@.ADD(\"力气\", \"很多\");");
        assert_eq!(refusal.message.zh, "\"很多\" 不是数字，力气 保持 4。");
        assert_eq!(refusal.message.en, "\"很多\" is not a number; 力气 stays 4.");
        assert_eq!(after(r#"{"a":{}}"#, "@.ADD(\"a\", 1);"), "E-ADD-NUM");
        assert_eq!(after(r#"{"a":1e300}"#, "@.ADD(\"a\", 1);"), "E-ADD-SIZE");
    }
}
