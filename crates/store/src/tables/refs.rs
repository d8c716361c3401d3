//! Refs: names for positions in a tree. Moving one is compare-and-set on its version.

use std::cmp::Reverse;

use storeyline_history::{NodeKey, ValueKey};
use storeyline_state::{ChatId, RefId, StoryId};

use crate::draft::{Check, Draft};
use crate::error::StoreError;
use crate::ids::IdKind;
use crate::keys::{OwnerKey, RefKey, StoryKey};
use crate::sql::{Param, Row, Sql, params};
use crate::tables::table::Table;
use crate::view::View;

pub(crate) static TABLE: Table = Table::new(
    "ref",
    &[
        "owner",
        "id",
        "ref",
        "story",
        "kind",
        "name",
        "note",
        "colour",
        "origin",
        "head",
        "version",
        "operation",
        "chat",
        "file",
        "file_owner",
        "host_node",
        "header",
        "updated",
        "trashed",
    ],
    &["owner", "id"],
)
.with_fixed(&["ref", "story", "chat"]);

/// What a ref is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefKind {
    /// Moves as the story goes on.
    Branch,
    /// Stays where it is: a checkpoint.
    Tag,
}

impl RefKind {
    /// Returns the word used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            RefKind::Branch => "branch",
            RefKind::Tag => "tag",
        }
    }
}

/// The host chat that a branch is bound to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostBinding {
    pub chat: ChatId,
    /// Its file name when it was last seen.
    pub file: String,
    /// Its card or group when it was last seen.
    pub file_owner: String,
    /// The last node that the host reported.
    pub reported: Option<NodeKey>,
}

/// A branch or a tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ref {
    /// [`RefKey::NEW`] before it is saved.
    pub key: RefKey,
    pub id: RefId,
    pub story: StoryId,
    pub story_key: StoryKey,
    pub kind: RefKind,
    pub name: String,
    /// What the user wrote about it.
    pub note: String,
    pub colour: String,
    /// The ref that it came from.
    pub origin: Option<RefKey>,
    /// Nothing before the first page.
    pub head: Option<NodeKey>,
    /// How often it was saved.
    pub version: i64,
    /// The number of the last operation on it; 0 before the first.
    pub operation: i64,
    pub host: Option<HostBinding>,
    /// The header of its chat file.
    pub header: Option<ValueKey>,
    /// When it last changed, in milliseconds since 1970.
    pub updated: i64,
    /// When it was thrown away.
    pub trashed: Option<i64>,
}

/// Reads a ref; the id of its story is looked up apart.
pub(crate) fn read(row: &dyn Row) -> Result<Ref, StoreError> {
    let id = row.int(1)?;
    let damaged = || StoreError::damaged("ref", id);
    let host = match row.maybe_bytes(12)? {
        None => None,
        Some(chat) => Some(HostBinding {
            chat: ChatId::from_slice(chat).map_err(|_| damaged())?,
            file: row.text(13)?,
            file_owner: row.text(14)?,
            reported: row.maybe_int(15)?.map(NodeKey),
        }),
    };
    Ok(Ref {
        key: RefKey(id),
        id: RefId::from_slice(row.bytes(2)?).map_err(|_| damaged())?,
        story: StoryId::from_bytes([0; 16]),
        story_key: StoryKey(row.int(3)?),
        kind: if row.int(4)? == 1 { RefKind::Tag } else { RefKind::Branch },
        name: row.text(5)?,
        note: row.text(6)?,
        colour: row.text(7)?,
        origin: row.maybe_int(8)?.map(RefKey),
        head: row.maybe_int(9)?.map(NodeKey),
        version: row.int(10)?,
        operation: row.int(11)?,
        host,
        header: row.maybe_int(16)?.map(ValueKey),
        updated: row.int(17)?,
        trashed: row.maybe_int(18)?,
    })
}

