//! The change feed: every operation as an event, as it happens, for as long as somebody listens.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::http::{HeaderMap, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{Stream, unfold};
use serde::{Deserialize, Serialize};
use storeyline_engine::{ChangeSeq, Happened};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;
use utoipa::{IntoParams, ToSchema};

use crate::error::ApiError;
use crate::extract::{Asker, QueryOf};
use crate::routes::call;
use crate::routes::changes::LOOK_EVERY;
use crate::wire::ids::{Branch, Cursor, Story};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct EventsQuery {
    /// The position that the asker knows (the id of an event); nothing: from now on. The header `Last-Event-ID`, which browsers send when they connect again, counts before it.
    after: Option<Cursor>,
}

/// The data of an event; its id is the position in the feed, its form is nobody's business.
#[derive(Serialize, ToSchema)]
#[schema(as = Happened)]
pub(crate) struct HappenedWire {
    /// The number of the operation on its branch or tag.
    operation: i64,
    story: Story,
    #[serde(rename = "ref")]
    branch: Branch,
    kind: &'static str,
    client: String,
    /// Milliseconds since 1970.
    time: i64,
}

impl From<Happened> for HappenedWire {
    fn from(happened: Happened) -> Self {
        HappenedWire {
            operation: happened.operation,
            story: happened.story.into(),
            branch: happened.branch.into(),
            kind: happened.kind.as_str(),
            client: happened.client,
            time: happened.time,
        }
    }
}

/// So many are fetched at a time.
const BATCH: usize = 100;

/// Proxies take a silent connection for a dead one.
const ALIVE_EVERY: Duration = Duration::from_secs(15);

/// Every operation as it happens, as server-sent events.
///
/// Events are called `operation`. One called `reset` says that the position which the asker knows is not from this database: load everything again.
#[utoipa::path(get, path = "/api/v1/events", tag = "changes", params(EventsQuery),
    responses((status = 200, body = HappenedWire, content_type = "text/event-stream")))]
pub(crate) async fn events(
    asker: Asker,
    QueryOf(query): QueryOf<EventsQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let seat = Arc::clone(&asker.app.listeners).try_acquire_owned().map_err(|_| ApiError::too_many())?;
    let again = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse::<Cursor>().ok());
    let last = call(&asker, |engine, owner| engine.last_change(owner)).await?;
    let known = again.or(query.after).map_or(last, ChangeSeq::from);
    let reset = (known > last).then(|| {
        Event::default().event("reset").id(Cursor::from(last).to_string()).data(Cursor::from(last).to_string())
    });
    let listening = Listening { asker, after: known.min(last), waiting: VecDeque::new(), reset, _seat: seat };
    let sse = Sse::new(listening.stream()).keep_alive(KeepAlive::new().interval(ALIVE_EVERY));
    // Whoever stands between must pass every event on at once.
    let headers = [(header::CACHE_CONTROL, "no-cache, no-transform"), (header::CONTENT_ENCODING, "identity")];
    Ok((headers, sse).into_response())
}

/// Somebody who listens.
struct Listening {
    asker: Asker,
    after: ChangeSeq,
    waiting: VecDeque<Happened>,
    reset: Option<Event>,
    _seat: OwnedSemaphorePermit,
}

impl Listening {
    fn stream(self) -> impl Stream<Item = Result<Event, Infallible>> {
        unfold(self, |mut own| async move { own.next().await.map(|event| (Ok(event), own)) })
    }

    /// The next event; nothing when the server stops or the engine fails: then the client comes again.
    async fn next(&mut self) -> Option<Event> {
        if let Some(reset) = self.reset.take() {
            return Some(reset);
        }
        loop {
            if self.asker.app.stopping() {
                return None;
            }
            if let Some(happened) = self.waiting.pop_front() {
                let event = Event::default().event("operation").id(Cursor::from(happened.seq).to_string());
                return event.json_data(HappenedWire::from(happened)).ok();
            }
            let changed = Arc::clone(&self.asker.app.changed);
            let woken = changed.notified();
            let after = self.after;
            let found =
                call(&self.asker, move |engine, owner| engine.happened_after(owner, after, BATCH)).await.ok()?;
            match found.last() {
                Some(last) => self.after = last.seq,
                // Another program may write beside this one, so we also look from time to time.
                None => drop(timeout(LOOK_EVERY, woken).await),
            }
            self.waiting.extend(found);
        }
    }
}
