//! An open set of stories.

use std::path::Path;

use storeyline_store::{Owner, Store, Tx};

use crate::error::EngineError;

/// The engine: everything else in this crate is a method of it.
pub struct Engine {
    store: Store,
}

impl Engine {
    /// Opens the database in a data folder, making both if needed.
    pub fn open(data: &Path) -> Result<Engine, EngineError> {
        Ok(Engine { store: Store::open(&data.join("storeyline.db"))? })
    }

    /// Opens an engine whose stories live in memory only.
    pub fn in_memory() -> Result<Engine, EngineError> {
        Ok(Engine { store: Store::in_memory()? })
    }

    pub(crate) fn transaction<T>(
        &self,
        owner: &Owner,
        work: impl FnOnce(&mut Tx<'_>) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        self.store.write(owner, work)
    }

    pub(crate) fn look<T>(
        &self,
        owner: &Owner,
        work: impl FnOnce(&Tx<'_>) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        self.store.read(owner, work)
    }

    /// Returns the number of the last operation; it rises with every change.
    pub fn last_operation(&self, owner: &Owner) -> Result<i64, EngineError> {
        self.look(owner, |tx| Ok(tx.last_operation()?))
    }
}
