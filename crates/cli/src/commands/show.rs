//! `storeyline show`: prints one floor: text, calls, state.

use storeyline_wire::Verdict;
use storeyline_wire::view::Floor;

use crate::args::ShowArgs;
use crate::commands::shape::{floor_marks, print_changes, short};
use crate::commands::which;
use crate::failure::Failure;
use crate::out::Context;
use crate::style::{Tone, cut, harmless};

pub(crate) fn run(context: &Context, args: &ShowArgs) -> Result<(), Failure> {
    let which = which::find(context, &args.story)?;
    let (floor, page) = match &args.page {
        Some(page) => which.page_named(page).map(|(floor, page)| (floor, Some(page)))?,
        None => (which.floor_or_last(args.floor), None),
    };
    let view = which.view(floor, page)?;
    match context.json {
        true => context.answer(&view),
        false => print(context, &view),
    }
    Ok(())
}

fn print(context: &Context, view: &Floor) {
    let mut head = vec![
        context.paint(Tone::Number, &format!("#{}", view.floor)),
        context.paint(Tone::Name, &harmless(&view.name)),
        context.paint(Tone::Quiet, view.role.as_str()),
        context.paint(Tone::Quiet, &short(view.page)),
    ];
    head.extend(floor_marks(context, view.stale, view.overridden, view.hidden));
    context.line(&head.join(" "));
    context.line(&context.story_text(&view.text));
    context.line("");
    print_pages(context, view);
    let units: Vec<u16> = view.text.encode_utf16().collect();
    for call in &view.calls {
        let mark = match call.verdict {
            Verdict::Done => context.paint(Tone::Good, "✓"),
            Verdict::Repaired => context.paint(Tone::Changed, "≈"),
            Verdict::Failed => context.paint(Tone::Bad, "✕"),
        };
        // A passive function has no text.
        let [start, end] = call.span;
        let source = match String::from_utf16_lossy(units.get(start..end).unwrap_or_default()).as_str() {
            "" if call.name == "override" => context.words("手动改正", "corrected by hand").to_owned(),
            "" => harmless(&call.name),
            source => context.story_text(source),
        };
        context.line(&format!("{mark} {source}"));
        print_changes(context, "    ", &call.ops);
    }
    let of_calls = view.calls.iter().flat_map(|call| &call.diagnostics);
    for found in of_calls.chain(&view.diagnostics) {
        let message = context.say(&found.message);
        context.line(&format!("  {}  {message}", context.paint(Tone::Quiet, &found.code)));
    }
    context.line(&context.state_text(&view.state));
}

/// Prints the other pages of the floor, with the command that activates them.
fn print_pages(context: &Context, view: &Floor) {
    if view.pages.len() < 2 {
        return;
    }
    for (index, line) in view.pages.iter().enumerate() {
        let read = index == view.active;
        let mark = if read { context.paint(Tone::Good, "●") } else { context.paint(Tone::Quiet, "○") };
        let id = context.paint(Tone::Quiet, &short(line.page));
        context.line(&format!("{mark} {}/{} {id}  {}", index + 1, view.pages.len(), harmless(&cut(&line.preview, 60))));
    }
    context.line("");
}
