//! Versions of pages: a text and the other inputs of evaluation.

use std::sync::Arc;

use storeyline_history::path_states::Inputs;
use storeyline_history::{Body, PageKey, StateKey, TurnKey, TurnPage, ValueKey};
use storeyline_state::{PageId, TextHash, ValueHash, text};

use crate::codec::records::{self, InputsRecord, intact};
use crate::draft::Draft;
use crate::error::StoreError;
use crate::ids::IdKind;
use crate::keys::{OwnerKey, StoryKey, TextKey};
use crate::sql::{Param, Row, Sql, params};
use crate::tables::table::Table;
use crate::view::{View, ranges};

pub(crate) static TABLE: Table = Table::new(
    "page",
    &["owner", "id", "story", "page", "body", "text_hash", "text", "names", "rules", "inputs", "kept", "turn", "used"],
    &["id"],
);

/// Where the text of a new version comes from.
#[derive(Debug, Clone, Copy)]
pub enum PageText<'a> {
    New(&'a str),
    /// The text of another version.
    Of(PageKey),
}

/// A version of a page, and the newest turn in which it is the active one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownPage {
    pub page: TurnPage,
    pub turn: Option<TurnKey>,
    /// When it became that, as a position in the change feed: ids of two programs do not tell.
    used: i64,
}

/// What changes in the row of a page.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Use {
    pub(crate) turn: Option<TurnKey>,
    pub(crate) at: i64,
}

/// A version of a page as it lies in its row, without the columns that change.
#[derive(Debug, Clone)]
pub(crate) struct PageRow {
    pub(crate) page: TurnPage,
    pub(crate) story: StoryKey,
    pub(crate) text: TextKey,
    pub(crate) names: ValueKey,
    pub(crate) rules: ValueKey,
    /// Without text, names, rules and kept state.
    pub(crate) body: Body,
    pub(crate) kept: Option<StateKey>,
}

pub(crate) fn read(row: &dyn Row) -> Result<(PageRow, Use), StoreError> {
    let id = row.int(1)?;
    let page = PageId::from_slice(row.bytes(3)?).map_err(|_| StoreError::damaged("page", id))?;
    let inputs = records::read::<InputsRecord>(row.bytes(9)?).and_then(|inputs| inputs.body(page));
    let at = PageKey(id);
    let (text, body) = (TextHash::from_bytes(row.fixed(5)?), ValueHash::from_bytes(row.fixed(4)?));
    let found = PageRow {
        page: TurnPage { page, text, body, at },
        story: StoryKey(row.int(2)?),
        text: TextKey(row.int(6)?),
        names: ValueKey(row.int(7)?),
        rules: ValueKey(row.int(8)?),
        body: intact(inputs, "page", id)?,
        kept: row.maybe_int(10)?.map(StateKey),
    };
    Ok((found, Use { turn: row.maybe_int(11)?.map(TurnKey), at: row.int(12)? }))
}

