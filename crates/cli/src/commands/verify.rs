//! `storeyline verify`: recomputes every state and compares.

use storeyline_wire::care::Verified;

use crate::commands::shape::counts_text;
use crate::failure::Failure;
use crate::out::Context;
use crate::style::Tone;

pub(crate) fn run(context: &Context, repair: bool) -> Result<(), Failure> {
    let progress = context.progress("正在核对楼层", "checking floors");
    let engine = context.engine()?;
    let told = |floors: usize| progress.set_position(floors as u64);
    let verified = match repair {
        true => engine.repair(&context.owner(), told)?,
        false => engine.verify(&context.owner(), told)?,
    };
    progress.finish_and_clear();
    let unrepaired = verified.problems.iter().filter(|problem| !problem.repaired).count();
    if context.json {
        context.answer(&verified);
    } else {
        for problem in &verified.problems {
            let (mark, tone) = if problem.repaired { ("✓", Tone::Good) } else { ("✕", Tone::Bad) };
            let repaired = match problem.repaired {
                true => context.words("  已修好", "  repaired"),
                false if repair => context.words("  无法修复", "  cannot be repaired"),
                false => "",
            };
            // A row that is on no branch says itself which one it is.
            let place = match problem.branch.as_str() {
                "" => String::new(),
                branch => format!("{}: ", context.paint(Tone::Number, &format!("{branch} #{}", problem.floor))),
            };
            context.line(&format!("{} {place}{}{repaired}", context.paint(tone, mark), problem.what));
        }
        context.line(&summary(context, &verified));
    }
    if unrepaired == 0 { Ok(()) } else { Err(Failure::Problems(unrepaired)) }
}

fn summary(context: &Context, verified: &Verified) -> String {
    let counts = [
        (verified.stories, "个故事", "story", "stories"),
        (verified.branches, "个分支和标签", "branch or tag", "branches and tags"),
        (verified.floors, "层", "floor", "floors"),
        (verified.stale, "层过时", "stale", "stale"),
        (verified.problems.len(), "个问题", "problem", "problems"),
    ];
    // Zero stale floors are not printed.
    let shown = counts.into_iter().filter(|(count, _, one, _)| *count > 0 || *one != "stale");
    let mark = if verified.problems.is_empty() { context.paint(Tone::Good, "✓ ") } else { String::new() };
    format!("{mark}{}", counts_text(context, shown))
}
