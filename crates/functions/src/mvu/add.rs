//! `_.add(path, delta)`: adds to a number, or milliseconds to a date.

use storeyline_calls::Arg;
use storeyline_state::{Number, StatePath, Value};

use crate::builtin::Builtin;
use crate::draft::{Draft, Refusal, count_arguments, refuse_path, shown, wrong_kind};
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

fn apply(draft: &mut Draft, args: &[Arg]) -> Result<(), Refusal> {
    count_arguments(args, ADD.syntax, 2..=2)?;
    let path = path(draft, args)?;
    add_at(draft, &path, &computed(&args[1]))
}

/// Adds to what is at a path that exists; of a pair to the value.
pub(crate) fn add_at(draft: &mut Draft, path: &StatePath, delta: &Value) -> Result<(), Refusal> {
    let old = draft.get(path)?.clone();
    if let Some(value) = pair::value_of(&old) {
        let new = sum(path, value, delta)?;
        return draft.set(&path.child("0").map_err(refuse_path)?, new);
    }
    let new = sum(path, &old, delta)?;
    draft.set(path, new)
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

/// The ISO date so many milliseconds later; nothing if the text is not one.
fn later(text: &str, delta: Number) -> Option<String> {
    let moment = iso_to_ms(text)?.checked_add(delta.as_i64()?)?;
    ms_to_iso(moment)
}

/// Reads `2030-01-01`, `2030-01-01T00:00:00Z` and `2030-01-01T00:00:00.000Z`.
fn iso_to_ms(text: &str) -> Option<i64> {
    let text = text.trim();
    let (date, time) = match text.split_once('T') {
        Some((date, time)) => (date, time.strip_suffix('Z')?),
        None => (text, "00:00:00"),
    };
    let whole = |text: &str, digits: usize| -> Option<i64> {
        (text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
    };
    let mut date = date.split('-');
    let (year, month, day) = (whole(date.next()?, 4)?, whole(date.next()?, 2)?, whole(date.next()?, 2)?);
    let mut time = time.split(':');
    let (hour, minute) = (whole(time.next()?, 2)?, whole(time.next()?, 2)?);
    let (second, fraction) =
        time.next().map_or(("00", "000"), |second| second.split_once('.').unwrap_or((second, "000")));
    let fraction = whole(format!("{fraction:0<3}").get(..3)?, 3)?;
    let valid =
        (1..=12).contains(&month) && (1..=31).contains(&day) && hour < 24 && minute < 60 && date.next().is_none();
    let seconds = ((days(year, month, day) * 24 + hour) * 60 + minute) * 60 + whole(second, 2)?;
    valid.then_some(seconds * 1000 + fraction)
}

/// Days since 1970-01-01 in the Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + (153 * ((month + 9) % 12) + 2) / 5 + day - 1 - 719_468
}

fn ms_to_iso(moment: i64) -> Option<String> {
    let (day, rest) = (moment.div_euclid(86_400_000), moment.rem_euclid(86_400_000));
    let shifted = day + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let part = (5 * of_year + 2) / 153;
    let (date, month) = (of_year - (153 * part + 2) / 5 + 1, if part < 10 { part + 3 } else { part - 9 });
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (hour, minute, second) = (rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60);
    (0..10_000)
        .contains(&year)
        .then(|| format!("{year:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", rest % 1_000))
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
        for text in ["12/30", "Chapter 5", "2030-1-1", "2030-01-01T", "2030-13-01", ""] {
            assert_eq!(plus(text, 1), None, "{text}");
        }
    }
}
