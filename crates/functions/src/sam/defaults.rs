//! The fields that a SAM state has besides `static`; missing ones are filled in before a message.

use storeyline_state::{Object, StatePath, Value};

use crate::draft::{Draft, Refusal, refuse_path};
use crate::profile::SamVersion;

/// Fills in missing fields. A summary of the older shape becomes the first level of the newer one.
pub(super) fn fill(draft: &mut Draft<'_>, version: SamVersion) -> Result<(), Refusal> {
    if draft.state().as_object().is_none() {
        draft.set(&StatePath::root(), Value::empty_object())?;
    }
    for (key, value) in fields(version) {
        if draft.state().get(key).is_none() {
            draft.set(&top(key)?, value)?;
        }
    }
    let old_shape = draft.state().get("responseSummary").filter(|summary| summary.as_list().is_some()).cloned();
    match old_shape {
        Some(list) if version >= SamVersion::V4_2 => draft.set(&top("responseSummary")?, levels(list)),
        _ => Ok(()),
    }
}

/// Returns the path of a field of the state itself.
pub(super) fn top(key: &str) -> Result<StatePath, Refusal> {
    StatePath::from_keys([key]).map_err(refuse_path)
}

fn fields(version: SamVersion) -> Vec<(&'static str, Value)> {
    let list = || Value::list(Vec::new());
    let summary = if version >= SamVersion::V4_2 { levels(list()) } else { list() };
    let mut fields = vec![("static", Value::empty_object()), ("time", "".into())];
    if version == SamVersion::V6 {
        fields.push(("dtime", 0.into()));
    }
    fields.push(("volatile", list()));
    fields.push(("responseSummary", summary));
    if version == SamVersion::V6 {
        fields.extend([("summary_progress", 0.into()), ("summary_failed_progress", (-1).into())]);
    }
    fields.extend([("func", list()), ("events", list()), ("event_counter", 0.into())]);
    if matches!(version, SamVersion::V4_0 | SamVersion::V4_2) {
        fields.extend([("uniquely_identified", false.into()), ("disable_dtype_mutation", false.into())]);
    }
    fields
}

/// Makes a summary with three levels.
fn levels(first: Value) -> Value {
    let list = || Value::list(Vec::new());
    let levels = [("L1".into(), first), ("L2".into(), list()), ("L3".into(), list())];
    Value::object(levels.into_iter().collect::<Object>())
}

#[cfg(test)]
mod tests {
    use storeyline_state::json;

    use super::*;

    fn filled(state: &str, version: SamVersion) -> String {
        let mut draft = Draft::new(json::read(state).unwrap(), None);
        fill(&mut draft, version).unwrap();
        json::write(draft.state())
    }

    #[test]
    fn an_old_summary_is_kept_as_the_first_level() {
        let state = filled(r#"{"responseSummary":["旧"]}"#, SamVersion::V6);
        assert!(state.contains(r#""responseSummary":{"L1":["旧"],"L2":[],"L3":[]}"#), "{state}");
        assert!(filled(r#"{"responseSummary":["旧"]}"#, SamVersion::V4_0).contains(r#""responseSummary":["旧"]"#));
    }

    #[test]
    fn whatever_the_state_was_it_becomes_an_object() {
        assert!(filled("null", SamVersion::V3_5).starts_with(r#"{"static":{},"time":"","#));
        assert!(filled("[1]", SamVersion::V5).contains("event_counter"));
    }
}
