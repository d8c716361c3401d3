//! Searching the texts of an owner, with the index or without it, and where the found pages stand.

use std::collections::{HashMap, HashSet};

use storeyline_history::{NodeKey, PageKey};
use storeyline_state::PageId;

use crate::codec::records::{TurnRecord, intact};
use crate::error::StoreError;
use crate::keys::{OwnerKey, StoryKey, TextKey, own_rows};
use crate::sql::{Row, Sql, params};
use crate::sqlite::Durability;
use crate::sqlite::full_text::{self, Indexing, fold};
use crate::store::{Owner, Store};
use crate::tables::texts;
use crate::view::View;

/// Old texts are indexed so many at a time, so that other writers need not wait for all of them.
const TOGETHER: i64 = 256;

/// With more texts than these it is faster to go through all pages once.
const ASK_EACH: usize = 500;

/// A page whose text holds what was searched for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPage {
    pub at: PageKey,
    pub text: TextKey,
    pub story: StoryKey,
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
    pub page: PageKey,
    pub floor: usize,
    /// Which page of that floor, from 0.
    pub number: usize,
    /// How many pages that floor has.
    pub pages: usize,
    pub is_active: bool,
}

impl Standing {
    fn add(&mut self, node: i64, parent: i64, depth: usize, turn: &TurnRecord, pages: &HashSet<PageKey>) {
        self.parents.insert(node, parent);
        let count = turn.pages.len();
        for (number, page) in turn.pages.iter().enumerate().filter(|(_, page)| pages.contains(page)) {
            let (floor, is_active) = (depth.saturating_sub(1), number == turn.active);
            self.at.entry(node).or_default().push(Stands { page: *page, floor, number, pages: count, is_active });
        }
    }

    /// Returns what stands on the path to a node.
    pub fn on_the_path_to(&self, head: NodeKey) -> Vec<Stands> {
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
        if !on {
            self.write_sql(|sql| full_text::set_indexing(sql, Indexing::Off))?;
            return self.shrink();
        }
        let all = self.write_sql(|sql| {
            if full_text::indexing(sql)? == Indexing::On {
                return Ok(None);
            }
            full_text::set_indexing(sql, Indexing::Off)?;
            full_text::create(sql)?;
            full_text::set_indexing(sql, Indexing::Building)?;
            let query = "SELECT owner, max(id), count(*) FROM text GROUP BY owner";
            sql.many(query, &[], |row| Ok((OwnerKey(row.int(0)?), row.int(1)?, row.int(2)? as u64))).map(Some)
        })?;
        let Some(owners) = all else { return Ok(()) };
        let total: u64 = owners.iter().map(|(_, _, count)| count).sum();
        let mut count = 0;
        for (owner, last, _) in owners {
            let mut done = owner.row_id(0);
            while done < last {
                let (end, indexed) = self.write_sql(|sql| index_some(sql, owner, done, last))?;
                (done, count) = (end, count + indexed);
                progress(count, total);
            }
        }
        // A text takes less than a page of the index; what is merged already costs nothing.
        for step in 0..=count / 256 {
            self.write_sql(|sql| full_text::merge(sql, step == 0))?;
        }
        self.write_sql(|sql| full_text::set_indexing(sql, Indexing::On))
    }

    fn write_sql<T>(&self, work: impl FnOnce(&dyn Sql) -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.database.write(Durability::Normal, work)
    }

    /// Tells whether there is an index, and how many texts an owner has.
    pub fn search_status(&self, owner: &Owner) -> Result<(bool, u64), StoreError> {
        let view = self.view(owner);
        let count = concat!("SELECT count(*) FROM text WHERE ", own_rows!());
        let texts = match view.known_owner()? {
            Some(owner) => view.sql()?.count(count, params![owner])?,
            None => 0,
        };
        Ok((view.has_search()?, texts))
    }
}

/// Indexes the next texts of an owner; returns the id of the last one, and how many there were.
fn index_some(sql: &dyn Sql, owner: OwnerKey, after: i64, last: i64) -> Result<(i64, u64), StoreError> {
    let end = last.min(after + TOGETHER);
    let mut count = 0;
    let rest = "owner = $1 AND id > $2 AND id <= $3 ORDER BY id";
    texts::each(sql, rest, params![owner, after, end], &mut |key, text| {
        count += 1;
        // A damaged text is for `verify` to find.
        text.map_or(Ok(()), |text| full_text::add(sql, key, &text))
    })?;
    Ok((end, count))
}

