//! `TIME_ADD`: shifts a time of the story, in the form it is written in.

use storeyline_calls::Arg;
use storeyline_state::{Number, Value, story_time};

use crate::builtin::Builtin;
use crate::draft::{Draft, Refusal, count_arguments, path_argument, shown};

pub(super) const TIME_ADD: Builtin = Builtin {
    name: "TIME_ADD",
    aliases: &[],
    syntax: "@.TIME_ADD(\"path.to.time\", {hours: 1});",
    zh: "时间推进（days、hours、minutes、seconds；单个数字是分钟）",
    en: "moves a time on (days, hours, minutes, seconds; a bare number means minutes)",
    example: "@.TIME_ADD(\"世界.时间\", {\"hours\": 1});",
    apply,
};

const UNITS: [(&str, i64); 5] =
    [("days", 86_400_000), ("hours", 3_600_000), ("minutes", 60_000), ("seconds", 1_000), ("milliseconds", 1)];

fn apply(draft: &mut Draft<'_>, args: &[Arg]) -> Result<(), Refusal> {
    count_arguments(args, TIME_ADD.syntax, 2..=2)?;
    let path = path_argument(draft, args)?;
    let by = milliseconds(&args[1].value).ok_or_else(|| {
        let given = shown(&args[1].value);
        Refusal::new(
            "E-TIME",
            format!("看不懂 {given}，应写成 {{\"hours\": 1}}。"),
            format!("{given} is no span of time; write {{\"hours\": 1}}."),
        )
    })?;
    let old = draft.get(&path)?.clone();
    let new = old.as_text().and_then(|text| story_time::shift(text, by)).ok_or_else(|| {
        let old = shown(&old);
        Refusal::new(
            "E-TIME",
            format!("{path} 是 {old}，不是看得懂的时间，没有改动。"),
            format!("{path} is {old}, which is no time that can be read; nothing was changed."),
        )
    })?;
    draft.set(&path, Value::text(new))
}

fn milliseconds(span: &Value) -> Option<i64> {
    let scaled = |number: Number, unit: i64| number.times(unit.into()).ok()?.floor().as_i64();
    match span {
        Value::Number(minutes) => scaled(*minutes, 60_000),
        Value::Object(parts) if !parts.is_empty() => parts.iter().try_fold(0i64, |sum, (name, number)| {
            let unit = UNITS.iter().find(|(unit, _)| unit.trim_end_matches('s') == name.trim_end_matches('s'))?.1;
            sum.checked_add(scaled(number.as_number()?, unit)?)
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::run::tests_support::after;

    #[test]
    fn time_moves_on_in_its_own_form() {
        let state = r#"{"世界":{"时间":"2024年10月26日 20:00"}}"#;
        let moved = |to: &str| format!(r#"{{"世界":{{"时间":"{to}"}}}}"#);
        assert_eq!(after(state, "@.TIME_ADD(\"世界.时间\", {hours: 1});"), moved("2024年10月26日 21:00"));
        assert_eq!(after(state, "@.TIME_ADD(\"世界.时间\", {day: 1, minutes: -30});"), moved("2024年10月27日 19:30"));
        assert_eq!(after(state, "@.TIME_ADD(\"世界.时间\", 90);"), moved("2024年10月26日 21:30"));
        assert_eq!(after(state, "@.TIME_ADD(\"世界.时间\", {weeks: 1});"), "E-TIME");
        assert_eq!(after(r#"{"t":"傍晚"}"#, "@.TIME_ADD(\"t\", 5);"), "E-TIME");
        assert_eq!(after("{}", "@.TIME_ADD(\"t\", 5);"), "E-MISSING");
    }
}
