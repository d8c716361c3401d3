//! Exports a whole story as an archive, line by line, and imports it again.

use std::io;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use futures_util::stream::unfold;
use storeyline_engine::ArchiveOptions;
use storeyline_wire::address::StoryAt;
use storeyline_wire::archive::{ArchiveImported, ArchiveQuery};
use tokio::runtime::Handle;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::timeout;

use crate::access::CHAT_FILE;
use crate::answer::Json;
use crate::body::chat_text;
use crate::error::ApiError;
use crate::extract::{PathOf, QueryOf, Requester};
use crate::routes::{Answer, call, change};

/// In bytes.
const CHUNK: usize = 64 * 1024;

/// Number of chunks buffered for a slow client.
const WAITING: usize = 4;

/// A client that reads nothing for this long is disconnected, because a read transaction is open for it.
const CLIENT_TIMEOUT: Duration = Duration::from_secs(30);

/// Exports a whole story as an archive: JSON lines, see `docs/format/archive.md`.
///
/// The last line is `{"end": …}`; an archive without it was cut off.
#[utoipa::path(get, path = "/api/v1/stories/{story}/archive", tag = "stories", params(StoryAt),
    responses((status = 200, body = String, content_type = "application/x-ndjson")))]
pub(crate) async fn write(requester: Requester, PathOf(at): PathOf<StoryAt>) -> Result<Response, ApiError> {
    let story = at.story;
    call(&requester, move |engine, owner| engine.story(owner, story).map(|_| ())).await?;
    let permit = requester.app.readers.acquire(&requester.owner).await?;
    let (sender, receiver) = channel(WAITING);
    let (engine, owner) = (requester.app.engine.reader(), requester.owner.clone());
    tokio::task::spawn_blocking(move || {
        let mut chunks = Chunks { sender, buffer: Vec::with_capacity(CHUNK), runtime: Handle::current() };
        let written = engine.write_archive(&owner, story, |line| chunks.add(line)).map_err(io::Error::other);
        drop(permit);
        // An error ends the response before its last line, which tells the client.
        let _ = written.and_then(|()| chunks.flush()).map_err(|error| chunks.fail(error));
    });
    let headers = [(header::CONTENT_TYPE, CHAT_FILE), (header::X_CONTENT_TYPE_OPTIONS, "nosniff")];
    Ok((headers, Body::from_stream(stream(receiver))).into_response())
}

type Chunk = Result<Bytes, io::Error>;

fn stream(receiver: Receiver<Chunk>) -> impl futures_util::Stream<Item = Chunk> {
    unfold(receiver, |mut receiver| async move { receiver.recv().await.map(|chunk| (chunk, receiver)) })
}

struct Chunks {
    sender: Sender<Chunk>,
    buffer: Vec<u8>,
    runtime: Handle,
}

impl Chunks {
    fn add(&mut self, line: &str) -> io::Result<()> {
        self.buffer.extend_from_slice(line.as_bytes());
        if self.buffer.len() < CHUNK { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> io::Result<()> {
        let chunk = Bytes::from(std::mem::take(&mut self.buffer));
        let sent = self.runtime.block_on(timeout(CLIENT_TIMEOUT, self.sender.send(Ok(chunk))));
        match sent {
            Ok(Ok(())) => Ok(()),
            _ => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn fail(&self, error: io::Error) {
        let _ = self.sender.try_send(Err(error));
    }
}

/// Imports an archive as a new story; nothing that exists is changed.
///
/// The body is the archive as `application/x-ndjson`. States are recomputed and compared with those of the archive. Functions in the archive are left out; pages that were computed with them keep the states of the archive, marked stale. `storeyline import --allow-functions` takes them over.
#[utoipa::path(post, path = "/api/v1/archives", tag = "stories", params(ArchiveQuery),
    request_body(content = String, content_type = "application/x-ndjson"),
    responses((status = 200, body = ArchiveImported)))]
pub(crate) async fn read(
    requester: Requester,
    QueryOf(query): QueryOf<ArchiveQuery>,
    request: Request<Body>,
) -> Answer<ArchiveImported> {
    let text = chat_text(request).await?;
    let options = ArchiveOptions { allow_functions: false, copy: query.copy };
    let read = change(&requester, move |engine, owner| engine.import_archive(owner, &text, options, |_, _| {}));
    Ok(Json(read.await?))
}
