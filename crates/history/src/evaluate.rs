//! `state(node) = evaluate(state(parent), body, position)`: pure and deterministic, on every
//! machine.

use storeyline_calls::{Call, Parsed, parse, skipped_ranges};
use storeyline_functions::page::{PageRun, Parts, is_call, run_page};
use storeyline_functions::sam::SamTurn;
use storeyline_functions::{CallTrace, Incomplete, Profile, Scripts, Verdict};
use storeyline_state::diff::diff;
use storeyline_state::{Diagnostic, Object, Op, Ops, PageId, Step, Value, iso_date};

use crate::body::{Body, Role};
use crate::event::Event;
use crate::name_macros::NameMacros;
use crate::overrides::{Applied, Override};
use crate::rules::{Enabled, Rules};
use crate::trace::Trace;

/// The state at a page, and how it was computed.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    pub state: Value,
    pub trace: Trace,
}

/// The position of a page. Only rules that use it may read it; then it is part of the memo key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PagePosition {
    /// The floor, from 0.
    pub round: i64,
    pub page: Option<PageId>,
}

/// All inputs of one evaluation.
#[derive(Debug, Clone, Copy)]
pub struct Page<'a> {
    pub body: &'a Body,
    /// The text that the body refers to.
    pub text: &'a str,
    /// The rules that the body refers to.
    pub rules: &'a Rules,
    pub position: PagePosition,
}

/// Evaluates one page on the state of the page before it.
pub fn evaluate(parent: &Value, page: &Page<'_>, scripts: &mut dyn Scripts) -> Result<Evaluation, Incomplete> {
    let mut evaluation = evaluate_text(parent, page, scripts)?;
    apply_events(&mut evaluation, &page.body.events);
    override_by_hand(&mut evaluation, &page.body.overrides);
    Ok(evaluation)
}

/// Tells whether a page can change the state at all.
pub fn counts(body: &Body, rules: &Rules) -> bool {
    parts(body.role, rules).is_some() || !body.overrides.is_empty() || !body.events.is_empty() || body.kept.is_some()
}

/// Applies recorded answers of scripts, after everything that the page itself does. An answer that was
/// given on another state is skipped: the card's page asks again.
fn apply_events(evaluation: &mut Evaluation, events: &[Event]) {
    for event in events {
        let applied = match event {
            Event::Script { state, ops } if evaluation.state.hash() == *state => apply_all(&evaluation.state, ops),
            Event::Script { .. } | Event::Fill { .. } => None,
        };
        let (verdict, ops, diagnostics) = match applied {
            Some((state, ops)) => {
                evaluation.state = state;
                (Verdict::Done, ops, Vec::new())
            }
            None => (Verdict::Failed, Ops::new(), vec![event_not_applied()]),
        };
        let call = CallTrace { name: EVENT.into(), span: 0..0, verdict, reason: None, ops, diagnostics };
        evaluation.trace.calls.push(call);
    }
}

/// Applies all ops or none.
fn apply_all(state: &Value, ops: &[Op]) -> Option<(Value, Ops)> {
    let mut after = state.clone();
    for op in ops {
        op.apply(&mut after).ok()?;
    }
    Some((after, ops.iter().cloned().collect()))
}

/// The name of a recorded answer in a trace.
pub const EVENT: &str = "event";

fn event_not_applied() -> Diagnostic {
    Diagnostic::warning(
        "W-EVENT",
        0..0,
        "记录下来的回答是针对另一个状态的，本页没有采用。",
        "The recorded answer was given on another state; it was not applied here.",
    )
}

/// Applies the corrections by the user, which come last.
fn override_by_hand(evaluation: &mut Evaluation, overrides: &[Override]) {
    for one in overrides {
        let applied = one.apply(&mut evaluation.state);
        let (verdict, ops, lost) = match applied {
            Ok(Applied { ops, lost: 0 }) => (Verdict::Done, ops, None),
            Ok(Applied { ops, lost }) if ops.is_empty() => (Verdict::Failed, ops, Some(lost)),
            Ok(Applied { ops, lost }) => (Verdict::Repaired, ops, Some(lost)),
            Err(_) => (Verdict::Failed, Ops::new(), Some(one.len())),
        };
        let diagnostics = lost.map(|lost| lost_override(one, lost)).into_iter().collect();
        let call = CallTrace { name: OVERRIDE.into(), span: 0..0, verdict, reason: None, ops, diagnostics };
        evaluation.trace.calls.push(call);
    }
}

