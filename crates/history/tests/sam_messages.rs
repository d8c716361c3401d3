//! Random and hostile messages under every version of SAM: ops lead from the parent to the new
//! state and back, the same inputs give the same bytes, and nothing panics or hangs.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use proptest::prelude::*;
use storeyline_functions::Profile;
use storeyline_functions::profile::SamVersion;
use storeyline_functions::script::NoScripts;
use storeyline_history::{Body, Evaluation, Page, PagePosition, Rules, evaluate};
use storeyline_state::{Value, json, text};

const VERSIONS: [SamVersion; 5] =
    [SamVersion::V3_5, SamVersion::V4_0, SamVersion::V4_2, SamVersion::V5, SamVersion::V6];

const STATES: [&str; 4] = [
    "{}",
    r#"{"static":{"a":1,"l":[1,{"id":1,"q":2},null,"x",1],"o":{"x":"t","_r":1,"m":{"l":[]}},"n":[[1,2],[3,[4,5]]]}}"#,
    r#"{"static":{"a":1,"l":["x","y"],"o":{"hp":5,"0":"z"}},"uniquely_identified":true,"disable_dtype_mutation":true,
        "time":"2030-01-01T00:00:00Z","volatile":[["a",5,false,1,"r"],["o.hp",0,true,"2030-01-01T00:00:00.000Z","d"],7]}"#,
    r#"{"static":[1],"volatile":{},"events":5,"responseSummary":7,"event_counter":"x","time":3}"#,
];

fn evaluated(state: &Value, version: SamVersion, text: &str, round: i64) -> Evaluation {
    let rules = Rules { profile: Profile::Sam(version), ..Rules::default() };
    let body = Body::lone_reply(text::hash(text));
    let page = Page { body: &body, text, rules: &rules, position: PagePosition { round, ..PagePosition::default() } };
    evaluate(state, &page, &mut NoScripts).unwrap()
}

/// Evaluates twice, and applies the ops forwards and backwards.
fn check(state: &Value, version: SamVersion, text: &str, round: i64) -> Value {
    let first = evaluated(state, version, text, round);
    let again = evaluated(state, version, text, round);
    assert_eq!(json::write(&first.state), json::write(&again.state), "the same bytes: {text}");
    assert_eq!(first.trace, again.trace, "{text}");
    let mut walked = state.clone();
    first.trace.ops().for_each(|op| op.apply(&mut walked).unwrap());
    assert_eq!(walked, first.state, "the ops lead there: {text}");
    let ops: Vec<_> = first.trace.ops().collect();
    ops.into_iter().rev().for_each(|op| op.inverse().apply(&mut walked).unwrap());
    assert_eq!(walked, *state, "and back: {text}");
    assert_eq!(json::read(&json::write(&first.state)).unwrap(), first.state, "it can be stored: {text}");
    first.state
}

fn path() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "a",
        "l",
        "l[0]",
        "l[1]",
        "l[4]",
        "l[9]",
        "l[1].id",
        "l[-1]",
        "o",
        "o.x",
        "o._r",
        "o.m.l",
        "o.0",
        "n",
        "n[1]",
        "n[0]",
        "n[1][1]",
        "hp",
        "new",
        "new.deep[2].er",
        "static.a",
        "static",
        "",
        "__proto__.x",
        "time",
        "l.name",
    ])
}

fn value() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "0",
        "1",
        "-1",
        "2.5",
        "1e300",
        "99999999999999999999999999999999",
        "\"x\"",
        "\"1\"",
        "\"\"",
        "null",
        "true",
        "[1,2]",
        "[]",
        "{}",
        "{\"id\":1}",
        "{\"_r\":9,\"x\":1}",
        "{\"$each\":[1,2]}",
        "bare word",
        "\"2030-01-02\"",
    ])
}

