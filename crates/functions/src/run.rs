//! Executes one call: a state and a call in, the next state with its ops or a refusal out.

use storeyline_calls::{Call, Dialect};
use storeyline_state::{Diagnostic, Ops, StatePath, Value};

use crate::builtin::builtin_of;
use crate::draft::{Draft, Refusal};
use crate::mvu::locks::Locks;
use crate::patch;
use crate::profile::Profile;
use crate::schema::{self, Schema};

/// The rules under which a call is executed.
#[derive(Debug, Clone, Copy)]
pub struct Conventions<'a> {
    pub profile: Profile,
    /// MVU's locks, if the card has them.
    pub locks: Option<&'a Locks>,
    pub schema: Option<&'a Schema>,
    /// Path of the story's time, if configured.
    pub time_path: Option<&'a StatePath>,
}

impl Conventions<'_> {
    /// Returns the conventions of a profile, without locks, schema or time path.
    pub fn of(profile: Profile) -> Self {
        Conventions { profile, locks: None, schema: None, time_path: None }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    pub state: Value,
    /// The ops that lead to it.
    pub ops: Ops,
}

/// Executes a call. A refused call leaves the state unchanged.
pub fn run(state: &Value, call: &Call, conventions: Conventions<'_>) -> Result<Outcome, Refusal> {
    let mut draft = Draft::new(state.clone(), conventions.locks).with_time_at(conventions.time_path);
    let (ops, _) = run_in(&mut draft, call, conventions)?;
    Ok(Outcome { state: draft.finish().0, ops })
}

/// Executes a call in a draft. A refused call leaves the draft unchanged. Returns the ops and the
/// corrections by the schema.
///
/// One draft serves many calls: it is the only owner of its state, so that containers are changed
/// in place.
pub(crate) fn run_in(
    draft: &mut Draft<'_>,
    call: &Call,
    conventions: Conventions<'_>,
) -> Result<(Ops, Vec<Diagnostic>), Refusal> {
    match apply(draft, call, conventions) {
        Ok(remarks) => Ok((draft.take_ops(), remarks)),
        Err(refusal) => {
            draft.undo();
            Err(refusal)
        }
    }
}

fn apply(draft: &mut Draft<'_>, call: &Call, conventions: Conventions<'_>) -> Result<Vec<Diagnostic>, Refusal> {
    if call.dialect == Dialect::Patch {
        patch::apply(draft, call, conventions.profile)?;
    } else {
        let builtin = builtin_of(conventions.profile, call).ok_or_else(|| unknown(call))?;
        (builtin.apply)(draft, &call.args)?;
    }
    conventions.schema.map_or(Ok(Vec::new()), |schema| schema::enforce(draft, schema))
}

pub(crate) fn unknown(call: &Call) -> Refusal {
    let name = call.name.written();
    Refusal::new(
        "E-UNKNOWN",
        format!("没有叫 {name} 的函数，没有执行。"),
        format!("There is no function {name}; nothing was done."),
    )
}

#[cfg(test)]
pub(crate) mod tests_support {
    use storeyline_calls::{ParseSettings, parse};
    use storeyline_state::json;

    use super::*;

    fn run_one(profile: Profile, state: &str, text: &str) -> Result<Outcome, Refusal> {
        let parsed = parse(text, &ParseSettings::default());
        assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
        run(&json::read(state).unwrap(), &parsed.calls[0], Conventions::of(profile))
    }

    /// Returns the state after one call under native rules, or the code of its refusal.
    pub(crate) fn after(state: &str, text: &str) -> String {
        run_as(Profile::Native, state, text)
    }

    /// Same under the rules of a profile.
    pub(crate) fn run_as(profile: Profile, state: &str, text: &str) -> String {
        match run_one(profile, state, text) {
            Ok(outcome) => json::write(&outcome.state),
            Err(refusal) => refusal.code.to_owned(),
        }
    }

    pub(crate) fn refusal(state: &str, text: &str) -> Refusal {
        run_one(Profile::Native, state, text).unwrap_err()
    }
}

#[cfg(test)]
mod tests {
    use super::tests_support::{after, run_as};
    use crate::profile::Profile;

    #[test]
    fn what_lies_under_a_key_with_a_dot_is_changed_there() {
        for (state, text, wanted) in [
            (r#"{"a.b":{"x":1}}"#, "@.REMOVE('a.b', 'x');", r#"{"a.b":{}}"#),
            (r#"{"a.b":[1,2]}"#, "@.REMOVE('a.b', 0);", r#"{"a.b":[2]}"#),
            (r#"{"a.b":{"x":{"y":1}}}"#, "@.ASSIGN('a.b', {x: {z: 2}});", r#"{"a.b":{"x":{"y":1,"z":2}}}"#),
            (r#"{"a.b":[{"n":1}]}"#, "@.SELECT_SET('a.b', 'n', 1, 'm.k', 2);", r#"{"a.b":[{"n":1,"m":{"k":2}}]}"#),
            (r#"{"a.b":{}}"#, "_.insert('a.b', 'k', 1);", r#"{"a.b":{"k":1}}"#),
            (r#"{"a.b":[1]}"#, "_.insert('a.b', 0, 2);", r#"{"a.b":[2,1]}"#),
            (r#"{"a.b":{"x":1,"y":2}}"#, "_.remove('a.b', 0);", r#"{"a.b":{"y":2}}"#),
        ] {
            assert_eq!(after(state, text), wanted, "{text}");
        }
        let update = run_as(Profile::VarSystem, r#"{"a.b":{"x":1}}"#, "#update('a.b', {y: 2})");
        assert_eq!(update, r#"{"a.b":{"x":1,"y":2}}"#);
    }

    #[test]
    fn an_unknown_function_is_named() {
        assert_eq!(after("{}", "@.FLY(\"a\");"), "E-UNKNOWN");
    }
}
