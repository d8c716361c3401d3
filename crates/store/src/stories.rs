//! Stories.

use rusqlite::{Row, params};
use storeyline_history::node;
use storeyline_state::{NodeId, StoryId, Value, ValueHash};

use crate::store::StoreError;
use crate::tx::{Tx, column, text};

/// A story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Story {
    /// Its id.
    pub id: StoryId,
    /// Its title.
    pub title: String,
    /// The root of its tree, which has the initial state.
    pub root: NodeId,
    /// The rules that new pages take.
    pub rules: ValueHash,
    /// When it was made, in milliseconds since 1970.
    pub created: i64,
}

const COLUMNS: &str = "story, title, root, rules, created";

fn read(row: &Row<'_>) -> rusqlite::Result<Story> {
    Ok(Story {
        id: column(row, 0, |bytes: Vec<u8>| StoryId::from_slice(&bytes))?,
        title: text(row, 1)?,
        root: column(row, 2, |bytes: Vec<u8>| NodeId::from_slice(&bytes))?,
        rules: column(row, 3, |bytes: Vec<u8>| ValueHash::from_slice(&bytes))?,
        created: row.get(4)?,
    })
}

impl Tx<'_> {
    /// Makes a story; its initial state is pinned here for good.
    pub fn create_story(
        &mut self,
        id: StoryId,
        title: &str,
        initial: &Value,
        rules: ValueHash,
        now: i64,
    ) -> Result<Story, StoreError> {
        let root = node::root(id, initial.hash());
        self.put_keyframe(initial)?;
        self.put_root(&root, initial.hash())?;
        let sql = "INSERT INTO story (owner, story, title, root, rules, created) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        self.run(
            sql,
            params![self.owner(), id.as_bytes(), title.as_bytes(), root.id.as_bytes(), rules.as_bytes(), now],
        )?;
        Ok(Story { id, title: title.to_owned(), root: root.id, rules, created: now })
    }

    /// Returns a story.
    pub fn story(&self, id: StoryId) -> Result<Option<Story>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM story WHERE owner = ?1 AND story = ?2");
        self.one(&sql, params![self.owner(), id.as_bytes()], read)
    }

    /// Returns all stories, the newest first.
    pub fn stories(&self) -> Result<Vec<Story>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM story WHERE owner = ?1 ORDER BY created DESC, story");
        self.many(&sql, params![self.owner()], read)
    }
}
