//! `state(node) = evaluate(state(parent), body)`: pure and deterministic, on every machine.

use std::sync::Arc;

use storeyline_calls::{Call, Dialect, parse};
use storeyline_functions::{Profile, find, run};
use storeyline_state::{Diagnostic, Object, Value};

use crate::body::{Body, Role};
use crate::rules::Rules;
use crate::trace::{CallTrace, Trace, Verdict};

/// The state at a page, and how it came about.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// The state.
    pub state: Value,
    /// What each call did.
    pub trace: Trace,
}

/// Evaluates one page. `text` is the text that the body names, `rules` the rules.
pub fn evaluate(parent: &Value, body: &Body, text: &str, rules: &Rules) -> Evaluation {
    if !counts(body.role, rules) {
        return Evaluation { state: parent.clone(), trace: Trace::default() };
    }
    let parsed = parse(text, &rules.parse_settings());
    let mut state = parent.clone();
    let mut trace = Trace { calls: Vec::with_capacity(parsed.calls.len()), diagnostics: parsed.diagnostics };
    for call in parsed.calls.into_iter().filter(|call| is_meant(call, rules.profile)) {
        let call = resolve_names(call, body);
        trace.calls.push(carry_out(&mut state, call, rules));
    }
    Evaluation { state, trace }
}

/// Hidden or not makes no difference: hiding a message never changes the state.
fn counts(role: Role, rules: &Rules) -> bool {
    match role {
        Role::Assistant | Role::Narrator => true,
        Role::User => rules.user_calls,
        Role::Other => false,
    }
}

/// A hash before a word and a bracket is prose, unless it names a function or the card is of the
/// peer that writes calls so.
fn is_meant(call: &Call, profile: Profile) -> bool {
    call.dialect != Dialect::Hash || profile == Profile::VarSystem || find(profile, call.dialect, &call.name).is_some()
}

fn carry_out(state: &mut Value, call: Call, rules: &Rules) -> CallTrace {
    let mut trace = CallTrace {
        name: call.written_name(),
        span: call.span.clone(),
        verdict: if call.repairs.is_empty() { Verdict::Done } else { Verdict::Repaired },
        reason: call.reason.clone(),
        ops: Vec::new(),
        diagnostics: call.repairs.clone(),
    };
    match run(state, &call, rules.conventions()) {
        Ok(outcome) => {
            *state = outcome.state;
            trace.ops = outcome.ops;
        }
        Err(refusal) => {
            trace.verdict = Verdict::Failed;
            let words = refusal.message;
            trace.diagnostics.push(Diagnostic::error(refusal.code, call.span, words.zh, words.en));
        }
    }
    trace
}

/// The host resolves `{{user}}` and `{{char}}` in the greeting that is read and leaves them in the
/// others; both must give the same state.
fn resolve_names(mut call: Call, body: &Body) -> Call {
    for arg in &mut call.args {
        arg.value = resolve_in(&arg.value, body);
    }
    call
}

fn resolve_in(value: &Value, body: &Body) -> Value {
    match value {
        Value::Text(text) if text.contains("{{") => Value::text(resolve_text(text, body)),
        Value::List(items) => Value::list(items.iter().map(|item| resolve_in(item, body)).collect()),
        Value::Object(object) => {
            let resolved =
                object.iter().map(|(key, value)| (Arc::from(resolve_text(key, body)), resolve_in(value, body)));
            Value::object(resolved.collect::<Object>())
        }
        other => other.clone(),
    }
}

fn resolve_text(text: &str, body: &Body) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find("{{") {
        out.push_str(&rest[..open]);
        rest = &rest[open..];
        let Some(close) = rest.find("}}") else { break };
        match rest[2..close].trim().to_ascii_lowercase().as_str() {
            "user" => out.push_str(&body.user),
            "char" => out.push_str(&body.character),
            _ => out.push_str(&rest[..close + 2]),
        }
        rest = &rest[close + 2..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use storeyline_state::{ValueHash, json, text};

    use super::*;

    fn body(role: Role) -> Body {
        Body {
            role,
            speaker: "阿丽娅".into(),
            user: "旅人".into(),
            character: "阿丽娅".into(),
            text: text::hash(""),
            rules: ValueHash::from_bytes([0; 32]),
            time: None,
            seed: 0,
        }
    }

    fn state_after(role: Role, rules: &Rules, text: &str) -> String {
        json::write(&evaluate(&Value::empty_object(), &body(role), text, rules).state)
    }

    #[test]
    fn only_replies_and_narrators_count() {
        let text = "@.SET(\"a\", 1);";
        let rules = Rules::default();
        let with_user = Rules { user_calls: true, ..Rules::default() };
        assert_eq!(state_after(Role::Assistant, &rules, text), r#"{"a":1}"#);
        assert_eq!(state_after(Role::Narrator, &rules, text), r#"{"a":1}"#);
        assert_eq!(state_after(Role::User, &rules, text), "{}");
        assert_eq!(state_after(Role::User, &with_user, text), r#"{"a":1}"#);
        assert_eq!(state_after(Role::Other, &with_user, text), "{}");
    }

    #[test]
    fn a_raw_greeting_and_a_resolved_one_give_the_same_state() {
        let rules = Rules::default();
        let raw = state_after(
            Role::Assistant,
            &rules,
            "@.SET(\"名.{{char}}\", [\"{{ USER }}\", {\"{{user}}\": \"{{x}}\"}]);",
        );
        let resolved = state_after(Role::Assistant, &rules, "@.SET(\"名.阿丽娅\", [\"旅人\", {\"旅人\": \"{{x}}\"}]);");
        assert_eq!(raw, resolved);
        assert_eq!(state_after(Role::Assistant, &rules, "@.SET(玩家, {{user}});"), r#"{"玩家":"旅人"}"#);
    }

    #[test]
    fn one_bad_call_leaves_the_others_alone() {
        let text = "@.SET(\"a\", 1); @.ADD(\"a\", \"x\"); @.FLY(); @.ADD(\"a\", 2); @.SET(\"b\"";
        let evaluation = evaluate(&Value::empty_object(), &body(Role::Assistant), text, &Rules::default());
        assert_eq!(json::write(&evaluation.state), r#"{"a":3}"#);
        assert_eq!(evaluation.trace.failed(), 3);
        let codes: Vec<_> = evaluation.trace.all_diagnostics().map(|diagnostic| diagnostic.code.as_str()).collect();
        assert_eq!(codes, ["E-ADD-NUM", "E-UNKNOWN", "E-CALL-OPEN"]);
        assert_eq!(Trace::from_value(&evaluation.trace.to_value()), Some(evaluation.trace));
    }
}