/// Calls `write` with the columns of rows.
fn with_columns(
    owner: OwnerKey,
    pages: &[(&PageRow, Use)],
    write: impl FnOnce(&[Vec<Param<'_>>]) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let inputs: Vec<Vec<u8>> =
        pages.iter().map(|(row, _)| records::write(&InputsRecord::new(row.page.page, &row.body))).collect();
    let mut rows: Vec<Vec<Param<'_>>> = Vec::with_capacity(pages.len());
    for ((row, used), inputs) in pages.iter().zip(&inputs) {
        let PageRow { page, story, text, names, rules, kept, .. } = row;
        let (id, body, hash) = (page.page.as_bytes(), page.body.as_bytes(), page.text.as_bytes());
        let Use { turn, at } = *used;
        rows.push(
            params![owner, page.at, *story, id, body, hash, *text, *names, *rules, inputs, *kept, turn, at].to_vec(),
        );
    }
    write(&rows)
}

pub(crate) fn insert(sql: &dyn Sql, owner: OwnerKey, pages: &[(&PageRow, Use)]) -> Result<(), StoreError> {
    with_columns(owner, pages, |rows| TABLE.insert(sql, rows))
}

/// Notes the newest turn in which a stored version is the active one.
pub(crate) fn set_use(sql: &dyn Sql, owner: OwnerKey, page: PageKey, used: Use) -> Result<(), StoreError> {
    let found = TABLE.one(sql, "owner = $1 AND id = $2", params![owner, page], read)?;
    let (row, _) = found.ok_or_else(|| StoreError::missing("page", page.0))?;
    with_columns(owner, &[(&row, used)], |rows| rows.iter().try_for_each(|row| TABLE.put(sql, row)))
}

impl View<'_> {
    pub(crate) fn page_row(&self, key: PageKey) -> Result<Arc<PageRow>, StoreError> {
        if let Some(own) = self.rows.page(key) {
            return Ok(own.clone());
        }
        if let Some(cached) = self.cached(key.0)? {
            return Ok(cached);
        }
        let found = TABLE.one(self.sql()?, "owner = $1 AND id = $2", params![self.owner()?, key], read)?;
        let row = Arc::new(found.ok_or_else(|| StoreError::missing("page", key.0))?.0);
        self.cache(key.0, row.clone())?;
        Ok(row)
    }

    /// Loads versions together into the cache.
    pub(crate) fn load_pages(&self, keys: &[PageKey]) -> Result<(), StoreError> {
        let mut missing = Vec::new();
        for key in keys {
            if self.rows.page(*key).is_none() && self.cached::<Arc<PageRow>>(key.0)?.is_none() {
                missing.push(key.0);
            }
        }
        for (first, last) in ranges(missing.into_iter()) {
            let rest = "owner = $1 AND id >= $2 AND id <= $3";
            for (row, _) in TABLE.many(self.sql()?, rest, params![self.owner()?, first, last], read)? {
                self.cache(row.page.at.0, Arc::new(row))?;
            }
        }
        Ok(())
    }

    pub(crate) fn text_of_page(&self, page: PageKey) -> Result<String, StoreError> {
        let key = self.page_row(page)?.text;
        match self.ahead.borrow_mut().remove(&key) {
            Some(text) => Ok(text),
            None => self.text(key),
        }
    }

    pub(crate) fn inputs_of_page(&self, page: PageKey) -> Result<Inputs, StoreError> {
        let row = self.page_row(page)?;
        let names = self.names(row.names)?;
        let rules = self.rules_with_hash(row.rules)?;
        let body = Body {
            text: row.page.text,
            user: names.0.clone(),
            character: names.1.clone(),
            rules: rules.hash,
            kept: row.kept.map(|kept| self.hash_of_state(kept)).transpose()?,
            ..row.body.clone()
        };
        Ok(Inputs { body, rules: rules.rules })
    }

    /// Loads texts of versions that are about to be asked for.
    pub(crate) fn load_texts(&self, pages: &[PageKey]) -> Result<(), StoreError> {
        self.load_pages(pages)?;
        let mut keys = Vec::with_capacity(pages.len());
        for page in pages {
            let text = self.page_row(*page)?.text;
            if self.rows.text(text).is_none() {
                keys.push(text);
            }
        }
        *self.ahead.borrow_mut() = self.stored_texts(&keys)?;
        Ok(())
    }

    /// Returns the state that a version keeps, if it keeps one.
    pub fn kept(&self, page: PageKey) -> Result<Option<StateKey>, StoreError> {
        Ok(self.page_row(page)?.kept)
    }

    pub fn page_id(&self, page: PageKey) -> Result<PageId, StoreError> {
        Ok(self.page_row(page)?.page.page)
    }

    pub fn rules_key(&self, page: PageKey) -> Result<ValueKey, StoreError> {
        Ok(self.page_row(page)?.rules)
    }

    /// Returns all versions of a page in a story.
    fn versions(&self, story: StoryKey, page: PageId) -> Result<Vec<KnownPage>, StoreError> {
        let mut found = Vec::new();
        if let Some(owner) = self.known_owner()?
            && !self.rows.new_stories.contains(&story)
        {
            let rest = "owner = $1 AND page = $2";
            for (row, used) in TABLE.many(self.sql()?, rest, params![owner, page.as_bytes()], read)? {
                if row.story == story {
                    found.push(self.known_page(row.page, used));
                }
            }
        }
        for key in self.rows.page_keys.get(&page).into_iter().flatten() {
            let row = self.page_row(*key)?;
            if row.story == story {
                found.push(self.known_page(row.page, Use::default()));
            }
        }
        Ok(found)
    }

    /// A use in the draft comes after all that are stored.
    fn known_page(&self, page: TurnPage, stored: Use) -> KnownPage {
        match self.rows.page_turns.get(&page.at) {
            Some(turn) => KnownPage { page, turn: Some(*turn), used: i64::MAX },
            None => KnownPage { page, turn: stored.turn, used: stored.at },
        }
    }

    /// Returns the version of a page that was used last in a story.
    pub fn newest_page(&self, story: StoryKey, page: PageId) -> Result<Option<KnownPage>, StoreError> {
        Ok(self.versions(story, page)?.into_iter().max_by_key(|known| (known.used, known.turn, known.page.at)))
    }
}

impl Draft<'_> {
    /// Adds a version of a page, unless it is there. `kept` is the state that the body says it keeps.
    pub fn put_page(
        &mut self,
        story: StoryKey,
        page: PageId,
        text: PageText<'_>,
        body: &Body,
        kept: Option<StateKey>,
    ) -> Result<TurnPage, StoreError> {
        let hash = body.hash();
        let known = self.versions(story, page)?.into_iter().find(|known| known.page.body == hash);
        if let Some(known) = known {
            return Ok(known.page);
        }
        let text = match text {
            PageText::New(text) => self.add_text(text::canonical(text).into_owned())?,
            PageText::Of(page) => self.page_row(page)?.text,
        };
        let names = self.put_names(&body.user, &body.character)?;
        let rules = self.value_key(body.rules)?;
        let at = PageKey(self.new_id(IdKind::Other)?);
        let rows = &mut self.view.rows;
        let stored = TurnPage { page, text: body.text, body: hash, at };
        rows.pages.push(Arc::new(PageRow { page: stored, story, text, names, rules, body: body.clone(), kept }));
        rows.page_keys.entry(page).or_default().push(at);
        Ok(stored)
    }

    fn add_text(&mut self, text: String) -> Result<TextKey, StoreError> {
        let key = TextKey(self.new_id(IdKind::Other)?);
        self.view.rows.texts.push((key, text));
        Ok(key)
    }

    pub(crate) fn set_newest_turn(&mut self, page: PageKey, turn: TurnKey) {
        self.view.rows.page_turns.insert(page, turn);
    }
}

