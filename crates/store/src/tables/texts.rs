//! Texts of pages, compressed and in parts.

use std::collections::{HashMap, HashSet};

use crate::codec::pack::unpack_text;
use crate::codec::parts::{Joined, TEXT_PARTS, split};
use crate::error::StoreError;
use crate::keys::{OwnerKey, TextKey, draft_index};
use crate::sql::{Next, Param, Sql, params};
use crate::tables::table::Table;
use crate::view::{View, ranges};

pub(crate) static TABLE: Table = Table::new("text", &["owner", "id", "part", "parts", "bytes"], 3);

/// Inserts texts that are compressed already.
pub(crate) fn insert(sql: &dyn Sql, owner: OwnerKey, first: i64, packed: &[Vec<u8>]) -> Result<(), StoreError> {
    for (packed, id) in packed.iter().zip(first..) {
        let parts = split(packed, TEXT_PARTS);
        let numbered = parts.iter().enumerate();
        let rows: Vec<Vec<Param<'_>>> =
            numbered.map(|(part, bytes)| params![owner, id, part, parts.len(), *bytes].to_vec()).collect();
        TABLE.insert(sql, &rows)?;
    }
    Ok(())
}

impl View<'_> {
    pub(crate) fn text(&self, key: TextKey) -> Result<String, StoreError> {
        if let Some(index) = draft_index(key.0) {
            return Ok(self.rows.texts[index].clone());
        }
        let mut found = Err(StoreError::missing("text", key.0));
        self.texts_where("owner = $1 AND id = $2 ORDER BY part", params![self.owner()?, key], &mut |_, text| {
            found = text.ok_or_else(|| StoreError::damaged("text", key.0));
            Ok(())
        })?;
        found
    }

    /// Returns several stored texts; damaged ones are left out.
    pub(crate) fn stored_texts(&self, keys: &[TextKey]) -> Result<HashMap<TextKey, String>, StoreError> {
        let mut texts = HashMap::with_capacity(keys.len());
        for (first, last) in ranges(keys.iter().map(|key| key.0)) {
            let rest = "owner = $1 AND id >= $2 AND id <= $3 ORDER BY id, part";
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
        self.texts_where("owner = $1 ORDER BY id, part", params![owner], &mut visit)
    }

    fn texts_where(
        &self,
        rest: &str,
        params: &[Param<'_>],
        visit: &mut dyn FnMut(TextKey, Option<String>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        each(self.sql()?, rest, params, &mut |_, key, text| visit(key, text))
    }
}

/// Visits texts whose parts a condition selects in order; nothing for one that is damaged.
pub(crate) fn each(
    sql: &dyn Sql,
    rest: &str,
    params: &[Param<'_>],
    visit: &mut dyn FnMut(OwnerKey, TextKey, Option<String>) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    // A damaged part must not hide the other texts, so the checksum is compared for each text.
    let mut here: Option<((OwnerKey, TextKey), Option<Joined>)> = None;
    let mut finish = |text: Option<((OwnerKey, TextKey), Option<Joined>)>| match text {
        Some(((owner, key), joined)) => {
            visit(owner, key, joined.and_then(Joined::whole).and_then(|packed| unpack_text(&packed)))
        }
        None => Ok(()),
    };
    TABLE.visit_unchecked(sql, rest, params, &mut |row, is_intact| {
        let key = (OwnerKey(row.int(0)?), TextKey(row.int(1)?));
        if here.as_ref().is_none_or(|(own, _)| *own != key) {
            finish(here.replace((key, Some(Joined::default()))))?;
        }
        if let Some((_, joined)) = &mut here {
            let added = match joined {
                Some(joined) if is_intact => joined.add(row.int(2)?, row.int(3)?, row.bytes(4)?).is_ok(),
                _ => false,
            };
            if !added {
                *joined = None;
            }
        }
        Ok(Next::Row)
    })?;
    finish(here)
}

/// Deletes the texts of an owner that are not live; returns how many.
pub(crate) fn delete_others(sql: &dyn Sql, owner: OwnerKey, live: &HashSet<TextKey>) -> Result<usize, StoreError> {
    let all = sql.many("SELECT id FROM text WHERE owner = $1 AND part = 0", params![owner], |row| row.int(0))?;
    let mut gone = 0;
    for id in all.into_iter().filter(|id| !live.contains(&TextKey(*id))) {
        sql.run("DELETE FROM text WHERE owner = $1 AND id = $2", params![owner, id])?;
        gone += 1;
    }
    Ok(gone)
}
