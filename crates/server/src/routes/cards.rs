//! What a card says about state, and saving it.

use axum::Json;
use storeyline_engine::authors::card_beginning;

use crate::body::ChatBody;
use crate::extract::Requester;
use crate::routes::{Answer, change};
use crate::wire::import::{CardRead, ReadCard, world_books};

/// Returns how a story with this card would begin, and saves that for new stories if requested.
///
/// Functions of a card are saved only if they are allowed.
#[utoipa::path(post, path = "/api/v1/cards", tag = "keeps", request_body = ReadCard, responses((status = 200, body = CardRead)))]
pub(crate) async fn read(requester: Requester, ChatBody(wire): ChatBody<ReadCard>) -> Answer<CardRead> {
    let card = wire.card.read()?;
    let mut initial = card_beginning(&card, &world_books(&wire.world_books)?);
    if !wire.allow_functions {
        initial.hold_functions();
    }
    let (state, library) = (initial.state.clone(), initial.library.clone());
    let (template, library) = match wire.keep_as {
        None => (None, None),
        Some(name) => {
            let kept = change(&requester, move |engine, owner| {
                let template = engine.put_template(owner, &name, Some(&state))?;
                let functions = !library.functions.is_empty() || !library.rules.is_empty();
                let library = functions.then(|| engine.put_library(owner, &name, &library)).transpose()?;
                Ok((Some(template), library))
            });
            kept.await?
        }
    };
    Ok(Json(CardRead { name: card.name, greetings: card.greetings, initial: (&initial).into(), template, library }))
}
