//! Resolves `STORY[@BRANCH]`, `--page` and `--floor` to a story, a branch and a page.

use storeyline_engine::{Engine, EngineError, Owner};
use storeyline_state::{PageId, RefId, StoryId};
use storeyline_wire::RefKind;
use storeyline_wire::story::NewRef;
use storeyline_wire::view::{Floor, FloorLine, Ref, Story};

use crate::args::PageArgs;
use crate::commands::change::CLIENT;
use crate::failure::Failure;
use crate::out::Context;

/// Minimum number of characters of an abbreviated id.
const BEGINNING: usize = 4;

/// A branch of a story, and the engine that has it.
#[derive(Clone)]
pub(crate) struct Which<'a> {
    pub(crate) context: &'a Context,
    pub(crate) engine: Engine,
    pub(crate) story: StoryId,
    pub(crate) title: String,
    pub(crate) branch: Ref,
    /// Whether the branch was named explicitly.
    named: bool,
}

/// Finds a story and a branch by id, abbreviated id or name; without a branch, the current one.
pub(crate) fn find<'a>(context: &'a Context, text: &str) -> Result<Which<'a>, Failure> {
    find_in(context, &context.engine()?, text)
}

/// Same, including the trash.
pub(crate) fn find_any<'a>(context: &'a Context, text: &str) -> Result<Which<'a>, Failure> {
    let engine = context.engine()?;
    match find_in(context, &engine, text) {
        Err(Failure::Engine(EngineError::InTrash(_))) => find_where(context, &engine, text, |_| true),
        found => found,
    }
}

/// Finds a branch in an engine that is open already.
pub(crate) fn find_in<'a>(context: &'a Context, engine: &Engine, text: &str) -> Result<Which<'a>, Failure> {
    let found = find_where(context, engine, text, |line| line.trashed.is_none());
    let Err(Failure::NoBranch(name)) = found else { return found };
    match find_where(context, engine, text, |_| true) {
        Ok(in_trash) => Err(EngineError::InTrash(in_trash.id()).into()),
        Err(_) => Err(Failure::NoBranch(name)),
    }
}

pub(crate) fn story(context: &Context, engine: &Engine, text: &str) -> Result<Story, Failure> {
    let stories = engine.stories(&context.owner())?;
    the_only(matching_stories(&stories, text), text, Failure::NoStory, Failure::ManyStories).cloned()
}

fn find_where<'a>(
    context: &'a Context,
    engine: &Engine,
    text: &str,
    wanted: impl Fn(&Ref) -> bool,
) -> Result<Which<'a>, Failure> {
    let stories = engine.stories(&context.owner())?;
    // A title may contain an `@` itself.
    let whole = matching_stories(&stories, text);
    let (found, text, name) = match text.rsplit_once('@').filter(|_| whole.is_empty()) {
        Some((story, name)) => (matching_stories(&stories, story), story, Some(name)),
        None => (whole, text, None),
    };
    let found = &the_only(found, text, Failure::NoStory, Failure::ManyStories)?;
    let refs = engine.ref_lines(&context.owner(), found.story)?.into_iter().filter(wanted).collect::<Vec<_>>();
    let branch = match name {
        Some(name) => named(&refs, name)?,
        None => {
            let read = refs.iter().find(|line| line.current).or(refs.first());
            read.ok_or_else(|| Failure::NoBranch(String::new()))?
        }
    };
    Ok(Which {
        context,
        engine: engine.clone(),
        story: found.story,
        title: found.title.clone(),
        branch: branch.clone(),
        named: name.is_some(),
    })
}

fn matching_stories<'a>(stories: &'a [Story], text: &str) -> Vec<&'a Story> {
    matching(stories, text, |line| &line.title, |line| line.story.to_string())
}

fn named<'a>(refs: &'a [Ref], name: &str) -> Result<&'a Ref, Failure> {
    let found = matching(refs, name, |line| &line.name, |line| line.id.to_string());
    the_only(found, name, Failure::NoBranch, Failure::ManyBranches)
}

/// Returns what has this name, or else those whose ids begin with it.
pub(crate) fn matching<'a, T>(
    all: &'a [T],
    text: &str,
    name: impl Fn(&T) -> &str,
    id: impl Fn(&T) -> String,
) -> Vec<&'a T> {
    let exact: Vec<&T> = all.iter().filter(|one| name(one) == text).collect();
    match exact.is_empty() {
        true => all.iter().filter(|one| begins(&id(one), text)).collect(),
        false => exact,
    }
}

