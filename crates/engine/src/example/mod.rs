//! The example story, which shows a newcomer every screen with something on it. It is created on request only.
//!
//! It is played through the same functions as any other story, so it is valid whatever the layout of the database.
//! Its functions are the story's own choice: they are ours, so nobody is asked, and they count in this story only.

mod tale;

use storeyline_history::{Choices, Rules};
use storeyline_state::{PageId, RefId, StoryId};
use storeyline_store::{Draft, Owner, View};
use storeyline_wire::assets::SnapshotFloor;
use storeyline_wire::operation::{BranchEdit, Edited, NewPage, NewTurn};
use storeyline_wire::story::{BegunStory, NewRef};
use storeyline_wire::{Json, Language, RefKind, Role};

use self::tale::{Kept, Mended, Strand, Tag, Tale, Told};
use crate::assets::{put_template, snapshot_floor};
use crate::branch::{find_branch, find_story};
use crate::chats::create_story;
use crate::clock_and_random::now;
use crate::engine::Engine;
use crate::error::Result;
use crate::operations::{create_ref, current_ref, edit_branch};
use crate::stories::{first_branch, is_trashed};

/// Time between two floors, in milliseconds.
const BETWEEN_FLOORS: i64 = 3 * 60 * 1_000;

impl Engine {
    /// Returns the example story of an owner in a language; creates it unless there is one outside the trash.
    pub fn open_example(&self, owner: &Owner, language: Language, client: &str) -> Result<BegunStory> {
        let tale = Tale::bundled(language);
        let end = now();
        self.change(owner, |tx| match existing(tx, &tale.card)? {
            Some(found) => Ok(found),
            None => play(tx, &tale, end, client),
        })
    }
}

fn existing(tx: &View<'_>, card: &str) -> Result<Option<BegunStory>> {
    for story in tx.stories()?.into_iter().filter(|story| story.card == card) {
        if let (false, Some(branch)) = (is_trashed(tx, &story)?, current_ref(tx, &story)?) {
            return Ok(Some(BegunStory { story: story.id, branch }));
        }
    }
    Ok(None)
}

/// Plays the story as a player would have; the last floor of its main branch was written at `end`.
fn play(tx: &mut Draft<'_>, tale: &Tale, end: i64, client: &str) -> Result<BegunStory> {
    // The version of the template is unique: of two requests at once one conflicts, runs again, and finds the story.
    put_template(tx, &tale.card, Some(&tale.template))?;
    let choices = Choices { library: Some(tale.library.clone()), ..Choices::default() };
    let story = create_story(tx, &tale.title, &tale.card, &Rules::default(), &choices)?;
    let main = first_branch(tx, story.clone(), &tale.main.name, client)?;
    let mut player = Player { tx, tale, story: story.id, branch: main, client, end };
    let pages = player.tell(&tale.main, 0)?;
    let other = player.fork(RefKind::Branch, tale.fork, &tale.other.name, "")?;
    Player { branch: other, tx: &mut *player.tx, ..player }.tell(&tale.other, tale.fork + 1)?;
    let Tag { floor, name, note } = &tale.tag;
    player.fork(RefKind::Tag, *floor, name, note)?;
    player.keep(&tale.snapshot)?;
    let Mended { floor, path, value } = &tale.mended;
    player.edit(&BranchEdit::Set { page: pages[*floor], path: path.as_str().into(), value: Json(value.clone()) })?;
    Ok(BegunStory { story: story.id, branch: main })
}

/// Changes one branch of the story.
struct Player<'a, 'd> {
    tx: &'a mut Draft<'d>,
    tale: &'a Tale,
    story: StoryId,
    branch: RefId,
    client: &'a str,
    end: i64,
}

impl Player<'_, '_> {
    /// Appends the turns of a strand, the first one at a floor; returns the active page of each.
    fn tell(&mut self, strand: &Strand, first: usize) -> Result<Vec<PageId>> {
        strand.turns.iter().enumerate().map(|(at, told)| self.turn(first + at, told)).collect()
    }

    fn turn(&mut self, floor: usize, told: &Told) -> Result<PageId> {
        let left = self.tale.main.turns.len().saturating_sub(floor + 1) as i64;
        let new =
            |text: &String| NewPage { page: None, text: text.clone(), time: Some(self.end - left * BETWEEN_FLOORS) };
        let mut changes =
            told.pages.iter().map(new).map(|page| BranchEdit::AddPage { floor, page }).collect::<Vec<_>>();
        changes[0] =
            BranchEdit::Append(NewTurn { role: self.role(told), name: told.name.clone(), page: new(&told.pages[0]) });
        let mut pages = Vec::new();
        for change in changes {
            pages.extend(self.edit(&change)?.page);
        }
        if self.tale.hidden == floor {
            self.edit(&BranchEdit::Hide { floor, hidden: true })?;
        }
        if self.tale.chosen.0 == floor {
            self.edit(&BranchEdit::Select { page: pages[self.tale.chosen.1] })?;
            return Ok(pages[self.tale.chosen.1]);
        }
        Ok(pages[pages.len() - 1])
    }

    fn role(&self, told: &Told) -> Role {
        match &told.name {
            name if *name == self.tale.character => Role::Assistant,
            name if *name == self.tale.user => Role::User,
            _ => Role::Narrator,
        }
    }

    fn fork(&mut self, kind: RefKind, floor: usize, name: &str, note: &str) -> Result<RefId> {
        let (name, note) = (name.to_owned(), note.to_owned());
        let wanted = NewRef { kind, from: self.branch, floor: Some(floor as u32), name, note, switch: false };
        Ok(create_ref(self.tx, self.story, &wanted, self.client)?.id)
    }

    /// Saves a global snapshot, always under the same id, so that another example story does not add another one.
    fn keep(&mut self, kept: &Kept) -> Result<()> {
        let Kept { id, floor, name, description, tags } = kept;
        let new = SnapshotFloor {
            story: self.story,
            branch: self.branch,
            floor: *floor as u32,
            name: name.clone(),
            description: description.clone(),
            tags: tags.clone(),
        };
        snapshot_floor(self.tx, Some(id), &new).map(drop)
    }

    fn edit(&mut self, change: &BranchEdit) -> Result<Edited> {
        let branch = find_branch(self.tx, self.story, self.branch)?;
        let story = find_story(self.tx, self.story)?;
        edit_branch(self.tx, &story, branch, change, self.client)
    }
}
