//! Resolves `STORY[@BRANCH]`, `--page` and `--floor` to a story, a branch and a page.

use storeyline_engine::{Engine, EngineError, FloorLine, RefLine, StoryLine};
use storeyline_state::{PageId, StoryId};

use crate::args::PageArgs;
use crate::failure::Failure;
use crate::out::Context;

/// Minimum number of characters of an abbreviated id.
const BEGINNING: usize = 4;

/// A story and one of its branches.
#[derive(Clone)]
pub(crate) struct Which {
    pub(crate) story: StoryId,
    pub(crate) title: String,
    pub(crate) branch: RefLine,
    /// Whether the branch was named explicitly.
    pub(crate) named: bool,
}

impl Which {
    /// Fails unless the branch was named explicitly; destructive commands and switches require it.
    pub(crate) fn must_be_named(self) -> Result<Which, Failure> {
        if self.named { Ok(self) } else { Err(Failure::NotNamed(self.title)) }
    }
}

/// Finds a story and a branch by id, abbreviated id or name; without a branch, the current one.
pub(crate) fn find(context: &Context, engine: &Engine, text: &str) -> Result<Which, Failure> {
    let found = find_where(context, engine, text, |line| line.branch.trashed.is_none());
    let Err(Failure::NoBranch(name)) = found else { return found };
    match find_where(context, engine, text, |_| true) {
        Ok(in_trash) => Err(EngineError::InTrash(in_trash.branch.branch.id).into()),
        Err(_) => Err(Failure::NoBranch(name)),
    }
}

/// Same, including the trash.
pub(crate) fn find_any(context: &Context, engine: &Engine, text: &str) -> Result<Which, Failure> {
    match find(context, engine, text) {
        Err(Failure::Engine(EngineError::InTrash(_))) => find_where(context, engine, text, |_| true),
        found => found,
    }
}

pub(crate) fn story(context: &Context, engine: &Engine, text: &str) -> Result<StoryLine, Failure> {
    let stories = engine.stories(&context.owner())?;
    the_only(matching(&stories, text), text).cloned()
}

/// Finds another ref of the same story.
pub(crate) fn other(context: &Context, engine: &Engine, which: &Which, name: &str) -> Result<Which, Failure> {
    let name = name.strip_prefix('@').unwrap_or(name);
    let all = engine.ref_lines(&context.owner(), which.story)?;
    let shown: Vec<RefLine> = all.iter().filter(|line| line.branch.trashed.is_none()).cloned().collect();
    let branch = match (named(&shown, name), named(&all, name)) {
        (Err(Failure::NoBranch(_)), Ok(in_trash)) => return Err(EngineError::InTrash(in_trash.branch.id).into()),
        (found, _) => found?.clone(),
    };
    Ok(Which { branch, named: true, ..which.clone() })
}

fn find_where(
    context: &Context,
    engine: &Engine,
    text: &str,
    wanted: impl Fn(&RefLine) -> bool,
) -> Result<Which, Failure> {
    let stories = engine.stories(&context.owner())?;
    // A title may contain an `@` itself.
    let whole = matching(&stories, text);
    let (found, name) = match text.rsplit_once('@').filter(|_| whole.is_empty()) {
        Some((story, name)) => (the_only(matching(&stories, story), story)?, Some(name)),
        None => (the_only(whole, text)?, None),
    };
    let story = found.story.id;
    let refs = engine.ref_lines(&context.owner(), story)?.into_iter().filter(wanted).collect::<Vec<_>>();
    let branch = match name {
        Some(name) => named(&refs, name)?,
        None => {
            let current = engine.current_branch(&context.owner(), story)?;
            let is_current = |line: &&RefLine| Some(line.branch.id) == current;
            let read = refs.iter().find(is_current).or(refs.first());
            read.ok_or_else(|| Failure::NoBranch(String::new()))?
        }
    };
    Ok(Which { story, title: found.story.title.clone(), branch: branch.clone(), named: name.is_some() })
}