/// Returns the only one that was found for a text.
pub(crate) fn the_only<T>(
    found: Vec<T>,
    text: &str,
    none: fn(String) -> Failure,
    many: fn(String) -> Failure,
) -> Result<T, Failure> {
    let mut found = found.into_iter();
    match (found.next(), found.next()) {
        (None, _) => Err(none(text.to_owned())),
        (Some(one), None) => Ok(one),
        _ => Err(many(text.to_owned())),
    }
}

fn begins(id: &str, text: &str) -> bool {
    text.len() >= BEGINNING && id.starts_with(&text.to_ascii_lowercase())
}

impl Which<'_> {
    pub(crate) fn id(&self) -> RefId {
        self.branch.id
    }

    pub(crate) fn name(&self) -> &str {
        &self.branch.name
    }

    pub(crate) fn owner(&self) -> Owner {
        self.context.owner()
    }

    /// Returns the given floor, or else the last one.
    pub(crate) fn floor_or_last(&self, floor: Option<usize>) -> usize {
        floor.unwrap_or_else(|| self.branch.floors.saturating_sub(1))
    }

    /// Fails unless the branch was named explicitly; destructive commands and switches require it.
    pub(crate) fn must_be_named(self) -> Result<Self, Failure> {
        if self.named { Ok(self) } else { Err(Failure::NotNamed(self.title)) }
    }

    /// Creates a ref that ends at a floor of this one, or else at its last floor.
    pub(crate) fn create(
        self,
        floor: Option<usize>,
        kind: RefKind,
        name: &str,
        note: &str,
        switch: bool,
    ) -> Result<Self, Failure> {
        let (name, note) = (name.to_owned(), note.to_owned());
        let floor = floor.map(|floor| u32::try_from(floor).unwrap_or(u32::MAX));
        let wanted = NewRef { from: self.id(), floor, kind, name, note, switch };
        let made = self.engine.create_ref(&self.owner(), self.story, &wanted, CLIENT)?;
        let branch = Ref { id: made.id, name: made.name, operation: made.operation, ..self.branch };
        Ok(Which { branch, ..self })
    }

    /// Finds another ref of the same story.
    pub(crate) fn other(&self, name: &str) -> Result<Self, Failure> {
        let name = name.strip_prefix('@').unwrap_or(name);
        let all = self.engine.ref_lines(&self.owner(), self.story)?;
        let shown: Vec<Ref> = all.iter().filter(|line| line.trashed.is_none()).cloned().collect();
        let branch = match (named(&shown, name), named(&all, name)) {
            (Err(Failure::NoBranch(_)), Ok(in_trash)) => return Err(EngineError::InTrash(in_trash.id).into()),
            (found, _) => found?.clone(),
        };
        Ok(Which { branch, named: true, ..self.clone() })
    }

    /// Returns a floor with its state: of the given page, or else of the active one.
    pub(crate) fn view(&self, floor: usize, page: Option<PageId>) -> Result<Floor, Failure> {
        Ok(self.engine.floor(&self.owner(), self.story, self.id(), floor, page)?)
    }

    pub(crate) fn floor_line(&self, floor: usize) -> Result<FloorLine, Failure> {
        let found = self.engine.floors(&self.owner(), self.story, self.id(), floor, 1)?;
        let floors = found.total;
        found.floors.into_iter().next().ok_or(Failure::Engine(EngineError::NoFloor { floor, floors }))
    }

    /// Finds a page and its floor: by the page, by the floor, or else the last one.
    pub(crate) fn page(&self, args: &PageArgs) -> Result<(usize, PageId), Failure> {
        if let Some(page) = &args.page {
            return self.page_named(page);
        }
        let floor = self.floor_or_last(args.floor);
        Ok((floor, self.floor_line(floor)?.page))
    }

    /// Finds a page by its id or abbreviated id.
    pub(crate) fn page_named(&self, wanted: &str) -> Result<(usize, PageId), Failure> {
        let beginning = wanted.to_ascii_lowercase();
        let found = match beginning.len() >= BEGINNING {
            true => self.engine.pages_beginning(&self.owner(), self.story, self.id(), &beginning)?,
            false => Vec::new(),
        };
        the_only(found, wanted, Failure::NoPage, Failure::ManyPages)
    }

    /// Visits the floors of a branch from the last one up, until the visitor stops: most searched
    /// pages are near the end.
    pub(crate) fn visit_from_end(&self, mut enough: impl FnMut(&FloorLine) -> bool) -> Result<(), Failure> {
        let mut end = self.branch.floors;
        while end > 0 {
            let start = end.saturating_sub(100);
            let found = self.engine.floors(&self.owner(), self.story, self.id(), start, end - start)?;
            if found.floors.iter().rev().any(&mut enough) {
                break;
            }
            end = start;
        }
        Ok(())
    }
}
