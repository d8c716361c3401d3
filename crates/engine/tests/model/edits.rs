//! Random steps that change the turns of a branch.

use std::collections::{HashMap, HashSet};

use storeyline_engine::EngineError;
use storeyline_state::{PageId, RefId, json};
use storeyline_wire::operation::BranchEdit;
use storeyline_wire::{JsonObject, KeepText};

use crate::naive::{self, KEYS, Page, Plain, Turn};
use crate::play::{Effect, Entry, Play, by, keep_states, new_page, owner, say};

impl Play {
    pub(crate) fn append(&mut self) -> bool {
        let at = self.pick();
        let (turn, new) = self.new_turn();
        let mut after = self.refs[at].turns.clone();
        after.push(turn);
        self.do_edit(at, &BranchEdit::Append(new), after, false)
    }

    pub(crate) fn insert(&mut self) -> bool {
        let at = self.pick();
        let floor = self.dice.below(self.refs[at].turns.len() + 1);
        let (turn, new) = self.new_turn();
        let mut after = self.refs[at].turns.clone();
        after.insert(floor, turn);
        self.do_edit(at, &BranchEdit::Insert { floor, turn: new }, after, true)
    }

    pub(crate) fn add_page(&mut self) -> bool {
        let at = self.pick();
        let Some(floor) = self.pick_floor(at) else { return false };
        let page = self.page();
        let mut after = self.refs[at].turns.clone();
        after[floor].active = after[floor].pages.len();
        after[floor].pages.push(page.clone());
        self.leave(at, floor, page.id);
        self.do_edit(at, &BranchEdit::AddPage { floor, page: new_page(&page) }, after, false)
    }

    pub(crate) fn select(&mut self) -> bool {
        let at = self.pick();
        let Some((floor, index)) = self.pick_page(at) else { return false };
        let mut after = self.refs[at].turns.clone();
        after[floor].active = index;
        self.leave(at, floor, after[floor].pages[index].id);
        self.do_edit(at, &BranchEdit::Select { page: after[floor].pages[index].id }, after.clone(), true)
    }

    pub(crate) fn swipe(&mut self) -> bool {
        let at = self.pick();
        let Some((floor, index)) = self.pick_page(at) else { return false };
        let before = self.refs[at].turns.clone();
        let (left, page) = (before[floor].read().id, before[floor].pages[index].id);
        let mut after = before.clone();
        after[floor].active = index;
        self.leave(at, floor, page);
        if let Some(leaf) = self.refs[at].cursors.get(&page).filter(|_| left != page) {
            after.truncate(floor + 1);
            if leaf.get(floor).is_some_and(|turn| turn.read().id == page) {
                let there: HashSet<PageId> =
                    after.iter().flat_map(|turn| turn.pages.iter().map(|page| page.id)).collect();
                let free = |turn: &&Turn| !turn.pages.iter().any(|page| there.contains(&page.id));
                after.extend(leaf[floor + 1..].iter().filter(free).cloned());
            }
        }
        self.do_edit(at, &BranchEdit::Swipe { page }, after, false)
    }

    /// Notes where reading stood if another page is read from now on.
    pub(crate) fn leave(&mut self, at: usize, floor: usize, next: PageId) {
        let turns = self.refs[at].turns.clone();
        let left = turns[floor].read().id;
        if left != next {
            self.refs[at].cursors.insert(left, turns);
        }
    }

    pub(crate) fn edit(&mut self) -> bool {
        let at = self.pick();
        let Some((floor, index)) = self.pick_page(at) else { return false };
        let (text, doings) = self.text();
        let mut after = self.refs[at].turns.clone();
        let page = &mut after[floor].pages[index];
        *page = Page { text: text.clone(), doings, kept: None, ..page.clone() };
        let change = BranchEdit::Edit { page: page.id, text, keep: KeepText::InPlace };
        self.do_edit(at, &change, after, true)
    }

