//! `storeyline path`

use storeyline_server::floor_lines_json;

use crate::args::PathArgs;
use crate::commands::which;
use crate::failure::Failure;
use crate::out::Context;

pub(crate) fn run(context: &Context, args: &PathArgs) -> Result<(), Failure> {
    let engine = context.engine()?;
    let which = which::find(context, &engine, &args.story)?;
    let (_, lines) = engine.floors(&context.owner(), which.story, which.branch.branch.id, 0, usize::MAX)?;
    if context.json {
        context.line(&floor_lines_json(lines));
        return Ok(());
    }
    for line in lines {
        let pages = if line.turn.pages.len() > 1 {
            format!(" {}/{}", line.turn.active + 1, line.turn.pages.len())
        } else {
            String::new()
        };
        let changes = line.changes;
        let marks = [('~', changes.changed), ('+', changes.added), ('−', changes.removed), ('⚠', changes.failed)];
        let marks: String =
            marks.iter().filter(|(_, count)| *count > 0).map(|(mark, count)| format!(" {mark}{count}")).collect();
        let preview: String = line.preview.chars().take(60).collect();
        context.line(&format!("#{:<4} {}{pages}{marks}  {preview}", line.floor, line.turn.name));
    }
    Ok(())
}
