//! Waiting for a change: answers at once when there is one, else when the time is over.

use std::time::Duration;

use axum::Json;
use serde::{Deserialize, Serialize};
use tokio::time::{Instant, timeout};
use utoipa::{IntoParams, ToSchema};

use crate::extract::{Asker, QueryOf};
use crate::routes::{Answer, call};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct WaitQuery {
    /// The number of the last operation that the asker knows.
    #[serde(default)]
    after: i64,
    /// Seconds to wait for another one; never more than 25.
    #[serde(default)]
    wait: u64,
}

/// The number of the last operation.
#[derive(Serialize, ToSchema)]
#[schema(as = LastOperation)]
pub(crate) struct LastWire {
    last: i64,
}

/// The longest wait; proxies give up soon after.
const MAX_WAIT: u64 = 25;

/// Another program may write beside this one, so we also look from time to time.
pub(crate) const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Waits until an operation with another number exists.
#[utoipa::path(get, path = "/api/v1/changes", tag = "changes", params(WaitQuery), responses((status = 200, body = LastWire)))]
pub(crate) async fn wait(asker: Asker, QueryOf(query): QueryOf<WaitQuery>) -> Answer<LastWire> {
    let end = Instant::now() + Duration::from_secs(query.wait.min(MAX_WAIT));
    loop {
        let woken = asker.app.changed.notified();
        let last = call(&asker, |engine, owner| engine.last_operation(owner)).await?;
        let left = end.saturating_duration_since(Instant::now());
        // A client that is ahead of us has seen another database: tell it.
        if last != query.after || left.is_zero() || asker.app.stopping() {
            return Ok(Json(LastWire { last }));
        }
        // Waking early or late makes no difference: the loop looks again.
        let _ = timeout(left.min(LOOK_EVERY), woken).await;
    }
}
