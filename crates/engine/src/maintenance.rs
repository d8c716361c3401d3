//! Looking after the database itself: collecting, copying, bringing back.

use std::path::Path;

use storeyline_store::{Collected, Expiry, Owner};

use crate::chance::now;
use crate::engine::Engine;
use crate::error::EngineError;

const DAY: i64 = 24 * 60 * 60 * 1000;

/// What may be collected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Collect {
    /// Only count what would go.
    pub dry_run: bool,
    /// Days for which refs stay in the trash.
    pub trash_days: i64,
    /// Days for which operations can be undone.
    pub undo_days: i64,
}

impl Default for Collect {
    fn default() -> Self {
        Collect { dry_run: false, trash_days: 30, undo_days: 90 }
    }
}

impl Engine {
    /// Collects what nothing holds any more. Other programs may go on meanwhile.
    pub fn collect(&self, owner: &Owner, request: Collect) -> Result<Collected, EngineError> {
        let before = |days: i64| now().saturating_sub(days.saturating_mul(DAY));
        let expiry = Expiry { trash_before: before(request.trash_days), operations_before: before(request.undo_days) };
        if request.dry_run {
            return self.rehearse(owner, |tx| Ok(tx.collect(expiry)?));
        }
        let _held = self.store().hold("gc")?;
        let collected = self.transaction(owner, |tx| Ok(tx.collect(expiry)?))?;
        self.store().shrink()?;
        Ok(collected)
    }

    /// Writes a copy of the whole database; others may go on meanwhile.
    pub fn back_up(&self, to: &Path) -> Result<(), EngineError> {
        Ok(self.store().back_up(to)?)
    }
}
