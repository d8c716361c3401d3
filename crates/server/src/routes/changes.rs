//! Long polling: responds when there is a change, or when the time is over.

use std::time::Duration;

use axum::Json;
use serde::{Deserialize, Serialize};
use tokio::time::{Instant, timeout};
use utoipa::{IntoParams, ToSchema};

use crate::extract::{QueryOf, Requester};
use crate::routes::{Answer, call};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct WaitQuery {
    /// Number of the last operation known to the client.
    #[serde(default)]
    after: i64,
    /// Maximum seconds to wait for another one; at most 25.
    #[serde(default)]
    wait: u64,
}

/// Number of the last operation.
#[derive(Serialize, ToSchema)]
#[schema(as = LastOperation)]
pub(crate) struct LastWire {
    last: i64,
}

/// In seconds; proxies time out soon after.
const MAX_WAIT: u64 = 25;

/// Another process may write to the database, so it is also polled at this interval.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Waits until an operation with another number exists.
#[utoipa::path(get, path = "/api/v1/changes", tag = "changes", params(WaitQuery), responses((status = 200, body = LastWire)))]
pub(crate) async fn wait(requester: Requester, QueryOf(query): QueryOf<WaitQuery>) -> Answer<LastWire> {
    let end = Instant::now() + Duration::from_secs(query.wait.min(MAX_WAIT));
    loop {
        let woken = requester.app.changed.notified();
        let last = call(&requester, |engine, owner| engine.last_operation(owner)).await?;
        let left = end.saturating_duration_since(Instant::now());
        // A client that is ahead of us has seen another database; it gets our number.
        if last != query.after || left.is_zero() || requester.app.stopping() {
            return Ok(Json(LastWire { last }));
        }
        // Waking early or late makes no difference: the loop checks again.
        let _ = timeout(left.min(POLL_INTERVAL), woken).await;
    }
}
