//! The index for searching, in SQLite's dialect (FTS5). Another database has another file like this.
//!
//! The index knows which three characters stand in which text and nothing else: no positions, no
//! lengths, no texts. So it finds candidates, and whoever asks looks at the text itself.

use crate::error::StoreError;
use crate::search::fold;
use crate::sql::params;
use crate::tx::Tx;

/// How many characters make an entry.
pub(crate) const GRAM: usize = 3;

/// How many pages of the file are put together at a time.
const TIDY_PAGES: i64 = 500;

/// More entries of one question than these narrow nothing down.
const MOST_GRAMS: usize = 64;

impl Tx<'_> {
    /// Makes an empty index.
    pub(crate) fn make_index(&self) -> Result<(), StoreError> {
        // We fold case ourselves, so that searching with and without the index finds the same.
        let index = "CREATE VIRTUAL TABLE search USING fts5(
                         words, content = '', columnsize = 0, detail = none, tokenize = 'trigram case_sensitive 1')";
        self.run(index, params![])?;
        self.run("CREATE INDEX search_page_by_text ON page (owner, text)", params![])?;
        Ok(())
    }

    pub(crate) fn drop_index(&self) -> Result<(), StoreError> {
        self.run("DROP TABLE IF EXISTS search", params![])?;
        self.run("DROP INDEX IF EXISTS search_page_by_text", params![])?;
        Ok(())
    }

    /// Puts some of what was written piece by piece together; the first time it is said that all is meant.
    pub(crate) fn tidy_index(&self, first: bool) -> Result<(), StoreError> {
        let pages = if first { -TIDY_PAGES } else { TIDY_PAGES };
        self.run("INSERT INTO search (search, rank) VALUES ('merge', $1)", params![pages])?;
        Ok(())
    }

    pub(crate) fn index_text(&self, key: i64, text: &str) -> Result<(), StoreError> {
        let sql = "INSERT INTO search (rowid, words) VALUES ($1, CAST($2 AS TEXT))";
        self.run(sql, params![key, &fold(text)])?;
        Ok(())
    }

    /// Takes a text out; it must be the one that was put in.
    pub(crate) fn unindex_text(&self, key: i64, text: &str) -> Result<(), StoreError> {
        let sql = "INSERT INTO search (search, rowid, words) VALUES ('delete', $1, CAST($2 AS TEXT))";
        self.run(sql, params![key, &fold(text)])?;
        Ok(())
    }

    /// Returns the texts that may hold all of some folded words; nothing if the words are too short to tell.
    pub(crate) fn candidates(&self, words: &[String]) -> Result<Option<Vec<i64>>, StoreError> {
        let Some(question) = question(words) else { return Ok(None) };
        // The owner is asked for here already: no text of another is even looked at.
        let sql = "SELECT t.id FROM search s JOIN text t ON t.id = s.rowid
                   WHERE s.search MATCH CAST($1 AS TEXT) AND t.owner = $2";
        self.many(sql, params![&question, self.owner], |row| row.int(0)).map(Some)
    }
}

/// All runs of three characters of all words, each of which must be there.
fn question(words: &[String]) -> Option<String> {
    let mut grams: Vec<String> = Vec::new();
    for word in words {
        let characters: Vec<char> = word.chars().collect();
        for gram in characters.windows(GRAM) {
            let quoted = format!("\"{}\"", gram.iter().collect::<String>().replace('"', "\"\""));
            if grams.len() < MOST_GRAMS && !grams.contains(&quoted) {
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
    fn a_question_asks_for_all_runs_of_three_characters() {
        let ask = |words: &[&str]| question(&words.iter().map(|word| word.to_string()).collect::<Vec<_>>());
        assert_eq!(ask(&["雨夜酒馆", "酒馆"]).as_deref(), Some("\"雨夜酒\" AND \"夜酒馆\""));
        assert_eq!(ask(&["a\"b"]).as_deref(), Some("\"a\"\"b\""));
        assert_eq!(ask(&["酒馆", "ab"]), None, "too short for the index");
    }
}
