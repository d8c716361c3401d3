//! Edits of a branch: every operation on history is a pure edit of a list of turns.

use storeyline_state::{PageId, TextHash, ValueHash};

use crate::turn::{Turn, TurnPage};

/// One edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// Put a turn at a floor; the later ones move down.
    Insert {
        /// Where.
        floor: usize,
        /// What.
        turn: Turn,
    },
    /// Take a turn away; the later ones move up.
    Delete {
        /// Where.
        floor: usize,
    },
    /// Move a turn to another floor.
    Move {
        /// From where.
        from: usize,
        /// To where, counted without it.
        to: usize,
    },
    /// Read another page of a turn.
    Select {
        /// Which one.
        page: PageId,
    },
    /// Give a page another text; its id stays.
    Rewrite {
        /// Which one.
        page: PageId,
        /// The new text.
        text: TextHash,
        /// The new body.
        body: ValueHash,
    },
    /// Add a page at the end of a turn and read it.
    AddPage {
        /// Where.
        floor: usize,
        /// What.
        page: TurnPage,
    },
    /// Take a page away; a turn that loses its last page goes too.
    DeletePage {
        /// Which one.
        page: PageId,
    },
    /// Hide a turn from the prompt, or show it again.
    Hide {
        /// Where.
        floor: usize,
        /// Hidden or not.
        hidden: bool,
    },
}

/// Why an edit does not fit a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The branch is shorter.
    #[error("the branch has no floor {0}")]
    NoFloor(usize),
    /// The page is not on this branch.
    #[error("page {0} is not on this branch")]
    NoPage(PageId),
}

/// Returns the edited list.
pub fn apply(mut turns: Vec<Turn>, edit: Edit) -> Result<Vec<Turn>, EditError> {
    match edit {
        Edit::Insert { floor, turn } => {
            if floor > turns.len() {
                return Err(EditError::NoFloor(floor));
            }
            turns.insert(floor, turn);
        }
        Edit::Delete { floor } => {
            check_floor(&turns, floor)?;
            turns.remove(floor);
        }
        Edit::Move { from, to } => {
            check_floor(&turns, from)?;
            check_floor(&turns, to)?;
            let turn = turns.remove(from);
            turns.insert(to, turn);
        }
        Edit::Select { page } => {
            let (floor, index) = find_page(&turns, page)?;
            turns[floor].active = index;
        }
        Edit::Rewrite { page, text, body } => {
            let (floor, index) = find_page(&turns, page)?;
            turns[floor].pages[index] = TurnPage { page, text, body };
        }
        Edit::AddPage { floor, page } => {
            check_floor(&turns, floor)?;
            let turn = &mut turns[floor];
            turn.active = turn.pages.len();
            turn.pages.push(page);
        }
        Edit::DeletePage { page } => delete_page(&mut turns, page)?,
        Edit::Hide { floor, hidden } => {
            check_floor(&turns, floor)?;
            turns[floor].hidden = hidden;
        }
    }
    Ok(turns)
}

/// Returns floor and place of a page.
pub fn find_page(turns: &[Turn], page: PageId) -> Result<(usize, usize), EditError> {
    let found = turns.iter().enumerate().find_map(|(floor, turn)| Some((floor, turn.position(page)?)));
    found.ok_or(EditError::NoPage(page))
}

fn check_floor(turns: &[Turn], floor: usize) -> Result<(), EditError> {
    if floor < turns.len() { Ok(()) } else { Err(EditError::NoFloor(floor)) }
}

fn delete_page(turns: &mut Vec<Turn>, page: PageId) -> Result<(), EditError> {
    let (floor, index) = find_page(turns, page)?;
    let turn = &mut turns[floor];
    turn.pages.remove(index);
    if turn.pages.is_empty() {
        turns.remove(floor);
        return Ok(());
    }
    if turn.active > index || turn.active == turn.pages.len() {
        turn.active -= 1;
    }
    Ok(())
}
