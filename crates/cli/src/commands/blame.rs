//! `storeyline blame`: which floor and which call set a value.

use storeyline_state::StatePath;

use crate::args::BlameArgs;
use crate::commands::shape::{maybe, object, short, text, value_text};
use crate::commands::{value_change, which};
use crate::failure::Failure;
use crate::out::Context;
use crate::style::{Tone, harmless};

pub(crate) fn run(context: &Context, args: &BlameArgs) -> Result<(), Failure> {
    let engine = context.engine()?;
    let which = which::find(context, &engine, &args.target.story)?;
    let (owner, branch) = (context.owner(), which.branch.branch.id);
    let change = engine.blame(&owner, which.story, branch, args.floor, &args.path)?;
    let floor = args.floor.unwrap_or_else(|| which.branch.floors.saturating_sub(1));
    let state = engine.state_at(&owner, which.story, branch, floor)?;
    let value = args.path.parse::<StatePath>().ok().and_then(|path| path.get(&state).cloned());
    if context.json {
        context.value(&object([
            ("story", text(which.story)),
            ("ref", text(branch)),
            ("path", text(&args.path)),
            ("value", maybe(value, |value| value)),
            ("change", maybe(change.as_ref(), value_change::value)),
        ]));
        return Ok(());
    }
    let path = context.paint(Tone::Strong, &harmless(&args.path));
    let Some(change) = change else {
        context.line(&match value {
            Some(value) => {
                let words =
                    context.words("故事开始时就是这样，没有楼层改过它", "as the story began; no floor changed it");
                format!("{path}: {}  {}", value_text(&value), context.paint(Tone::Quiet, words))
            }
            None => {
                let words =
                    context.words("没有这个值，也没有楼层设过它", "there is no such value, and no floor ever set it");
                format!("{path}: {}", context.paint(Tone::Quiet, words))
            }
        });
        return Ok(());
    };
    let line = which::floor_line(context, &engine, &which, change.floor)?;
    context.line(&format!(
        "{path}: {}  {} {} {}",
        value_change::arrow(context, &change),
        context.paint(Tone::Number, &format!("#{}", change.floor)),
        context.paint(Tone::Name, &harmless(&line.turn.name)),
        context.paint(Tone::Quiet, &short(change.page))
    ));
    context.line(&format!("  {}", value_change::cause(context, &change, 100)));
    Ok(())
}
