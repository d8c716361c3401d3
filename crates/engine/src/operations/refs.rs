//! Operations on branches and tags: create, switch, rename, trash, restore; and edits that depend on
//! several paths (swipe, late append).

use std::collections::HashSet;

use storeyline_history::node::{ancestor, turns_below};
use storeyline_history::path_states::fill_states;
use storeyline_history::{Edit, Listed, NodeKey, NodeTable};
use storeyline_state::{PageId, RefId, StoryId};
use storeyline_store::{Change, Description, Detail, Draft, OperationKind, Owner, Ref, RefKind, Story, View};
use storeyline_wire::operation::{Edited, NewTurn};
use storeyline_wire::story::{NewRef, RefChange};

use super::{By, commit, edited, pages};
use crate::branch::{
    EditedTail, Note, edit_tail, find_any_ref, find_branch, find_story, floor_of, length, move_head, put_tail, record,
    record_change,
};
use crate::chats::new_ref;
use crate::clock_and_random::now;
use crate::engine::{Engine, ReadEngine};
use crate::error::{EngineError, Result};
use crate::shown::{ref_kind_of, role_of};

impl ReadEngine {
    /// Returns all refs of a story, with those in the trash.
    pub fn refs(&self, owner: &Owner, story: StoryId) -> Result<Vec<Ref>> {
        self.read(owner, |tx| Ok(tx.refs(find_story(tx, story)?.key)?))
    }

    /// Returns the current branch of a story.
    pub fn current_branch(&self, owner: &Owner, story: StoryId) -> Result<Option<RefId>> {
        self.read(owner, |tx| current_ref(tx, &find_story(tx, story)?))
    }
}

/// The branch of a story that is read.
pub(crate) fn current_ref(tx: &View<'_>, story: &Story) -> Result<Option<RefId>> {
    let current = story.current.map(|current| tx.ref_by_key(current)).transpose()?.flatten();
    Ok(current.map(|branch| branch.id))
}

impl Engine {
    /// Creates a branch or a tag.
    pub fn create_ref(&self, owner: &Owner, story: StoryId, wanted: &NewRef, client: &str) -> Result<Ref> {
        self.change(owner, |tx| create_ref(tx, story, wanted, client))
    }

    /// Makes another branch the current one.
    pub fn switch_branch(&self, owner: &Owner, story: StoryId, branch: RefId, client: &str) -> Result<i64> {
        self.change(owner, |tx| {
            let mut branch = find_branch(tx, story, branch)?;
            if branch.kind == RefKind::Tag {
                return Err(EngineError::IsTag(branch.id));
            }
            let story = find_story(tx, story)?;
            switch_to(tx, &story, &mut branch, client)
        })
    }

    /// Changes name, note or colour of a ref; `None` if nothing changed.
    pub fn change_ref(
        &self,
        owner: &Owner,
        story: StoryId,
        id: RefId,
        change: &RefChange,
        client: &str,
    ) -> Result<Option<i64>> {
        self.change(owner, |tx| {
            let mut found = find_any_ref(tx, story, id)?;
            let before = description_of(&found);
            for (new, old) in
                [(&change.name, &mut found.name), (&change.note, &mut found.note), (&change.colour, &mut found.colour)]
            {
                if let Some(new) = new {
                    old.clone_from(new);
                }
            }
            let after = description_of(&found);
            if before == after {
                return Ok(None);
            }
            let note = Note::new(OperationKind::Change, client).with(Detail::Described(Change::new(before, after)));
            record_change(tx, &mut found, note).map(Some)
        })
    }

    /// Moves a ref to the trash. If it was the current branch, its origin or another branch becomes the
    /// current one.
    pub fn trash_ref(&self, owner: &Owner, story: StoryId, id: RefId, client: &str) -> Result<i64> {
        self.change(owner, |tx| {
            let mut found = find_branch(tx, story, id)?;
            let story = find_story(tx, story)?;
            trash(tx, &story, &mut found, Note::new(OperationKind::Trash, client))
        })
    }