impl View<'_> {
    /// Tells whether there is an index for searching.
    pub fn has_search(&self) -> Result<bool, StoreError> {
        Ok(full_text::indexing(self.sql()?)? == Indexing::On)
    }

    /// Hands on every text of the owner that holds all words (folded already); of one story if wanted.
    pub fn texts_with(
        &self,
        words: &[String],
        story: Option<StoryKey>,
        stop: &dyn Fn() -> bool,
        mut found: impl FnMut(TextKey, String),
    ) -> Result<(), StoreError> {
        let Some(owner) = self.known_owner()? else { return Ok(()) };
        let own = story.map(|story| self.texts_of(story)).transpose()?;
        let is_meant = |key: &TextKey| own.as_ref().is_none_or(|own| own.contains(key));
        let candidates = match self.has_search()? {
            true => full_text::candidates(self.sql()?, owner, words)?,
            false => None,
        };
        let mut compare = |key: TextKey, text: Option<String>| {
            if let Some(text) = text.filter(|text| !stop() && holds(text, words)) {
                found(key, text);
            }
        };
        match (candidates, &own) {
            (Some(candidates), _) => {
                candidates.into_iter().filter(is_meant).for_each(|key| compare(key, self.text(key).ok()));
            }
            (None, Some(own)) => own.iter().for_each(|key| compare(*key, self.text(*key).ok())),
            (None, None) => self.each_text(|key, text| {
                compare(key, text);
                Ok(())
            })?,
        }
        Ok(())
    }

    fn texts_of(&self, story: StoryKey) -> Result<HashSet<TextKey>, StoreError> {
        let query = concat!("SELECT text FROM page WHERE ", own_rows!(), " AND story = $2");
        let texts = self.sql()?.many(query, params![self.owner()?, story], |row| row.int(0))?;
        Ok(texts.into_iter().map(TextKey).collect())
    }

    /// Returns the versions of pages that have one of some texts.
    pub fn pages_with(&self, texts: &HashSet<TextKey>) -> Result<Vec<FoundPage>, StoreError> {
        let Some(owner) = self.known_owner()? else { return Ok(Vec::new()) };
        let read = |row: &dyn Row| {
            let page = PageId::from_slice(row.bytes(3)?).map_err(|_| StoreError::damaged("page", "id"))?;
            let (at, text, story) = (PageKey(row.int(0)?), TextKey(row.int(1)?), StoryKey(row.int(2)?));
            Ok(FoundPage { at, text, story, page })
        };
        let mut found = Vec::new();
        if self.has_search()? && texts.len() < ASK_EACH {
            let query = "SELECT id, text, story, page FROM page WHERE owner = $1 AND text = $2";
            for text in texts {
                found.extend(self.sql()?.many(query, params![owner, *text], read)?);
            }
            return Ok(found);
        }
        let query = concat!("SELECT id, text, story, page FROM page WHERE ", own_rows!());
        self.sql()?.many(query, params![owner], |row| {
            if texts.contains(&TextKey(row.int(1)?)) {
                found.push(read(row)?);
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// Returns all versions of a page in a story.
    pub fn versions_of_page(&self, story: StoryKey, page: PageId) -> Result<Vec<FoundPage>, StoreError> {
        let Some(owner) = self.known_owner()? else { return Ok(Vec::new()) };
        let query = "SELECT id, text FROM page WHERE owner = $1 AND page = $2 AND story = $3";
        self.sql()?.many(query, params![owner, page.as_bytes(), story], |row| {
            Ok(FoundPage { at: PageKey(row.int(0)?), text: TextKey(row.int(1)?), story, page })
        })
    }

    /// Finds where some versions of pages stand in the trees of their stories.
    ///
    /// All nodes of the owner are read once, however many stories there are.
    pub fn standing(&self, pages: &[FoundPage]) -> Result<HashMap<StoryKey, Standing>, StoreError> {
        let mut standing: HashMap<StoryKey, Standing> =
            pages.iter().map(|page| (page.story, Standing::default())).collect();
        let wanted: HashSet<PageKey> = pages.iter().map(|page| page.at).collect();
        let own = match &standing.keys().collect::<Vec<_>>()[..] {
            [] => return Ok(standing),
            [story] => format!(concat!("SELECT * FROM node WHERE ", own_rows!(), " AND story = {}"), story.0),
            _ => concat!("SELECT * FROM node WHERE ", own_rows!()).to_owned(),
        };
        let query =
            format!("SELECT n.id, n.parent, n.depth, t.bytes, n.story FROM ({own}) n JOIN turn t ON t.id = n.turn");
        self.sql()?.many(&query, params![self.owner()?], |row| {
            let Some(standing) = standing.get_mut(&StoryKey(row.int(4)?)) else { return Ok(()) };
            let node = row.int(0)?;
            let turn = intact(TurnRecord::read(row.bytes(3)?), "turn of node", node)?;
            standing.add(node, row.int(1)?, row.count(2)?, &turn, &wanted);
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
