//! Rules of a story: profiles, schemas, libraries, paths.

use storeyline_engine::authors::{Library, Profile, Schema, Scope, exchange};
use storeyline_engine::{self as engine, Choices, Setting};
use storeyline_state::path::PathError;
use storeyline_state::{StatePath, Value, Words};
use storeyline_wire::Json;
use storeyline_wire::rules::RulesChange;

use crate::error::ApiError;

pub(crate) fn profile(word: &str) -> Result<Profile, ApiError> {
    Profile::from_word(word).ok_or_else(|| unusable("没有这种配置", "there is no such profile"))
}

/// Parses a library; unreadable entries are an error, so that nothing is lost silently.
pub(crate) fn library(file: &Json, scope: Scope) -> Result<Library, ApiError> {
    let read = exchange::read(&file.0, scope);
    match read.problems.first() {
        Some(problem) => Err(ApiError::bad_words(problem)),
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
    let setting = |name: &String| Setting::from_word(name).ok_or_else(|| unusable("没有这项设置", "no such setting"));
    Ok(engine::RulesChange { set, unset: wire.unset.iter().map(setting).collect::<Result<_, _>>()? })
}

fn path(text: &str) -> Result<StatePath, ApiError> {
    text.parse().map_err(|error: PathError| {
        let zh = match error {
            PathError::Empty => "路径是空的",
            PathError::TooLong => "路径超过 64 个键",
            PathError::Forbidden => "`__proto__` 不能作为键",
        };
        unusable(&format!("`TIME` 的路径不能用：{zh}"), &format!("the path of `TIME` cannot be used: {error}"))
    })
}

fn unusable(zh: &str, en: &str) -> ApiError {
    ApiError::bad_words(&Words::new(zh, en))
}

/// Parses a schema; null means none.
fn schema(source: &Json) -> Result<Option<Schema>, ApiError> {
    match source.0 {
        Value::Null => Ok(None),
        _ => Schema::read(&source.0).map(Some).map_err(|words| ApiError::bad_words(&words)),
    }
}
