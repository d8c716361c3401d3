//! The change feed: every operation as a server-sent event.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::http::{HeaderMap, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{Stream, unfold};
use storeyline_wire::Cursor;
use storeyline_wire::changes::{EventsQuery, Happened};
use tokio::time::timeout;

use crate::error::ApiError;
use crate::extract::{QueryOf, Requester};
use crate::permits::Permit;
use crate::refusals::TOO_MANY;
use crate::routes::call;
use crate::routes::changes::POLL_INTERVAL;

/// Number of operations fetched at a time.
const BATCH: usize = 100;

/// Interval of keep-alive comments; proxies close silent connections.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(15);

/// Sends every operation as it happens, as server-sent events.
///
/// Events are called `operation`. One called `reset` means that the position known to the client is not from this database: load everything again.
#[utoipa::path(get, path = "/api/v1/events", tag = "changes", params(EventsQuery),
    responses((status = 200, body = Happened, content_type = "text/event-stream")))]
pub(crate) async fn events(
    requester: Requester,
    QueryOf(query): QueryOf<EventsQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let permit = requester.app.listeners.try_acquire(&requester.owner).ok_or(TOO_MANY)?;
    let again = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse::<Cursor>().ok());
    let last = call(&requester, |engine, owner| engine.last_change(owner)).await?;
    let known = again.or(query.after).unwrap_or(last);
    let reset = (known > last).then(|| {
        let last = last.to_string();
        Event::default().event("reset").data(format!("\"{last}\"")).id(last)
    });
    let listening = Listener { requester, after: known.min(last), waiting: VecDeque::new(), reset, _permit: permit };
    let sse = Sse::new(listening.stream()).keep_alive(KeepAlive::new().interval(KEEP_ALIVE_INTERVAL));
    // Proxies must forward every event at once.
    let headers = [(header::CACHE_CONTROL, "no-cache, no-transform"), (header::CONTENT_ENCODING, "identity")];
    Ok((headers, sse).into_response())
}

/// State of one connection.
struct Listener {
    requester: Requester,
    after: Cursor,
    waiting: VecDeque<(Cursor, Happened)>,
    reset: Option<Event>,
    _permit: Permit,
}

impl Listener {
    fn stream(self) -> impl Stream<Item = Result<Event, Infallible>> {
        unfold(self, |mut own| async move { own.next().await.map(|event| (Ok(event), own)) })
    }

    /// Returns the next event; `None` when the server stops or the engine fails: then the client reconnects.
    async fn next(&mut self) -> Option<Event> {
        if let Some(reset) = self.reset.take() {
            return Some(reset);
        }
        loop {
            if self.requester.app.stopping() {
                return None;
            }
            if let Some((position, happened)) = self.waiting.pop_front() {
                let event = Event::default().event("operation").id(position.to_string());
                return event.json_data(happened).ok();
            }
            let changed = Arc::clone(&self.requester.app.changed);
            let woken = changed.notified();
            let after = self.after;
            let found =
                call(&self.requester, move |engine, owner| engine.feed_after(owner, after, BATCH)).await.ok()?;
            match found.last() {
                Some((last, _)) => self.after = *last,
                // Another process may write to the database, so it is also polled.
                None => drop(timeout(POLL_INTERVAL, woken).await),
            }
            self.waiting.extend(found);
        }
    }
}
