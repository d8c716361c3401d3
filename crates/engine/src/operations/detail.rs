//! The detail of an operation as JSON for the user. Refs appear with their ids; row keys are not shown.

use storeyline_state::Value;
use storeyline_store::{Change, Description, Detail, RefKey, View};

use crate::error::Result;
use crate::object::object;

pub(super) fn shown(view: &View<'_>, detail: &Detail) -> Result<Value> {
    let number = |number: usize| Value::from(number as i64);
    Ok(match detail {
        Detail::None | Detail::Rules(_) => Value::Null,
        Detail::Floor(floor) => object([("floor", number(*floor))]),
        Detail::Page { floor, page } => object([("floor", number(*floor)), ("page", Value::text(page.to_string()))]),
        Detail::Floors { from, to } => object([("from", number(*from)), ("to", number(*to))]),
        Detail::Late => object([("late", true.into())]),
        Detail::File(name) => object([("file", Value::text(name))]),
        Detail::Title(change) => changed(change, |title| Ok(Value::text(title)))?,
        Detail::Settings(change) => changed(change, |key| match key {
            Some(key) => Ok(view.value(*key)?),
            None => Ok(Value::Null),
        })?,
        Detail::Current(change) => changed(change, |key| ref_id(view, *key))?,
        Detail::Described(change) => changed(change, |words| Ok(description(words)))?,
        Detail::Trashed { was_current } => object([("current", (*was_current).into())]),
        Detail::StoryTrashed(change) => changed(change, |time| Ok(time.map_or(Value::Null, Value::from)))?,
    })
}

fn changed<T>(change: &Change<T>, shown: impl Fn(&T) -> Result<Value>) -> Result<Value> {
    Ok(object([("before", shown(&change.before)?), ("after", shown(&change.after)?)]))
}

fn ref_id(view: &View<'_>, key: Option<RefKey>) -> Result<Value> {
    let found = key.map(|key| view.ref_by_key(key)).transpose()?.flatten();
    Ok(found.map_or(Value::Null, |found| Value::text(found.id.to_string())))
}

fn description(words: &Description) -> Value {
    let Description { name, note, colour } = words;
    object([("name", Value::text(name)), ("note", Value::text(note)), ("colour", Value::text(colour))])
}