/// The name of a hand edit in a trace.
pub const OVERRIDE: &str = "override";

fn lost_override(one: &Override, lost: usize) -> Diagnostic {
    let path = one.path().iter().map(Step::to_key).collect::<Vec<_>>().join(".");
    let (chinese, english) = match one {
        Override::Items { .. } => (
            format!("列表“{path}”的手工修改有 {lost} 处现在没有地方可放，这些项按算出的值。"),
            format!(
                "{lost} of the hand edits of the list \"{path}\" have no place any more; there the computed items stand."
            ),
        ),
        _ => (
            format!("手工修改的“{path}”现在没有地方可放，本页按算出的值。"),
            format!("The hand edit of \"{path}\" has no place here any more; the computed value stands."),
        ),
    };
    Diagnostic::warning("W-OVERRIDE", 0..0, chinese, english)
}

fn evaluate_text(parent: &Value, page: &Page<'_>, scripts: &mut dyn Scripts) -> Result<Evaluation, Incomplete> {
    let Page { body, text, rules, position } = *page;
    let Some(parts) = parts(body.role, rules) else {
        return Ok(Evaluation { state: parent.clone(), trace: Trace::default() });
    };
    let settings = rules.parse_settings();
    let Parsed { mut calls, mut diagnostics } = parse(text, &settings);
    let library = &*rules.library.of_speaker(&body.speaker);
    calls.retain(|call| is_call(call, rules.profile, library));
    let names = NameMacros::in_text_of(text.len(), &body.user, &body.character);
    if names.occur_in(text) {
        // The host resolves these macros in the greeting that is read and leaves them in the
        // others; both must give the same state.
        for arg in calls.iter_mut().flat_map(|call| &mut call.args) {
            arg.value = arg.value.map_texts(&|text| names.resolve(text));
        }
    }
    let sam = match rules.profile {
        Profile::Sam(version) => Some(SamTurn {
            version,
            round: position.round,
            functions: &rules.sam_functions,
            stuck: &body.stuck,
            context: &Value::Null,
            seed: body.seed,
            time: body.time.unwrap_or(0),
        }),
        _ => None,
    };
    let run = PageRun {
        text,
        skipped: &if library.is_empty() { Vec::new() } else { skipped_ranges(text, &settings) },
        parts,
        conventions: rules.conventions(),
        library,
        sam,
        context: &|calls| context(page, calls),
        seed: body.seed,
        time: body.time.unwrap_or(0),
        stuck: &body.stuck,
    };
    let beginning = rules.greeting_state(text, &body.user, &body.character);
    let outcome = run_page(beginning.unwrap_or(parent), calls, &run, scripts)
        .map_err(|incomplete| Incomplete { page: position.page, ..incomplete })?;
    let mut calls = outcome.traces;
    if let Some(beginning) = beginning {
        calls.insert(0, CallTrace::unasked("<initvar>", Ok(diff(parent, beginning).into())));
    }
    diagnostics.extend(outcome.diagnostics);
    Ok(Evaluation { state: outcome.state, trace: Trace { calls, diagnostics } })
}

/// Returns which parts of a page are executed. Hiding a message never changes the state.
fn parts(role: Role, rules: &Rules) -> Option<Parts> {
    match role {
        _ if rules.enabled != Enabled::On => None,
        Role::Assistant => Some(Parts::All),
        Role::Narrator => Some(Parts::Calls),
        Role::User if rules.user_calls || rules.library.has_rules_for_every_message() => {
            Some(Parts::EveryMessage { calls: rules.user_calls })
        }
        Role::User | Role::Summary | Role::Other => None,
    }
}

