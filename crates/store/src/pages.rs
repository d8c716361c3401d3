//! Versions of pages: a text and the other inputs of evaluation.

use std::sync::Arc;

use storeyline_history::path_states::Inputs;
use storeyline_history::{Body, Override, PageKey, Role, StateKey, TurnKey, TurnPage, ValueKey};
use storeyline_state::{Object, PageId, TextHash, Value, ValueHash, text};

use crate::code::{Reader, Writer, join, split};
use crate::error::StoreError;
use crate::fresh::FreshPage;
use crate::sql::{Row, params};
use crate::tx::Tx;

/// Where the text of a new version comes from.
#[derive(Debug, Clone, Copy)]
pub enum PageText<'a> {
    /// It is new.
    New(&'a str),
    /// It is the text of another version.
    Of(PageKey),
}

/// A version of a page that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownPage {
    /// The version.
    pub page: TurnPage,
    /// The newest turn in which it is read.
    pub turn: Option<TurnKey>,
}

/// A version of a page as it lies in its row; everything else is looked up by number.
pub(crate) struct PageRow {
    pub(crate) page: TurnPage,
    pub(crate) text: i64,
    pub(crate) names: i64,
    pub(crate) rules: i64,
    /// Without text, names, rules and a kept state.
    pub(crate) body: Body,
    pub(crate) kept: Option<i64>,
}

/// Returns the seed that a page has from its id.
pub fn seed_of(page: PageId) -> u64 {
    let mut seed = [0; 8];
    seed.copy_from_slice(&page.as_bytes()[8..]);
    u64::from_le_bytes(seed)
}