    /// Restores a ref from the trash.
    pub fn restore_ref(&self, owner: &Owner, story: StoryId, id: RefId, client: &str) -> Result<i64> {
        self.change(owner, |tx| {
            let mut found = find_any_ref(tx, story, id)?;
            restore(tx, &mut found, Note::new(OperationKind::Restore, client))
        })
    }
}

pub(crate) fn create_ref(tx: &mut Draft<'_>, story: StoryId, wanted: &NewRef, client: &str) -> Result<Ref> {
    let NewRef { from, floor, ref name, ref note, switch, .. } = *wanted;
    let kind = ref_kind_of(wanted.kind);
    let origin = find_any_ref(tx, story, from)?;
    let story = find_story(tx, story)?;
    let floors = length(tx, origin.head)?;
    let head = origin.head.ok_or(EngineError::EmptyPath)?;
    let depth = floor.map_or(floors, |floor| floor as usize + 1);
    let node = ancestor(tx, head, depth)?.ok_or(EngineError::NoFloor { floor: depth - 1, floors })?;
    let mut new = new_ref(&story, kind, name, Some(origin.key));
    new.head = Some(node.key);
    new.header = origin.header;
    note.clone_into(&mut new.note);
    let made = if kind == RefKind::Tag { OperationKind::CreateTag } else { OperationKind::CreateBranch };
    record(tx, &mut new, None, Note::new(made, client))?;
    if switch && kind == RefKind::Branch {
        switch_to(tx, &story, &mut new, client)?;
    }
    Ok(new)
}

pub(super) fn description_of(found: &Ref) -> Description {
    Description { name: found.name.clone(), note: found.note.clone(), colour: found.colour.clone() }
}

fn switch_to(tx: &mut Draft<'_>, story: &Story, branch: &mut Ref, client: &str) -> Result<i64> {
    let changed = Detail::Current(Change::new(story.current, Some(branch.key)));
    tx.save_story(&Story { current: Some(branch.key), ..story.clone() });
    record_change(tx, branch, Note::new(OperationKind::Switch, client).with(changed))
}

pub(super) fn trash(tx: &mut Draft<'_>, story: &Story, found: &mut Ref, note: Note<'_>) -> Result<i64> {
    if found.trashed.is_some() {
        return Err(EngineError::InTrash(found.id));
    }
    let is_branch = |other: &Ref| other.kind == RefKind::Branch && other.trashed.is_none() && other.key != found.key;
    let others: Vec<Ref> = tx.refs(story.key)?.into_iter().filter(is_branch).collect();
    if found.kind == RefKind::Branch && others.is_empty() {
        return Err(EngineError::LastBranch);
    }
    let mut note = note;
    if story.current == Some(found.key) {
        note.detail = Detail::Trashed { was_current: true };
        let next = others.iter().find(|other| Some(other.key) == found.origin).or(others.first());
        tx.save_story(&Story { current: next.map(|next| next.key), ..story.clone() });
    }
    found.trashed = Some(now());
    record_change(tx, found, note)
}

pub(super) fn restore(tx: &mut Draft<'_>, found: &mut Ref, note: Note<'_>) -> Result<i64> {
    found.trashed = None;
    record_change(tx, found, note)
}

/// Makes another page of a turn active, with the turns that followed it when it was last active.
pub(super) fn swipe(tx: &mut Draft<'_>, story: &Story, mut branch: Ref, page: PageId, client: &str) -> Result<Edited> {
    let (floor, turn) = floor_of(tx, &branch, page)?;
    let left = turn.active_page().page;
    let select = Edit::Select { floor, page };
    let mut tail = edit_tail(tx, story, &branch, select)?;
    remember_reading(tx, &branch, &tail);
    // Without a cursor the turns that follow stay.
    if let Some(leaf) = tx.cursor(branch.key, page)?.filter(|_| left != page) {
        let followed = followers(tx, leaf, floor, page)?;
        let followed =
            if followed.is_empty() { followed } else { without_pages_above(tx, tail.start, &tail.after[0], followed)? };
        tail.after.truncate(1);
        tail.after.extend(followed);
    }
    let note = Note::new(OperationKind::Swipe, client).with(Detail::Page { floor, page });
    let edited = commit(tx, &mut branch, tail.start, &tail.after, note)?;
    Ok(Edited { page: Some(page), ..edited })
}

