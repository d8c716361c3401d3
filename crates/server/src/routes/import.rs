//! Imports chats of the host, and exports branches as chats.

use axum::body::Body;
use axum::extract::{FromRequest as _, Request};
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use storeyline_engine::{FolderRequest, Stored, is_history};
use storeyline_wire::address::RefAt;
use storeyline_wire::import::{ImportChat, ImportFolder, ImportQuery, Imported, ImportedStory};

use crate::access::CHAT_FILE;
use crate::answer::Json;
use crate::body::{ChatBody, chat_text};
use crate::error::ApiError;
use crate::extract::{PathOf, QueryOf, Requester};
use crate::parse::{card, import_request, world_books};
use crate::routes::{Answer, call, parsed};

/// Imports a chat file into its branch; the same file again changes nothing.
///
/// Functions of the card run only if this owner allowed them (`/api/v1/cards/consents`). The body is JSON, or the chat file itself as `application/x-ndjson`, with the name of the file and the other parameters in the query.
#[utoipa::path(post, path = "/api/v1/import", tag = "host", params(ImportQuery),
    request_body(content((ImportChat = "application/json"), (String = "application/x-ndjson"))),
    responses((status = 200, body = Imported)))]
pub(crate) async fn import(
    requester: Requester,
    QueryOf(query): QueryOf<ImportQuery>,
    request: Request<Body>,
) -> Answer<Imported> {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let wire = match kind.to_ascii_lowercase().starts_with(CHAT_FILE) {
        true => {
            let text = chat_text(request).await?;
            let ImportQuery { file, title, into, trust_stored } = query;
            ImportChat { text, file, title, into, trust_stored, ..ImportChat::default() }
        }
        false => ChatBody::<ImportChat>::from_request(request, &requester.app).await?.0,
    };
    let trust = wire.trust_stored;
    let imported = parsed(&requester.app.writers, &requester, move |engine, owner| {
        let request = import_request(wire)?;
        if is_history(&request.text) {
            return Ok(engine.import_history(owner, &request)?);
        }
        let imported = engine.import_with(owner, &request, &Stored { trust, snapshots: None })?;
        let story = ImportedStory { story: imported.story, refs: vec![imported] };
        Ok(Imported { stories: vec![story], broken: Vec::new() })
    });
    Ok(Json(imported.await?))
}

/// Imports the chats of one character or group; shared pages are stored once.
#[utoipa::path(post, path = "/api/v1/import/folder", tag = "host", request_body = ImportFolder, responses((status = 200, body = Imported)))]
pub(crate) async fn folder(requester: Requester, ChatBody(wire): ChatBody<ImportFolder>) -> Answer<Imported> {
    let answer = parsed(&requester.app.writers, &requester, move |engine, owner| {
        let request = FolderRequest {
            files: wire.files,
            title: wire.title,
            card: wire.card.as_ref().map(card).transpose()?,
            world_books: world_books(&wire.world_books)?,
            into: wire.into,
            allow_functions: false,
        };
        let trust = wire.trust_stored;
        Ok(engine.import_folder(owner, request, &Stored { trust, snapshots: None }, |_| {}))
    });
    Ok(Json(answer.await?))
}

/// Exports a branch as a chat file of the host, including the host's own fields.
#[utoipa::path(get, path = "/api/v1/stories/{story}/refs/{ref}/export", tag = "host", params(RefAt),
    responses((status = 200, body = String, content_type = "application/x-ndjson")))]
pub(crate) async fn export(requester: Requester, PathOf(at): PathOf<RefAt>) -> Result<Response, ApiError> {
    let text = call(&requester, move |engine, owner| engine.export(owner, at.story, at.branch)).await?;
    let headers = [(header::CONTENT_TYPE, CHAT_FILE), (header::X_CONTENT_TYPE_OPTIONS, "nosniff")];
    Ok((headers, text).into_response())
}
