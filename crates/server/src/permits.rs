//! Limits what is used at a time, in total and per owner, so that one owner with slow requests does not block the
//! others.

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

/// Released when dropped.
pub(crate) struct Permit {
    _own: OwnedSemaphorePermit,
    _of_all: OwnedSemaphorePermit,
}

impl Permits {
    pub(crate) fn new(all: usize, per_owner: usize) -> Permits {
        Permits { all: Arc::new(Semaphore::new(all)), per_owner, owners: Mutex::default() }
    }

    /// Waits for one permit.
    pub(crate) async fn acquire(&self, owner: &Owner) -> Result<Permit, ApiError> {
        self.acquire_many(owner, 1).await
    }

    /// Waits for several permits, but for no more than an owner can have. The owner's own come first, so that a waiting
    /// request takes none from others.
    pub(crate) async fn acquire_many(&self, owner: &Owner, count: usize) -> Result<Permit, ApiError> {
        let failed = |_| ApiError::from(INTERNAL);
        let count = u32::try_from(count.min(self.per_owner)).unwrap_or(u32::MAX);
        let own = self.of_owner(owner).acquire_many_owned(count).await.map_err(failed)?;
        let of_all = Arc::clone(&self.all).acquire_many_owned(count).await.map_err(failed)?;
        Ok(Permit { _own: own, _of_all: of_all })
    }

    /// Takes one permit if there is one.
    pub(crate) fn try_acquire(&self, owner: &Owner) -> Option<Permit> {
        let own = self.of_owner(owner).try_acquire_owned().ok()?;
        let of_all = Arc::clone(&self.all).try_acquire_owned().ok()?;
        Some(Permit { _own: own, _of_all: of_all })
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

    const MOMENT: Duration = Duration::from_millis(20);

    #[tokio::test]
    async fn an_owner_who_waits_takes_nothing_from_others() {
        let permits = Permits::new(3, 1);
        let (one, other) = (Owner::named("one"), Owner::named("other"));
        let held = permits.acquire(&one).await.ok().unwrap();
        assert!(timeout(MOMENT, permits.acquire(&one)).await.is_err(), "one at a time");
        assert!(permits.try_acquire(&one).is_none());
        assert!(timeout(MOMENT, permits.acquire(&other)).await.is_ok());
        drop(held);
        assert!(timeout(MOMENT, permits.acquire(&one)).await.is_ok());
    }

    #[tokio::test]
    async fn what_is_larger_than_a_share_takes_the_whole_share_and_no_more() {
        let permits = Permits::new(8, 4);
        let (one, other) = (Owner::named("one"), Owner::named("other"));
        let held = permits.acquire_many(&one, 1_000).await.ok().unwrap();
        assert!(timeout(MOMENT, permits.acquire_many(&one, 1)).await.is_err());
        assert!(timeout(MOMENT, permits.acquire_many(&other, 4)).await.is_ok());
        drop(held);
        assert!(timeout(MOMENT, permits.acquire_many(&one, 4)).await.is_ok());
    }
}
