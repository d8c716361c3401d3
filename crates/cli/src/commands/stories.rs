//! `storeyline stories`: lists all stories and their branches.

use crate::commands::refs;
use crate::commands::shape::floors_text;
use crate::failure::Failure;
use crate::out::Context;
use crate::style::{Tone, harmless};

pub(crate) fn run(context: &Context) -> Result<(), Failure> {
    let stories = context.engine()?.stories(&context.owner())?;
    if context.json {
        context.answer(&stories);
        return Ok(());
    }
    if stories.is_empty() {
        context.line(context.words("还没有故事。", "There is no story yet."));
    }
    for line in stories {
        let title = context.paint(Tone::Strong, &harmless(&line.title));
        context.line(&format!("{}  {title}", context.paint(Tone::Quiet, &line.story.to_string())));
        for found in line.refs {
            let mark = refs::mark(context, &found);
            let floors = context.paint(Tone::Quiet, &floors_text(context, found.floors));
            context.line(&format!("  {mark} {}  {floors}", harmless(&found.name)));
        }
    }
    Ok(())
}
