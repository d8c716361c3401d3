//! Waiting for a change: answers at once when there is one, else when the time is over.

use std::time::Duration;

use axum::Json;
use serde::{Deserialize, Serialize};
use storeyline_engine::ChangeSeq;
use tokio::time::{Instant, timeout};
use utoipa::{IntoParams, ToSchema};

use crate::extract::{Asker, QueryOf};
use crate::routes::{Answer, call};
use crate::wire::ids::Cursor;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct WaitQuery {
    /// The position that the asker knows, as `last` told it; nothing: it knows none.
    #[serde(default)]
    after: Option<Cursor>,
    /// Who asks: its own operations do not count as made by others.
    #[serde(default)]
    client: String,
    /// Seconds to wait for another one; never more than 25.
    #[serde(default)]
    wait: u64,
}

/// The position of the last operation; its form is nobody's business.
#[derive(Serialize, ToSchema)]
#[schema(as = LastOperation)]
pub(crate) struct LastWire {
    last: Cursor,
    /// Whether somebody else than the asker made one of the operations that it did not know.
    others: bool,
}

/// The longest wait; proxies give up soon after.
const MAX_WAIT: u64 = 25;

/// Another program may write beside this one, so we also look from time to time.
pub(crate) const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Waits until there is an operation that the asker does not know.
#[utoipa::path(get, path = "/api/v1/changes", tag = "changes", params(WaitQuery), responses((status = 200, body = LastWire)))]
pub(crate) async fn wait(asker: Asker, QueryOf(query): QueryOf<WaitQuery>) -> Answer<LastWire> {
    let end = Instant::now() + Duration::from_secs(query.wait.min(MAX_WAIT));
    loop {
        let woken = asker.app.changed.notified();
        let (after, client) = (query.after.map(ChangeSeq::from), query.client.clone());
        let (last, others) = call(&asker, move |engine, owner| engine.changes_after(owner, after, &client)).await?;
        let left = end.saturating_duration_since(Instant::now());
        // A client that is ahead of us has seen another database: tell it.
        if Some(last) != after || left.is_zero() || asker.app.stopping() {
            return Ok(Json(LastWire { last: last.into(), others }));
        }
        // Waking early or late makes no difference: the loop looks again.
        let _ = timeout(left.min(LOOK_EVERY), woken).await;
    }
}
