//! `TIME`: writes the story's time.

use storeyline_calls::Arg;
use storeyline_state::{StatePath, Value, story_time};

use crate::builtin::Builtin;
use crate::draft::{Draft, Refusal, count_arguments, refuse_path, shown};

pub(super) const TIME: Builtin = Builtin {
    name: "TIME",
    aliases: &[],
    syntax: "@.TIME(\"2024-10-20T15:30:00Z\");",
    zh: "更新时间",
    en: "sets the story's time",
    example: "@.TIME(\"2024-10-20T15:30:00Z\");",
    apply,
};

fn apply(draft: &mut Draft<'_>, args: &[Arg]) -> Result<(), Refusal> {
    count_arguments(args, TIME.syntax, 1..=1)?;
    let (path, value) = (time_path(draft)?, &args[0].value);
    if !is_time(value, path.get(draft.state())) {
        let given = shown(value);
        return Err(Refusal::new(
            "E-TIME",
            format!("{given} 不是看得懂的时间，没有改动。应写成 2024-10-20T15:30:00Z 或 2024年10月20日 15:30。"),
            format!(
                "{given} is no time that can be read; nothing was changed. Write 2024-10-20T15:30:00Z or 2024年10月20日 15:30."
            ),
        ));
    }
    draft.set(&path, value.clone())
}

/// Returns the configured path, else `世界.时间` if it exists, else `time`.
fn time_path(draft: &Draft<'_>) -> Result<StatePath, Refusal> {
    if let Some(path) = draft.time_path() {
        return Ok(path.clone());
    }
    let world: StatePath = "世界.时间".parse().map_err(refuse_path)?;
    if world.get(draft.state()).is_some() { Ok(world) } else { "time".parse().map_err(refuse_path) }
}

/// Tells whether a value is accepted as a time. A number is a time in milliseconds, as scripts use
/// it. A clock without a date would lose the date of the story, so it is accepted only if the old
/// value has no date either.
fn is_time(value: &Value, old: Option<&Value>) -> bool {
    match value {
        Value::Number(_) => true,
        Value::Text(text) if story_time::is_clock(text) => {
            old.and_then(Value::as_text).is_some_and(story_time::is_clock)
        }
        Value::Text(text) => story_time::is_dated(text),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use storeyline_calls::{ParseSettings, parse};
    use storeyline_state::json;

    use crate::profile::Profile;
    use crate::run::tests_support::after;
    use crate::run::{Conventions, run};

    #[test]
    fn time_is_written_where_the_story_keeps_it() {
        let world = |time: &str| format!(r#"{{"世界":{{"时间":"{time}"}}}}"#);
        let written = after(&world("x"), "@.TIME(\"2024年10月26日 20:00\");");
        assert_eq!(written, world("2024年10月26日 20:00"));
        assert_eq!(after("{}", "@.TIME(\"2024-10-20T15:30:00Z\");"), r#"{"time":"2024-10-20T15:30:00Z"}"#);
        assert_eq!(after(&world("08:00"), "@.TIME(\"20:00\");"), world("20:00"), "a story that keeps a clock");
        assert_eq!(after("{}", "@.TIME(1729438200000);"), r#"{"time":1729438200000}"#);
    }

    #[test]
    fn the_user_says_where_the_time_is() {
        let path = "a.钟".parse().unwrap();
        let conventions = Conventions { time_path: Some(&path), ..Conventions::of(Profile::Native) };
        let parsed = parse("@.TIME(\"2024-10-20\");", &ParseSettings::default());
        let state = json::read(r#"{"世界":{"时间":"x"}}"#).unwrap();
        let outcome = run(&state, &parsed.calls[0], conventions).unwrap();
        assert_eq!(json::write(&outcome.state), r#"{"世界":{"时间":"x"},"a":{"钟":"2024-10-20"}}"#);
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for given in ["\"garbage\"", "\"\"", "\"20:00\"", "\"明天\"", "\"+1h\"", "true", "[2024]", "\"2024-13-01\""] {
            assert_eq!(after("{}", &format!("@.TIME({given});")), "E-TIME", "{given}");
        }
    }
}
