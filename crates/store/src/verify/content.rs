//! Values, texts, versions of pages and turns: what their hashes say.

use std::collections::{BTreeMap, HashMap, HashSet};

use storeyline_history::path_states::MemoKey;
use storeyline_history::{Body, HostFields, PageKey, Turn, TurnKey, ValueKey};
use storeyline_state::{TextHash, ValueHash, json, text};

use super::shape::Blanked;
use super::{Checker, Fix};
use crate::codec::pack::{unpack, unpack_text};
use crate::codec::records::{self, TurnRecord};
use crate::error::StoreError;
use crate::sql::Row as _;
use crate::tables::pages::{self, PageRow, Use};
use crate::tables::states::first_16;
use crate::tables::table::{Raw, RawRow};
use crate::tables::{texts, turns, values};

/// A version of a page as it was read.
pub(super) struct CheckedPage {
    pub(super) row: PageRow,
    pub(super) used: Use,
    is_intact: bool,
    /// The hash of its inputs, where that is not the one in its row.
    pub(super) other_body: Option<ValueHash>,
}

impl Checker<'_> {
    /// A value carries its own hash.
    pub(super) fn values(&mut self) -> Result<(), StoreError> {
        let mut wrong = Vec::new();
        let (mut found, mut memos) = (HashMap::new(), HashSet::new());
        let owner = Raw::Int(self.owner.0);
        self.rows(&values::TABLE, &mut |row| {
            let Ok(id) = row.int(1) else { return Ok(()) };
            let content = row.bytes(3).ok().and_then(unpack).map(|text| ValueHash::of(&text));
            let stored = hash_of(&row, 2);
            found.extend(content.or(stored).map(|hash| (id, hash)));
            // Any value may be rules. Of a damaged one, what it was counts too.
            memos.extend(content.into_iter().chain(stored).map(|hash| first_16(&MemoKey::first_state(hash))));
            if content.is_none() || content != stored || row.values[0] != owner || !row.is_intact() {
                wrong.push((row, content, stored));
            }
            Ok(())
        })?;
        for (row, content, stored) in wrong {
            let mut wanted = row.values.clone();
            wanted[0] = owner.clone();
            if let Some(content) = content {
                wanted[2] = Raw::Bytes(content.as_bytes().to_vec());
            }
            self.report(&values::TABLE, &row, "the value is not the one that its hash or its checksum says");
            if content.is_some() && (content == stored || row.fits(&wanted)) {
                self.fix(&values::TABLE, row, wanted);
            }
        }
        (self.values, self.first_memos) = (found, memos);
        Ok(())
    }

    pub(super) fn load_pages(&mut self) -> Result<(), StoreError> {
        let (mut unread, mut found) = (Vec::new(), BTreeMap::new());
        self.rows(&pages::TABLE, &mut |raw| {
            let read = pages::read(&raw).map(|read| (read, raw.is_intact() && raw.values[0] == Raw::Int(self.owner.0)));
            let read = read.or_else(|_| pages::read(&Blanked::of(&pages::TABLE, &raw).row).map(|read| (read, false)));
            match read {
                Ok(((row, used), is_intact)) => {
                    found.insert(row.page.at.0, CheckedPage { row, used, is_intact, other_body: None });
                }
                Err(_) => unread.push(raw),
            }
            Ok(())
        })?;
        unread.iter().for_each(|row| self.report(&pages::TABLE, row, "the row cannot be read"));
        self.pages = found;
        Ok(())
    }

    /// A text is proven by the version of a page that has it.
    pub(super) fn texts(&mut self) -> Result<(), StoreError> {
        let mut wanted: HashMap<i64, Vec<TextHash>> = HashMap::new();
        self.pages.values().for_each(|page| wanted.entry(page.row.text.0).or_default().push(page.row.page.text));
        let (mut wrong, mut found) = (Vec::new(), HashMap::new());
        let owner = Raw::Int(self.owner.0);
        self.rows(&texts::TABLE, &mut |row| {
            let Ok(id) = row.int(1) else { return Ok(()) };
            let content = row.bytes(2).ok().and_then(unpack_text).map(|words| text::hash(&words));
            found.extend(content.map(|hash| (id, hash)));
            if content.is_none() || row.values[0] != owner || !row.is_intact() {
                let is_proven = content.is_some_and(|hash| wanted.get(&id).is_some_and(|all| all.contains(&hash)));
                wrong.push((row, is_proven));
            }
            Ok(())
        })?;
        for (row, is_proven) in wrong {
            let new = vec![owner.clone(), row.values[1].clone(), row.values[2].clone()];
            self.report(&texts::TABLE, &row, "the text is not the one that was stored");
            if is_proven || row.fits(&new) {
                self.fix(&texts::TABLE, row, new);
            }
        }
        self.texts = found;
        Ok(())
    }

    pub(super) fn load_turns(&mut self) -> Result<(), StoreError> {
        let mut rows = Vec::new();
        self.rows(&turns::TABLE, &mut |row| {
            rows.push(row);
            Ok(())
        })?;
        for row in rows {
            let is_intact = row.is_intact() && row.values[0] == Raw::Int(self.owner.0);
            let Some((id, host, turn)) = self.read_turn(&row) else {
                self.report(&turns::TABLE, &row, "the turn cannot be read");
                match self.rebuilt_turn(&row) {
                    Some(rebuilt) => self.fixes.push(rebuilt),
                    None => self.unread_turns.extend(row.int(1).ok()),
                }
                continue;
            };
            self.turn_rows.insert(id, (host, is_intact));
            self.turns.insert(id, turn);
            if !is_intact {
                self.report(&turns::TABLE, &row, "the checksum is wrong");
            }
        }
        Ok(())
    }

    fn read_turn(&self, row: &RawRow) -> Option<(i64, Option<i64>, Turn)> {
        let host = Blanked::of(&turns::TABLE, row).row.maybe_int(2).ok()?;
        let id = row.int(1).ok()?;
        let TurnRecord { role, name, hidden, active, pages } = TurnRecord::read(row.bytes(3).ok()?)?;
        let pages = pages.iter().map(|page| Some(self.pages.get(&page.0)?.row.page));
        let pages = pages.collect::<Option<Vec<_>>>()?;
        // A pointer to nothing is as wrong as one to another value: the node tells.
        let hash = |at: i64| self.values.get(&at).copied().unwrap_or(ValueHash::from_bytes([0; 32]));
        let fields = host.map(|at| HostFields { hash: hash(at), at: ValueKey(at) });
        Some((id, host, Turn { role, name, hidden, active, pages, host: fields }))
    }

    /// Looks for the record of a turn with one page: the checksum of its row tells whether it is that.
    fn rebuilt_turn(&mut self, row: &RawRow) -> Option<Fix> {
        let of_turn = |page: &&CheckedPage| page.used.turn.is_some_and(|turn| Raw::Int(turn.0) == row.values[1]);
        let mut rebuilt = None;
        for page in self.pages.values().filter(|_| self.repair).filter(of_turn) {
            for hidden in [false, true] {
                let (role, name) = (page.row.body.role, page.row.body.speaker.clone());
                let record = TurnRecord { role, name, hidden, active: 0, pages: vec![page.row.page.at] };
                let new = [&row.values[..3], &[Raw::Bytes(records::write(&record))]].concat();
                rebuilt = rebuilt.or(Some(new).filter(|new| row.fits(new)));
            }
        }
        let new = rebuilt?;
        let (id, host, turn) = self.read_turn(&RawRow::new(new.clone()))?;
        self.turn_rows.insert(id, (host, true));
        self.turns.insert(id, turn);
        Some(Fix { table: &turns::TABLE, seen: row.clone(), new: Some(new) })
    }

    /// Compares the inputs of pages with their hashes, and what they say about turns.
    pub(super) fn pages(&mut self) -> Result<(), StoreError> {
        let mut active: HashMap<i64, Vec<i64>> = HashMap::new();
        for (id, turn) in &self.turns {
            active.entry(turn.active_page().at.0).or_default().push(*id);
        }
        let mut names = HashMap::new();
        let ids: Vec<i64> = self.pages.keys().copied().collect();
        for id in ids {
            let turns = active.get(&id).map_or(&[][..], Vec::as_slice);
            self.page(id, turns, &mut names)?;
        }
        Ok(())
    }

    fn page(&mut self, id: i64, active: &[i64], names: &mut Names) -> Result<(), StoreError> {
        let page = &self.pages[&id];
        let (mut wanted, used) = (page.row.clone(), page.used);
        let mut what = Vec::new();
        if self.texts.get(&wanted.text.0) != Some(&wanted.page.text) {
            what.push("the text is not the one that was stored");
        }
        let body = self.body_hash(&wanted, names)?;
        if body != Some(wanted.page.body) {
            what.push("the inputs are not the ones that were stored");
        }
        if !what.is_empty() && self.repair {
            wanted = self.search_inputs(wanted, names)?;
        }
        let right = Use { turn: self.right_turn(used, active), at: used.at };
        let is_in_use = right.turn == used.turn && (used.turn.is_none() == (used.at == 0));
        let is_past = (0..=self.last_change + 1).contains(&used.at);
        if !is_in_use || !is_past {
            what.push("the newest turn is wrong");
        }
        if !page.is_intact && what.is_empty() {
            what.push("the checksum is wrong");
        }
        if what.is_empty() {
            return Ok(());
        }
        let Some(raw) = self.raw(&pages::TABLE, id)? else { return Ok(()) };
        let is_sound = self.texts.get(&wanted.text.0) == Some(&wanted.page.text)
            && self.body_hash(&wanted, names)? == Some(wanted.page.body);
        self.report(&pages::TABLE, &raw, what.join("; "));
        if is_sound && self.repair {
            let new = self.page_values(&raw, &wanted, used, right, active);
            self.fix(&pages::TABLE, raw, new);
        } else if let Some(page) = self.pages.get_mut(&id).filter(|_| !is_sound) {
            page.other_body = body;
            self.wrong_pages.insert(PageKey(id));
        }
        Ok(())
    }

    /// Returns the columns of a page; of its use those that the checksum or the turns confirm.
    fn page_values(&self, raw: &RawRow, page: &PageRow, used: Use, right: Use, active: &[i64]) -> Vec<Raw> {
        let mut new = raw.values.clone();
        new[0] = Raw::Int(self.owner.0);
        new[5] = Raw::Bytes(page.page.text.as_bytes().to_vec());
        new[4] = Raw::Bytes(page.page.body.as_bytes().to_vec());
        for (column, id) in [(6, page.text.0), (7, page.names.0), (8, page.rules.0)] {
            new[column] = Raw::Int(id);
        }
        new[10] = page.kept.map_or(Raw::Null, |kept| Raw::Int(kept.0));
        if let Some(fitting) = self.fitting_use(raw, &new, used, active) {
            return fitting;
        }
        new[11] = right.turn.map_or(Raw::Null, |turn| Raw::Int(turn.0));
        new[12] = Raw::Int(match right.turn {
            None => 0,
            Some(_) if (1..=self.last_change + 1).contains(&right.at) => right.at,
            Some(_) => 1,
        });
        new
    }

    /// Looks for the story, the turn or the position with which the checksum is right.
    fn fitting_use(&self, raw: &RawRow, page: &[Raw], used: Use, active: &[i64]) -> Option<Vec<Raw>> {
        if raw.is_intact() {
            return None;
        }
        let mut new = page.to_vec();
        let mut stories: Vec<i64> = self.pages.values().map(|page| page.row.story.0).collect();
        stories.sort_unstable();
        stories.dedup();
        for story in stories {
            new[2] = Raw::Int(story);
            if raw.fits(&new) {
                return Some(new);
            }
        }
        new[2] = page[2].clone();
        let turns = active.iter().map(|turn| Some(*turn)).chain([None, used.turn.map(|turn| turn.0)]);
        for turn in turns {
            new[11] = turn.map_or(Raw::Null, Raw::Int);
            for at in [used.at].into_iter().chain(0..=(self.last_change + 1).min(MOST)) {
                new[12] = Raw::Int(at);
                if raw.fits(&new) {
                    return Some(new);
                }
            }
        }
        None
    }

    /// Returns the turn that a page should name: its own, if it is active there, else the newest in which it is.
    fn right_turn(&self, used: Use, active: &[i64]) -> Option<TurnKey> {
        match used.turn {
            Some(turn) if active.contains(&turn.0) => Some(turn),
            // A page that was never used, or whose turns are gone.
            None if used.at == 0 => None,
            // What such a turn held is not known.
            Some(turn) if self.unread_turns.contains(&turn.0) => Some(turn),
            _ => active.iter().max().map(|turn| TurnKey(*turn)),
        }
    }

    fn body_hash(&self, page: &PageRow, names: &mut Names) -> Result<Option<ValueHash>, StoreError> {
        let Some((user, character)) = self.names(page.names.0, names)? else { return Ok(None) };
        let Some(rules) = self.values.get(&page.rules.0) else { return Ok(None) };
        let kept = match page.kept {
            None => None,
            Some(kept) => match self.states.get(&kept.0) {
                Some(state) => Some(state.hash),
                None => return Ok(None),
            },
        };
        let body = Body { text: page.page.text, user, character, rules: *rules, kept, ..page.body.clone() };
        Ok(Some(body.hash()))
    }

    /// Looks for the text, names, rules or kept state with which a page fits its hash.
    fn search_inputs(&self, page: PageRow, names: &mut Names) -> Result<PageRow, StoreError> {
        let mut tried = vec![page.clone()];
        let same_text = self.texts.iter().filter(|(_, hash)| **hash == page.page.text).map(|(id, _)| *id);
        tried.extend(same_text.map(|id| PageRow { text: crate::keys::TextKey(id), ..page.clone() }));
        if let Some(hash) = self.texts.get(&page.text.0) {
            let mut other = page.clone();
            other.page.text = *hash;
            tried.push(other);
        }
        let of_pages = |of: fn(&PageRow) -> i64| -> Vec<i64> {
            let mut all: Vec<i64> = self.pages.values().map(|page| of(&page.row)).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        tried.extend(of_pages(|row| row.names.0).into_iter().map(|id| PageRow { names: ValueKey(id), ..page.clone() }));
        tried.extend(of_pages(|row| row.rules.0).into_iter().map(|id| PageRow { rules: ValueKey(id), ..page.clone() }));
        tried.push(PageRow { kept: None, ..page.clone() });
        let kept = self.states.iter().filter(|(_, state)| state.memo.is_none());
        tried.extend(kept.map(|(id, _)| PageRow { kept: Some(storeyline_history::StateKey(*id)), ..page.clone() }));
        for tried in tried {
            let has_text = self.texts.get(&tried.text.0) == Some(&tried.page.text);
            if has_text && self.body_hash(&tried, names)? == Some(tried.page.body) {
                return Ok(tried);
            }
        }
        // The hash itself, if the checksum says that it was another.
        if let (Some(body), Some(raw)) = (self.body_hash(&page, names)?, self.raw(&pages::TABLE, page.page.at.0)?) {
            let mut new = raw.values.clone();
            new[4] = Raw::Bytes(body.as_bytes().to_vec());
            if raw.fits(&new) {
                let mut other = page.clone();
                other.page.body = body;
                return Ok(other);
            }
        }
        Ok(page)
    }

    fn names(&self, id: i64, known: &mut Names) -> Result<Option<(String, String)>, StoreError> {
        if let Some(known) = known.get(&id) {
            return Ok(known.clone());
        }
        let row = self.raw(&values::TABLE, id)?;
        let text = row.and_then(|row| String::from_utf8(unpack(row.bytes(3).ok()?)?).ok());
        let value = text.and_then(|text| json::read_stored(&text).ok());
        let name = |key: &str| value.as_ref()?.get(key)?.as_text().map(str::to_owned);
        let found = name("user").zip(name("char"));
        known.insert(id, found.clone());
        Ok(found)
    }

    /// A page belongs to the story of the nodes that have it.
    pub(super) fn page_story(&mut self, page: PageKey, story: i64) -> Result<(), StoreError> {
        let Some(found) = self.pages.get_mut(&page.0) else { return Ok(()) };
        if found.row.story.0 == story {
            return Ok(());
        }
        found.row.story.0 = story;
        let Some(raw) = self.raw(&pages::TABLE, page.0)? else { return Ok(()) };
        let mut new = raw.values.clone();
        new[2] = Raw::Int(story);
        self.report(&pages::TABLE, &raw, "it belongs to another story than its node");
        self.fixes.retain(|fix| fix.seen != raw);
        self.fix(&pages::TABLE, raw, new);
        Ok(())
    }
}

/// More positions than these are not tried.
const MOST: i64 = 1 << 20;

type Names = HashMap<i64, Option<(String, String)>>;

fn hash_of(row: &RawRow, column: usize) -> Option<ValueHash> {
    row.bytes(column).ok()?.try_into().ok().map(ValueHash::from_bytes)
}