/// Returns what scripts see as `context`. The position is included only under rules whose memo key
/// contains it.
fn context(page: &Page<'_>, calls: &[Call]) -> Value {
    let Page { body, text, rules, position } = *page;
    let mut context = Object::default();
    let mut put = |key: &str, value: Value| context.insert(key.into(), value);
    if rules.use_position() {
        put("floor", position.round.into());
        put("round", position.round.into());
        put("pageId", position.page.map_or(Value::Null, |page| Value::text(page.to_string())));
    }
    put("role", body.role.as_str().into());
    put("speaker", Value::text(&body.speaker));
    put("user", Value::text(&body.user));
    put("char", Value::text(&body.character));
    put("text", Value::text(text));
    put("calls", Value::list(calls.iter().map(call_seen).collect()));
    put("profile", rules.profile.as_str().into());
    put("time", body.time.and_then(iso_date::write).map_or(Value::Null, Value::text));
    Value::object(context)
}

fn call_seen(call: &Call) -> Value {
    let args = Value::list(call.args.iter().map(|arg| arg.value.clone()).collect());
    Value::entries([("function", Value::text(&*call.name)), ("args", args)])
}

#[cfg(test)]
mod tests {
    use storeyline_functions::script::{CONTEXT_NAMES, NoScripts};
    use storeyline_state::{Change, json, text};

    use super::*;

    fn body(role: Role) -> Body {
        let (speaker, user, character) = ("阿丽娅".into(), "旅人".into(), "阿丽娅".into());
        Body { role, speaker, user, character, ..Body::lone_reply(text::hash("")) }
    }

    fn evaluated(body: &Body, text: &str, rules: &Rules) -> Evaluation {
        let page = Page { body, text, rules, position: PagePosition::default() };
        evaluate(&Value::empty_object(), &page, &mut NoScripts).unwrap()
    }

    fn state_after(role: Role, rules: &Rules, text: &str) -> String {
        json::write(&evaluated(&body(role), text, rules).state)
    }

