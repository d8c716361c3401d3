//! `storeyline path`: lists the floors of a branch.

use storeyline_wire::view::FloorLine;

use crate::commands::shape::floor_marks;
use crate::commands::which;
use crate::failure::Failure;
use crate::out::Context;
use crate::style::{Tone, cut, harmless, pad, width};

pub(crate) fn run(context: &Context, story: &str) -> Result<(), Failure> {
    let which = which::find(context, story)?;
    let lines = which.engine.floors(&which.owner(), which.story, which.id(), 0, usize::MAX)?.floors;
    if context.json {
        context.answer(&lines);
        return Ok(());
    }
    let names = lines.iter().map(|line| width(&line.name)).max().unwrap_or(0).min(24);
    let numbers = lines.len().saturating_sub(1).to_string().len() + 1;
    for line in &lines {
        print(context, line, numbers, names);
    }
    Ok(())
}

fn print(context: &Context, line: &FloorLine, numbers: usize, names: usize) {
    let floor = context.paint(Tone::Number, &pad(&format!("#{}", line.floor), numbers));
    let name = context.paint(Tone::Name, &pad(&cut(&harmless(&line.name), names), names));
    let preview = harmless(&cut(&line.preview, 60));
    let preview = if line.hidden { context.paint(Tone::Quiet, &preview) } else { preview };
    context.line(&format!("{floor} {name}  {preview}{}", marks(context, line)));
}

/// Returns the number of pages, the changes, and unusual properties.
fn marks(context: &Context, line: &FloorLine) -> String {
    let changes = line.changes;
    let counts = [
        (Tone::Changed, '~', changes.changed),
        (Tone::Good, '+', changes.added),
        (Tone::Bad, '−', changes.removed),
        (Tone::Bad, '⚠', changes.failed),
    ];
    let mut marks: Vec<String> = counts
        .into_iter()
        .filter(|(_, _, count)| *count > 0)
        .map(|(tone, mark, count)| context.paint(tone, &format!("{mark}{count}")))
        .collect();
    marks.extend(floor_marks(context, line.stale, line.overridden, line.hidden));
    if line.pages > 1 {
        let page = format!("{}/{}", line.active + 1, line.pages);
        marks.insert(0, context.paint(Tone::Quiet, &page));
    }
    if marks.is_empty() { String::new() } else { format!("  {}", marks.join(" ")) }
}