#[cfg(test)]
mod tests {
    use storeyline_history::{Role, Rules, Turn};
    use storeyline_state::StoryId;

    use super::*;
    use crate::draft::Never;
    use crate::keys::RefKey;
    use crate::sqlite::Durability;
    use crate::store::{Owner, Store};
    use crate::tables::operations::{ChangeSeq, Detail, Operation, OperationKind};
    use crate::tables::stories::NewStory;

    fn id() -> PageId {
        PageId::from_random([1; 16])
    }

    /// Commits a version of the page in a turn of its own, as the next operation.
    fn write(store: &Store, text: &str, number: i64) {
        let (owner, mut never) = (Owner::local(), Never);
        let mut draft = store.draft(&owner, &mut never);
        let rules = draft.put_rules(&Rules::default()).unwrap();
        let story = match draft.stories().unwrap().pop() {
            Some(story) => story,
            None => {
                let (id, choices) = (StoryId::from_random([2; 16]), None);
                let new = NewStory { id, title: "", card: "", rules, card_rules: rules, choices, created: 0 };
                draft.create_story(&new).unwrap()
            }
        };
        let body = Body { rules: draft.value_hash(rules).unwrap(), ..Body::lone_reply(text::hash(text)) };
        let page = draft.put_page(story.key, id(), PageText::New(text), &body, None).unwrap();
        let (role, name) = (Role::Assistant, String::new());
        draft.add_turn(&Turn { role, name, hidden: false, active: 0, pages: vec![page], host: None }).unwrap();
        let (of, kind, seq) = (RefKey(1), OperationKind::Edit, ChangeSeq::default());
        let (before, after, undoes, client) = (None, None, None, String::new());
        let operation =
            Operation { of, number, seq, kind, before, after, undoes, client, time: 0, detail: Detail::None };
        draft.log(operation).unwrap();
        store.commit(draft, Durability::Normal).unwrap();
    }

    #[test]
    fn the_newest_version_is_the_one_that_was_used_last_by_whichever_program() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("storeyline.db");
        // The second program takes its ids from a later block than the first.
        let stores = [Store::open(&path).unwrap(), Store::open(&path).unwrap()];
        let owner = Owner::local();
        for (number, (program, words)) in [(0, "a"), (1, "b"), (0, "c"), (1, "a")].into_iter().enumerate() {
            write(&stores[program], words, number as i64 + 1);
            for store in &stores {
                let view = store.view(&owner);
                let story = view.stories().unwrap()[0].key;
                let newest = view.newest_page(story, id()).unwrap().unwrap();
                assert_eq!(newest.page.text, text::hash(words), "{words} by program {program}");
            }
        }
    }
}