impl Tx<'_> {
    /// Keeps a version of a page; one that is there already is found again.
    ///
    /// `kept` is the state that the body says it keeps.
    pub fn put_page(
        &mut self,
        story: i64,
        page: PageId,
        text: PageText<'_>,
        body: &Body,
        kept: Option<StateKey>,
    ) -> Result<TurnPage, StoreError> {
        let hash = body.hash();
        let is = |fresh: &FreshPage| {
            let own = &fresh.row.page;
            own.page == page && own.body == hash && fresh.story == story
        };
        let fresh = self.in_fresh(|batch| batch.pages.iter().find(|fresh| is(fresh)).map(|fresh| fresh.row.page.at.0));
        let (first, rest) = split(page.as_bytes());
        let sql = "SELECT id FROM page WHERE owner = $1 AND page = $2 AND rest = $3 AND story = $4 AND body = $5";
        let keys = params![self.owner, first, rest, story, hash.as_bytes()];
        let known = match fresh {
            Some(fresh) => Some(fresh),
            None => self.one(sql, keys, |row| row.int(0))?,
        };
        match known {
            Some(at) => Ok(TurnPage { page, text: body.text, body: hash, at: PageKey(at) }),
            None => self.insert_page(story, page, text, body, kept),
        }
    }

    /// Keeps the first version of a page whose id was made just now: nothing is looked for.
    pub fn put_first(
        &mut self,
        story: i64,
        page: PageId,
        text: PageText<'_>,
        body: &Body,
    ) -> Result<TurnPage, StoreError> {
        let made = self.insert_page(story, page, text, body, None)?;
        self.unplaced.set(Some(made.at));
        self.unevaluated.set(Some(made.at));
        Ok(made)
    }

    fn insert_page(
        &mut self,
        story: i64,
        page: PageId,
        given: PageText<'_>,
        body: &Body,
        kept: Option<StateKey>,
    ) -> Result<TurnPage, StoreError> {
        let hash = body.hash();
        let text = match given {
            PageText::New(text) => self.put_text(&text::canonical(text))?,
            PageText::Of(page) => self.text_of(page)?,
        };
        let names = self.put_names(&body.user, &body.character)?;
        let rules = self.key_of(body.rules)?;
        let inputs = write_inputs(page, body);
        let kept = kept.map(|kept| kept.0);
        let rest = read_inputs(page, &inputs).ok_or_else(|| StoreError::damaged("page", page))?;
        let row = self.keep(|batch, numbers| {
            numbers.page += 1;
            let stored = TurnPage { page, text: body.text, body: hash, at: PageKey(numbers.page) };
            let row = Arc::new(PageRow { page: stored, text, names, rules, body: rest, kept });
            batch.pages.push(FreshPage { row: row.clone(), story, inputs, turn: None });
            row
        })?;
        let stored = row.page;
        self.recent.pages.put(self.owner, stored.at.0, row);
        if let PageText::New(words) = given {
            self.recent.texts.put(self.owner, stored.at.0, text::canonical(words).as_ref().into());
        }
        Ok(stored)
    }

    fn key_of(&self, hash: ValueHash) -> Result<i64, StoreError> {
        if let Some((known, _)) = self.recent.rules.find(self.owner, |(_, own)| *own == hash) {
            return Ok(known);
        }
        let (first, rest) = split(hash.as_bytes());
        let sql = "SELECT id FROM value WHERE owner = $1 AND hash = $2 AND rest = $3";
        let found = self.one(sql, params![self.owner, first, rest], |row| row.int(0))?;
        found.ok_or_else(|| StoreError::missing("value", hash))
    }

    fn page_row(&self, key: PageKey) -> Result<Arc<PageRow>, StoreError> {
        if let Some(row) = self.recent.pages.get(self.owner, key.0) {
            return Ok(row);
        }
        if let Some(row) = self.in_fresh(|batch| batch.page(key.0).map(|page| page.row.clone())) {
            return Ok(row);
        }
        // The owner is not to be looked for by its index: the numbers are few.
        let sql = "SELECT page, rest, text_hash, body, text, names, rules, inputs, kept, id FROM page
                   WHERE id >= $1 AND id <= $2 AND owner + 0 = $3";
        let mut own = Err(StoreError::missing("page", key.0));
        self.many(sql, params![key.0, self.runs.pages.up_from(key.0), self.owner], |row| {
            let at = PageKey(row.int(9)?);
            let read = read_row(row, at).map(Arc::new);
            if let Ok(row) = &read {
                self.recent.pages.put(self.owner, at.0, row.clone());
            }
            if at == key {
                own = read;
            }
            Ok(())
        })?;
        own
    }

    fn text_of(&self, page: PageKey) -> Result<i64, StoreError> {
        Ok(self.page_row(page)?.text)
    }

    pub(crate) fn text_of_page(&self, page: PageKey) -> Result<String, StoreError> {
        if let Some(text) = self.recent.texts.get(self.owner, page.0) {
            return Ok(text.to_string());
        }
        self.text(self.text_of(page)?)
    }

    pub(crate) fn inputs_of_page(&self, page: PageKey) -> Result<Inputs, StoreError> {
        let row = self.page_row(page)?;
        let (user, character) = self.names(row.names)?;
        let (rules, rules_hash) = self.rules_with_hash(ValueKey(row.rules))?;
        let body = Body {
            text: row.page.text,
            user: user.to_string(),
            character: character.to_string(),
            rules: rules_hash,
            kept: row.kept.map(|kept| self.hash_of_state(StateKey(kept))).transpose()?,
            ..row.body.clone()
        };
        Ok(Inputs { body, rules })
    }

    /// Returns the state that a page keeps, if it keeps one.
    pub fn kept(&self, page: PageKey) -> Result<Option<StateKey>, StoreError> {
        Ok(self.page_row(page)?.kept.map(StateKey))
    }

    /// Returns the id of a page.
    pub fn page_id(&self, page: PageKey) -> Result<PageId, StoreError> {
        Ok(self.page_row(page)?.page.page)
    }

    /// Returns where the rules of a page lie.
    pub fn rules_key(&self, page: PageKey) -> Result<ValueKey, StoreError> {
        Ok(ValueKey(self.page_row(page)?.rules))
    }

    pub(crate) fn turn_page(&self, page: PageKey) -> Result<TurnPage, StoreError> {
        Ok(self.page_row(page)?.page)
    }

    /// Returns the version of a page that was used last in a story.
    pub fn newest_page(&self, story: i64, page: PageId) -> Result<Option<KnownPage>, StoreError> {
        let (first, rest) = split(page.as_bytes());
        let sql = "SELECT page, rest, text_hash, body, id, turn FROM page
                   WHERE owner = $1 AND page = $2 AND rest = $3 AND story = $4";
        let mut found = self.many(sql, params![self.owner, first, rest, story], |row| {
            let page = read_turn_page(row, PageKey(row.int(4)?))?;
            Ok(KnownPage { page, turn: row.maybe_int(5)?.map(TurnKey) })
        })?;
        self.each_fresh(|batch| {
            let own = batch.pages.iter().filter(|fresh| fresh.row.page.page == page && fresh.story == story);
            found.extend(own.map(|fresh| KnownPage { page: fresh.row.page, turn: fresh.turn.map(TurnKey) }));
            for (at, turn) in &batch.read_in {
                let read = found.iter_mut().filter(|known| known.page.at.0 == *at);
                read.for_each(|known| known.turn = Some(TurnKey(*turn)));
            }
        });
        Ok(found.into_iter().max_by_key(|known| (known.turn.map_or(0, |turn| turn.0), known.page.at.0)))
    }

    pub(crate) fn note_turn(&mut self, page: PageKey, turn: TurnKey) -> Result<(), StoreError> {
        self.keep(|batch, _| match batch.pages.iter_mut().rev().find(|fresh| fresh.row.page.at == page) {
            Some(fresh) => fresh.turn = Some(turn.0),
            None => batch.read_in.push((page.0, turn.0)),
        })
    }
}

