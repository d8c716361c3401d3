//! `storeyline stories`

use storeyline_server::stories_json;

use crate::failure::Failure;
use crate::out::Context;

pub(crate) fn run(context: &Context) -> Result<(), Failure> {
    let stories = context.engine()?.stories(&context.owner())?;
    if context.json {
        context.line(&stories_json(stories));
        return Ok(());
    }
    if stories.is_empty() {
        context.line(context.words("还没有故事。", "There is no story yet."));
    }
    for line in stories {
        context.line(&format!("{}  {}", line.story.id, line.story.title));
        for branch in line.refs {
            let floors = context.words("层", "floors");
            context.line(&format!("    {}  {} {floors}", branch.branch.name, branch.floors));
        }
    }
    Ok(())
}
