//! Waiting for a change: answers at once when there is one, else when the time is over.

use std::time::Duration;

use axum::Json;
use axum::extract::{Query, State};
use serde::Deserialize;
use serde_json::{Value as Json_, json};
use tokio::time::{Instant, timeout};

use crate::error::ApiError;
use crate::routes::call;
use crate::serve::App;

#[derive(Deserialize)]
pub(crate) struct Wait {
    #[serde(default)]
    after: i64,
    #[serde(default)]
    wait: u64,
}

/// The longest wait; proxies give up soon after.
const MAX_WAIT: u64 = 25;

/// Another program may write beside this one, so we also look from time to time.
const LOOK_EVERY: Duration = Duration::from_secs(1);

pub(crate) async fn wait(State(app): State<App>, Query(query): Query<Wait>) -> Result<Json<Json_>, ApiError> {
    let end = Instant::now() + Duration::from_secs(query.wait.min(MAX_WAIT));
    loop {
        let woken = app.changed.notified();
        let last = call(&app, |engine, owner| engine.last_operation(owner)).await?;
        let left = end.saturating_duration_since(Instant::now());
        // A client that is ahead of us has seen another database: tell it.
        if last != query.after || left.is_zero() || app.stopping() {
            return Ok(Json(json!({ "last": last })));
        }
        // Waking early or late makes no difference: the loop looks again.
        let _ = timeout(left.min(LOOK_EVERY), woken).await;
    }
}
