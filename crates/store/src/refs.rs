//! Refs: names for places in a tree. Moving one is compare-and-set on its version.

use rusqlite::{Row, params};
use storeyline_state::{ChatId, NodeId, RefId, StoryId, ValueHash};

use crate::store::StoreError;
use crate::tx::{Tx, column, optional, text};

/// What a ref is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefKind {
    /// Moves as the story goes on.
    Branch,
}

impl RefKind {
    /// Returns the word used in JSON and in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            RefKind::Branch => "branch",
        }
    }
}

/// The host chat that a branch is bound to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostBinding {
    /// The chat.
    pub chat: ChatId,
    /// Its file name when it was last seen.
    pub file: String,
    /// Its card or group when it was last seen.
    pub file_owner: String,
    /// The last node that the host reported.
    pub reported: Option<NodeId>,
}

/// A ref.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ref {
    /// Its id.
    pub id: RefId,
    /// Its story.
    pub story: StoryId,
    /// What it is for.
    pub kind: RefKind,
    /// Its name.
    pub name: String,
    /// Where it stands; nothing before the first page.
    pub head: Option<NodeId>,
    /// How often it was changed.
    pub version: i64,
    /// The host chat, if it has one.
    pub host: Option<HostBinding>,
    /// The header of its chat file, by hash.
    pub header: Option<ValueHash>,
    /// When it last changed, in milliseconds since 1970.
    pub updated: i64,
}

const COLUMNS: &str = "ref, story, name, head, version, chat, file, file_owner, host_node, header, updated";

fn read(row: &Row<'_>) -> rusqlite::Result<Ref> {
    let node = |index| optional(row, index, |bytes: Vec<u8>| NodeId::from_slice(&bytes));
    let host = match row.get::<_, Option<Vec<u8>>>(5)? {
        None => None,
        Some(_) => Some(HostBinding {
            chat: column(row, 5, |bytes: Vec<u8>| ChatId::from_slice(&bytes))?,
            file: text(row, 6)?,
            file_owner: text(row, 7)?,
            reported: node(8)?,
        }),
    };
    Ok(Ref {
        id: column(row, 0, |bytes: Vec<u8>| RefId::from_slice(&bytes))?,
        story: column(row, 1, |bytes: Vec<u8>| StoryId::from_slice(&bytes))?,
        kind: RefKind::Branch,
        name: text(row, 2)?,
        head: node(3)?,
        version: row.get(4)?,
        host,
        header: optional(row, 9, |bytes: Vec<u8>| ValueHash::from_slice(&bytes))?,
        updated: column(row, 10, |time: i64| Ok::<_, std::convert::Infallible>(time))?,
    })
}

impl Tx<'_> {
    /// Makes a ref, or brings the stored one to what is given if its version is still the same.
    ///
    /// Returns false if another writer was faster.
    pub fn put_ref(&mut self, stored: &Ref) -> Result<bool, StoreError> {
        let host = stored.host.as_ref();
        let sql = "INSERT INTO ref (owner, ref, story, kind, name, head, version, chat, file, file_owner, host_node, header, updated)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7 + 1, ?8, ?9, ?10, ?11, ?12, ?13)
                   ON CONFLICT (owner, ref) DO UPDATE SET name = excluded.name, head = excluded.head, version = excluded.version,
                       chat = excluded.chat, file = excluded.file, file_owner = excluded.file_owner,
                       host_node = excluded.host_node, header = excluded.header, updated = excluded.updated
                   WHERE ref.version = ?7";
        let changed = self.run(
            sql,
            params![
                self.owner(),
                stored.id.as_bytes(),
                stored.story.as_bytes(),
                stored.kind.as_str().as_bytes(),
                stored.name.as_bytes(),
                stored.head.as_ref().map(|node| &node.as_bytes()[..]),
                stored.version,
                host.map(|host| &host.chat.as_bytes()[..]),
                host.map(|host| host.file.as_bytes()),
                host.map(|host| host.file_owner.as_bytes()),
                host.and_then(|host| host.reported.as_ref()).map(|node| &node.as_bytes()[..]),
                stored.header.as_ref().map(|hash| &hash.as_bytes()[..]),
                stored.updated,
            ],
        )?;
        Ok(changed == 1)
    }

    /// Returns a ref.
    pub fn find_ref(&self, id: RefId) -> Result<Option<Ref>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM ref WHERE owner = ?1 AND ref = ?2");
        self.one(&sql, params![self.owner(), id.as_bytes()], read)
    }

    /// Returns the branch that is bound to a host chat.
    pub fn ref_of_chat(&self, chat: ChatId) -> Result<Option<Ref>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM ref WHERE owner = ?1 AND chat = ?2");
        self.one(&sql, params![self.owner(), chat.as_bytes()], read)
    }

    /// Returns the refs of a story, the one that changed last first.
    pub fn refs(&self, story: StoryId) -> Result<Vec<Ref>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM ref WHERE owner = ?1 AND story = ?2 ORDER BY updated DESC, ref");
        self.many(&sql, params![self.owner(), story.as_bytes()], read)
    }
}
