//! Searching the texts of an owner, with the index or without it, and where the pages stand that were found.

use std::collections::{HashMap, HashSet};

use storeyline_history::{NodeKey, PageKey};
use storeyline_state::PageId;

use crate::error::StoreError;
use crate::fresh::FreshPage;
use crate::pages::page_id;
use crate::sql::{Row, params};
use crate::sqlite::Durability;
use crate::store::{Owner, Store};
use crate::turns::{StoredTurn, read_turn};
use crate::tx::Tx;

/// Whether texts are indexed for searching.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Indexing {
    /// No: texts are read one after another.
    Off,
    /// Yes.
    On,
    /// New texts are, old ones are on their way.
    Building,
}

impl Indexing {
    pub(crate) fn from_number(number: i64) -> Indexing {
        match number {
            1 => Indexing::On,
            2 => Indexing::Building,
            _ => Indexing::Off,
        }
    }

    fn number(self) -> i64 {
        match self {
            Indexing::Off => 0,
            Indexing::On => 1,
            Indexing::Building => 2,
        }
    }
}

/// Old texts are indexed so many at a time, so that other writers need not wait for all of them.
const AT_ONCE: i64 = 256;

/// With more texts than these it is faster to look at all pages once.
const ASK_EACH: usize = 500;

/// Returns a text in which capitals are small; every character stays one character.
pub fn fold(text: &str) -> String {
    let small = |character: char| {
        let mut small = character.to_lowercase();
        match (small.next(), small.next()) {
            // The index takes it for the end of the text.
            _ if character == '\0' => ' ',
            (Some(one), None) => one,
            _ => character,
        }
    };
    text.chars().map(small).collect()
}

/// A page whose text holds what was searched for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPage {
    /// The version.
    pub at: PageKey,
    /// The number of its text.
    pub text: i64,
    /// The number of its story.
    pub story: i64,
    /// The page.
    pub page: PageId,
}

/// Where pages stand in the tree of a story.
#[derive(Debug, Default)]
pub struct Standing {
    parents: HashMap<i64, i64>,
    at: HashMap<i64, Vec<Stands>>,
}

/// A page on a floor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stands {
    /// The version of the page.
    pub page: PageKey,
    /// Where.
    pub floor: usize,
    /// Which page of that floor, from 0.
    pub number: usize,
    /// How many pages that floor has.
    pub pages: usize,
    /// Whether it is the one that is read.
    pub read: bool,
}

impl Standing {
    fn add(&mut self, node: i64, parent: i64, depth: usize, turn: &StoredTurn, pages: &HashSet<PageKey>) {
        self.parents.insert(node, parent);
        for (number, page) in turn.pages.iter().enumerate().filter(|(_, page)| pages.contains(page)) {
            let (floor, read) = (depth.saturating_sub(1), number == turn.active);
            let stands = Stands { page: *page, floor, number, pages: turn.pages.len(), read };
            self.at.entry(node).or_default().push(stands);
        }
    }

    /// Returns what stands on the way to a node.
    pub fn on_the_way_to(&self, head: NodeKey) -> Vec<Stands> {
        let mut found = Vec::new();
        let mut key = head.0;
        while let Some(parent) = self.parents.get(&key) {
            found.extend(self.at.get(&key).into_iter().flatten());
            key = *parent;
        }
        found
    }
}

impl Store {
    /// Switches the index for searching on or off; `progress` hears how many of how many texts are indexed.
    ///
    /// It holds the texts of all owners. Other programs may go on meanwhile.
    pub fn switch_search(&self, on: bool, mut progress: impl FnMut(u64, u64)) -> Result<(), StoreError> {
        let _held = self.hold("search")?;
        // Whose transaction it is makes no difference here.
        let owner = Owner::local();
        let write = |work: &mut dyn FnMut(&mut Tx<'_>) -> Result<i64, StoreError>| {
            self.write(&owner, Durability::Normal, |tx| work(tx))
        };
        if !on {
            write(&mut |tx| tx.set_indexing(Indexing::Off).map(|()| 0))?;
            return self.shrink();
        }
        let last = write(&mut |tx| {
            if tx.search == Indexing::On {
                return Ok(-1);
            }
            tx.settle()?;
            tx.set_indexing(Indexing::Off)?;
            tx.make_index()?;
            tx.set_indexing(Indexing::Building)?;
            Ok(tx.one("SELECT max(id) FROM text", &[], |row| row.maybe_int(0))?.flatten().unwrap_or(0))
        })?;
        let all = match last {
            -1 => return Ok(()),
            last => write(&mut |tx| tx.count("SELECT count(*) FROM text WHERE id <= $1 AND pieces IS NOT NULL", last))?,
        };
        let (mut done, mut count) = (0, 0);
        while done < last {
            done = write(&mut |tx| {
                let (end, indexed) = tx.index_some(done, last)?;
                count += indexed;
                Ok(end)
            })?;
            progress(count, all as u64);
        }
        // A text takes less than a page of the index; what is in order already costs nothing.
        for step in 0..=count / 256 {
            write(&mut |tx| tx.tidy_index(step == 0).map(|()| 0))?;
        }
        write(&mut |tx| tx.set_indexing(Indexing::On).map(|()| 0))?;
        Ok(())
    }

    /// Tells whether there is an index, and how many texts an owner has.
    pub fn search_status(&self, owner: &Owner) -> Result<(bool, u64), StoreError> {
        self.read_tables(owner, |tx| {
            let texts = tx.count("SELECT count(*) FROM text WHERE owner = $1 AND pieces IS NOT NULL", tx.owner)?;
            Ok((tx.search == Indexing::On, texts as u64))
        })
    }
}

