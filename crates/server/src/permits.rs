//! Limits the number of concurrent requests: in total and per owner, so that one owner with slow
//! requests does not block the others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use storeyline_engine::Owner;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::ApiError;
use crate::refusals::INTERNAL;

pub(crate) struct Permits {
    all: Arc<Semaphore>,
    per_owner: usize,
    owners: Mutex<HashMap<Owner, Arc<Semaphore>>>,
}

/// Above this number of owners, those without a request are dropped.
const MANY_OWNERS: usize = 1_024;

/// Allows one request; released when dropped.
pub(crate) struct Permit {
    _own: OwnedSemaphorePermit,
    _of_all: OwnedSemaphorePermit,
}

impl Permits {
    pub(crate) fn new(all: usize, per_owner: usize) -> Permits {
        Permits { all: Arc::new(Semaphore::new(all)), per_owner, owners: Mutex::default() }
    }

    /// Waits for a permit. The owner's own comes first, so that a waiting request takes no permit from others.
    pub(crate) async fn acquire(&self, owner: &Owner) -> Result<Permit, ApiError> {
        let failed = |_| ApiError::from(INTERNAL);
        let own = self.of_owner(owner).acquire_owned().await.map_err(failed)?;
        let of_all = Arc::clone(&self.all).acquire_owned().await.map_err(failed)?;
        Ok(Permit { _own: own, _of_all: of_all })
    }

    fn of_owner(&self, owner: &Owner) -> Arc<Semaphore> {
        let mut owners = self.owners.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if owners.len() > MANY_OWNERS {
            owners.retain(|_, permits| Arc::strong_count(permits) > 1);
        }
        Arc::clone(owners.entry(owner.clone()).or_insert_with(|| Arc::new(Semaphore::new(self.per_owner))))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    #[tokio::test]
    async fn an_owner_who_waits_takes_nothing_from_others() {
        let permits = Permits::new(3, 1);
        let (one, other) = (Owner::named("one"), Owner::named("other"));
        let held = permits.acquire(&one).await.ok().unwrap();
        let moment = Duration::from_millis(20);
        assert!(timeout(moment, permits.acquire(&one)).await.is_err(), "one at a time");
        assert!(timeout(moment, permits.acquire(&other)).await.is_ok());
        drop(held);
        assert!(timeout(moment, permits.acquire(&one)).await.is_ok());
    }
}
