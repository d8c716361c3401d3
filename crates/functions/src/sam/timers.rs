//! `TIMED_SET` and `CANCEL_SET`: values that are set later, by round or by the story's clock.
//!
//! A timer is `[path, value, isRealTime, target, reason]` in `volatile`, as SAM writes it.

use storeyline_state::{Number, StatePath, Value, iso_date, json};

use super::defaults::top;
use super::write::{guard, guard_type, number, path_at};
use super::{at_least, batch_of, has_room, rooted};
use crate::builtin::Builtin;
use crate::draft::{Draft, Refusal, refuse_path, shown};
use crate::moment;
use crate::profile::SamVersion;

/// Maximum number of timers of a story.
const MAX_TIMERS: usize = 1_000;

/// Upper bound that no story reaches.
const MAX_ROUNDS: i64 = 1_000_000_000;

pub(super) const TIMED_SET: Builtin = Builtin {
    name: "TIMED_SET",
    aliases: &[],
    syntax: "@.TIMED_SET(\"path.to.var\", value, \"reason\", is_date, rounds_or_date);",
    zh: "过若干轮后，或到某个故事时间，设置变量",
    en: "sets a value after some rounds, or at a time of the story",
    example: "@.TIMED_SET(\"天气\", \"雨\", \"rain\", false, 3);",
    apply: |draft, args| {
        at_least(args, 5, &TIMED_SET)?;
        let batch = batch_of(draft)?;
        let inner = Draft::for_sam(rooted::data(draft.state())?.clone(), batch);
        let path = path_at(&inner, args, 0)?;
        guard(&inner, &path)?;
        guard_type(&inner, &path, &args[1].value)?;
        let is_date = is_true(&args[3].value);
        let target = if is_date { date(&args[4].value)? } else { round(batch.round, &args[4].value)? };
        let timers = top("volatile")?;
        if draft.get(&timers)?.as_list().is_none() {
            draft.set(&timers, Value::list(Vec::new()))?;
        }
        has_room(timers_of(draft.state()).len(), MAX_TIMERS, "volatile")?;
        let timer =
            vec![Value::text(written(&path)), args[1].value.clone(), is_date.into(), target, args[2].value.clone()];
        draft.append(&timers, Value::list(timer))
    },
};

pub(super) const CANCEL_SET: Builtin = Builtin {
    name: "CANCEL_SET",
    aliases: &[],
    syntax: "@.CANCEL_SET(\"reason\");",
    zh: "按理由或序号取消定时设置",
    en: "cancels a timer by its reason or its index",
    example: "@.CANCEL_SET(\"rain\");",
    apply: |draft, args| {
        at_least(args, 1, &CANCEL_SET)?;
        let version = batch_of(draft)?.version;
        let found = cancelled(timers_of(draft.state()), &args[0].value, version);
        if found.is_empty() {
            let wanted = shown(&args[0].value);
            return Err(Refusal::new(
                "E-MISSING",
                format!("没有理由或序号为 {wanted} 的定时设置，没有改动。"),
                format!("There is no timer with the reason or index {wanted}; nothing was changed."),
            ));
        }
        let timers = top("volatile")?;
        found.into_iter().rev().try_for_each(|at| draft.remove_item(&timers, at))
    },
};

/// Formats a path so that it can be parsed again: a short name may stand for keys with dots.
fn written(path: &StatePath) -> String {
    let plain = path.source().parse().is_ok_and(|again: StatePath| again.keys() == path.keys());
    if plain {
        return path.source().to_owned();
    }
    path.keys().iter().map(|key| format!("[{}]", json::write(&Value::text(key)))).collect()
}

pub(super) fn timers_of(state: &Value) -> &[Value] {
    state.get("volatile").and_then(Value::as_list).unwrap_or(&[])
}

/// Returns the timers to cancel: by reason, else by index, else (3.5) by path. A reason that begins
/// with a digit is a reason.
fn cancelled(timers: &[Value], wanted: &Value, version: SamVersion) -> Vec<usize> {
    let having = |field: usize| -> Vec<usize> {
        let fits = |timer: &Value| timer.as_list().and_then(|timer| timer.get(field)) == Some(wanted);
        timers.iter().enumerate().filter(|(_, timer)| fits(timer)).map(|(at, _)| at).collect()
    };
    let by_reason = having(4);
    if !by_reason.is_empty() {
        return by_reason;
    }
    let index = if *wanted == Value::Null { None } else { number(wanted).and_then(|number| number.as_index()) };
    match index.filter(|index| *index < timers.len()) {
        Some(index) => vec![index],
        None if version == SamVersion::V3_5 => having(0),
        None => Vec::new(),
    }
}

fn is_true(value: &Value) -> bool {
    match value {
        Value::Bool(value) => *value,
        Value::Number(number) => *number != Number::ZERO,
        Value::Text(text) => !matches!(text.trim(), "" | "false" | "False" | "0"),
        _ => false,
    }
}

fn date(value: &Value) -> Result<Value, Refusal> {
    let written = value.as_text().and_then(moment::read).and_then(iso_date::write);
    written.map(Value::text).ok_or_else(|| {
        let value = shown(value);
        Refusal::new(
            "E-TIME",
            format!("{value} 不是日期，没有定时。"),
            format!("{value} is not a date; no timer was set."),
        )
    })
}

