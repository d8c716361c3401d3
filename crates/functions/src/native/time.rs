//! `TIME`: writes the story's time.

use storeyline_calls::Arg;
use storeyline_state::{StatePath, Value};

use crate::builtin::Builtin;
use crate::draft::{Draft, Refusal, count_arguments, refuse_path};

pub(super) const TIME: Builtin = Builtin {
    name: "TIME",
    aliases: &[],
    syntax: "@.TIME(\"2024-10-20T15:30:00Z\");",
    zh: "更新时间",
    en: "sets the story's time",
    example: "@.TIME(\"2024-10-20T15:30:00Z\");",
    apply,
};

/// `世界.时间` where it exists, else `time`.
fn apply(draft: &mut Draft<'_>, args: &[Arg]) -> Result<(), Refusal> {
    count_arguments(args, TIME.syntax, 1..=1)?;
    let world: StatePath = "世界.时间".parse().map_err(refuse_path)?;
    let path = if world.get(draft.state()).is_some() { world } else { "time".parse().map_err(refuse_path)? };
    let value = match &args[0].value {
        Value::Text(_) | Value::Number(_) => args[0].value.clone(),
        _ => return Err(Refusal::new("E-TIME", "时间应是文本或数字。", "The time must be a text or a number.")),
    };
    draft.set(&path, value)
}

#[cfg(test)]
mod tests {
    use crate::run::tests_support::after;

    #[test]
    fn time_is_written_where_the_story_keeps_it() {
        assert_eq!(after(r#"{"世界":{"时间":"x"}}"#, "@.TIME(\"20:00\");"), r#"{"世界":{"时间":"20:00"}}"#);
        assert_eq!(after("{}", "@.TIME(\"20:00\");"), r#"{"time":"20:00"}"#);
    }
}