pub(crate) fn page_id(row: &dyn Row, first: usize, rest: usize) -> Result<PageId, StoreError> {
    let bytes = join::<16>(row.int(first)?, row.bytes(rest)?);
    let id = bytes.and_then(|bytes| PageId::from_slice(&bytes).ok());
    id.ok_or_else(|| StoreError::damaged("page", "id"))
}

fn read_row(row: &dyn Row, at: PageKey) -> Result<PageRow, StoreError> {
    let page = read_turn_page(row, at)?;
    let body = read_inputs(page.page, row.bytes(7)?).ok_or_else(|| StoreError::damaged("page", at.0))?;
    Ok(PageRow { page, text: row.int(4)?, names: row.int(5)?, rules: row.int(6)?, body, kept: row.maybe_int(8)? })
}

fn read_turn_page(row: &dyn Row, at: PageKey) -> Result<TurnPage, StoreError> {
    let damaged = || StoreError::damaged("page", at.0);
    Ok(TurnPage {
        page: page_id(row, 0, 1)?,
        text: TextHash::from_bytes(row.bytes(2)?.try_into().map_err(|_| damaged())?),
        body: ValueHash::from_slice(row.bytes(3)?).map_err(|_| damaged())?,
        at,
    })
}

const HAS_TIME: u8 = 1;
const OWN_SEED: u8 = 2;
const HAS_MORE: u8 = 4;

/// Everything of a body that has no column of its own.
pub(crate) fn write_inputs(page: PageId, body: &Body) -> Vec<u8> {
    let more = !body.stuck.is_empty() || !body.overrides.is_empty();
    let own_seed = body.seed != seed_of(page);
    let mut flags = 0;
    for (is, flag) in [(body.time.is_some(), HAS_TIME), (own_seed, OWN_SEED), (more, HAS_MORE)] {
        flags |= if is { flag } else { 0 };
    }
    let mut writer = Writer::default();
    writer.byte(role_byte(body.role));
    writer.byte(flags);
    writer.text(&body.speaker);
    if let Some(time) = body.time {
        writer.number(zigzag(time));
    }
    if own_seed {
        writer.raw(&body.seed.to_le_bytes());
    }
    if more {
        let stuck = Value::list(body.stuck.iter().map(Value::text).collect());
        let overrides = Value::list(body.overrides.iter().map(Override::to_value).collect());
        let entries = [("stuck", stuck), ("overrides", overrides)];
        writer.value(&Value::object(entries.map(|(key, value)| (key.into(), value)).into_iter().collect::<Object>()));
    }
    writer.bytes
}

pub(crate) fn read_inputs(page: PageId, bytes: &[u8]) -> Option<Body> {
    let mut reader = Reader::new(bytes);
    let role = role_of(reader.byte()?)?;
    let flags = reader.byte()?;
    let speaker = reader.text()?.to_owned();
    let time = if flags & HAS_TIME != 0 { Some(unzigzag(reader.number()?)) } else { None };
    let seed = match flags & OWN_SEED != 0 {
        true => u64::from_le_bytes(reader.raw(8)?.try_into().ok()?),
        false => seed_of(page),
    };
    let mut body = Body { role, speaker, time, seed, ..Body::lone_reply(TextHash::from_bytes([0; 16])) };
    if flags & HAS_MORE != 0 {
        let more = reader.value()?;
        let list = |key| more.get(key).and_then(Value::as_list);
        body.stuck = list("stuck")?.iter().map(|name| name.as_text().map(str::to_owned)).collect::<Option<_>>()?;
        body.overrides = Override::all_from_value(more.get("overrides")?)?;
    }
    Some(body)
}

/// Small numbers of either sign become small numbers.
pub(crate) fn zigzag(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)) as u64
}

pub(crate) fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

pub(crate) fn role_byte(role: Role) -> u8 {
    match role {
        Role::Assistant => 0,
        Role::Narrator => 1,
        Role::User => 2,
        Role::Summary => 3,
        Role::Other => 4,
    }
}

pub(crate) fn role_of(byte: u8) -> Option<Role> {
    [Role::Assistant, Role::Narrator, Role::User, Role::Summary, Role::Other].get(usize::from(byte)).copied()
}
