//! Chat files that are imported, with their cards and world books.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use storeyline_engine::{self as engine, Card, ImportRequest};
use storeyline_state::json;
use storeyline_wire::import::{CardContent, ImportChat, WorldBook};

use crate::error::ApiError;

pub(crate) fn card(content: &CardContent) -> Result<Card, ApiError> {
    let bytes = match (&content.json, &content.png) {
        (Some(card), None) => json::write(&card.0).into_bytes(),
        (None, Some(png)) => STANDARD.decode(png.trim()).map_err(|_| ApiError::bad_request("`png` is not base64"))?,
        _ => return Err(ApiError::bad_request("a card is either `json` or `png`")),
    };
    Ok(Card::read(&bytes)?)
}

pub(crate) fn world_books(books: &[WorldBook]) -> Result<Vec<engine::WorldBook>, ApiError> {
    let read = |wire: &WorldBook| Ok(engine::WorldBook::read(json::write(&wire.book.0).as_bytes(), &wire.name)?);
    books.iter().map(read).collect()
}

pub(crate) fn import_request(wire: ImportChat) -> Result<ImportRequest, ApiError> {
    let card = wire.card.as_ref().map(card).transpose()?;
    let named = card.as_ref().map(|card| card.name.clone()).filter(|name| !name.is_empty());
    Ok(ImportRequest {
        text: wire.text,
        title: wire.title.or(named).unwrap_or_else(|| wire.file.clone()),
        file: wire.file,
        card,
        world_books: world_books(&wire.world_books)?,
        into: wire.into,
        allow_functions: false,
    })
}
