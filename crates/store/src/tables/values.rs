//! JSON values by their hash.

use std::sync::Arc;

use storeyline_history::{Rules, ValueKey};
use storeyline_state::{Object, Value, ValueHash, json};

use crate::cache::{CachedNames, CachedRules};
use crate::codec::pack::{pack, unpack};
use crate::draft::Draft;
use crate::error::StoreError;
use crate::ids::IdKind;
use crate::keys::OwnerKey;
use crate::sql::{Param, Sql, params};
use crate::tables::table::Table;
use crate::view::View;

pub(crate) static TABLE: Table = Table::new("value", &["owner", "id", "hash", "bytes"], &["id"]);

/// A value of a draft.
pub(crate) struct NewValue {
    pub(crate) key: ValueKey,
    hash: ValueHash,
    text: String,
}

pub(crate) fn insert(sql: &dyn Sql, owner: OwnerKey, values: &[NewValue]) -> Result<(), StoreError> {
    let packed: Vec<Vec<u8>> = values.iter().map(|value| pack(value.text.as_bytes())).collect();
    let rows = values.iter().zip(&packed);
    let rows: Vec<Vec<Param<'_>>> =
        rows.map(|(value, packed)| params![owner, value.key, value.hash.as_bytes(), packed].to_vec()).collect();
    TABLE.insert(sql, &rows)
}

impl View<'_> {
    pub fn value(&self, key: ValueKey) -> Result<Value, StoreError> {
        json::read_stored(&self.value_text(key)?.0).map_err(|_| StoreError::damaged("value", key.0))
    }

    fn value_text(&self, key: ValueKey) -> Result<(String, ValueHash), StoreError> {
        if let Some(own) = self.rows.value(key) {
            return Ok((own.text.clone(), own.hash));
        }
        let found = TABLE.one(self.sql()?, "owner = $1 AND id = $2", params![self.owner()?, key], |row| {
            Ok((unpack(row.bytes(3)?), ValueHash::from_bytes(row.fixed(2)?)))
        })?;
        let (bytes, hash) = found.ok_or_else(|| StoreError::missing("value", key.0))?;
        let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
        Ok((text.ok_or_else(|| StoreError::damaged("value", key.0))?, hash))
    }

    pub fn value_hash(&self, key: ValueKey) -> Result<ValueHash, StoreError> {
        let hash = match self.cached::<CachedRules>(key.0)? {
            Some(cached) => cached.hash,
            None => self.value_text(key)?.1,
        };
        self.seen.values.borrow_mut().insert(hash, key);
        Ok(hash)
    }

    /// Returns the key of a value that must be stored.
    pub(crate) fn value_key(&self, hash: ValueHash) -> Result<ValueKey, StoreError> {
        self.find_value(hash)?.ok_or_else(|| StoreError::missing("value", hash))
    }

    fn find_value(&self, hash: ValueHash) -> Result<Option<ValueKey>, StoreError> {
        if let Some(known) = self.rows.value_keys.get(&hash).or(self.seen.values.borrow().get(&hash)) {
            return Ok(Some(*known));
        }
        let Some(owner) = self.known_owner()? else { return Ok(None) };
        let sql = "SELECT id FROM value WHERE owner = $1 AND hash = $2";
        let found = self.sql()?.one(sql, params![owner, hash.as_bytes()], |row| row.int(0))?;
        Ok(found.map(ValueKey))
    }

    pub fn rules(&self, key: ValueKey) -> Result<Arc<Rules>, StoreError> {
        Ok(self.rules_with_hash(key)?.rules)
    }

    pub(crate) fn rules_with_hash(&self, key: ValueKey) -> Result<CachedRules, StoreError> {
        if let Some(cached) = self.cached::<CachedRules>(key.0)? {
            return Ok(cached);
        }
        let (text, hash) = self.value_text(key)?;
        let rules = json::read_stored(&text).ok().and_then(|value| Rules::from_value(&value));
        let rules = Arc::new(rules.ok_or_else(|| StoreError::damaged("rules", key.0))?);
        let found = CachedRules { rules, hash, length: text.len() };
        self.cache(key.0, found.clone())?;
        Ok(found)
    }

    /// Returns the names of the player and the character.
    pub(crate) fn names(&self, key: ValueKey) -> Result<CachedNames, StoreError> {
        let names = self.stored_names(key)?;
        let mut seen = self.seen.names.borrow_mut();
        if seen.iter().all(|(_, own)| *own != key) {
            seen.push((names.clone(), key));
        }
        Ok(names)
    }

    fn stored_names(&self, key: ValueKey) -> Result<CachedNames, StoreError> {
        if let Some(cached) = self.cached::<CachedNames>(key.0)? {
            return Ok(cached);
        }
        let value = self.value(key)?;
        let name = |key| value.get(key).and_then(Value::as_text).map(str::to_owned);
        let names = name("user").zip(name("char")).ok_or_else(|| StoreError::damaged("names", key.0))?;
        let names = Arc::new(names);
        self.cache(key.0, names.clone())?;
        Ok(names)
    }
}

impl Draft<'_> {
    /// Adds a JSON value, unless it is there.
    pub fn put_value(&mut self, value: &Value) -> Result<(ValueKey, ValueHash), StoreError> {
        let text = json::write(value);
        let hash = ValueHash::of(text.as_bytes());
        if let Some(known) = self.find_value(hash)? {
            return Ok((known, hash));
        }
        let key = ValueKey(self.new_id(IdKind::Other)?);
        self.view.rows.values.push(NewValue { key, hash, text });
        self.view.rows.value_keys.insert(hash, key);
        Ok((key, hash))
    }

    pub fn put_rules(&mut self, rules: &Rules) -> Result<ValueKey, StoreError> {
        Ok(self.put_value(&rules.to_value())?.0)
    }

    pub(crate) fn put_names(&mut self, user: &str, character: &str) -> Result<ValueKey, StoreError> {
        let is_same = |(names, _): &&(CachedNames, ValueKey)| names.0 == user && names.1 == character;
        let seen = self.seen.names.borrow().iter().find(is_same).map(|(_, key)| *key);
        if let Some(seen) = seen {
            return Ok(seen);
        }
        let entries = [("user", Value::text(user)), ("char", Value::text(character))];
        let names: Object = entries.map(|(key, value)| (key.into(), value)).into_iter().collect();
        Ok(self.put_value(&Value::object(names))?.0)
    }
}
