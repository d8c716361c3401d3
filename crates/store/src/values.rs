//! Stored bytes by their hash: texts, bodies, turns, rules, host fields.

use rusqlite::params;
use storeyline_history::{Body, Rules, Turn};
use storeyline_state::{PageId, StoryId, TextHash, Value, ValueHash, json, text};

use crate::store::StoreError;
use crate::tx::{Tx, column};

impl Tx<'_> {
    fn put_bytes(&self, hash: &[u8], bytes: &[u8]) -> Result<(), StoreError> {
        let sql = "INSERT INTO value (owner, hash, bytes) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
        self.run(sql, params![self.owner(), hash, bytes])?;
        Ok(())
    }

    fn bytes(&self, hash: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        self.one("SELECT bytes FROM value WHERE owner = ?1 AND hash = ?2", params![self.owner(), hash], |row| {
            row.get(0)
        })
    }

    /// Keeps a text and returns its hash.
    pub fn put_text(&mut self, content: &str) -> Result<TextHash, StoreError> {
        let hash = text::hash(content);
        self.put_bytes(hash.as_bytes(), text::canonical(content).as_bytes())?;
        Ok(hash)
    }

    /// Returns a text.
    pub fn text(&self, hash: TextHash) -> Result<Option<String>, StoreError> {
        let Some(bytes) = self.bytes(hash.as_bytes())? else {
            return Ok(None);
        };
        let text = String::from_utf8(bytes).map_err(|_| StoreError::Damaged { kind: "text", id: hash.to_string() })?;
        Ok(Some(text))
    }

    /// Keeps a JSON value and returns its hash.
    pub fn put_value(&mut self, value: &Value) -> Result<ValueHash, StoreError> {
        let hash = ValueHash::from_bytes(*value.hash().as_bytes());
        self.put_bytes(hash.as_bytes(), json::write(value).as_bytes())?;
        Ok(hash)
    }

    /// Returns a JSON value that must be there.
    pub fn value(&self, hash: ValueHash) -> Result<Value, StoreError> {
        let bytes =
            self.bytes(hash.as_bytes())?.ok_or_else(|| StoreError::Missing { kind: "value", id: hash.to_string() })?;
        let text = std::str::from_utf8(&bytes).ok();
        text.and_then(|text| json::read_stored(text).ok())
            .ok_or_else(|| StoreError::Damaged { kind: "value", id: hash.to_string() })
    }

    fn read_value<T>(
        &self,
        kind: &'static str,
        hash: ValueHash,
        read: fn(&Value) -> Option<T>,
    ) -> Result<T, StoreError> {
        read(&self.value(hash)?).ok_or_else(|| StoreError::Damaged { kind, id: hash.to_string() })
    }

    /// Keeps a body and returns its hash.
    pub fn put_body(&mut self, body: &Body) -> Result<ValueHash, StoreError> {
        self.put_value(&body.to_value())
    }

    /// Returns a body without its text.
    pub fn body_inputs(&self, hash: ValueHash) -> Result<Body, StoreError> {
        self.read_value("body", hash, Body::from_value)
    }

    /// Keeps rules and returns their hash.
    pub fn put_rules(&mut self, rules: &Rules) -> Result<ValueHash, StoreError> {
        self.put_value(&rules.to_value())
    }

    /// Returns rules.
    pub fn rules(&self, hash: ValueHash) -> Result<Rules, StoreError> {
        self.read_value("rules", hash, Rules::from_value)
    }

    /// Keeps a turn, notes it as the newest one of each of its pages, and returns its hash.
    pub fn put_turn(&mut self, story: StoryId, turn: &Turn) -> Result<ValueHash, StoreError> {
        let hash = self.put_value(&turn.to_value())?;
        for page in &turn.pages {
            let sql = "INSERT INTO page (owner, story, page, turn) VALUES (?1, ?2, ?3, ?4)
                       ON CONFLICT (owner, story, page) DO UPDATE SET turn = excluded.turn";
            self.run(sql, params![self.owner(), story.as_bytes(), page.page.as_bytes(), hash.as_bytes()])?;
        }
        Ok(hash)
    }

    /// Returns the newest turn that holds a page.
    pub fn turn_of_page(&self, story: StoryId, page: PageId) -> Result<Option<(ValueHash, Turn)>, StoreError> {
        let sql = "SELECT turn FROM page WHERE owner = ?1 AND story = ?2 AND page = ?3";
        let keys = params![self.owner(), story.as_bytes(), page.as_bytes()];
        let hash = self.one(sql, keys, |row| column(row, 0, |bytes: Vec<u8>| ValueHash::from_slice(&bytes)))?;
        hash.map(|hash| Ok((hash, self.stored_turn(hash)?))).transpose()
    }

    pub(crate) fn stored_turn(&self, hash: ValueHash) -> Result<Turn, StoreError> {
        self.read_value("turn", hash, Turn::from_value)
    }
}