fn matching<'a>(stories: &'a [StoryLine], text: &str) -> Vec<&'a StoryLine> {
    let exact: Vec<_> = stories.iter().filter(|line| line.story.title == text).collect();
    if !exact.is_empty() {
        return exact;
    }
    stories.iter().filter(|line| begins(&line.story.id.to_string(), text)).collect()
}

fn the_only<'a>(found: Vec<&'a StoryLine>, text: &str) -> Result<&'a StoryLine, Failure> {
    match found[..] {
        [] => Err(Failure::NoStory(text.to_owned())),
        [one] => Ok(one),
        _ => Err(Failure::ManyStories(text.to_owned())),
    }
}

fn named<'a>(refs: &'a [RefLine], name: &str) -> Result<&'a RefLine, Failure> {
    let exact: Vec<_> = refs.iter().filter(|line| line.branch.name == name).collect();
    let found = match exact.is_empty() {
        true => refs.iter().filter(|line| begins(&line.branch.id.to_string(), name)).collect(),
        false => exact,
    };
    match found[..] {
        [] => Err(Failure::NoBranch(name.to_owned())),
        [one] => Ok(one),
        _ => Err(Failure::ManyBranches(name.to_owned())),
    }
}

pub(crate) fn begins(id: &str, text: &str) -> bool {
    text.len() >= BEGINNING && id.starts_with(&text.to_ascii_lowercase())
}

/// Finds a page and its floor: by the page, by the floor, or else the last one.
pub(crate) fn page(
    context: &Context,
    engine: &Engine,
    which: &Which,
    args: &PageArgs,
) -> Result<(usize, PageId), Failure> {
    match (&args.page, args.floor) {
        (Some(page), _) => page_named(context, engine, which, page),
        (None, floor) => {
            let floor = floor.unwrap_or_else(|| which.branch.floors.saturating_sub(1));
            Ok((floor, floor_line(context, engine, which, floor)?.turn.active_page().page))
        }
    }
}

pub(crate) fn floor_line(
    context: &Context,
    engine: &Engine,
    which: &Which,
    floor: usize,
) -> Result<FloorLine, Failure> {
    let (floors, lines) = engine.floors(&context.owner(), which.story, which.branch.branch.id, floor, 1)?;
    lines.into_iter().next().ok_or(Failure::Engine(EngineError::NoFloor { floor, floors }))
}

/// Finds a page by its id or abbreviated id.
pub(crate) fn page_named(
    context: &Context,
    engine: &Engine,
    which: &Which,
    wanted: &str,
) -> Result<(usize, PageId), Failure> {
    let mut found = Vec::new();
    let whole = wanted.parse::<PageId>().is_ok();
    from_the_end(context, engine, which, |line| {
        let pages = line.turn.pages.iter().map(|page| page.page);
        found.extend(pages.filter(|page| begins(&page.to_string(), wanted)).map(|page| (line.floor, page)));
        // A whole id occurs on a branch once.
        whole && !found.is_empty()
    })?;
    match found[..] {
        [] => Err(Failure::NoPage(wanted.to_owned())),
        [one] => Ok(one),
        _ => Err(Failure::ManyPages(wanted.to_owned())),
    }
}

/// Visits the floors of a branch from the last one up, until the visitor stops: most searched pages
/// are near the end.
pub(crate) fn from_the_end(
    context: &Context,
    engine: &Engine,
    which: &Which,
    mut enough: impl FnMut(&FloorLine) -> bool,
) -> Result<(), Failure> {
    let mut end = which.branch.floors;
    while end > 0 {
        let start = end.saturating_sub(100);
        let (_, lines) = engine.floors(&context.owner(), which.story, which.branch.branch.id, start, end - start)?;
        if lines.iter().rev().any(&mut enough) {
            break;
        }
        end = start;
    }
    Ok(())
}
