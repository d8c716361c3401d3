//! Refs: names for places in a tree. Moving one is compare-and-set on its version.

use std::cmp::Reverse;

use storeyline_history::{NodeKey, ValueKey};
use storeyline_state::{ChatId, RefId, StoryId};

use crate::error::StoreError;
use crate::fresh::RefMove;
use crate::sql::{Row, params};
use crate::tx::Tx;

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
    /// The chat.
    pub chat: ChatId,
    /// Its file name when it was last seen.
    pub file: String,
    /// Its card or group when it was last seen.
    pub file_owner: String,
    /// The last node that the host reported.
    pub reported: Option<NodeKey>,
}

/// A ref.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ref {
    /// Its number in the store; 0 before it is stored.
    pub key: i64,
    /// Its id.
    pub id: RefId,
    /// Its story.
    pub story: StoryId,
    /// The number of its story.
    pub story_key: i64,
    /// What it is for.
    pub kind: RefKind,
    /// Its name.
    pub name: String,
    /// What the user wrote about it.
    pub note: String,
    /// The colour that the user gave it.
    pub colour: String,
    /// The number of the ref that it came from.
    pub origin: Option<i64>,
    /// Where it stands; nothing before the first page.
    pub head: Option<NodeKey>,
    /// How often it was changed.
    pub version: i64,
    /// The last operation on it.
    pub operation: Option<i64>,
    /// The host chat, if it has one.
    pub host: Option<HostBinding>,
    /// The header of its chat file.
    pub header: Option<ValueKey>,
    /// When it last changed, in milliseconds since 1970.
    pub updated: i64,
    /// When it was thrown away.
    pub trashed: Option<i64>,
}

impl Ref {
    fn follow(&mut self, moved: &RefMove) {
        if moved.of != self.key {
            return;
        }
        self.head = moved.head;
        self.version = moved.version;
        self.operation = moved.operation;
        self.updated = moved.updated;
        if let Some(host) = &mut self.host {
            host.reported = moved.reported;
        }
    }

    /// The same ref where another one stands.
    fn at_the_place_of(mut self, other: &Ref) -> Ref {
        self.head = other.head;
        self.operation = other.operation;
        self.updated = other.updated;
        if let (Some(own), Some(other)) = (&mut self.host, &other.host) {
            own.reported = other.reported;
        }
        self
    }
}

macro_rules! select_ref {
    ($rest:literal) => {
        concat!(
            // Not a join: SQLite would prepare that anew for each ref that is looked for.
            "SELECT r.id, r.ref, r.story, (SELECT s.story FROM story s WHERE s.id = r.story), r.kind, r.name, r.note, r.colour, r.origin, r.head, r.version, r.operation, ",
            "r.chat, r.file, r.file_owner, r.host_node, r.header, r.updated, r.trashed ",
            "FROM ref r WHERE ",
            $rest
        )
    };
}

fn read(row: &dyn Row) -> Result<Ref, StoreError> {
    let key = row.int(0)?;
    let damaged = || StoreError::damaged("ref", key);
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
        key,
        id: RefId::from_slice(row.bytes(1)?).map_err(|_| damaged())?,
        story_key: row.int(2)?,
        story: StoryId::from_slice(row.bytes(3)?).map_err(|_| damaged())?,
        kind: if row.int(4)? == 1 { RefKind::Tag } else { RefKind::Branch },
        name: row.text(5)?,
        note: row.text(6)?,
        colour: row.text(7)?,
        origin: row.maybe_int(8)?,
        head: row.maybe_int(9)?.map(NodeKey),
        version: row.int(10)?,
        operation: row.maybe_int(11)?,
        host,
        header: row.maybe_int(16)?.map(ValueKey),
        updated: row.int(17)?,
        trashed: row.maybe_int(18)?,
    })
}

