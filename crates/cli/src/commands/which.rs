//! `STORY[@BRANCH]`: which story and branch somebody means.

use storeyline_engine::{Engine, RefLine, StoryLine};
use storeyline_state::StoryId;

use crate::failure::Failure;
use crate::out::Context;

/// A story and one of its branches.
pub(crate) struct Which {
    pub(crate) story: StoryId,
    pub(crate) branch: RefLine,
}

/// Finds what is meant: an id, the beginning of one, or a title; the branch that changed last
/// where none is named.
pub(crate) fn find(context: &Context, engine: &Engine, text: &str) -> Result<Which, Failure> {
    let stories = engine.stories(&context.owner())?;
    // A title may hold an `@` itself.
    let whole = matching(&stories, text);
    let (found, branch) = match text.rsplit_once('@').filter(|_| whole.is_empty()) {
        Some((story, branch)) => (matching(&stories, story), Some(branch)),
        None => (whole, None),
    };
    let story = match found[..] {
        [] => return Err(Failure::NoStory(text.to_owned())),
        [one] => one,
        _ => return Err(Failure::ManyStories(text.to_owned())),
    };
    let branch = match branch {
        None => story.refs.first().ok_or_else(|| Failure::NoBranch(String::new()))?,
        Some(name) => {
            let named = |line: &&RefLine| line.branch.name == name || line.branch.id.to_string().starts_with(name);
            story.refs.iter().find(named).ok_or_else(|| Failure::NoBranch(name.to_owned()))?
        }
    };
    Ok(Which { story: story.story.id, branch: branch.clone() })
}

fn matching<'a>(stories: &'a [StoryLine], text: &str) -> Vec<&'a StoryLine> {
    let exact: Vec<_> = stories.iter().filter(|line| line.story.title == text).collect();
    if !exact.is_empty() {
        return exact;
    }
    let begins = |line: &&StoryLine| text.len() >= 4 && line.story.id.to_string().starts_with(text);
    stories.iter().filter(begins).collect()
}
