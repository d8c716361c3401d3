//! What a card says about state, and saving it.
use storeyline_engine::shown_initial;
use storeyline_wire::import::{CardRead, ReadCard};

use crate::answer::Json;
use crate::body::ChatBody;
use crate::extract::Requester;
use crate::parse;
use crate::routes::{Answer, parsed};

/// Returns how a story with this card would begin, and saves that for new stories if requested.
///
/// Functions of a card are saved only if this owner allowed them (`/api/v1/cards/consents`).
#[utoipa::path(post, path = "/api/v1/cards", tag = "keeps", request_body = ReadCard, responses((status = 200, body = CardRead)))]
pub(crate) async fn read(requester: Requester, ChatBody(wire): ChatBody<ReadCard>) -> Answer<CardRead> {
    let read = parsed(&requester.app.writers, &requester, move |engine, owner| {
        let card = parse::card(&wire.card)?;
        let initial = engine.look_at_card(owner, &card, &parse::world_books(&wire.world_books)?)?;
        let (mut template, mut library) = (None, None);
        if let Some(name) = wire.keep_as {
            template = Some(engine.put_template(owner, &name, Some(&initial.state))?);
            let own = &initial.library;
            if !own.functions.is_empty() || !own.rules.is_empty() {
                library = Some(engine.put_library(owner, &name, own, None)?);
            }
        }
        let initial = shown_initial(&initial);
        Ok(CardRead { name: card.name, greetings: card.greetings, initial, template, library })
    });
    Ok(Json(read.await?))
}
