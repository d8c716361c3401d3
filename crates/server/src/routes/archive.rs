//! A whole story goes out as an archive, line by line, and comes in again.

use std::io;
use std::time::Duration;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use futures_util::stream::unfold;
use storeyline_engine::ArchiveOptions;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::timeout;

use crate::access::CHAT_FILE;
use crate::body::chat_text;
use crate::error::ApiError;
use crate::extract::{Asker, PathOf, QueryOf};
use crate::routes::{Answer, call, change};
use crate::wire::address::StoryAt;
use crate::wire::archive::{ArchiveImportedWire, ArchiveQuery};

/// Bytes that are sent at a time.
const CHUNK: usize = 64 * 1024;

/// Chunks that wait for a slow reader.
const WAITING: usize = 4;

/// A reader that takes nothing for so long is given up: the story is held open for it.
const PATIENCE: Duration = Duration::from_secs(30);

/// A whole story as an archive: JSON lines, see `docs/format/archive.md`.
///
/// The last line is `{"end": …}`; an archive without it was cut off.
#[utoipa::path(get, path = "/api/v1/stories/{story}/archive", tag = "stories", params(StoryAt),
    responses((status = 200, body = String, content_type = "application/x-ndjson")))]
pub(crate) async fn write(asker: Asker, PathOf(at): PathOf<StoryAt>) -> Result<Response, ApiError> {
    let story = at.story.0;
    call(&asker, move |engine, owner| engine.story(owner, story).map(|_| ())).await?;
    let permit = asker.app.readers.acquire(&asker.owner).await?;
    let (sender, receiver) = channel(WAITING);
    let (engine, owner) = (asker.app.engine.reader(), asker.owner.clone());
    tokio::task::spawn_blocking(move || {
        let mut chunks = Chunks { sender, buffer: Vec::with_capacity(CHUNK), runtime: Handle::current() };
        let written = engine.write_archive(&owner, story, |line| chunks.add(line)).map_err(io::Error::other);
        drop(permit);
        // An error ends the answer before its last line, which tells whoever reads it.
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
        let sent = self.runtime.block_on(timeout(PATIENCE, self.sender.send(Ok(chunk))));
        match sent {
            Ok(Ok(())) => Ok(()),
            _ => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn fail(&self, error: io::Error) {
        let _ = self.sender.try_send(Err(error));
    }
}

/// Reads an archive. It becomes a story of its own; nothing that exists is changed.
///
/// The body is the archive as `application/x-ndjson`. States are computed again and compared with those of the archive.
#[utoipa::path(post, path = "/api/v1/archives", tag = "stories", params(ArchiveQuery),
    request_body(content = String, content_type = "application/x-ndjson"),
    responses((status = 200, body = ArchiveImportedWire)))]
pub(crate) async fn read(
    asker: Asker,
    QueryOf(query): QueryOf<ArchiveQuery>,
    request: Request<Body>,
) -> Answer<ArchiveImportedWire> {
    let (text, _seat) = chat_text(request, &asker.app).await?;
    let options = ArchiveOptions { allow_functions: query.allow_functions, copy: query.copy };
    let read = change(&asker, move |engine, owner| engine.import_archive(owner, &text, options, |_, _| {}));
    Ok(Json(read.await?.into()))
}
