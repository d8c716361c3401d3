//! JSON values by their hash.

use std::sync::Arc;

use storeyline_history::{Rules, ValueKey};
use storeyline_state::{Object, Value, ValueHash, json};

use crate::code::split;
use crate::error::StoreError;
use crate::pack::{pack, unpack};
use crate::sql::params;
use crate::tx::Tx;

impl Tx<'_> {
    /// Keeps a JSON value and returns where it lies.
    pub fn put_value(&mut self, value: &Value) -> Result<(ValueKey, ValueHash), StoreError> {
        let text = json::write(value);
        let hash = ValueHash::of(text.as_bytes());
        let (first, rest) = split(hash.as_bytes());
        let sql = "SELECT id FROM value WHERE owner = $1 AND hash = $2 AND rest = $3";
        if let Some(known) = self.one(sql, params![self.owner, first, rest], |row| row.int(0))? {
            return Ok((ValueKey(known), hash));
        }
        let sql = "INSERT INTO value (owner, hash, rest, bytes) VALUES ($1, $2, $3, $4)";
        let bytes = pack(text.as_bytes());
        Ok((ValueKey(self.insert(sql, params![self.owner, first, rest, &bytes])?), hash))
    }

    /// Returns a JSON value that must be there.
    pub fn value(&self, key: ValueKey) -> Result<Value, StoreError> {
        let sql = "SELECT bytes FROM value WHERE id = $1 AND owner = $2";
        let bytes = self.one(sql, params![key.0, self.owner], |row| Ok(unpack(row.bytes(0)?)))?;
        let bytes = bytes.ok_or_else(|| StoreError::missing("value", key.0))?;
        let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
        text.and_then(|text| json::read_stored(&text).ok()).ok_or_else(|| StoreError::damaged("value", key.0))
    }

    /// Keeps rules and returns where they lie.
    pub fn put_rules(&mut self, rules: &Rules) -> Result<ValueKey, StoreError> {
        Ok(self.put_value(&rules.to_value())?.0)
    }

    /// Returns rules.
    pub fn rules(&self, key: ValueKey) -> Result<Arc<Rules>, StoreError> {
        Ok(self.rules_with_hash(key)?.0)
    }

    pub(crate) fn rules_with_hash(&self, key: ValueKey) -> Result<(Arc<Rules>, ValueHash), StoreError> {
        if let Some(known) = self.recent.rules.get(self.owner, key.0) {
            return Ok(known);
        }
        let rules = Rules::from_value(&self.value(key)?).ok_or_else(|| StoreError::damaged("rules", key.0))?;
        let known = (Arc::new(rules), self.stored_hash(key)?);
        self.recent.rules.put(self.owner, key.0, known.clone());
        Ok(known)
    }

    /// Returns the hash under which a value is known.
    pub fn value_hash(&self, key: ValueKey) -> Result<ValueHash, StoreError> {
        match self.recent.rules.get(self.owner, key.0) {
            Some((_, hash)) => Ok(hash),
            None => self.stored_hash(key),
        }
    }

    fn stored_hash(&self, key: ValueKey) -> Result<ValueHash, StoreError> {
        let sql = "SELECT hash, rest FROM value WHERE id = $1 AND owner = $2";
        let hash = self.one(sql, params![key.0, self.owner], |row| {
            crate::code::join(row.int(0)?, row.bytes(1)?).ok_or_else(|| StoreError::damaged("value", key.0))
        })?;
        hash.map(ValueHash::from_bytes).ok_or_else(|| StoreError::missing("value", key.0))
    }

    pub(crate) fn put_names(&mut self, user: &str, character: &str) -> Result<i64, StoreError> {
        if let Some((known, _)) =
            self.recent.names.find(self.owner, |names| *names.0 == *user && *names.1 == *character)
        {
            return Ok(known);
        }
        let entries = [("user", Value::text(user)), ("char", Value::text(character))];
        let names = Value::object(entries.map(|(key, value)| (key.into(), value)).into_iter().collect::<Object>());
        Ok(self.put_value(&names)?.0.0)
    }

    pub(crate) fn names(&self, key: i64) -> Result<(Arc<str>, Arc<str>), StoreError> {
        if let Some(names) = self.recent.names.get(self.owner, key) {
            return Ok(names);
        }
        let value = self.value(ValueKey(key))?;
        let name = |key| value.get(key).and_then(Value::as_text).map(Arc::from);
        let names = name("user").zip(name("char")).ok_or_else(|| StoreError::damaged("names", key))?;
        self.recent.names.put(self.owner, key, names.clone());
        Ok(names)
    }
}
