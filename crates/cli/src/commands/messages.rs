//! `storeyline messages`: the messages of a branch for a model.

use storeyline_wire::Role;

use crate::args::Target;
use crate::commands::which;
use crate::failure::Failure;
use crate::out::Context;
use crate::style::Tone;

pub(crate) fn run(context: &Context, target: &Target) -> Result<(), Failure> {
    let which = which::find(context, &target.story)?;
    let messages = which.engine.messages_for_prompt(&which.owner(), which.story, which.id())?;
    if context.json {
        context.answer(&messages);
        return Ok(());
    }
    for (index, message) in messages.iter().enumerate() {
        if index > 0 {
            context.line("");
        }
        let tone = if message.role == Role::User { Tone::Good } else { Tone::Name };
        context.line(&format!(
            "{} {} {}",
            context.paint(Tone::Number, &format!("#{}", message.floor)),
            context.paint(tone, &message.name),
            context.paint(Tone::Quiet, message.role.as_str())
        ));
        context.line(&context.story_text(&message.text));
    }
    Ok(())
}