    pub(crate) fn edit_as_alternative(&mut self) -> bool {
        let at = self.pick();
        let Some((floor, index)) = self.pick_page(at) else { return false };
        let (text, doings) = self.text();
        let old = self.refs[at].turns[floor].pages[index].id;
        let change = BranchEdit::Edit { page: old, text: text.clone(), keep: KeepText::AsAlternative };
        // The engine gives the new page its id.
        let edited = self.engine.edit_branch(&owner(), self.story, self.refs[at].id, &change, by()).unwrap();
        let before = self.refs[at].turns.clone();
        let mut after = before.clone();
        let id = edited.page.unwrap();
        self.leave(at, floor, id);
        self.rules_seen.entry(id).or_default().insert(self.user_calls);
        after[floor].active = after[floor].pages.len();
        after[floor].pages.push(Page { id, text, doings, user_calls: self.user_calls, said: Vec::new(), kept: None });
        if self.manual {
            keep_states(&before, &mut after);
        }
        self.write_down(at, &edited, before, after)
    }

    pub(crate) fn edit_everywhere(&mut self) -> bool {
        let at = self.pick();
        let Some((floor, index)) = self.pick_page(at) else { return false };
        let (text, doings) = self.text();
        let id = self.refs[at].turns[floor].pages[index].id;
        let change = BranchEdit::Edit { page: id, text: text.clone(), keep: KeepText::OnAllBranches };
        self.engine.edit_branch(&owner(), self.story, self.refs[at].id, &change, by()).unwrap();
        let touched: Vec<usize> = self.live().collect();
        let mut numbers = self.last_operations();
        for other in touched {
            let before = self.refs[other].turns.clone();
            let mut after = before.clone();
            let pages = after.iter_mut().flat_map(|turn| &mut turn.pages);
            let Some(page) = pages.into_iter().find(|page| page.id == id) else { continue };
            *page = Page { text: text.clone(), doings: doings.clone(), kept: None, ..page.clone() };
            if self.manual {
                keep_states(&before, &mut after);
            }
            let number = numbers.remove(&self.refs[other].id).unwrap();
            self.refs[other].turns.clone_from(&after);
            let effect = Effect::List { before, after };
            self.refs[other].log.push(Entry { number, effect, undoes: None, redo: false });
        }
        true
    }

    /// The last operation of each live branch.
    pub(crate) fn last_operations(&self) -> HashMap<RefId, i64> {
        let last = |id: RefId| self.engine.log(&owner(), self.story, id, 1).unwrap()[0].operation;
        self.live().map(|index| (self.refs[index].id, last(self.refs[index].id))).collect()
    }

    pub(crate) fn delete(&mut self) -> bool {
        let at = self.pick();
        let Some(floor) = self.pick_floor(at) else { return false };
        let count = 1 + self.dice.below(2).min(self.refs[at].turns.len() - floor - 1);
        let mut after = self.refs[at].turns.clone();
        after.drain(floor..floor + count);
        self.do_edit(at, &BranchEdit::Delete { floor, count }, after, true)
    }

    pub(crate) fn cut(&mut self) -> bool {
        let at = self.pick();
        let Some(floor) = self.pick_floor(at) else { return false };
        // Near the end, else nothing is left to play with.
        let floor = floor.max(self.refs[at].turns.len().saturating_sub(3));
        let mut after = self.refs[at].turns.clone();
        after.truncate(floor);
        self.do_edit(at, &BranchEdit::Cut { floor }, after, true)
    }

    pub(crate) fn delete_page(&mut self) -> bool {
        let at = self.pick();
        let Some((floor, index)) = self.pick_page(at) else { return false };
        let mut after = self.refs[at].turns.clone();
        let turn = &mut after[floor];
        let id = turn.pages.remove(index).id;
        if turn.pages.is_empty() {
            after.remove(floor);
        } else if turn.active > index || turn.active == turn.pages.len() {
            turn.active -= 1;
        }
        self.do_edit(at, &BranchEdit::DeletePage { page: id }, after, true)
    }

