//! The index for searching, in SQLite's dialect (FTS5).
//!
//! The index knows which three characters stand in which text and nothing else: no positions, no lengths, no
//! texts. So it finds candidates, and the caller compares the text itself.

use crate::error::StoreError;
use crate::keys::{OwnerKey, TextKey};
use crate::sql::{Sql, params};

/// How many characters make an entry.
const GRAM: usize = 3;

/// How many pages of the file are merged at a time.
const MERGE_PAGES: i64 = 500;

/// More entries of one query than these narrow nothing down.
const MAX_GRAMS: usize = 64;

/// Whether texts are indexed for searching.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Indexing {
    Off,
    On,
    /// New texts are indexed, old ones are on their way.
    Building,
}

pub(crate) fn indexing(sql: &dyn Sql) -> Result<Indexing, StoreError> {
    let found = sql.one("SELECT search FROM setting", &[], |row| row.int(0))?;
    Ok(match found {
        Some(1) => Indexing::On,
        Some(2) => Indexing::Building,
        _ => Indexing::Off,
    })
}

pub(crate) fn set_indexing(sql: &dyn Sql, indexing: Indexing) -> Result<(), StoreError> {
    if indexing == Indexing::Off {
        sql.run("DROP TABLE IF EXISTS search", &[])?;
        sql.run("DROP INDEX IF EXISTS search_page_by_text", &[])?;
    }
    let number: i64 = match indexing {
        Indexing::Off => 0,
        Indexing::On => 1,
        Indexing::Building => 2,
    };
    sql.run("UPDATE setting SET search = $1", params![number])?;
    Ok(())
}

/// Makes an empty index.
pub(crate) fn create(sql: &dyn Sql) -> Result<(), StoreError> {
    // Case is folded here, so that searching with and without the index finds the same.
    let index = "CREATE VIRTUAL TABLE search USING fts5(
                     words, content = '', columnsize = 0, detail = none, tokenize = 'trigram case_sensitive 1')";
    sql.run(index, &[])?;
    sql.run("CREATE INDEX search_page_by_text ON page (owner, text)", &[])?;
    Ok(())
}

/// Merges some of what was written piece by piece; the first call says that all is meant.
pub(crate) fn merge(sql: &dyn Sql, first: bool) -> Result<(), StoreError> {
    let pages = if first { -MERGE_PAGES } else { MERGE_PAGES };
    sql.run("INSERT INTO search (search, rank) VALUES ('merge', $1)", params![pages])?;
    Ok(())
}

pub(crate) fn add(sql: &dyn Sql, key: TextKey, text: &str) -> Result<(), StoreError> {
    let insert = "INSERT INTO search (rowid, words) VALUES ($1, CAST($2 AS TEXT))";
    sql.run(insert, params![key, &fold(text)])?;
    Ok(())
}

/// Takes a text out; it must be the one that was put in.
pub(crate) fn remove(sql: &dyn Sql, key: TextKey, text: &str) -> Result<(), StoreError> {
    let delete = "INSERT INTO search (search, rowid, words) VALUES ('delete', $1, CAST($2 AS TEXT))";
    sql.run(delete, params![key, &fold(text)])?;
    Ok(())
}

/// Returns the texts of an owner that may hold all of some folded words; nothing if the words are too short to
/// tell.
pub(crate) fn candidates(sql: &dyn Sql, owner: OwnerKey, words: &[String]) -> Result<Option<Vec<TextKey>>, StoreError> {
    let Some(question) = question(words) else { return Ok(None) };
    let query = "SELECT rowid FROM search WHERE search MATCH CAST($1 AS TEXT) AND rowid >= $2 AND rowid < $3";
    let (first, end) = (owner.row_id(0), OwnerKey(owner.0 + 1).row_id(0));
    let found = sql.many(query, params![&question, first, end], |row| row.int(0))?;
    Ok(Some(found.into_iter().map(TextKey).collect()))
}

/// Returns a text in which capitals are small; every character stays one character.
pub fn fold(text: &str) -> String {
    let small = |character: char| {
        let mut small = character.to_lowercase();
        match (small.next(), small.next()) {
            // FTS5 takes it for the end of the text.
            _ if character == '\0' => ' ',
            (Some(one), None) => one,
            _ => character,
        }
    };
    text.chars().map(small).collect()
}

/// All runs of three characters of all words, each of which must be there.
fn question(words: &[String]) -> Option<String> {
    let mut grams: Vec<String> = Vec::new();
    for word in words {
        let characters: Vec<char> = word.chars().collect();
        for gram in characters.windows(GRAM) {
            let quoted = format!("\"{}\"", gram.iter().collect::<String>().replace('"', "\"\""));
            if grams.len() < MAX_GRAMS && !grams.contains(&quoted) {
                grams.push(quoted);
            }
        }
    }
    if grams.is_empty() { None } else { Some(grams.join(" AND ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_keeps_the_number_of_characters() {
        assert_eq!(fold("Ärger im WIRTSHAUS 酒馆"), "ärger im wirtshaus 酒馆");
        assert_eq!(fold("İ\0x").chars().count(), 3);
    }

    #[test]
    fn a_question_asks_for_all_runs_of_three_characters() {
        let ask = |words: &[&str]| question(&words.iter().map(|word| word.to_string()).collect::<Vec<_>>());
        assert_eq!(ask(&["雨夜酒馆", "酒馆"]).as_deref(), Some("\"雨夜酒\" AND \"夜酒馆\""));
        assert_eq!(ask(&["a\"b"]).as_deref(), Some("\"a\"\"b\""));
        assert_eq!(ask(&["酒馆", "ab"]), None, "too short for the index");
    }
}
