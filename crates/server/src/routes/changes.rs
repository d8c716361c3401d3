//! Long polling: responds when there is a change, or when the time is over.

use std::time::Duration;

use storeyline_wire::changes::{LastOperation, WaitQuery};
use tokio::time::{Instant, timeout};

use crate::answer::Json;
use crate::extract::{QueryOf, Requester};
use crate::routes::{Answer, call};

/// In seconds; proxies time out soon after.
const MAX_WAIT: u64 = 25;

/// Another process may write to the database, so it is also polled at this interval.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Waits until there is an operation that the client does not know.
#[utoipa::path(get, path = "/api/v1/changes", tag = "changes", params(WaitQuery), responses((status = 200, body = LastOperation)))]
pub(crate) async fn wait(requester: Requester, QueryOf(query): QueryOf<WaitQuery>) -> Answer<LastOperation> {
    let end = Instant::now() + Duration::from_secs(query.wait.min(MAX_WAIT));
    loop {
        let woken = requester.app.changed.notified();
        let (after, client) = (query.after, query.client.clone());
        let found = call(&requester, move |engine, owner| engine.changes_after(owner, after, &client)).await?;
        let left = end.saturating_duration_since(Instant::now());
        // A client that is ahead of us has seen another database; it gets our number.
        if Some(found.last) != after || left.is_zero() || requester.app.stopping() {
            return Ok(Json(found));
        }
        // Waking early or late makes no difference: the loop checks again.
        let _ = timeout(left.min(POLL_INTERVAL), woken).await;
    }
}
