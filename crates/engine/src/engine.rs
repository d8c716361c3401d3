//! An open set of stories.

use std::path::Path;
use std::sync::{Mutex, MutexGuard};

use storeyline_functions::script::NoScripts;
use storeyline_history::Scripts;
use storeyline_store::{Owner, Store, Tx};

use crate::error::EngineError;

/// The engine: everything else in this crate is a method of it.
pub struct Engine {
    store: Store,
    scripts: Mutex<Box<dyn Scripts + Send>>,
}

impl Engine {
    /// Opens the database in a data folder, making both if needed.
    pub fn open(data: &Path) -> Result<Engine, EngineError> {
        Ok(Engine::of(Store::open(&data.join("storeyline.db"))?))
    }

    /// Opens an engine whose stories live in memory only.
    pub fn in_memory() -> Result<Engine, EngineError> {
        Ok(Engine::of(Store::in_memory()?))
    }

    fn of(store: Store) -> Engine {
        Engine { store, scripts: Mutex::new(Box::new(NoScripts)) }
    }

    /// Lets someone run JavaScript for this engine.
    pub fn with_scripts(self, scripts: Box<dyn Scripts + Send>) -> Engine {
        Engine { scripts: Mutex::new(scripts), ..self }
    }

    /// Whoever runs scripts keeps nothing that a panic could leave half done.
    pub(crate) fn scripts(&self) -> MutexGuard<'_, Box<dyn Scripts + Send>> {
        let mut scripts = self.scripts.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        scripts.begin_request();
        scripts
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
