//! Chats of the host that are opened, and their casts.

use storeyline_engine::{self as engine, Card, HostChat, Rules};
use storeyline_state::json;
use storeyline_wire::JsonObject;
use storeyline_wire::chats::{Cast, OpenChat};
use storeyline_wire::import::WorldBook;

use crate::error::ApiError;

/// More than a group can have.
const MAX_CARDS: usize = 200;
/// More than anyone opens at once.
const MAX_BOOKS: usize = 500;

pub(crate) fn host_chat(wire: OpenChat) -> Result<HostChat, ApiError> {
    Ok(HostChat {
        open: engine::OpenChat {
            chat: wire.chat,
            parent: wire.parent,
            file: wire.file,
            file_owner: wire.owner,
            title: wire.title,
            template: wire.template.map(|template| template.0),
            rules: Rules::default(),
            into: None,
        },
        cast: wire.cast.as_ref().map(cast).transpose()?,
        ask_cast: wire.ask_cast,
        names: wire.names,
        handled: wire.handled.unwrap_or_default(),
        renew: wire.renew,
    })
}

pub(crate) fn cast(wire: &Cast) -> Result<engine::Cast, ApiError> {
    if wire.cards.len() > MAX_CARDS || wire.books.len() > MAX_BOOKS {
        return Err(ApiError::bad_request("too many cards or world books"));
    }
    let card = |card: &JsonObject| -> Result<Card, ApiError> { Ok(Card::read(json::write(&card.0).as_bytes())?) };
    // An unreadable book is ignored; the host shows what is wrong with it.
    let book = |book: &WorldBook| engine::WorldBook::read(json::write(&book.book.0).as_bytes(), &book.name).ok();
    Ok(engine::Cast {
        members: wire.cards.iter().map(card).collect::<Result<_, _>>()?,
        books: wire.books.iter().filter_map(book).collect(),
        group: wire.group,
        ..engine::Cast::default()
    })
}