impl Tx<'_> {
    /// Makes a ref, or brings the stored one to what is given if its version is still the same.
    ///
    /// Returns false if another writer was faster.
    pub fn put_ref(&mut self, stored: &mut Ref) -> Result<bool, StoreError> {
        let host = stored.host.as_ref();
        let kind = i64::from(stored.kind == RefKind::Tag);
        let chat = host.map(|host| &host.chat.as_bytes()[..]);
        let file = host.map(|host| host.file.as_str());
        let file_owner = host.map(|host| host.file_owner.as_str());
        let reported = host.and_then(|host| host.reported).map(|node| node.0);
        let head = stored.head.map(|node| node.0);
        let header = stored.header.map(|header| header.0);
        if stored.key == 0 {
            self.write_named()?;
            let sql = "INSERT INTO ref (owner, ref, story, kind, name, note, colour, origin, head, version, operation,
                           chat, file, file_owner, host_node, header, updated, trashed)
                       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 1, $10, $11, $12, $13, $14, $15, $16, $17)";
            let keys = params![
                self.owner,
                stored.id.as_bytes(),
                stored.story_key,
                kind,
                &stored.name,
                &stored.note,
                &stored.colour,
                stored.origin,
                head,
                stored.operation,
                chat,
                file,
                file_owner,
                reported,
                header,
                stored.updated,
                stored.trashed,
            ];
            stored.key = self.insert(sql, keys)?;
            stored.version = 1;
            return Ok(true);
        }
        let Some(known) = self.known_ref(stored.key)?.filter(|known| known.version == stored.version) else {
            return Ok(false);
        };
        let done = match known.at_the_place_of(stored) == *stored {
            true => self.move_ref(stored).map(|()| true)?,
            false => {
                // What was moved before must not be written later.
                if self.in_fresh(|batch| batch.moves.iter().any(|moved| moved.of == stored.key).then_some(())).is_some()
                {
                    self.settle()?;
                }
                self.write_named()?;
                let sql =
                    "UPDATE ref SET kind = $1, name = $2, note = $3, colour = $4, head = $5, version = version + 1,
                               operation = $6, chat = $7, file = $8, file_owner = $9, host_node = $10, header = $11,
                               updated = $12, trashed = $13
                           WHERE id = $14 AND owner = $15 AND version = $16";
                let keys = params![
                    kind,
                    &stored.name,
                    &stored.note,
                    &stored.colour,
                    head,
                    stored.operation,
                    chat,
                    file,
                    file_owner,
                    reported,
                    header,
                    stored.updated,
                    stored.trashed,
                    stored.key,
                    self.owner,
                    stored.version,
                ];
                self.run(sql, keys)? == 1
            }
        };
        stored.version += 1;
        self.refs.borrow_mut().retain(|known| known.key != stored.key);
        self.refs.borrow_mut().push(stored.clone());
        Ok(done)
    }

    /// Notes where a ref stands now; its row is written later.
    fn move_ref(&self, stored: &Ref) -> Result<(), StoreError> {
        let moved = RefMove {
            of: stored.key,
            head: stored.head,
            version: stored.version + 1,
            operation: stored.operation,
            reported: stored.host.as_ref().and_then(|host| host.reported),
            updated: stored.updated,
        };
        self.keep(|batch, _| batch.moves.push(moved))
    }

    /// A ref as it is now.
    fn known_ref(&self, key: i64) -> Result<Option<Ref>, StoreError> {
        let known = self.refs.borrow().iter().find(|known| known.key == key).cloned();
        if known.is_some() { Ok(known) } else { self.ref_by_key(key) }
    }

    /// Reads a ref and brings it to where it stands now.
    fn see_ref(&self, row: &dyn Row) -> Result<Ref, StoreError> {
        let found = read(row)?;
        self.remember_ref_row(&found);
        Ok(self.see_ref_row(found))
    }

    fn see_ref_row(&self, mut found: Ref) -> Ref {
        self.each_fresh(|batch| {
            batch.moves.iter().for_each(|moved| found.follow(moved));
        });
        let mut refs = self.refs.borrow_mut();
        if refs.iter().all(|known| known.key != found.key) {
            refs.push(found.clone());
        }
        found
    }

    /// Returns a ref.
    pub fn find_ref(&self, id: RefId) -> Result<Option<Ref>, StoreError> {
        if let Some(known) = self.known_ref_row(|known| known.id == id) {
            return Ok(Some(self.see_ref_row(known)));
        }
        self.one(select_ref!("r.owner = $1 AND r.ref = $2"), params![self.owner, id.as_bytes()], |row| {
            self.see_ref(row)
        })
    }

    /// Returns a ref by its number.
    pub fn ref_by_key(&self, key: i64) -> Result<Option<Ref>, StoreError> {
        if let Some(known) = self.known_ref_row(|known| known.key == key) {
            return Ok(Some(self.see_ref_row(known)));
        }
        self.one(select_ref!("r.owner = $1 AND r.id = $2"), params![self.owner, key], |row| self.see_ref(row))
    }

    /// Returns the branch that is bound to a host chat.
    pub fn ref_of_chat(&self, chat: ChatId) -> Result<Option<Ref>, StoreError> {
        if let Some(known) = self.known_ref_row(|known| known.host.as_ref().is_some_and(|host| host.chat == chat)) {
            return Ok(Some(self.see_ref_row(known)));
        }
        self.one(select_ref!("r.owner = $1 AND r.chat = $2"), params![self.owner, chat.as_bytes()], |row| {
            self.see_ref(row)
        })
    }

    /// Returns the refs of a story, those in the trash too, the one that changed last first.
    pub fn refs(&self, story: i64) -> Result<Vec<Ref>, StoreError> {
        let sql = select_ref!("r.owner = $1 AND r.story = $2");
        let mut found = self.many(sql, params![self.owner, story], |row| self.see_ref(row))?;
        found.sort_unstable_by_key(|found| Reverse((found.updated, found.key)));
        Ok(found)
    }

    /// Takes a ref out for good; what only it held is collected later.
    pub fn forget_ref(&mut self, key: i64) -> Result<(), StoreError> {
        self.settle()?;
        self.write_named()?;
        self.refs.borrow_mut().retain(|known| known.key != key);
        self.run("DELETE FROM cursor WHERE owner = $1 AND ref = $2", params![self.owner, key])?;
        self.run("DELETE FROM ref WHERE owner = $1 AND id = $2", params![self.owner, key])?;
        Ok(())
    }
}
