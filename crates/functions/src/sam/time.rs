//! `TIME`: the story's clock, and the time passed.

use storeyline_state::Value;

use super::defaults::top;
use super::{at_least, batch_of};
use crate::builtin::Builtin;
use crate::draft::{Draft, Refusal, shown};
use crate::moment;

pub(super) const TIME: Builtin = Builtin {
    name: "TIME",
    aliases: &[],
    syntax: "@.TIME(\"2024-10-20T15:30:00Z\");",
    zh: "更新故事时间；总是最先执行",
    en: "sets the story's time; it runs before everything else",
    example: "@.TIME(\"1024-03-05T09:30:00Z\");",
    apply: |draft, args| {
        at_least(args, 1, &TIME)?;
        set_time(draft, &args[0].value)
    },
};

/// Sets the time. `dtime` is the difference from the old to the new time in milliseconds; 0 if one
/// of them is no date.
pub(super) fn set_time(draft: &mut Draft<'_>, value: &Value) -> Result<(), Refusal> {
    batch_of(draft)?;
    let Value::Text(new) = value else {
        return Err(Refusal::new(
            "E-TIME",
            format!("{} 不是时间文本，没有改动。", shown(value)),
            format!("{} is not a time in quotes; nothing was changed.", shown(value)),
        ));
    };
    let old = draft.state().get("time").and_then(Value::as_text).and_then(moment::read);
    let passed = old.zip(moment::read(new)).map_or(0, |(old, new)| new - old);
    draft.set(&top("dtime")?, passed.into())?;
    draft.set(&top("time")?, value.clone())
}