impl Tx<'_> {
    /// Tells whether there is an index for searching.
    pub fn has_search(&self) -> bool {
        self.search == Indexing::On
    }

    pub(crate) fn set_indexing(&mut self, indexing: Indexing) -> Result<(), StoreError> {
        if indexing == Indexing::Off {
            self.drop_index()?;
        }
        self.run("UPDATE generation SET search = $1", params![indexing.number()])?;
        self.search = indexing;
        Ok(())
    }

    fn count(&self, sql: &str, of: i64) -> Result<i64, StoreError> {
        Ok(self.one(sql, params![of], |row| row.int(0))?.unwrap_or(0))
    }

    /// Indexes the next texts of all owners; returns the number of the last one, and how many there were.
    fn index_some(&self, after: i64, last: i64) -> Result<(i64, u64), StoreError> {
        let mut count = 0;
        let end = self.some_texts(after, last, AT_ONCE, |key, text| {
            count += 1;
            // A damaged text is for `verify` to find.
            text.map_or(Ok(()), |text| self.index_text(key, &text))
        })?;
        Ok((end.unwrap_or(last), count))
    }

    /// Hands on every text of the owner that holds all words (folded already); of one story if wanted.
    pub fn texts_with(
        &self,
        words: &[String],
        story: Option<i64>,
        mut found: impl FnMut(i64, String),
    ) -> Result<(), StoreError> {
        let mut look = |key: i64, text: Option<String>| {
            if let Some(text) = text.filter(|text| holds(text, words)) {
                found(key, text);
            }
        };
        let candidates = match self.search {
            Indexing::On => self.candidates(words)?,
            Indexing::Off | Indexing::Building => None,
        };
        if let Some(mut candidates) = candidates {
            let own = story.map(|story| self.texts_of(story)).transpose()?;
            candidates.retain(|key| own.as_ref().is_none_or(|own| own.contains(key)));
            for key in candidates {
                look(key, self.text(key).ok());
            }
            return Ok(());
        }
        match story {
            None => self.each_text(|key, text| {
                look(key, text);
                Ok(())
            }),
            Some(story) => {
                for key in self.texts_of(story)? {
                    look(key, self.text(key).ok());
                }
                Ok(())
            }
        }
    }

    fn texts_of(&self, story: i64) -> Result<HashSet<i64>, StoreError> {
        let sql = "SELECT text FROM page WHERE owner = $1 AND story = $2";
        let mut texts: HashSet<i64> =
            self.many(sql, params![self.owner, story], |row| row.int(0))?.into_iter().collect();
        self.each_fresh(|batch| {
            let own = batch.pages.iter().filter(|page| page.story == story);
            texts.extend(own.map(|page| page.row.text));
        });
        Ok(texts)
    }

    /// Returns the versions of pages that have one of some texts.
    pub fn pages_with(&self, texts: &HashSet<i64>) -> Result<Vec<FoundPage>, StoreError> {
        let read = |row: &dyn Row| {
            let page = page_id(row, 3, 4)?;
            Ok(FoundPage { at: PageKey(row.int(0)?), text: row.int(1)?, story: row.int(2)?, page })
        };
        let mut found = Vec::new();
        self.each_fresh(|batch| {
            let own = batch.pages.iter().filter(|page| texts.contains(&page.row.text));
            found.extend(own.map(|FreshPage { row, story, .. }| FoundPage {
                at: row.page.at,
                text: row.text,
                story: *story,
                page: row.page.page,
            }));
        });
        if self.has_search() && texts.len() < ASK_EACH {
            let sql = "SELECT id, text, story, page, rest FROM page WHERE owner = $1 AND text = $2";
            for text in texts {
                found.extend(self.many(sql, params![self.owner, *text], read)?);
            }
            return Ok(found);
        }
        let sql = "SELECT id, text, story, page, rest FROM page WHERE owner = $1";
        self.many(sql, params![self.owner], |row| {
            if texts.contains(&row.int(1)?) {
                found.push(read(row)?);
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// Looks where in the tree of a story some versions of pages stand.
    pub fn standing(&self, story: i64, pages: &HashSet<PageKey>) -> Result<Standing, StoreError> {
        let mut standing = Standing::default();
        let mut turns = Vec::new();
        self.each_fresh(|batch| {
            let own = batch.nodes.iter().filter(|stored| stored.story == story);
            turns.extend(own.filter_map(|stored| Some((stored.node.clone(), stored.node.turn?))));
        });
        for (node, turn) in turns {
            let turn = self.stored_turn(turn)?.0;
            standing.add(node.key.0, node.parent.0, node.depth, &turn, pages);
        }
        let sql = "SELECT n.id, n.parent, n.depth, t.bytes FROM node n JOIN turn t ON t.id = n.turn
                   WHERE n.owner = $1 AND n.story = $2";
        self.many(sql, params![self.owner, story], |row| {
            let node = row.int(0)?;
            let turn = read_turn(row.bytes(3)?).ok_or_else(|| StoreError::damaged("turn of node", node))?;
            standing.add(node, row.int(1)?, row.count(2)?, &turn, pages);
            Ok(())
        })?;
        Ok(standing)
    }
}

/// Whether a text holds all words.
fn holds(text: &str, words: &[String]) -> bool {
    let folded = fold(text);
    words.iter().all(|word| folded.contains(word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_keeps_the_number_of_characters() {
        assert_eq!(fold("Ärger im WIRTSHAUS 酒馆"), "ärger im wirtshaus 酒馆");
        assert_eq!(fold("İ\0x").chars().count(), 3);
    }
}