fn round(now: i64, value: &Value) -> Result<Value, Refusal> {
    let limit = Number::from(MAX_ROUNDS);
    let rounds = number(value).filter(|rounds| *value != Value::Null && *rounds <= limit && limit.negated() <= *rounds);
    let target = rounds.and_then(|rounds| rounds.plus(Number::from(now)).ok());
    target.map(Value::Number).ok_or_else(|| {
        let value = shown(value);
        Refusal::new(
            "E-ROUNDS",
            format!("{value} 不是可用的轮数，没有定时。"),
            format!("{value} is not a usable number of rounds; no timer was set."),
        )
    })
}

/// A timer that is due.
pub(super) struct Due {
    pub(super) at: usize,
    pub(super) path: String,
    pub(super) value: Value,
    pub(super) reason: String,
}

/// Returns the due timers, in order.
///
/// Only timers that were waiting when the message began: one that the message sets fires with the
/// next message. A story without a clock uses the time at which the page was written.
pub(super) fn due(state: &Value, waiting: &[Value], round: i64, written: i64) -> Vec<Due> {
    let now = match state.get("time").and_then(Value::as_text) {
        None | Some("") => Some(written),
        Some(time) => moment::read(time),
    };
    let is_due = |is_date: &Value, target: &Value| {
        if is_true(is_date) {
            return now.zip(target.as_text().and_then(moment::read)).is_some_and(|(now, target)| now >= target);
        }
        target.as_number().is_some_and(|target| Number::from(round) >= target)
    };
    let read = |(at, timer): (usize, &Value)| match timer.as_list()? {
        [Value::Text(path), value, is_date, target, rest @ ..]
            if is_due(is_date, target) && waiting.contains(timer) =>
        {
            let reason = rest.first().and_then(Value::as_text).unwrap_or(path).to_owned();
            Some(Due { at, path: path.to_string(), value: value.clone(), reason })
        }
        _ => None,
    };
    timers_of(state).iter().enumerate().filter_map(read).collect()
}

/// Removes a timer from the list.
pub(super) fn take_off(draft: &mut Draft<'_>, at: usize) -> Result<(), Refusal> {
    let timer = top("volatile")?.child(&at.to_string()).map_err(refuse_path)?;
    draft.unset(&timer).map(|_| ())
}

#[cfg(test)]
mod tests {
    use crate::profile::SamVersion::{V3_5, V4_2};
    use crate::sam::tests_support::{after, codes};

    const STATE: &str = r#"{"static":{"a":0},"time":"2030-01-01T00:00:00Z"}"#;

    #[test]
    fn a_timer_waits_for_its_round_or_its_date() {
        let waits = after(V4_2, STATE, "@.TIMED_SET(\"a\", 1, \"r\", false, 2);");
        assert!(waits.contains(r#""volatile":[["a",1,false,4,"r"]]"#), "{waits}");
        let set = after(V4_2, STATE, "@.TIMED_SET(\"a\", 1, \"r\", false, 0);");
        assert!(set.contains(r#""static":{"a":0}"#) && set.contains(r#""volatile":[["a",1,false,2,"r"]]"#), "{set}");
        let fires = after(V4_2, &set, "");
        assert!(fires.contains(r#""static":{"a":1}"#) && fires.contains(r#""volatile":[]"#), "{fires}");
        let dated = "@.TIMED_SET(\"a\", 1, \"r\", true, \"2030-01-02\");";
        assert!(after(V4_2, STATE, dated).contains(r#"[["a",1,true,"2030-01-02T00:00:00.000Z","r"]]"#));
        let reached = "@.TIME(\"2030-01-03 10:00\");";
        assert!(after(V4_2, &after(V4_2, STATE, dated), reached).contains(r#""static":{"a":1}"#));
        // Version 3.5 executes its timers before it reads the message.
        assert!(after(V3_5, &after(V3_5, STATE, dated), reached).contains(r#""static":{"a":0}"#));
    }

    #[test]
    fn a_short_name_with_a_dot_keeps_its_meaning() {
        let state = r#"{"static":{"s":{"MK.50":1}},"uniquely_identified":true}"#;
        let fired = after(V4_2, &after(V4_2, state, "@.TIMED_SET(\"MK.50\", 2, \"r\", false, 0);"), "");
        assert!(fired.contains(r#"{"s":{"MK.50":2}}"#), "{fired}");
    }

    #[test]
    fn impossible_timers_are_refused() {
        for rounds in ["1e300", "\"soon\"", "null", "99999999999999999999", "[1]"] {
            assert_eq!(codes(V4_2, STATE, &format!("@.TIMED_SET(\"a\", 1, \"r\", false, {rounds});")), ["E-ROUNDS"]);
        }
        assert_eq!(codes(V4_2, STATE, "@.TIMED_SET(\"a\", 1);"), ["E-ARGS"]);
        assert_eq!(codes(V4_2, STATE, "@.CANCEL_SET(\"x\");"), ["E-MISSING"]);
        let many = "@.TIMED_SET(\"a\", 1, \"r\", false, 9);".repeat(1_001);
        assert_eq!(codes(V4_2, STATE, &many), ["E-FULL"]);
    }
}
