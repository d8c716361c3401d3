//! `ADD` and `SUB`: exact arithmetic; `ADD` on a list appends.

use storeyline_calls::Arg;
use storeyline_state::{Number, Spot, StatePath, Value};

use crate::builtin::Builtin;
use crate::draft::{Draft, Refusal, count_arguments, path_argument, shown};

pub(crate) const ADD: Builtin = Builtin {
    name: "ADD",
    aliases: &[],
    syntax: "@.ADD(\"path.to.number\", 5);",
    zh: "数值加法",
    en: "adds to a number",
    example: "@.ADD(\"角色.金币\", 100);",
    apply: add,
};

pub(super) const SUB: Builtin = Builtin {
    name: "SUB",
    aliases: &[],
    syntax: "@.SUB(\"path.to.number\", 5);",
    zh: "数值减法",
    en: "subtracts from a number",
    example: "@.SUB(\"角色.生命值\", 10);",
    apply: subtract,
};

fn add(draft: &mut Draft<'_>, args: &[Arg]) -> Result<(), Refusal> {
    count_arguments(args, ADD.syntax, 2..=2)?;
    let path = path_argument(draft, args)?;
    if let Some(Value::List(_)) = path.get(draft.state()) {
        return draft.append(&path, args[1].value.clone());
    }
    add_number(draft, &path, &args[1].value, |left, right| left.plus(right).ok())
}

fn subtract(draft: &mut Draft<'_>, args: &[Arg]) -> Result<(), Refusal> {
    count_arguments(args, SUB.syntax, 2..=2)?;
    let path = path_argument(draft, args)?;
    add_number(draft, &path, &args[1].value, |left, right| left.minus(right).ok())
}

/// Combines the number at a path with another one.
pub(crate) fn add_number(
    draft: &mut Draft<'_>,
    path: &StatePath,
    operand: &Value,
    combine: impl Fn(Number, Number) -> Option<Number>,
) -> Result<(), Refusal> {
    let spot = Spot::find(draft.state(), path);
    let before = spot.as_ref().map(Spot::value);
    let sum = match (number(before), number(Some(operand))) {
        (Some(left), Some(right)) => combine(left, right).ok_or_else(|| too_large(path))?,
        _ => return Err(refuse(path, before, operand)),
    };
    match spot {
        Some(spot) => draft.put(spot, path, Value::Number(sum)),
        None => draft.set(path, Value::Number(sum)),
    }
}

/// Converts a value to a number: a missing value and null are 0, a numeric text is its number.
pub(crate) fn number(value: Option<&Value>) -> Option<Number> {
    match value {
        None | Some(Value::Null) => Some(Number::ZERO),
        Some(Value::Number(number)) => Some(*number),
        Some(Value::Text(text)) => text.trim().parse().ok(),
        _ => None,
    }
}

pub(crate) fn refuse(path: &StatePath, before: Option<&Value>, added: &Value) -> Refusal {
    let stays = before.map_or_else(|| "–".to_owned(), shown);
    let culprit = if number(Some(added)).is_none() { shown(added) } else { stays.clone() };
    Refusal::new(
        "E-ADD-NUM",
        format!("{culprit} 不是数字，{path} 保持 {stays}。"),
        format!("{culprit} is not a number; {path} stays {stays}."),
    )
}

pub(crate) fn too_large(path: &StatePath) -> Refusal {
    Refusal::new(
        "E-ADD-SIZE",
        format!("{path} 的结果位数过多，没有改动。"),
        format!("The result for {path} has too many digits; nothing was changed."),
    )
}

#[cfg(test)]
mod tests {
    use crate::run::tests_support::{after, refusal};

    #[test]
    fn add_is_exact_and_tolerant() {
        assert_eq!(after(r#"{"a":0.1}"#, "@.ADD(\"a\", 0.2);"), r#"{"a":0.3}"#);
        assert_eq!(after("{}", "@.ADD(\"a.b\", -5);"), r#"{"a":{"b":-5}}"#);
        assert_eq!(after(r#"{"a":10}"#, "@.SUB(\"a\", 2.5);"), r#"{"a":7.5}"#);
        assert_eq!(after(r#"{"a":[1]}"#, "@.SUB(\"a\", 1);"), "E-ADD-NUM");
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
