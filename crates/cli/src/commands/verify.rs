//! `storeyline verify`

use crate::failure::Failure;
use crate::out::Context;

pub(crate) fn run(context: &Context) -> Result<(), Failure> {
    let progress = context.progress("正在核对楼层", "checking floors");
    let verified = context.engine()?.verify(&context.owner(), false, |floors| progress.set_position(floors as u64))?;
    progress.finish_and_clear();
    if context.json {
        let problems: Vec<_> = verified
            .problems
            .iter()
            .map(
                |problem| serde_json::json!({ "branch": problem.branch, "floor": problem.floor, "what": problem.what }),
            )
            .collect();
        let result = serde_json::json!({
            "stories": verified.stories, "branches": verified.branches, "floors": verified.floors, "problems": problems,
        });
        context.line(&result.to_string());
    } else {
        for problem in &verified.problems {
            context.line(&format!("{} #{}: {}", problem.branch, problem.floor, problem.what));
        }
        context.line(&format!(
            "{} {} · {} {} · {} {}",
            verified.stories,
            context.words("个故事", "stories"),
            verified.branches,
            context.words("个分支", "branches"),
            verified.floors,
            context.words("层", "floors")
        ));
    }
    match verified.problems.len() {
        0 => Ok(()),
        count => Err(Failure::Problems(count)),
    }
}
