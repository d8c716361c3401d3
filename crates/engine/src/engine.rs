//! An open set of stories.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard};

use storeyline_functions::script::NoScripts;
use storeyline_history::{Incomplete, Scripts};
use storeyline_state::PageId;
use storeyline_store::{Durability, Owner, Store, StoreError, Tx, Work};

use crate::error::EngineError;
use crate::maintenance::database;

/// The engine: everything else in this crate is a method of it.
pub struct Engine {
    store: Store,
    scripts: Mutex<Box<dyn Scripts + Send>>,
    /// How safe every commit is, if that is not left to each of them.
    durability: Option<Durability>,
    /// How often a function had to be killed on a page since this program runs.
    kills: Mutex<HashMap<(PageId, String), u8>>,
}

/// After so many kills a function is given up on a page.
const GIVE_UP_AFTER: u8 = 3;

impl Engine {
    /// Opens the database in a data folder, making both if needed.
    pub fn open(data: &Path) -> Result<Engine, EngineError> {
        Ok(Engine::of(Store::open(&database(data))?))
    }

    /// Opens an engine whose stories live in memory only.
    pub fn in_memory() -> Result<Engine, EngineError> {
        Ok(Engine::of(Store::in_memory()?))
    }

    fn of(store: Store) -> Engine {
        Engine { store, scripts: Mutex::new(Box::new(NoScripts)), durability: None, kills: Mutex::default() }
    }

    /// Lets someone run JavaScript for this engine.
    pub fn with_scripts(self, scripts: Box<dyn Scripts + Send>) -> Engine {
        Engine { scripts: Mutex::new(scripts), ..self }
    }

    /// Makes every commit equally safe, for those who know better than each operation.
    pub fn with_durability(self, durability: Durability) -> Engine {
        Engine { durability: Some(durability), ..self }
    }

    /// Returns how much was read and written since it was opened.
    pub fn work(&self) -> Work {
        self.store.work()
    }

    /// Tells whether readers and a writer can work side by side; not so on some network drives.
    pub fn has_wal(&self) -> bool {
        self.store.has_wal()
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
        self.transaction_with(owner, Durability::Full, work)
    }

    pub(crate) fn transaction_with<T>(
        &self,
        owner: &Owner,
        durability: Durability,
        work: impl FnOnce(&mut Tx<'_>) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        let done = self.store.write(owner, self.durability.unwrap_or(durability), work);
        if let Err(EngineError::Store(StoreError::Incomplete(incomplete))) = &done {
            self.note_kill(owner, incomplete)?;
        }
        done
    }

    /// A function that had to be killed on a page is tried again; the third time it is given up there,
    /// which is an input of the page from then on.
    fn note_kill(&self, owner: &Owner, incomplete: &Incomplete) -> Result<(), EngineError> {
        let Incomplete { hung: true, function: Some(function), page: Some(page), .. } = incomplete else {
            return Ok(());
        };
        let mut kills = self.kills.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let count = kills.entry((*page, function.clone())).or_insert(0u8);
        *count += 1;
        if *count < GIVE_UP_AFTER {
            return Ok(());
        }
        kills.remove(&(*page, function.clone()));
        self.store.write(owner, Durability::Full, |tx| Ok(tx.put_stuck(*page, function)?))
    }

    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    /// Tries something and takes all of it back.
    pub(crate) fn rehearse<T>(
        &self,
        owner: &Owner,
        work: impl FnOnce(&mut Tx<'_>) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        self.store.rehearse(owner, work)
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
