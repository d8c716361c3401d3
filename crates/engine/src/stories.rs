//! Stories as a whole: begun without a host, renamed, thrown away, brought back.

use storeyline_history::{Choices, Rules};
use storeyline_state::{RefId, StoryId};
use storeyline_store::{Change, Detail, OperationKind, Owner, RefKind, Story, View};

use crate::branch::{Note, find_story, record};
use crate::chance::now;
use crate::chats::{create_story, make_current, new_ref};
use crate::engine::Engine;
use crate::error::Result;
use crate::operations::record_on_current;

/// What a story begins with that no host tells.
#[derive(Debug, Clone, Default)]
pub struct NewStory {
    pub title: String,
    /// The card it is played with; what is kept for that card counts.
    pub card: String,
    /// What the user chose of its rules.
    pub choices: Choices,
    /// The name of its first branch.
    pub branch: String,
}

impl Engine {
    /// Begins a story with a branch that has no floor yet.
    pub fn begin_story(&self, owner: &Owner, new: &NewStory, client: &str) -> Result<(StoryId, RefId)> {
        self.change(owner, |tx| {
            let story = create_story(tx, &new.title, &new.card, &Rules::default(), &new.choices)?;
            let mut branch = new_ref(&story, RefKind::Branch, &new.branch, None);
            record(tx, &mut branch, None, Note::new(OperationKind::CreateBranch, client));
            let id = story.id;
            make_current(tx, story, &branch);
            Ok((id, branch.id))
        })
    }

    /// Gives a story another title; the change can be undone on the branch that is read. No operation
    /// if it has that title.
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

    /// Throws a story away: it is not listed any more, and comes back as soon as something is done to it.
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

    /// Brings a story back from the trash.
    pub fn restore_story(&self, owner: &Owner, story: StoryId, client: &str) -> Result<i64> {
        self.change(owner, |tx| {
            let story = find_story(tx, story)?;
            let changed = Detail::StoryTrashed(Change::new(story.trashed, None));
            tx.save_story(&Story { trashed: None, ..story.clone() });
            record_on_current(tx, &story, Note::new(OperationKind::RestoreStory, client).with(changed))
        })
    }
}

/// When something was last done to any branch of a story.
fn last_change(tx: &View<'_>, story: &Story) -> Result<i64> {
    Ok(tx.refs(story.key)?.iter().map(|found| found.updated).max().unwrap_or(0))
}

/// Tells whether a story lies in the trash: it was thrown away, and nothing was done to it since.
pub(crate) fn is_trashed(tx: &View<'_>, story: &Story) -> Result<bool> {
    match story.trashed {
        Some(moment) => Ok(last_change(tx, story)? <= moment),
        None => Ok(false),
    }
}
