//! `storeyline settings`: shows or changes the settings of a story.

use storeyline_engine::Settings;
use storeyline_state::Value;
use storeyline_wire::EditPolicy;

use crate::args::SettingsArgs;
use crate::commands::change::CLIENT;
use crate::commands::shape::{maybe, object, text};
use crate::commands::which;
use crate::failure::Failure;
use crate::out::Context;
use crate::style::Tone;

pub(crate) fn run(context: &Context, args: &SettingsArgs) -> Result<(), Failure> {
    let engine = context.engine()?;
    let story = which::story(context, &engine, &args.story)?;
    let wanted = args
        .edit_policy
        .as_deref()
        .map(|word| Settings { edit_policy: if word == "manual" { EditPolicy::Manual } else { EditPolicy::Auto } });
    let operation = wanted
        .map(|wanted| engine.change_settings(&context.owner(), story.story, wanted, CLIENT))
        .transpose()?
        .flatten();
    let Settings { edit_policy } = engine.settings(&context.owner(), story.story)?;
    let (word, zh, en) = match edit_policy {
        EditPolicy::Auto => ("auto", "改动立即影响后面的楼层", "a change reaches the later floors at once"),
        EditPolicy::Manual => (
            "manual",
            "后面的楼层保持原状并标为过时，直到重新处理",
            "the later floors keep their states, marked stale, until they are re-processed",
        ),
    };
    if context.json {
        context.value(&object([
            ("story", text(story.story)),
            ("edit_policy", word.into()),
            ("operation", maybe(operation, Value::from)),
        ]));
        return Ok(());
    }
    context.line(&context.paint(Tone::Strong, &story.title));
    let meaning = context.paint(Tone::Quiet, context.words(zh, en));
    context.line(&format!("  edit-policy  {}  {meaning}", context.paint(Tone::Number, word)));
    Ok(())
}
