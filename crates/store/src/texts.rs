//! Texts, packed and cut into pieces.
//!
//! Most texts take a third or a half of a page of the file when they are packed. Whole, they would leave
//! a part of each page empty; in pieces they fill it. Where a text ends and the next begins only this file knows.

use std::collections::HashSet;
use std::sync::Arc;

use crate::error::StoreError;
use crate::fresh::FreshText;
use crate::pack::unpack_text;
use crate::search::Indexing;
use crate::sql::{Param, Row, params};
use crate::texts_ahead::TextsAhead;
use crate::tx::Tx;

/// No piece is longer; shorter ones fill pages better, but each has a row of its own.
const PIECE: usize = 448;

/// A text of more pieces stays whole: the database spreads it over pages of its own.
pub(crate) const MOST_PIECES: usize = 16;

/// From the number of a text to that of the next: how many pieces it has is not known before it is packed.
const SPACE: i64 = MOST_PIECES as i64;

impl Tx<'_> {
    pub(crate) fn put_text(&mut self, text: &str) -> Result<i64, StoreError> {
        let key = self.keep(|batch, numbers| {
            numbers.text = (numbers.text / SPACE + 1) * SPACE;
            batch.texts.push(FreshText { id: numbers.text, text: text.into() });
            numbers.text
        })?;
        if self.search != Indexing::Off {
            self.index_text(key, text)?;
        }
        Ok(key)
    }

    pub(crate) fn text(&self, key: i64) -> Result<String, StoreError> {
        if let Some(fresh) = self.in_fresh(|batch| batch.text(key).map(str::to_owned)) {
            return Ok(fresh);
        }
        let damaged = || StoreError::damaged("text", key);
        let mut ahead = self.runs.texts_ahead.borrow_mut();
        if !ahead.has(key) {
            let count = self.runs.texts.count(key);
            if count == 1 {
                return unpack_text(&self.packed_text(key)?).ok_or_else(damaged);
            }
            *ahead = self.texts_from(key, count)?;
        }
        match ahead.has(key) {
            true => ahead.text(key).ok_or_else(damaged),
            // It is damaged or missing: which of them is told by whoever looks at it alone.
            false => self.packed_text(key).and_then(|_| Err(damaged())),
        }
    }

    fn packed_text(&self, key: i64) -> Result<Vec<u8>, StoreError> {
        // The owner is not to be looked for by an index: the numbers are few.
        let sql = "SELECT pieces, bytes FROM text WHERE id >= $1
                   AND id < $1 + (SELECT pieces FROM text WHERE id = $1) AND owner + 0 = $2 ORDER BY id";
        let mut text = Joined::default();
        self.many(sql, params![key, self.owner], |row| text.add(row.maybe_int(0)?, row.bytes(1)?))?;
        self.runs.texts.expect(key + SPACE);
        match text {
            Joined { pieces: 0, .. } => Err(StoreError::missing("text", key)),
            text => text.whole().ok_or_else(|| StoreError::damaged("text", key)),
        }
    }

    /// A text and the next ones.
    fn texts_from(&self, key: i64, count: i64) -> Result<Arc<TextsAhead>, StoreError> {
        let sql = "SELECT id, pieces, bytes FROM text WHERE id >= $1 AND id <= $2 AND owner + 0 = $3 ORDER BY id";
        let mut found = Vec::new();
        let next = key + count * SPACE;
        self.each_of(sql, params![key, next - 1, self.owner], &mut |key, text| {
            found.extend(text.whole().map(|packed| (key, packed)));
            Ok(())
        })?;
        self.runs.texts.expect(next);
        Ok(TextsAhead::unpacking(found))
    }

    /// Hands on all texts of the owner in the order of their numbers; nothing for one that is damaged.
    pub(crate) fn each_text(
        &self,
        mut visit: impl FnMut(i64, Option<String>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let sql = "SELECT id, pieces, bytes FROM text WHERE owner = $1 ORDER BY id";
        self.each_of(sql, params![self.owner], &mut |key, text| visit(key, text.read()))?;
        let mut fresh = Vec::new();
        self.each_fresh(|batch| fresh.extend(batch.texts.iter().map(|text| (text.id, text.text.to_string()))));
        fresh.into_iter().try_for_each(|(key, text)| visit(key, Some(text)))
    }

    /// The same for some texts, whoever owns them; returns the number of the last one.
    pub(crate) fn some_texts(
        &self,
        after: i64,
        last: i64,
        most: i64,
        mut visit: impl FnMut(i64, Option<String>) -> Result<(), StoreError>,
    ) -> Result<Option<i64>, StoreError> {
        let sql = "SELECT id FROM text WHERE id > $1 AND id <= $2 AND pieces IS NOT NULL ORDER BY id LIMIT $3";
        let Some(end) = self.many(sql, params![after, last, most], |row| row.int(0))?.pop() else { return Ok(None) };
        let sql = "SELECT id, pieces, bytes FROM text WHERE id > $1
                   AND id < $2 + (SELECT pieces FROM text WHERE id = $2) ORDER BY id";
        self.each_of(sql, params![after, end], &mut |key, text| visit(key, text.read()))?;
        Ok(Some(end))
    }

    fn each_of(
        &self,
        sql: &str,
        params: &[Param<'_>],
        visit: &mut dyn FnMut(i64, Joined) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut here: Option<(i64, Joined)> = None;
        self.many(sql, params, |row: &dyn Row| {
            let pieces = row.maybe_int(1)?;
            if pieces.is_some()
                && let Some((key, text)) = here.replace((row.int(0)?, Joined::default()))
            {
                visit(key, text)?;
            }
            match &mut here {
                Some((_, text)) => text.add(pieces, row.bytes(2)?),
                // The end of a text whose beginning lies before what was asked for.
                None => Ok(()),
            }
        })?;
        here.map_or(Ok(()), |(key, text)| visit(key, text))
    }

    /// Returns the numbers of all pieces of some texts.
    pub(crate) fn pieces_of(&self, texts: &HashSet<i64>) -> Result<HashSet<i64>, StoreError> {
        let mut all = texts.clone();
        let sql = "SELECT id, pieces FROM text WHERE owner = $1 AND pieces > 1";
        self.many(sql, params![self.owner], |row| {
            let first = row.int(0)?;
            if texts.contains(&first) {
                all.extend(first + 1..first + row.int(1)?);
            }
            Ok(())
        })?;
        Ok(all)
    }
}

/// Pieces of about the same length; one at least.
pub(crate) fn cut(packed: &[u8]) -> std::slice::Chunks<'_, u8> {
    let count = if packed.len() > MOST_PIECES * PIECE { 1 } else { packed.len().div_ceil(PIECE) };
    packed.chunks(packed.len().div_ceil(count.max(1)).max(1))
}

