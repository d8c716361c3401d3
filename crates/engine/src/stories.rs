//! Operations on whole stories: create one without a host, rename, trash, restore.

use storeyline_history::{Choices, Rules};
use storeyline_state::{RefId, StoryId};
use storeyline_store::{Change, Detail, Draft, OperationKind, Owner, RefKind, Story, View};

use crate::branch::{Note, find_story, record};
use crate::chats::{create_story, make_current, new_ref};
use crate::clock_and_random::now;
use crate::engine::Engine;
use crate::error::Result;
use crate::operations::record_on_current;

/// A story to be created without a host.
#[derive(Debug, Clone, Default)]
pub struct NewStory {
    pub title: String,
    /// Its card; the template and functions saved for it apply.
    pub card: String,
    /// What the user chose of its rules.
    pub choices: Choices,
    /// The name of its first branch.
    pub branch: String,
}

impl Engine {
    /// Creates a story with a branch that has no floor yet.
    pub fn begin_story(&self, owner: &Owner, new: &NewStory, client: &str) -> Result<(StoryId, RefId)> {
        self.change(owner, |tx| {
            let story = create_story(tx, &new.title, &new.card, &Rules::default(), &new.choices)?;
            Ok((story.id, first_branch(tx, story, &new.branch, client)?))
        })
    }

    /// Renames a story; the change is logged on the current branch. Returns `None` if it has that
    /// title.
    pub fn rename_story(&self, owner: &Owner, story: StoryId, title: &str, client: &str) -> Result<Option<i64>> {
        self.change(owner, |tx| {
            let story = find_story(tx, story)?;
            if story.title == title {
                return Ok(None);
            }
            let changed = Detail::Title(Change::new(story.title.clone(), title.to_owned()));
            tx.save_story(&Story { title: title.to_owned(), ..story.clone() });
            record_on_current(tx, &story, Note::new(OperationKind::Rename, client).with(changed)).map(Some)
        })
    }

    /// Moves a story to the trash. Any later change of the story restores it.
    pub fn trash_story(&self, owner: &Owner, story: StoryId, client: &str) -> Result<i64> {
        self.change(owner, |tx| {
            let story = find_story(tx, story)?;
            let now = now();
            let changed = Detail::StoryTrashed(Change::new(story.trashed, Some(now)));
            let number = record_on_current(tx, &story, Note::new(OperationKind::TrashStory, client).with(changed))?;
            tx.save_story(&Story { trashed: Some(last_change(tx, &story)?.max(now)), ..story });
            Ok(number)
        })
    }

    /// Restores a story from the trash.
    pub fn restore_story(&self, owner: &Owner, story: StoryId, client: &str) -> Result<i64> {
        self.change(owner, |tx| {
            let story = find_story(tx, story)?;
            let changed = Detail::StoryTrashed(Change::new(story.trashed, None));
            tx.save_story(&Story { trashed: None, ..story.clone() });
            record_on_current(tx, &story, Note::new(OperationKind::RestoreStory, client).with(changed))
        })
    }
}

/// Creates the first branch of a story, which becomes the current one.
pub(crate) fn first_branch(tx: &mut Draft<'_>, story: Story, name: &str, client: &str) -> Result<RefId> {
    let mut branch = new_ref(&story, RefKind::Branch, name, None);
    record(tx, &mut branch, None, Note::new(OperationKind::CreateBranch, client))?;
    make_current(tx, story, &branch);
    Ok(branch.id)
}

/// The time of the last change of any branch of a story.
fn last_change(tx: &View<'_>, story: &Story) -> Result<i64> {
    Ok(tx.refs(story.key)?.iter().map(|found| found.updated).max().unwrap_or(0))
}

/// Tells whether a story is in the trash: it was moved there and has not changed since.
pub(crate) fn is_trashed(tx: &View<'_>, story: &Story) -> Result<bool> {
    story.trashed.map_or(Ok(false), |moment| Ok(last_change(tx, story)? <= moment))
}