    pub(crate) fn keep_only(&mut self) -> bool {
        let at = self.pick();
        let Some((floor, index)) = self.pick_page(at) else { return false };
        let mut after = self.refs[at].turns.clone();
        let page = after[floor].pages[index].clone();
        let id = page.id;
        after[floor].pages = vec![page];
        after[floor].active = 0;
        self.do_edit(at, &BranchEdit::KeepOnly { page: id }, after, true)
    }

    pub(crate) fn move_turn(&mut self) -> bool {
        let at = self.pick();
        let (Some(floor), Some(to)) = (self.pick_floor(at), self.pick_floor(at)) else { return false };
        let mut after = self.refs[at].turns.clone();
        let turn = after.remove(floor);
        after.insert(to, turn);
        self.do_edit(at, &BranchEdit::Move { floor, to }, after, true)
    }

    pub(crate) fn hide(&mut self) -> bool {
        let at = self.pick();
        let Some(floor) = self.pick_floor(at) else { return false };
        let mut after = self.refs[at].turns.clone();
        let hidden = !after[floor].hidden;
        after[floor].hidden = hidden;
        self.do_edit(at, &BranchEdit::Hide { floor, hidden }, after, false)
    }

    pub(crate) fn graft(&mut self) -> bool {
        let (at, other) = (self.pick(), self.dice.below(self.refs.len()));
        let Some(first) = self.pick_floor(other) else { return false };
        let count = 1 + self.dice.below(2).min(self.refs[other].turns.len() - first - 1);
        let floor = self.dice.below(self.refs[at].turns.len() + 1);
        let mut after = self.refs[at].turns.clone();
        let there: HashSet<PageId> = after.iter().flat_map(|turn| turn.pages.iter().map(|page| page.id)).collect();
        let grafted = self.refs[other].turns[first..first + count].to_vec();
        let twice = grafted.iter().flat_map(|turn| &turn.pages).any(|page| there.contains(&page.id));
        after.splice(floor..floor, grafted);
        let change = BranchEdit::Graft { from: self.refs[other].id, first, count, floor };
        if twice {
            let done = self.engine.edit_branch(&owner(), self.story, self.refs[at].id, &change, by());
            assert!(matches!(done, Err(EngineError::Edit(_))), "{done:?}");
            return false;
        }
        self.refs[at].hosted |= self.refs[other].hosted;
        self.do_edit(at, &change, after, true)
    }

    pub(crate) fn override_state(&mut self) -> bool {
        let at = self.pick();
        let Some((floor, index)) = self.pick_page(at) else { return false };
        let before = self.refs[at].turns.clone();
        let mut after = before.clone();
        let above = floor.checked_sub(1).map_or_else(Plain::new, |above| naive::states(&before)[above].clone());
        let turn = &before[floor];
        let mut saved = naive::computed(&above, &turn.pages[index], turn.role);
        for _ in 0..=self.dice.below(2) {
            let key = KEYS[self.dice.below(KEYS.len())];
            let new = (self.dice.below(4) > 0).then(|| self.dice.below(100) as i64 + 100);
            saved = naive::corrected(&saved, key, new);
        }
        say(&mut after, floor, Some(index), &saved);
        let state = json::read(&naive::json(&saved)).unwrap();
        let change = BranchEdit::Override { page: turn.pages[index].id, state: JsonObject(state) };
        self.do_edit(at, &change, after, false)
    }

    pub(crate) fn clear_override(&mut self) -> bool {
        let at = self.pick();
        let Some((floor, index)) = self.pick_page(at) else { return false };
        let mut after = self.refs[at].turns.clone();
        let page = &mut after[floor].pages[index];
        (page.said, page.kept) = (Vec::new(), None);
        let change = BranchEdit::ClearOverride { page: page.id };
        self.do_edit(at, &change, after, false)
    }
}