/// Pieces that were put together.
#[derive(Default)]
struct Joined {
    pieces: i64,
    expected: i64,
    packed: Vec<u8>,
}

impl Joined {
    fn add(&mut self, pieces: Option<i64>, bytes: &[u8]) -> Result<(), StoreError> {
        self.pieces += 1;
        if let Some(pieces) = pieces {
            self.expected += pieces;
            // The first is the longest. A number that is damaged is not believed.
            self.packed.reserve(usize::try_from(pieces).unwrap_or(0).min(MOST_PIECES) * bytes.len());
        }
        self.packed.extend_from_slice(bytes);
        Ok(())
    }

    /// Nothing if a piece is missing.
    fn whole(self) -> Option<Vec<u8>> {
        (self.pieces == self.expected).then_some(self.packed)
    }

    /// Nothing if it is damaged.
    fn read(self) -> Option<String> {
        unpack_text(&self.whole()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::Durability;
    use crate::store::{Owner, Store};

    /// Nothing that packing would make shorter.
    fn noise(length: usize) -> String {
        let mut number = 7u64;
        let mut next = || {
            number ^= number << 13;
            number ^= number >> 7;
            number ^= number << 17;
            char::from_u32(0x4e00 + (number >> 33) as u32 % 2_500).unwrap_or('一')
        };
        (0..length).map(|_| next()).collect()
    }

    #[test]
    fn texts_of_any_length_come_back() {
        let store = Store::in_memory().unwrap();
        let texts: Vec<String> = [0, 1, 200, 201, 500, 900, 3_000, 20_000].map(noise).into();
        store
            .write(&Owner::local(), Durability::Normal, |tx| {
                let keys: Vec<i64> = texts.iter().map(|text| tx.put_text(text)).collect::<Result<_, _>>()?;
                for _ in 0..2 {
                    for (key, text) in keys.iter().zip(&texts) {
                        assert_eq!(tx.text(*key)?, *text);
                    }
                    tx.settle()?;
                }
                let mut found = Vec::new();
                tx.each_text(|key, text| {
                    found.push((key, text.unwrap()));
                    Ok(())
                })?;
                assert_eq!(found, keys.iter().copied().zip(texts.iter().cloned()).collect::<Vec<_>>());
                Ok::<_, StoreError>(())
            })
            .unwrap();
    }

    #[test]
    fn a_text_that_lost_a_piece_is_damaged() {
        let store = Store::in_memory().unwrap();
        let lost = store.write(&Owner::local(), Durability::Normal, |tx| {
            let (key, other) = (tx.put_text(&noise(900))?, tx.put_text("short")?);
            tx.settle()?;
            tx.run("DELETE FROM text WHERE id = $1", params![key + 2])?;
            assert!(matches!(tx.text(key), Err(StoreError::Damaged { .. })));
            assert_eq!(tx.text(other)?, "short");
            tx.text(key + 1)
        });
        assert!(lost.is_err(), "the middle of a text is not a text");
    }

    #[test]
    fn pieces_are_of_about_the_same_length() {
        for length in [1, 448, 449, 1_727, 7_168, 7_169] {
            let packed = vec![0; length];
            let pieces: Vec<usize> = cut(&packed).map(<[u8]>::len).collect();
            assert_eq!(pieces.iter().sum::<usize>(), length);
            assert!(pieces.iter().max().unwrap() - pieces.iter().min().unwrap() < pieces.len() + 1);
        }
    }
}