/// Writes a ref; `before` is the chat that it was bound to when it was read.
pub(crate) fn put(sql: &dyn Sql, owner: OwnerKey, found: &Ref, before: Option<ChatId>) -> Result<(), StoreError> {
    let host = found.host.as_ref();
    let chat = host.map(|host| &host.chat.as_bytes()[..]);
    if host.map(|host| host.chat) != before {
        sql.run("UPDATE ref SET chat = $1 WHERE owner = $2 AND id = $3", params![chat, owner, found.key])?;
    }
    let columns: &[Param<'_>] = params![
        owner,
        found.key,
        found.id.as_bytes(),
        found.story_key,
        i64::from(found.kind == RefKind::Tag),
        &found.name,
        &found.note,
        &found.colour,
        found.origin,
        found.head,
        found.version,
        found.operation,
        chat,
        host.map(|host| host.file.as_str()),
        host.map(|host| host.file_owner.as_str()),
        host.and_then(|host| host.reported),
        found.header,
        found.updated,
        found.trashed,
    ];
    TABLE.put(sql, columns)
}

/// Returns the version of a stored ref.
pub(crate) fn version(sql: &dyn Sql, owner: OwnerKey, key: RefKey) -> Result<Option<i64>, StoreError> {
    sql.one("SELECT version FROM ref WHERE owner = $1 AND id = $2", params![owner, key], |row| row.int(0))
}

impl View<'_> {
    pub fn find_ref(&self, id: RefId) -> Result<Option<Ref>, StoreError> {
        self.one_ref(|own| own.id == id, "ref = $2", Param::Bytes(id.as_bytes()))
    }

    pub fn ref_by_key(&self, key: RefKey) -> Result<Option<Ref>, StoreError> {
        self.one_ref(|own| own.key == key, "id = $2", Param::Int(key.0))
    }

    /// Returns the branch that is bound to a host chat.
    pub fn ref_of_chat(&self, chat: ChatId) -> Result<Option<Ref>, StoreError> {
        let is_bound = |own: &Ref| own.host.as_ref().is_some_and(|host| host.chat == chat);
        self.one_ref(is_bound, "chat = $2", Param::Bytes(chat.as_bytes()))
    }

    fn one_ref(&self, is: impl Fn(&Ref) -> bool, rest: &str, key: Param<'_>) -> Result<Option<Ref>, StoreError> {
        if let Some(own) = self.rows.refs.values().find(|own| is(own)) {
            return Ok(Some(own.clone()));
        }
        let Some(owner) = self.known_owner()? else { return Ok(None) };
        let found = TABLE.one(self.sql()?, &format!("owner = $1 AND {rest}"), &[owner.into(), key], read)?;
        let found = found.map(|found| self.see_ref(found)).transpose()?;
        // The draft may have changed what was asked for.
        Ok(found.filter(|found| !self.rows.refs.contains_key(&found.key)))
    }

    fn see_ref(&self, found: Ref) -> Result<Ref, StoreError> {
        self.check(Check::Ref(found.key, found.version, found.host.as_ref().map(|host| host.chat)));
        let story = self.story_by_key(found.story_key)?;
        let story = story.ok_or_else(|| StoreError::missing("story of ref", found.key.0))?.id;
        Ok(Ref { story, ..found })
    }

    /// Returns the refs of a story, those in the trash too, the one that changed last first.
    pub fn refs(&self, story: StoryKey) -> Result<Vec<Ref>, StoreError> {
        let mut found: Vec<Ref> = self.rows.refs.values().filter(|own| own.story_key == story).cloned().collect();
        if let Some(owner) = self.known_owner()?
            && !self.rows.new_stories.contains(&story)
        {
            for stored in TABLE.many(self.sql()?, "owner = $1 AND story = $2", params![owner, story], read)? {
                if !self.rows.refs.contains_key(&stored.key) {
                    found.push(self.see_ref(stored)?);
                }
            }
        }
        found.sort_unstable_by_key(|found| Reverse((found.updated, found.key)));
        Ok(found)
    }
}

impl Draft<'_> {
    /// Saves a ref. A new one gets its key; whether another writer was faster shows at the commit.
    pub fn save_ref(&mut self, saved: &mut Ref) -> Result<(), StoreError> {
        if saved.key == RefKey::NEW {
            saved.key = RefKey(self.new_id(IdKind::Other)?);
        }
        let rows = &mut self.view.rows;
        // One commit raises the version once, however often the ref is saved in it.
        saved.version = rows.refs.get(&saved.key).map_or(saved.version + 1, |own| own.version);
        rows.refs.insert(saved.key, saved.clone());
        Ok(())
    }
}
