//! Storage behind the routes of ST-VarSystem: snapshots under its own identifiers, outside stories, and
//! the times of templates and global snapshots.
//!
//! Nothing is deleted here, only moved to the trash. A cleanup with an empty list of chats moves
//! nothing: such a list is an error of the client.

use std::collections::HashSet;

use storeyline_state::Value;
use storeyline_store::{AssetKind, Draft, ForeignSnapshot, Owner, View};
use storeyline_wire::assets::Snapshot;

use crate::assets::read_snapshot;
use crate::clock_and_random::{new_id, now};
use crate::engine::{Engine, ReadEngine};
use crate::error::Result;

/// A snapshot to be saved.
#[derive(Debug, Clone)]
pub struct ForeignSave {
    /// The identifier; generated if missing.
    pub name: Option<String>,
    /// The chat file; if missing, that of the snapshot that is replaced.
    pub chat: Option<String>,
    pub message: Option<String>,
    pub payload: Value,
}

#[derive(Debug, Clone)]
pub struct ForeignSaved {
    pub snapshot: ForeignSnapshot,
    /// Whether there was a snapshot with this name.
    pub replaced: bool,
}

/// The result of a cleanup.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ForeignCleaned {
    /// How many snapshots were moved to the trash.
    pub moved: usize,
    /// How many chats had snapshots.
    pub chats: usize,
    /// The chats whose snapshots were moved.
    pub gone: Vec<String>,
}

/// An asset with the times of its first and its newest version, in milliseconds since 1970.
#[derive(Debug, Clone)]
pub struct Dated<T> {
    pub value: T,
    pub created: i64,
    pub updated: i64,
}

impl ReadEngine {
    /// Returns a snapshot and its payload.
    pub fn foreign(&self, owner: &Owner, name: &str) -> Result<Option<(ForeignSnapshot, Value)>> {
        self.read(owner, |tx| {
            let Some(found) = tx.foreign_snapshot(name)? else { return Ok(None) };
            let payload = tx.value(found.value)?;
            Ok(Some((found, payload)))
        })
    }

    /// Returns the snapshots in the trash, last trashed first.
    pub fn foreign_trash(&self, owner: &Owner, limit: usize) -> Result<Vec<ForeignSnapshot>> {
        self.read(owner, |tx| Ok(tx.trashed_foreign_snapshots(limit)?))
    }

    /// Returns the template of a card with its times.
    pub fn template_with_times(&self, owner: &Owner, card: &str) -> Result<Option<Dated<Value>>> {
        self.read(owner, |tx| with_times(tx, AssetKind::Template, card, Value::clone))
    }

    /// Returns a global snapshot with its times.
    pub fn snapshot_with_times(&self, owner: &Owner, id: &str) -> Result<Option<Dated<Snapshot>>> {
        self.read(owner, |tx| snapshot_with_times(tx, id))
    }

    /// Returns all global snapshots with their times, last changed first.
    pub fn snapshots_with_times(&self, owner: &Owner) -> Result<Vec<Dated<Snapshot>>> {
        self.read(owner, |tx| {
            let assets = tx.assets(AssetKind::Snapshot)?;
            assets.iter().filter_map(|asset| snapshot_with_times(tx, &asset.name).transpose()).collect()
        })
    }
}

impl Engine {
    /// Saves a snapshot; `None` if it has no chat and replaces no snapshot.
    pub fn put_foreign(&self, owner: &Owner, save: &ForeignSave) -> Result<Option<ForeignSaved>> {
        self.change(owner, |tx| {
            let name = save.name.clone().unwrap_or_else(new_id);
            let before = tx.foreign_snapshot(&name)?;
            let chat = save.chat.clone().or_else(|| before.as_ref().map(|before| before.chat.clone()));
            let Some(chat) = chat else { return Ok(None) };
            let kept = before.as_ref().and_then(|before| before.message.clone()).filter(|_| save.chat.is_none());
            let message = save.message.clone().or(kept);
            let snapshot = tx.put_foreign_snapshot(&name, &chat, message.as_deref(), &save.payload, now())?;
            Ok(Some(ForeignSaved { snapshot, replaced: before.is_some() }))
        })
    }

    /// Moves a snapshot to the trash; returns how many were moved.
    pub fn trash_foreign(&self, owner: &Owner, name: &str) -> Result<usize> {
        self.change(owner, |tx| {
            let found = tx.foreign_snapshot(name)?;
            Ok(trash_all(tx, found))
        })
    }

    /// Moves the snapshots of a chat to the trash; returns how many.
    pub fn trash_foreign_of(&self, owner: &Owner, chat: &str) -> Result<usize> {
        self.change(owner, |tx| trash_of_chat(tx, chat))
    }

    /// Moves the snapshots of all chats but these to the trash; an empty list moves nothing.
    pub fn clean_foreign(&self, owner: &Owner, active: &[String]) -> Result<ForeignCleaned> {
        self.change(owner, |tx| {
            let chats = tx.foreign_snapshot_chats()?;
            let mut cleaned = ForeignCleaned { chats: chats.len(), ..ForeignCleaned::default() };
            if active.is_empty() {
                return Ok(cleaned);
            }
            let active: HashSet<&String> = active.iter().collect();
            for chat in chats.into_iter().filter(|chat| !active.contains(chat)) {
                cleaned.moved += trash_of_chat(tx, &chat)?;
                cleaned.gone.push(chat);
            }
            Ok(cleaned)
        })
    }

    /// Restores snapshots from the trash; returns how many. One whose name is in use again stays there.
    pub fn restore_foreign(&self, owner: &Owner, numbers: &[i64]) -> Result<usize> {
        self.change(owner, |tx| {
            let mut back = 0;
            for number in numbers {
                let found = tx.foreign_snapshot_by_number(*number)?.filter(|found| found.trashed.is_some());
                if let Some(found) = found
                    && tx.foreign_snapshot(&found.name)?.is_none()
                {
                    tx.save_foreign_snapshot(ForeignSnapshot { trashed: None, ..found });
                    back += 1;
                }
            }
            Ok(back)
        })
    }
}

fn trash_of_chat(tx: &mut Draft<'_>, chat: &str) -> Result<usize> {
    let found = tx.foreign_snapshots_of(chat)?;
    Ok(trash_all(tx, found))
}

/// Moves snapshots to the trash; returns how many.
fn trash_all(tx: &mut Draft<'_>, snapshots: impl IntoIterator<Item = ForeignSnapshot>) -> usize {
    let mut count = 0;
    for snapshot in snapshots {
        tx.save_foreign_snapshot(ForeignSnapshot { trashed: Some(now()), ..snapshot });
        count += 1;
    }
    count
}

fn snapshot_with_times(tx: &View<'_>, id: &str) -> Result<Option<Dated<Snapshot>>> {
    with_times(tx, AssetKind::Snapshot, id, |value| read_snapshot(id, value, 0))
}

/// Returns the newest version of an asset with its times. Versions from before it was last deleted do
/// not count.
fn with_times<T>(tx: &View<'_>, kind: AssetKind, name: &str, read: impl Fn(&Value) -> T) -> Result<Option<Dated<T>>> {
    let versions = tx.asset_versions(kind, name)?;
    let present: Vec<_> = versions.iter().map_while(|version| Some((version.value?, version.time))).collect();
    let (Some((value, updated)), Some((_, created))) = (present.first(), present.last()) else { return Ok(None) };
    Ok(Some(Dated { value: read(&tx.value(*value)?), created: *created, updated: *updated }))
}