    #[test]
    fn a_recorded_answer_counts_on_the_state_it_was_given_on() {
        let set = |old: i64, new: i64| Op {
            path: vec![Step::Key("a".into())],
            change: Change::Set { old: old.into(), new: new.into() },
        };
        let given_on = json::read(r#"{"a":1}"#).unwrap().hash();
        let answer = Event::Script { state: given_on, ops: vec![set(1, 5)] };
        let page = Body { events: vec![answer], ..body(Role::Assistant) };
        let found = evaluated(&page, "@.SET(\"a\", 1);", &Rules::default());
        assert_eq!(json::write(&found.state), r#"{"a":5}"#);
        let elsewhere = evaluated(&page, "@.SET(\"a\", 2);", &Rules::default());
        assert_eq!(json::write(&elsewhere.state), r#"{"a":2}"#);
        assert_eq!(elsewhere.trace.all_diagnostics().map(|found| found.code.as_str()).collect::<Vec<_>>(), ["W-EVENT"]);
        let user = Body { role: Role::User, ..page };
        assert!(counts(&user, &Rules::default()), "an event makes any page count");
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
    fn a_greeting_may_begin_with_a_state_of_its_own() {
        let raw = "雨夜。<initvar>主: {{user}}</initvar>@.ADD(\"金\", 1);";
        let key = crate::rules::greeting_key(raw, "旅人", "阿丽娅").unwrap();
        let state = json::read(r#"{"主":"旅人","金":5}"#).unwrap();
        let rules = Rules { greetings: vec![crate::rules::Greeting { key, state }], ..Rules::default() };
        for text in [raw.to_owned(), raw.replace("{{user}}", "旅人"), raw.replace("雨夜", "雪夜")] {
            let evaluation = evaluated(&body(Role::Assistant), &text, &rules);
            assert_eq!(json::write(&evaluation.state), r#"{"主":"旅人","金":6}"#, "{text}");
            let mut again = Value::empty_object();
            evaluation.trace.ops().for_each(|op| op.apply(&mut again).unwrap());
            assert_eq!(again, evaluation.state, "the ops lead there");
        }
        assert_eq!(state_after(Role::Assistant, &rules, "@.ADD(\"金\", 1);"), r#"{"金":1}"#);
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
        let angles = "@.SET(\"<USER>\", \"<user>、<char>，<users> < user >\");";
        assert_eq!(state_after(Role::Assistant, &rules, angles), r#"{"旅人":"旅人、阿丽娅，<users> < user >"}"#);
    }

    #[test]
    fn a_name_that_nobody_knows_stays_a_macro() {
        let body = Body { user: String::new(), ..body(Role::Assistant) };
        let text = "@.SET(\"主\", \"{{user}} <user> {{char}} {{{user}} {{\");";
        let state = evaluated(&body, text, &Rules::default()).state;
        assert_eq!(json::write(&state), r#"{"主":"{{user}} <user> 阿丽娅 {{{user}} {{"}"#);
    }

    #[test]
    fn hand_edits_without_a_place_are_told_and_the_others_hold() {
        let read = |text: &str| json::read(text).unwrap();
        let computed = read(r#"{"表":[1,2,3,4],"别":[]}"#);
        let saved = read(r#"{"表":[0,1,2,9,3,4],"别":[5]}"#);
        let overrides = crate::overrides::between(&computed, &saved);
        let body = Body { overrides, ..body(Role::Assistant) };
        let evaluation = evaluated(&body, "@.SET(\"表\", [7, 8]);", &Rules::default());
        assert_eq!(json::write(&evaluation.state), r#"{"表":[0,7,8]}"#);
        let told: Vec<_> = evaluation.trace.all_diagnostics().map(|one| (&*one.code, &*one.message.en)).collect();
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told.iter().all(|(code, words)| *code == "W-OVERRIDE" && words.contains("1 of the hand edits")));
        let verdicts: Vec<_> = evaluation.trace.calls[1..].iter().map(|call| call.verdict).collect();
        assert_eq!(verdicts, [Verdict::Repaired, Verdict::Failed]);
    }

    #[test]
    fn what_is_switched_off_is_off_in_every_profile() {
        for profile in ["native", "mvu", "varsystem", "sam-4.2", "sam-6"] {
            let library = storeyline_functions::Library { off: vec!["DELETE".into()], ..Default::default() };
            let rules = Rules { profile: Profile::from_word(profile).unwrap(), library, ..Rules::default() };
            let text = "@.DEL(\"a\"); @.SET(\"b\", 1); #del('a') _.unset('a');";
            let start = json::read(r#"{"a":1,"b":0,"static":{"a":1,"b":0}}"#).unwrap();
            let page = Page { body: &body(Role::Assistant), text, rules: &rules, position: PagePosition::default() };
            let done = evaluate(&start, &page, &mut NoScripts).unwrap();
            let codes: Vec<_> = done.trace.all_diagnostics().map(|found| found.code.as_str()).collect();
            assert!(codes.iter().filter(|code| **code == "E-OFF").count() == 3, "{profile}: {codes:?}");
            assert!(json::write(&done.state).contains("\"a\":1,\"b\":1"), "{profile}");
        }
    }

    #[test]
    fn scripts_see_the_names_that_they_are_told_of() {
        let page = Page {
            body: &body(Role::Assistant),
            text: "",
            rules: &Rules::default(),
            position: PagePosition::default(),
        };
        let seen = context(&page, &[]);
        let placed = Rules { profile: Profile::from_word("sam-6").unwrap(), ..Rules::default() };
        let more = context(&Page { rules: &placed, ..page }, &[]);
        for (key, _) in seen.as_object().unwrap().iter().chain(more.as_object().unwrap().iter()) {
            assert!(CONTEXT_NAMES.contains(&&**key), "{key}");
        }
        assert_eq!(more.as_object().unwrap().len(), CONTEXT_NAMES.len());
    }

    #[test]
    fn one_bad_call_leaves_the_others_alone() {
        let text = "@.SET(\"a\", 1); @.ADD(\"a\", \"x\"); @.FLY(); @.ADD(\"a\", 2); @.SET(\"b\"";
        let evaluation = evaluated(&body(Role::Assistant), text, &Rules::default());
        assert_eq!(json::write(&evaluation.state), r#"{"a":3}"#);
        assert_eq!(evaluation.trace.failed(), 3);
        let codes: Vec<_> = evaluation.trace.all_diagnostics().map(|diagnostic| diagnostic.code.as_str()).collect();
        assert_eq!(codes, ["E-ADD-NUM", "E-UNKNOWN", "E-CALL-OPEN"]);
    }
}
