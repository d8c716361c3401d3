//! `storeyline messages`: the messages of a branch for a model.

use storeyline_engine::Role;

use crate::args::MessagesArgs;
use crate::commands::shape::{list, number, object, text};
use crate::commands::which;
use crate::failure::Failure;
use crate::out::Context;
use crate::style::Tone;

pub(crate) fn run(context: &Context, args: &MessagesArgs) -> Result<(), Failure> {
    let engine = context.engine()?;
    let which = which::find(context, &engine, &args.target.story)?;
    let messages = engine.messages_for_prompt(&context.owner(), which.story, which.branch.branch.id)?;
    if context.json {
        context.value(&list(messages, |message| {
            object([
                ("floor", number(message.floor)),
                ("page", text(message.page)),
                ("role", message.role.as_str().into()),
                ("name", text(message.name)),
                ("text", text(message.text)),
            ])
        }));
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
