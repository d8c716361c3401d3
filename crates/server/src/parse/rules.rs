//! Rules of a story: profiles, schemas, libraries, paths.

use storeyline_engine::authors::{Library, Profile, Schema, Scope, exchange};
use storeyline_engine::{self as engine, Choices, Setting};
use storeyline_state::{StatePath, Value};
use storeyline_wire::Json;
use storeyline_wire::rules::RulesChange;

use crate::error::ApiError;

pub(crate) fn profile(word: &str) -> Result<Profile, ApiError> {
    Profile::from_word(word).ok_or_else(|| ApiError::bad_request("there is no such profile"))
}

/// Parses a library; unreadable entries are an error, so that nothing is lost silently.
pub(crate) fn library(file: &Json, scope: Scope) -> Result<Library, ApiError> {
    let read = exchange::read(&file.0, scope);
    match read.problems.first() {
        Some(problem) => Err(ApiError::bad_request(&problem.en)),
        None => Ok(read.library),
    }
}

pub(crate) fn rules_change(wire: RulesChange) -> Result<engine::RulesChange, ApiError> {
    let set = Choices {
        profile: wire.profile.as_deref().map(profile).transpose()?,
        enabled: wire.enabled,
        user_calls: wire.user_calls,
        skip_reasoning: wire.skip_reasoning,
        json_calls: wire.json_calls,
        tag_calls: wire.tag_calls,
        time_path: wire.time_path.as_deref().map(path).transpose()?,
        schema: wire.schema.as_ref().map(schema).transpose()?,
        first_state: wire.template.map(|template| template.0),
        library: wire.library.as_ref().map(|file| library(file, Scope::Global)).transpose()?,
    };
    let setting = |name: &String| Setting::from_word(name).ok_or_else(|| ApiError::bad_request("no such setting"));
    Ok(engine::RulesChange { set, unset: wire.unset.iter().map(setting).collect::<Result<_, _>>()? })
}

fn path(text: &str) -> Result<StatePath, ApiError> {
    text.parse().map_err(|_| ApiError::bad_request("the time path cannot be read"))
}

/// Parses a schema; null means none.
fn schema(source: &Json) -> Result<Option<Schema>, ApiError> {
    match source.0 {
        Value::Null => Ok(None),
        _ => Schema::read(&source.0).map(Some).map_err(|words| ApiError::bad_request(&words.en)),
    }
}
