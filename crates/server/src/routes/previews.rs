//! Previews of changes: which floors get another state. A preview takes a second at most, and ends when its client
//! has left: one is asked for at every keystroke.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use storeyline_wire::address::RefAt;
use storeyline_wire::compare::{Reprocess, Ripple};
use storeyline_wire::operation::BranchEdit;

use crate::answer::Json;
use crate::body::JsonBody;
use crate::extract::{PathOf, Requester};
use crate::routes::compare::reprocess_request;
use crate::routes::{Answer, call};

const TIME: Duration = Duration::from_secs(1);

/// Computes how a change of a branch would ripple down. Nothing is written.
#[utoipa::path(post, path = "/api/v1/stories/{story}/refs/{ref}/preview", tag = "changes", params(RefAt), request_body = BranchEdit, responses((status = 200, body = Ripple)))]
pub(crate) async fn edit(
    requester: Requester,
    PathOf(at): PathOf<RefAt>,
    JsonBody(edit): JsonBody<BranchEdit>,
) -> Answer<Ripple> {
    let (client, stop) = patience();
    let ripple =
        call(&requester, move |engine, owner| engine.preview_edit(owner, at.story, at.branch, &edit, &stop)).await?;
    drop(client);
    Ok(Json(ripple))
}

/// Computes how recomputing states would ripple down. Nothing is written.
#[utoipa::path(post, path = "/api/v1/stories/{story}/refs/{ref}/reprocess/preview", tag = "changes", params(RefAt), request_body = Reprocess, responses((status = 200, body = Ripple)))]
pub(crate) async fn reprocess(
    requester: Requester,
    PathOf(at): PathOf<RefAt>,
    JsonBody(wire): JsonBody<Reprocess>,
) -> Answer<Ripple> {
    let request = reprocess_request(&requester, at.story, wire).await?;
    let (client, stop) = patience();
    let ripple =
        call(&requester, move |engine, owner| engine.ripple_of_reprocess(owner, at.story, at.branch, &request, &stop));
    let ripple = ripple.await?;
    drop(client);
    Ok(Json(ripple))
}

/// Tells that the client has left: its request is dropped then.
struct Client(Arc<AtomicBool>);

impl Drop for Client {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Returns what notices that the client leaves, and whether to stop by now.
fn patience() -> (Client, impl Fn() -> bool + Send + 'static) {
    let gone: Arc<AtomicBool> = Arc::default();
    let (client, start) = (Client(Arc::clone(&gone)), Instant::now());
    (client, move || gone.load(Ordering::Relaxed) || start.elapsed() > TIME)
}
