//! `storeyline reprocess`: recomputes states, under the current rules or under others.

use serde::Serialize;
use storeyline_engine::{Reprocess, Rules};
use storeyline_state::{RefId, StoryId};
use storeyline_wire::compare::Reprocessed;

use crate::args::{ReprocessArgs, RulesOptions};
use crate::commands::change::CLIENT;
use crate::commands::rules;
use crate::commands::shape::{floors_text, print_changes};
use crate::commands::which::{self, Which};
use crate::failure::Failure;
use crate::out::Context;
use crate::style::Tone;

pub(crate) fn run(context: &Context, args: &ReprocessArgs) -> Result<(), Failure> {
    let which = which::find(context, &args.target.story)?;
    let request = Reprocess {
        from: args.from,
        to: args.to.map(|last| last.saturating_add(1)),
        what_if: other_rules(&which, args)?,
        dry_run: args.dry_run,
    };
    let done = context.while_waiting("正在重新计算", "computing again", || {
        which.engine.reprocess(&which.owner(), which.story, which.id(), &request, CLIENT)
    })?;
    if context.json {
        context.answer(&ReprocessedHere { story: which.story, branch: which.id(), done: &done });
    } else {
        print(context, &done);
    }
    Ok(())
}

#[derive(Serialize)]
struct ReprocessedHere<'a> {
    story: StoryId,
    #[serde(rename = "ref")]
    branch: RefId,
    #[serde(flatten)]
    done: &'a Reprocessed,
}

/// Returns the rules to preview; `None` for those of the story.
fn other_rules(which: &Which<'_>, args: &ReprocessArgs) -> Result<Option<Rules>, Failure> {
    if args.library.is_none() && args.profile.is_none() {
        return Ok(None);
    }
    let options =
        RulesOptions { library: args.library.clone(), profile: args.profile.clone(), ..RulesOptions::default() };
    let mut rules = which.engine.story_rules(&which.owner(), which.story)?.rules;
    rules::rules_change(which.context, &options)?.set.apply(&mut rules);
    Ok(Some(rules))
}

fn print(context: &Context, done: &Reprocessed) {
    // Consecutive floors with the same changes are printed once.
    for same in done.changed.chunk_by(|one, next| next.floor == one.floor + 1 && next.state == one.state) {
        let (first, last) = (&same[0], &same[same.len() - 1]);
        let floors = match same.len() {
            1 => format!("#{}", first.floor),
            _ => format!("#{}–#{}", first.floor, last.floor),
        };
        context.line(&context.paint(Tone::Number, &floors));
        print_changes(context, "  ", &first.state);
    }
    let (floors, changed) = (floors_text(context, done.floors), done.changed.len());
    if let Some(operation) = done.operation {
        let summary = context.words(
            format!("重新计算了 {floors}，{changed} 层的状态变了"),
            format!("{floors} computed again, {changed} of them with another state"),
        );
        context.done(&summary, &context.operation(operation));
    } else {
        let summary = context.words(
            format!("看了 {floors}，{changed} 层的状态会变；没有写入任何东西"),
            format!("{floors} looked at, {changed} of them would have another state; nothing was written"),
        );
        context.line(&format!("{} {summary}", context.paint(Tone::Good, "·")));
    }
}
