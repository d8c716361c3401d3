//! `_.add(path, delta)`: adds to a number, or milliseconds to a date.

use storeyline_calls::Arg;
use storeyline_state::{Number, StatePath, Value, iso_date};

use crate::builtin::Builtin;
use crate::draft::{Draft, Refusal, count_arguments, shown, wrong_kind};
use crate::moment;
use crate::mvu::{computed, pair, path};

pub(super) const ADD: Builtin = Builtin {
    name: "add",
    aliases: &[],
    syntax: "_.add('path', delta);//reason",
    zh: "数值增减",
    en: "adds to a number",
    example: "_.add('角色.好感', 2);//分享热饮",
    apply,
};

fn apply(draft: &mut Draft<'_>, args: &[Arg]) -> Result<(), Refusal> {
    count_arguments(args, ADD.syntax, 2..=2)?;
    let path = path(draft, args)?;
    add_at(draft, &path, &computed(args[1].value.clone(), args[1].form))
}

/// Adds to the value at an existing path; in a pair, to the value of the pair.
pub(crate) fn add_at(draft: &mut Draft<'_>, path: &StatePath, delta: &Value) -> Result<(), Refusal> {
    let spot = draft.find(path)?;
    if let Some(value) = pair::value_of(spot.value()) {
        let new = sum(path, value, delta)?;
        let (first, spot) = pair::first(spot, path)?;
        return draft.put(spot, &first, new);
    }
    let new = sum(path, spot.value(), delta)?;
    draft.put(spot, path, new)
}

fn sum(path: &StatePath, old: &Value, delta: &Value) -> Result<Value, Refusal> {
    let number = match delta {
        Value::Number(number) => Some(*number),
        Value::Text(text) => text.trim().parse().ok(),
        _ => None,
    };
    let delta = number.ok_or_else(|| {
        let (given, stays) = (shown(delta), shown(old));
        Refusal::new(
            "E-ADD-NUM",
            format!("{given} 不是数字，{path} 保持 {stays}。"),
            format!("{given} is not a number; {path} stays {stays}."),
        )
    })?;
    match old {
        Value::Number(number) => number.plus(delta).ok().map(Value::Number),
        Value::Text(text) => later(text, delta).map(Value::text),
        _ => None,
    }
    .ok_or_else(|| wrong_kind(path, old, ("数字", "a number")))
}

/// Shifts a date by milliseconds, in MVU's format. Returns `None` if the text is no date. MVU reads
/// a text without a zone in the zone of the player's machine; here it is UTC, on every machine.
fn later(text: &str, delta: Number) -> Option<String> {
    let moment = moment::read(text)?.checked_add(delta.as_i64()?)?;
    iso_date::write(moment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_move_by_milliseconds() {
        let plus = |text: &str, delta: i64| later(text, delta.into());
        assert_eq!(plus("2030-12-31", 86_400_000).as_deref(), Some("2031-01-01T00:00:00.000Z"));
        assert_eq!(plus("2000-02-28T23:59:59.999Z", 1).as_deref(), Some("2000-02-29T00:00:00.000Z"));
        assert_eq!(plus("1970-01-01T00:00:00Z", -1).as_deref(), Some("1969-12-31T23:59:59.999Z"));
        for text in ["12/30", "Chapter 5", "2030-01-01T", "2030-13-01", ""] {
            assert_eq!(plus(text, 1), None, "{text}");
        }
    }
}
