//! Texts of pages, compressed.

use std::collections::HashMap;

use crate::codec::pack::unpack_text;
use crate::error::StoreError;
use crate::keys::{OwnerKey, TextKey, own_rows};
use crate::sql::{Next, Param, Sql, params};
use crate::tables::table::Table;
use crate::view::{View, ranges};

pub(crate) static TABLE: Table = Table::new("text", &["owner", "id", "bytes"], &["id"]);

/// Inserts texts that are compressed already.
pub(crate) fn insert(sql: &dyn Sql, owner: OwnerKey, texts: &[(TextKey, Vec<u8>)]) -> Result<(), StoreError> {
    let rows: Vec<Vec<Param<'_>>> = texts.iter().map(|(key, packed)| params![owner, *key, packed].to_vec()).collect();
    TABLE.insert(sql, &rows)
}

impl View<'_> {
    pub(crate) fn text(&self, key: TextKey) -> Result<String, StoreError> {
        if let Some(own) = self.rows.text(key) {
            return Ok(own.clone());
        }
        let mut found = Err(StoreError::missing("text", key.0));
        self.texts_where("owner = $1 AND id = $2", params![self.owner()?, key], &mut |_, text| {
            found = text.ok_or_else(|| StoreError::damaged("text", key.0));
            Ok(())
        })?;
        found
    }

    /// Returns several stored texts; damaged ones are left out.
    pub(crate) fn stored_texts(&self, keys: &[TextKey]) -> Result<HashMap<TextKey, String>, StoreError> {
        let mut texts = HashMap::with_capacity(keys.len());
        for (first, last) in ranges(keys.iter().map(|key| key.0)) {
            let rest = "owner = $1 AND id >= $2 AND id <= $3 ORDER BY id";
            self.texts_where(rest, params![self.owner()?, first, last], &mut |key, text| {
                texts.extend(text.map(|text| (key, text)));
                Ok(())
            })?;
        }
        Ok(texts)
    }

    /// Visits all texts of the owner; nothing for one that is damaged.
    pub(crate) fn each_text(
        &self,
        mut visit: impl FnMut(TextKey, Option<String>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let Some(owner) = self.known_owner()? else { return Ok(()) };
        self.texts_where(concat!(own_rows!(), " ORDER BY id"), params![owner], &mut visit)
    }

    fn texts_where(
        &self,
        rest: &str,
        params: &[Param<'_>],
        visit: &mut dyn FnMut(TextKey, Option<String>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        each(self.sql()?, rest, params, visit)
    }
}

/// Visits texts; nothing for one that is damaged, which must not hide the others.
pub(crate) fn each(
    sql: &dyn Sql,
    rest: &str,
    params: &[Param<'_>],
    visit: &mut dyn FnMut(TextKey, Option<String>) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    TABLE.visit_unchecked(sql, rest, params, &mut |row, is_intact| {
        let text = if is_intact { unpack_text(row.bytes(2)?) } else { None };
        visit(TextKey(row.int(1)?), text)?;
        Ok(Next::Row)
    })
}