/// Generates one call of any dialect; most are sensible, all are possible.
fn call() -> impl Strategy<Value = String> {
    let two = (
        prop::sample::select(vec!["SET", "ADD", "DEL", "REMOVE", "UNSET", "SUB", "APPEND", "sam.SET", "var.SET"]),
        path(),
        value(),
    )
        .prop_map(|(name, path, value)| format!("@.{name}(\"{path}\", {value});"));
    let select = (
        prop::sample::select(vec!["SELECT_SET", "SELECT_ADD", "SELECT_DEL", "INCSET", "INCADD"]),
        path(),
        value(),
        prop::sample::select(vec!["q", "id", "a.b", "0"]),
        value(),
    )
        .prop_map(|(name, path, wanted, field, value)| {
            format!("@.{name}(\"{path}\", \"id\", {wanted}, \"{field}\", {value});")
        });
    let moves =
        (prop::sample::select(vec!["REBASE", "SWAP"]), path(), path(), 0..4).prop_map(|(name, from, to, form)| {
            match form {
                0 => format!("@.SWAP(\"{from}\", \"__DELETE__\");"),
                1 => format!("@.SWAP(\"{from}\", \"{to}[__NULL__]\");"),
                _ => format!("@.{name}(\"{from}\", \"{to}\");"),
            }
        });
    let timers = (path(), value(), value(), value())
        .prop_map(|(path, value, dated, when)| format!("@.TIMED_SET(\"{path}\", {value}, \"r\", {dated}, {when});"));
    let others = (
        prop::sample::select(vec![
            "TIME",
            "CANCEL_SET",
            "EVAL",
            "SUMMARY",
            "RESPONSE_SUMMARY",
            "EVENT_BEGIN",
            "EVENT_END",
            "EVENT_ADD_PROC",
            "EVENT_ADD_DEFN",
            "EVENT_ADD_MEMBER",
            "EVENT_SUMMARY",
            "DB",
            "FLY",
            "DICT_DEL",
        ]),
        value(),
        value(),
    )
        .prop_map(|(name, one, two)| format!("@.{name}({one}, {two});"));
    let update = (
        prop::sample::select(vec![
            "set", "unset", "inc", "mul", "min", "max", "push", "addToSet", "pop", "pull", "move",
        ]),
        path(),
        value(),
        path(),
    )
        .prop_map(|(op, path, value, to)| match op {
            "move" => format!("@.DB({{\"$move\": {{\"{path}\": \"{to}\"}}}});"),
            op => format!("@.DB({{\"${op}\": {{\"{path}\": {value}}}}});"),
        });
    let patch = (
        prop::sample::select(vec![
            "replace",
            "forced_set",
            "insert",
            "add",
            "remove",
            "delta",
            "mul",
            "min",
            "push",
            "addToSet",
            "pull",
            "pop",
            "move",
            "copy",
            "test",
            "time",
            "func",
        ]),
        prop::sample::select(vec![
            "/a",
            "/l/0",
            "/l/-",
            "/l/2",
            "/o/_r",
            "/o",
            "/n/1/1",
            "/new/x/-",
            "a",
            "",
            "/",
            "/static/a",
        ]),
        value(),
    )
        .prop_map(|(op, path, value)| {
            format!(
                "<JSONPatch>[{{\"op\":\"{op}\",\"path\":\"{path}\",\"from\":\"/o\",\"value\":{value}}}]</JSONPatch>"
            )
        });
    prop_oneof![4 => two, 2 => select, 2 => moves, 1 => timers, 2 => others, 2 => update, 2 => patch]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn ops_lead_from_the_parent_to_the_state_and_back(
        version in 0..VERSIONS.len(),
        start in 0..STATES.len(),
        floors in prop::collection::vec(prop::collection::vec(call(), 0..8), 1..4),
    ) {
        let mut state = json::read(STATES[start]).unwrap();
        for (floor, calls) in floors.iter().enumerate() {
            state = check(&state, VERSIONS[version], &calls.join("\n"), floor as i64 * 2);
        }
    }

    #[test]
    fn any_text_is_survived(version in 0..VERSIONS.len(), start in 0..STATES.len(), text in "[@.a-zA-Z_(){}\\[\\]\"',:;0-9\\$#<>/\n金，（ -]{0,200}") {
        check(&json::read(STATES[start]).unwrap(), VERSIONS[version], &text, 0);
    }
}

#[test]
fn hostile_messages_end() {
    let deep = format!("{}1{}", "[".repeat(150), "]".repeat(150));
    let nested = format!("@.SET(\"{}\", {}1{});", ["a"; 60].join("."), "[".repeat(39), "]".repeat(39));
    let texts = [
        format!("@.SET(\"a\", {deep});"),
        nested.clone(),
        nested.replace("SET(\"a", "SET(\"b.c.d.a"),
        "@.DEL(\"l\", 0);".repeat(2_000),
        (0..2_000).map(|n| format!("@.SET(\"big[{n}]\", 1);")).collect::<String>(),
        format!("@.SET(\"big[999]\", 1);{}", (0..1_000).map(|n| format!("@.DEL(\"big\", {n});")).collect::<String>()),
        "@.ADD(\"l\", 1);".repeat(2_000),
        "@.TIMED_SET(\"a\", 1, \"r\", false, 0);".repeat(2_000),
        "@.TIMED_SET(\"a\", 1, \"r\", false, 9223372036854775807);".repeat(100),
        "@.EVENT_BEGIN(\"a\", \"b\");@.EVENT_ADD_PROC(\"x\");".repeat(1_000),
        "@.INCSET(\"q\", \"id\", 1, \"x[900]\", 1);".repeat(1_000),
        "@.DB({\"$push\": {\"l\": 1}, \"$inc\": {\"a\": 1}});".repeat(2_000),
        format!("<JSONPatch>[{}]</JSONPatch>", "{\"op\":\"insert\",\"path\":\"/l/0\",\"value\":1},".repeat(2_000)),
        "@.SET(\"l[4294967294]\", 1); @.SET(\"l[99999999999]\", 1); @.DEL(\"l\", 18446744073709551616);".to_owned(),
        format!("@.SET(\"l{}\", 1);", "[999]".repeat(60)).repeat(1_000),
        format!("<JSONPatch>[{}]</JSONPatch>", "{\"op\":\"copy\",\"from\":\"/l\",\"path\":\"/l/0\"},".repeat(60)),
        "@.MUL(\"a\", 1e308); @.DB({\"$mul\": {\"a\": 1e308}}); @.DB({\"$mul\": {\"a\": 1e308}});".to_owned(),
    ];
    for (version, state) in [(SamVersion::V4_2, STATES[1]), (SamVersion::V6, STATES[2])] {
        for text in &texts {
            check(&json::read(state).unwrap(), version, text, i64::MAX - 1);
        }
    }
}
