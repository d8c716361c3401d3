//! Edits of a branch: every operation on history is a pure edit of a list of turns.
//!
//! An edit needs the list only from the first floor it changes, so the cost of a change at the end
//! does not grow with the branch.

use storeyline_state::{Explain, Explanation, PageId};

use crate::turn::{Listed, Turn, TurnPage};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// Insert turns at a floor; later ones move down.
    Insert { floor: usize, turns: Vec<Listed> },
    /// Delete turns; later ones move up.
    Delete { floor: usize, count: usize },
    /// Delete a turn and all that follow it.
    Cut { floor: usize },
    /// Move a turn to another floor.
    Move {
        from: usize,
        /// Counted without the moved turn.
        to: usize,
    },
    /// Make another page of a turn the active one.
    Select { floor: usize, page: PageId },
    /// Replace the inputs of a page, for example its text; the id stays.
    Rewrite {
        floor: usize,
        /// The new version of an existing page.
        page: TurnPage,
    },
    /// Append a page to a turn and make it the active one.
    AddPage { floor: usize, page: TurnPage },
    /// Delete a page; a turn that loses its last page is deleted too.
    DeletePage { floor: usize, page: PageId },
    /// Delete all pages of a turn except one.
    KeepOnly { floor: usize, page: PageId },
    /// Hide a turn from the prompt, or show it again.
    Hide { floor: usize, hidden: bool },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The branch is shorter.
    #[error("the branch has no floor {0}")]
    NoFloor(usize),
    /// The page is not on this branch.
    #[error("page {0} is not on this branch")]
    NoPage(PageId),
    /// A page may occur on a branch only once.
    #[error("page {0} is on this branch already")]
    PageTwice(PageId),
}

impl Explain for EditError {
    fn explain(&self) -> Explanation {
        let missing = ("请刷新后再试；没有写入任何东西。", "Reload and try again; nothing was written.");
        let once = (
            "一页在一条分支上只出现一次：只接另一分支独有的楼层。没有写入任何东西。",
            "A page stands on a branch once: take floors that only the other branch has. Nothing was written.",
        );
        match self {
            EditError::NoFloor(floor) => self.explained("not_found", format!("这条分支没有第 {floor} 层"), missing),
            EditError::NoPage(page) => self.explained("not_found", format!("这条分支上没有页 {page}"), missing),
            EditError::PageTwice(page) => self.explained("page_twice", format!("页 {page} 已经在这条分支上"), once),
        }
    }
}

impl Edit {
    /// Returns the first floor that changes.
    pub fn first_floor(&self) -> usize {
        match self {
            Edit::Move { from, to } => *from.min(to),
            Edit::Insert { floor, .. }
            | Edit::Delete { floor, .. }
            | Edit::Cut { floor }
            | Edit::Select { floor, .. }
            | Edit::Rewrite { floor, .. }
            | Edit::AddPage { floor, .. }
            | Edit::DeletePage { floor, .. }
            | Edit::KeepOnly { floor, .. }
            | Edit::Hide { floor, .. } => *floor,
        }
    }

    /// Edits a list whose first turn is on floor `first`.
    pub fn apply(self, mut turns: Vec<Listed>, first: usize) -> Result<Vec<Listed>, EditError> {
        let length = turns.len();
        let own = |floor: usize| floor.checked_sub(first).filter(|own| *own < length).ok_or(EditError::NoFloor(floor));
        match self {
            Edit::Insert { floor, turns: new } => {
                let at = floor.checked_sub(first).filter(|at| *at <= length).ok_or(EditError::NoFloor(floor))?;
                turns.splice(at..at, new);
            }
            Edit::Delete { floor, count } => {
                let (from, last) = (own(floor)?, own(floor.saturating_add(count.max(1) - 1))?);
                turns.drain(from..=last);
            }
            Edit::Cut { floor } => turns.truncate(own(floor)?),
            Edit::Move { from, to } => {
                let (from, to) = (own(from)?, own(to)?);
                let turn = turns.remove(from);
                turns.insert(to, turn);
            }
            Edit::Select { floor, page } => {
                let (turn, index) = find(&mut turns, own(floor)?, page)?;
                if turn.active != index {
                    turn.change().active = index;
                }
            }
            Edit::Rewrite { floor, page } => {
                let (turn, index) = find(&mut turns, own(floor)?, page.page)?;
                if turn.pages[index] != page {
                    turn.change().pages[index] = page;
                }
            }
            Edit::AddPage { floor, page } => {
                let turn = turns[own(floor)?].change();
                if turn.position(page.page).is_some() {
                    return Err(EditError::PageTwice(page.page));
                }
                turn.active = turn.pages.len();
                turn.pages.push(page);
            }
            Edit::DeletePage { floor, page } => {
                let at = own(floor)?;
                let (turn, index) = find(&mut turns, at, page)?;
                if turn.pages.len() == 1 {
                    turns.remove(at);
                } else {
                    remove_page(turn.change(), index);
                }
            }
            Edit::KeepOnly { floor, page } => {
                let (turn, index) = find(&mut turns, own(floor)?, page)?;
                if turn.pages.len() > 1 {
                    let turn = turn.change();
                    turn.pages = vec![turn.pages[index]];
                    turn.active = 0;
                }
            }
            Edit::Hide { floor, hidden } => {
                let turn = &mut turns[own(floor)?];
                if turn.hidden != hidden {
                    turn.change().hidden = hidden;
                }
            }
        }
        Ok(turns)
    }
}

fn find(turns: &mut [Listed], at: usize, page: PageId) -> Result<(&mut Listed, usize), EditError> {
    let index = turns[at].position(page).ok_or(EditError::NoPage(page))?;
    Ok((&mut turns[at], index))
}

fn remove_page(turn: &mut Turn, index: usize) {
    turn.pages.remove(index);
    if turn.active > index || turn.active == turn.pages.len() {
        turn.active -= 1;
    }
}
