//! `storeyline history`: all changes of a value, or those after which a condition holds.

use storeyline_engine::{Condition, ValueChange};

use crate::args::HistoryArgs;
use crate::commands::shape::{list, maybe, object, text};
use crate::commands::{value_change, which};
use crate::failure::Failure;
use crate::out::Context;
use crate::style::{Tone, pad, width};

pub(crate) fn run(context: &Context, args: &HistoryArgs) -> Result<(), Failure> {
    let read = |text: &String| Condition::read(text).ok_or_else(|| Failure::Condition(text.clone()));
    let when = args.when.as_ref().map(read).transpose()?;
    let engine = context.engine()?;
    let which = which::find(context, &engine, &args.target.story)?;
    let branch = which.branch.branch.id;
    let changes = engine.value_history(&context.owner(), which.story, branch, &args.path, when.as_ref())?;
    if context.json {
        context.value(&object([
            ("story", text(which.story)),
            ("ref", text(branch)),
            ("path", text(&args.path)),
            ("when", maybe(args.when.as_ref(), text)),
            ("changes", list(&changes, value_change::value)),
        ]));
        return Ok(());
    }
    if changes.is_empty() {
        context.line(match when {
            Some(_) => context.words("这从来没有发生过。", "This never came to be."),
            None => context.words("没有楼层改过这个值。", "No floor changed this value."),
        });
    }
    print(context, &changes);
    Ok(())
}

fn print(context: &Context, changes: &[ValueChange]) {
    let numbers = changes.iter().map(|change| change.floor.to_string().len() + 1).max().unwrap_or(0);
    // Colour codes take no columns, so the width is measured without them.
    let plain: Vec<usize> = changes.iter().map(|change| width(&value_change::plain_arrow(change))).collect();
    let widest = plain.iter().copied().max().unwrap_or(0).min(40);
    for (change, own) in changes.iter().zip(plain) {
        context.line(&format!(
            "{}  {}{}  {}",
            context.paint(Tone::Number, &pad(&format!("#{}", change.floor), numbers)),
            value_change::arrow(context, change),
            " ".repeat(widest.saturating_sub(own)),
            value_change::cause(context, change, 60)
        ));
    }
}
