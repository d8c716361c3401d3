//! The database: opened once, one writer, states of late kept in memory.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use rusqlite::Connection;
use storeyline_history::Incomplete;
use storeyline_state::{StateHash, Value};

use crate::schema;
use crate::tx::Tx;

/// Whose stories they are. Nothing is shared between owners.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Owner(String);

impl Owner {
    /// The only owner where there are no accounts.
    pub fn local() -> Self {
        Owner("local".into())
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

/// Why the store could not do something.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// SQLite said no.
    #[error("the database failed: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// A page could not be evaluated now.
    #[error(transparent)]
    Incomplete(#[from] Incomplete),
    /// A newer program wrote this database.
    #[error("the database was written by a newer version of Storeyline")]
    TooNew,
    /// Something that must be there is not.
    #[error("{kind} {id} is missing from the store")]
    Missing {
        /// What kind of thing.
        kind: &'static str,
        /// Which one.
        id: String,
    },
    /// Something that is there cannot be read.
    #[error("{kind} {id} is damaged")]
    Damaged {
        /// What kind of thing.
        kind: &'static str,
        /// Which one.
        id: String,
    },
}

/// An open database.
pub struct Store {
    connection: Mutex<Connection>,
    recent: Recent,
}

impl Store {
    /// Opens a database file, making it if needed.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        Store::prepare(Connection::open(path)?)
    }

    /// Opens a database that lives in memory only.
    pub fn in_memory() -> Result<Store, StoreError> {
        Store::prepare(Connection::open_in_memory()?)
    }

    fn prepare(mut connection: Connection) -> Result<Store, StoreError> {
        connection.busy_timeout(Duration::from_secs(10))?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        // FULL: hand edits have no second copy in a host file.
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.set_prepared_statement_cache_capacity(64);
        if !schema::migrate(&mut connection)? {
            return Err(StoreError::TooNew);
        }
        Ok(Store { connection: Mutex::new(connection), recent: Recent::default() })
    }

    /// Does something in one transaction: all of it is written, or nothing.
    pub fn write<T, E: From<StoreError>>(
        &self,
        owner: &Owner,
        work: impl FnOnce(&mut Tx<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut connection = self.lock();
        let transaction =
            connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).map_err(StoreError::from)?;
        let mut tx = Tx::new(&transaction, owner, &self.recent);
        let result = work(&mut tx)?;
        transaction.commit().map_err(StoreError::from)?;
        Ok(result)
    }

    /// Looks at something; other programs may write meanwhile. What is written here is not kept.
    pub fn read<T, E: From<StoreError>>(
        &self,
        owner: &Owner,
        work: impl FnOnce(&Tx<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut connection = self.lock();
        let transaction = connection.transaction().map_err(StoreError::from)?;
        work(&Tx::new(&transaction, owner, &self.recent))
    }

    /// A panic while holding the lock rolled its transaction back, so the connection is sound.
    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// States of late. A kept state costs what it does not share with the others.
#[derive(Default)]
pub(crate) struct Recent {
    states: Mutex<VecDeque<(Owner, StateHash, Value)>>,
}

const KEPT_STATES: usize = 64;

impl Recent {
    pub(crate) fn get(&self, owner: &Owner, hash: StateHash) -> Option<Value> {
        let states = self.lock();
        states.iter().rev().find(|(own, key, _)| *key == hash && own == owner).map(|(.., state)| state.clone())
    }

    pub(crate) fn put(&self, owner: &Owner, hash: StateHash, state: &Value) {
        let mut states = self.lock();
        states.retain(|(own, key, _)| *key != hash || own != owner);
        states.push_back((owner.clone(), hash, state.clone()));
        if states.len() > KEPT_STATES {
            states.pop_front();
        }
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<(Owner, StateHash, Value)>> {
        self.states.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
