//! Maintenance of the database file: garbage collection, backup, restore, statistics.

use std::path::{Path, PathBuf};

use storeyline_state::StoryId;
use storeyline_store::{self as store, Expiry, Holder, Owner, Store};
use storeyline_wire::care::{Bytes, Collected, Stats};

use crate::branch::find_story;
use crate::clock_and_random::now;
use crate::engine::{Engine, ReadEngine};
use crate::error::Result;

const DAY: i64 = 24 * 60 * 60 * 1000;

/// Options of a garbage collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Collect {
    /// Only count what would be deleted.
    pub dry_run: bool,
    /// Days for which refs stay in the trash.
    pub trash_days: i64,
    /// Days for which operations can be undone.
    pub undo_days: i64,
    /// Gives the space back to the disk if no other program has the database open, which locks it meanwhile.
    pub shrink: bool,
}

impl Default for Collect {
    fn default() -> Self {
        Collect { dry_run: false, trash_days: 30, undo_days: 90, shrink: true }
    }
}

/// Returns the path of the database in a data folder.
pub(crate) fn database(data: &Path) -> PathBuf {
    data.join("storeyline.db")
}

impl ReadEngine {
    /// Writes a copy of the whole database, without blocking readers or writers.
    pub fn back_up(&self, to: &Path) -> Result<()> {
        Ok(self.store().back_up(to)?)
    }

    /// Returns how many things an owner has, and how many bytes all of them take.
    pub fn stats(&self, owner: &Owner) -> Result<Stats> {
        Ok(stats(self.store().stats(owner)?))
    }

    /// Returns how many things an owner has; bytes are not counted.
    pub fn counts(&self, owner: &Owner) -> Result<Stats> {
        Ok(Stats { bytes: None, ..stats(self.store().counts(owner)?) })
    }

    /// Returns how many things a story has, and about how many bytes they take.
    pub fn story_stats(&self, owner: &Owner, story: StoryId) -> Result<Stats> {
        let key = self.read(owner, |tx| Ok(find_story(tx, story)?.key))?;
        Ok(stats(self.store().story_stats(owner, key)?))
    }

    /// Returns how many bytes the database takes on disk.
    pub fn file_bytes(&self) -> u64 {
        self.store().file_bytes()
    }

    /// Returns the number of the layout of the database.
    pub fn layout(&self) -> i64 {
        self.store().layout()
    }

    /// Runs the quick integrity check of the database and returns the problems.
    pub fn quick_integrity(&self) -> Result<Vec<String>> {
        Ok(self.store().quick_integrity()?)
    }
}

impl Engine {
    /// Makes sure that the database can be written.
    pub fn probe(&self) -> Result<()> {
        Ok(self.store().probe()?)
    }

    /// Deletes what nothing refers to any more, without blocking other programs.
    pub fn collect(&self, owner: &Owner, request: Collect) -> Result<Collected> {
        // With no days at all, what was thrown away in this millisecond goes too.
        let before = |days: i64| now().saturating_add(1).saturating_sub(days.saturating_mul(DAY));
        let expiry = Expiry { trash_before: before(request.trash_days), operations_before: before(request.undo_days) };
        if request.dry_run {
            return Ok(collected(self.store().collectable(owner, expiry)?, true));
        }
        let _held = self.store().hold("gc")?;
        let done = self.store().collect(owner, expiry)?;
        // Moving all pages of the file would keep other programs from writing; free pages are used again anyway.
        if request.shrink && !self.store().is_open_elsewhere() {
            self.store().shrink()?;
        }
        Ok(collected(done, false))
    }

    /// Replaces the database of a data folder by a copy, if no program has it open; returns the new
    /// path of the old one, if there was one.
    pub fn restore(data: &Path, copy: &Path) -> Result<Option<PathBuf>> {
        Ok(Store::bring_back(copy, &database(data))?)
    }

    /// Returns the holder of the exclusive lock of a data folder, and the other processes that have its
    /// database open, where the system provides them.
    pub fn holders(data: &Path) -> (Option<Holder>, Vec<u32>) {
        Store::holders(&database(data))
    }
}

fn stats(found: store::Stats) -> Stats {
    let store::Stats { stories, refs, floors, nodes, pages, states, operations, bytes } = found;
    let store::Bytes { state, tree_and_log, content, search } = bytes;
    let bytes = Some(Bytes { state, tree_and_log, content, search });
    Stats { stories, refs, floors, nodes, pages, states, operations, bytes }
}

fn collected(done: store::Collected, dry_run: bool) -> Collected {
    let store::Collected { refs, operations, nodes, turns, pages, texts, states, values, is_unfinished } = done;
    Collected { dry_run, refs, operations, nodes, turns, pages, texts, states, values, unfinished: is_unfinished }
}