/// Saves the head as the cursor of the page that is left, so that a swipe can return to it.
pub(super) fn remember_reading(tx: &mut Draft<'_>, branch: &Ref, tail: &EditedTail) {
    let (Some(before), Some(after)) = (tail.before.first(), tail.after.first()) else { return };
    let left = before.active_page().page;
    // The page was left, not deleted.
    let there = after.position(left).is_some() && after.active_page().page != left;
    if let Some(head) = branch.head.filter(|_| there) {
        tx.put_cursor(branch.key, left, head);
    }
}

/// The turns that follow an active page on the path to a leaf; empty if it is not active there.
fn followers(tx: &View<'_>, leaf: NodeKey, floor: usize, page: PageId) -> Result<Vec<Listed>> {
    let mut turns = turns_below(tx, leaf, floor)?;
    let stands = turns.first().is_some_and(|turn| turn.active_page().page == page);
    Ok(if stands { turns.split_off(1) } else { Vec::new() })
}

/// Removes turns whose pages are above already: a page must not be on a path twice.
fn without_pages_above(tx: &View<'_>, above: NodeKey, turn: &Listed, mut followed: Vec<Listed>) -> Result<Vec<Listed>> {
    let turns = turns_below(tx, above, 0)?;
    let there: HashSet<PageId> =
        turns.iter().chain([turn]).flat_map(|turn| turn.pages.iter().map(|page| page.page)).collect();
    followed.retain(|turn| !turn.pages.iter().any(|page| there.contains(&page.page)));
    Ok(followed)
}

/// Handles an append to a head that has moved meanwhile: the text becomes an alternative page, or a
/// branch of its own, so that nothing is lost.
pub(super) fn append_late(
    tx: &mut Draft<'_>,
    story: &Story,
    mut branch: Ref,
    turn: &NewTurn,
    by: By<'_>,
) -> Result<Edited> {
    let believed = by.head.map(|head| tx.find_node(head)).transpose()?.flatten();
    let believed = believed.ok_or(EngineError::RefMoved)?;
    if tx.story_of_node(believed.key)? != story.key {
        return Err(EngineError::RefMoved);
    }
    let new = pages::new_turn(tx, story, &branch, turn)?;
    let page = *new.active_page();
    let head = branch.head.ok_or(EngineError::RefMoved)?;
    let follows = ancestor(tx, head, believed.depth)?.is_some_and(|node| node.key == believed.key);
    let next = if follows { ancestor(tx, head, believed.depth + 1)? } else { None };
    let there = next.and_then(|node| node.turn).map(|turn| tx.turn(turn)).transpose()?;
    if there.is_some_and(|there| there.role == role_of(turn.role)) {
        let mut tail = edit_tail(tx, story, &branch, Edit::AddPage { floor: believed.depth, page })?;
        // The page that came first stays active.
        let read = tail.before[0].active;
        tail.after[0].change().active = read;
        let note = Note::new(OperationKind::AddPage, by.client).with(Detail::Late);
        let edited = commit(tx, &mut branch, tail.start, &tail.after, note)?;
        return Ok(Edited { page: Some(page.page), late: true, ..edited });
    }
    let name = format!("{} · {}", branch.name, tx.refs(story.key)?.len() + 1);
    let mut fork = new_ref(story, RefKind::Branch, &name, Some(branch.key));
    let head = put_tail(tx, believed.key, &[new])?;
    let walked = fill_states(tx, head)?;
    let operation = move_head(tx, &mut fork, head, Note::new(OperationKind::Append, by.client))?;
    let edited = edited(tx, &fork, Some(operation), &walked.evaluated)?;
    Ok(Edited { page: Some(page.page), late: true, ..edited })
}
