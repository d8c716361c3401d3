//! For card authors: evaluating a text on a state, the functions, and the prompt text that
//! describes them.

use storeyline_engine::authors::{Builtin, Profile, Schema, prompt_text, taught};
use storeyline_engine::{Rules, shown_evaluation, strip_mvu as engine_strip_mvu};
use storeyline_state::Value;
use storeyline_wire::Words;
use storeyline_wire::import::{ImportChat, Replayed, Stored};
use storeyline_wire::rules::{
    Evaluate, Function, Functions, FunctionsQuery, InferSchema, InferredSchema, Manual, ManualQuery, StripMvu,
    StrippedMvu,
};
use storeyline_wire::view::Evaluation;

use crate::answer::Json;
use crate::body::{ChatBody, JsonBody};
use crate::extract::{QueryOf, Requester};
use crate::parse::{import_request, profile, rules_change};
use crate::routes::{Answer, call, parsed};

/// Evaluates a reply on a state. Nothing is stored.
#[utoipa::path(post, path = "/api/v1/evaluate", tag = "authors", request_body = Evaluate, responses((status = 200, body = Evaluation)))]
pub(crate) async fn evaluate(requester: Requester, JsonBody(wire): JsonBody<Evaluate>) -> Answer<Evaluation> {
    let done = parsed(&requester.app.readers, &requester, move |engine, owner| {
        let mut rules = Rules::default();
        if let Some(change) = wire.rules {
            rules_change(change)?.set.apply(&mut rules);
        }
        let state = wire.state.map_or_else(Value::empty_object, |state| state.0);
        let evaluation = engine.try_message(owner, &state, &wire.message, &rules)?;
        Ok(shown_evaluation(&evaluation, &wire.message))
    });
    Ok(Json(done.await?))
}

/// Returns the built-in functions of a profile.
#[utoipa::path(get, path = "/api/v1/functions", tag = "authors", params(FunctionsQuery), responses((status = 200, body = Functions)))]
pub(crate) async fn functions(_: Requester, QueryOf(query): QueryOf<FunctionsQuery>) -> Answer<Functions> {
    let profile = query.profile.as_deref().map(profile).transpose()?.unwrap_or(Profile::Native);
    Ok(Json(Functions { functions: taught(profile).iter().copied().map(function).collect() }))
}

/// Returns the prompt text that describes the functions to a model.
#[utoipa::path(get, path = "/api/v1/functions/manual", tag = "authors", params(ManualQuery), responses((status = 200, body = Manual)))]
pub(crate) async fn manual(requester: Requester, QueryOf(query): QueryOf<ManualQuery>) -> Answer<Manual> {
    let profile = query.profile.as_deref().map(profile).transpose()?.unwrap_or(Profile::Native);
    let text = call(&requester, move |engine, owner| {
        let mut library = engine.library(owner, "")?;
        if let Some(card) = query.card.as_deref().filter(|card| !card.is_empty()) {
            library.extend(engine.library(owner, card)?);
        }
        let chinese = query.language.as_deref() == Some("zh");
        Ok(prompt_text(profile, &library, chinese, query.tag.as_deref()))
    });
    Ok(Json(Manual { text: text.await? }))
}

/// Evaluates every floor of a chat file. Nothing is stored.
#[utoipa::path(post, path = "/api/v1/replay", tag = "authors", request_body = ImportChat, responses((status = 200, body = Replayed)))]
pub(crate) async fn replay(requester: Requester, ChatBody(wire): ChatBody<ImportChat>) -> Answer<Replayed> {
    let done = parsed(&requester.app.readers, &requester, move |engine, owner| {
        let request = import_request(wire)?;
        let (mut floors, mut stored) = (Vec::new(), Stored::default());
        let (initial, state) = engine.replay(
            owner,
            &request,
            |_| {},
            None,
            |floor| {
                stored.found += usize::from(floor.differs.is_some());
                if floor.differs == Some(true) {
                    stored.differing.push(floor.floor);
                }
                floors.push(floor.shown(false));
            },
        )?;
        Ok(Replayed { initial, floors, stored, state: state.into() })
    });
    Ok(Json(done.await?))
}

fn function(builtin: &Builtin) -> Function {
    Function {
        name: builtin.name.to_owned(),
        aliases: builtin.aliases.iter().copied().map(str::to_owned).collect(),
        syntax: builtin.syntax.to_owned(),
        example: builtin.example.to_owned(),
        words: Words::new(builtin.zh, builtin.en),
    }
}

/// Removes what MVU adds to a state: metadata, and descriptions beside values. Nothing is stored.
#[utoipa::path(post, path = "/api/v1/strip-mvu", tag = "authors", request_body = StripMvu, responses((status = 200, body = StrippedMvu)))]
pub(crate) async fn strip_mvu(requester: Requester, JsonBody(wire): JsonBody<StripMvu>) -> Answer<StrippedMvu> {
    let stripped = parsed(&requester.app.readers, &requester, move |_, _| {
        let state = engine_strip_mvu(&wire.state.0);
        Ok(StrippedMvu { changed: state != wire.state.0, state: state.into() })
    });
    Ok(Json(stripped.await?))
}

/// Returns the schema of a state: the same types everywhere, additional entries allowed. Nothing is stored.
#[utoipa::path(post, path = "/api/v1/schema/infer", tag = "authors", request_body = InferSchema, responses((status = 200, body = InferredSchema)))]
pub(crate) async fn infer_schema(
    requester: Requester,
    JsonBody(wire): JsonBody<InferSchema>,
) -> Answer<InferredSchema> {
    let inferred = parsed(&requester.app.readers, &requester, move |_, _| {
        Ok(InferredSchema { schema: Schema::infer(&wire.state.0).source().clone().into() })
    });
    Ok(Json(inferred.await?))
}
