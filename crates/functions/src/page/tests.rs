//! Order, ownership and atomicity of a page, with a fake engine that runs calls as scripts.

use storeyline_calls::{ParseSettings, parse, skipped_ranges};
use storeyline_state::json;

use super::*;
use crate::library::exchange;
use crate::run::{Outcome, run};
use crate::script::{PatternMatch, Script, Source, Stopped};
use crate::{Profile, Refusal, Verdict};

/// Runs a script that is a text with calls; `$1` is the first argument. A pattern is a literal
/// text, and the text in brackets after it is its only group.
struct Calls;

impl Scripts for Calls {
    fn run(&mut self, state: &Value, script: &Script<'_>) -> Result<Outcome, Stopped> {
        let (Source::Body(text) | Source::Function(text)) = script.source else { unreachable!() };
        let first = script.args.first().cloned().flatten().unwrap_or(Value::Null);
        let text = text.replace("$1", &json::write(&first));
        if text == "hang" {
            return Err(Stopped::Incomplete(Incomplete::hung("hangs")));
        }
        let mut outcome = Outcome { state: state.clone(), ops: Default::default() };
        for call in parse(&text, &ParseSettings::default()).calls {
            let next = run(&outcome.state, &call, native()).map_err(Stopped::Refused)?;
            outcome.state = next.state;
            outcome.ops.extend(next.ops);
        }
        Ok(outcome)
    }

    fn test(&mut self, state: &Value, condition: &Script<'_>) -> Result<bool, Stopped> {
        let Source::Body(text) = condition.source else { unreachable!() };
        let name = text.trim_start_matches("return ((context) => (").split(')').next().unwrap_or_default();
        Ok(state.get(name).is_some())
    }

    fn find(&mut self, pattern: &str, text: &str) -> Result<Vec<PatternMatch>, Stopped> {
        if pattern == "broken" {
            return Err(Stopped::Refused(Refusal::new("E-PATTERN", "坏", "broken")));
        }
        let found = text.match_indices(pattern).map(|(at, _)| {
            let rest = &text[at + pattern.len()..];
            let group =
                rest.strip_prefix('<').and_then(|inner| inner.split_once('>')).map(|(group, _)| group.to_owned());
            let length = group.as_ref().map_or(0, |group| group.len() + 2);
            PatternMatch { span: at..at + pattern.len() + length, groups: vec![group] }
        });
        Ok(found.collect())
    }
}

fn native() -> Conventions<'static> {
    Conventions::of(Profile::Native)
}

struct Played {
    state: String,
    /// `name` or `name!code`.
    traces: Vec<String>,
    codes: Vec<String>,
}

fn library(text: &str) -> Library {
    let imported = exchange::read(&json::read(text).unwrap(), Scope::Global);
    assert!(imported.problems.is_empty(), "{:?}", imported.problems);
    imported.library
}

fn try_play(library: &Library, parts: Parts, state: &str, text: &str, stuck: &[String]) -> Result<Played, Incomplete> {
    let settings = ParseSettings::default();
    let skipped = skipped_ranges(text, &settings);
    let page = PageRun {
        text,
        skipped: &skipped,
        parts,
        conventions: native(),
        library,
        sam: None,
        context: &|_| Value::Null,
        seed: 0,
        time: 0,
        stuck,
    };
    let calls = parse(text, &settings).calls.into_iter();
    let calls = calls.filter(|call| is_call(call, Profile::Native, library)).collect();
    let start = json::read(state).unwrap();
    let outcome = run_page(&start, calls, &page, &mut Calls)?;
    let mut replayed = start;
    let ops = outcome.traces.iter().flat_map(|traces| &traces.ops);
    ops.for_each(|op| op.apply(&mut replayed).unwrap());
    assert_eq!(replayed, outcome.state, "the ops lead to the state");
    let traces = outcome.traces.iter().map(|traces| match traces.verdict {
        Verdict::Failed => format!("{}!{}", traces.name, traces.diagnostics.last().unwrap().code),
        _ => traces.name.to_string(),
    });
    Ok(Played {
        state: json::write(&outcome.state),
        traces: traces.collect(),
        codes: outcome.diagnostics.iter().map(|diagnostic| diagnostic.code.clone()).collect(),
    })
}

fn play(library: &Library, state: &str, text: &str) -> Played {
    try_play(library, Parts::All, state, text, &[]).unwrap()
}

#[test]
fn passive_functions_run_around_the_calls_by_order_and_scope() {
    let mut library = library(
        r#"[{"name":"late","type":"passive","order":2,"executor":"@.APPEND('t', 'late');"},
        {"name":"first","type":"passive","timing":"before_active","executor":"@.APPEND('t', 'first');"},
        {"name":"card","type":"passive","order":1,"executor":"@.APPEND('t', 'card');"},
        {"name":"global","type":"passive","order":1,"executor":"@.APPEND('t', 'global');"},
        {"name":"off","type":"passive","enabled":false,"executor":"@.APPEND('t', 'off');"},
        {"name":"rule","order":1.5,"trigger":"after_parse","condition":"t","actions":[{"function":"APPEND","args":["t","rule"]}]},
        {"name":"never","trigger":"after_parse","condition":"x","actions":[{"function":"APPEND","args":["t","never"]}]}]"#,
    );
    library.functions[2].scope = Scope::Card;
    let played = play(&library, "{}", "@.APPEND('t', 'call');");
    assert_eq!(played.state, r#"{"t":["first","call","global","card","rule","late"]}"#);
    assert_eq!(played.traces, ["first", "@.APPEND", "global", "card", "rule", "late"]);
    assert_eq!(play(&library, "{}", "静夜。").state, r#"{"t":["first","global","card","rule","late"]}"#);
}

#[test]
fn a_narrator_has_calls_only_and_the_user_rules_for_every_message() {
    let library = library(
        r#"[{"name":"p","type":"passive","executor":"@.ADD('p', 1);"},
        {"name":"r","trigger":"every_message","actions":[{"function":"ADD","args":["r",1]}]}]"#,
    );
    let state = |parts| try_play(&library, parts, "{}", "@.SET('a', 1);", &[]).unwrap().state;
    assert_eq!(state(Parts::All), r#"{"a":1,"p":1,"r":1}"#);
    assert_eq!(state(Parts::Calls), r#"{"a":1}"#);
    assert_eq!(state(Parts::EveryMessage { calls: false }), r#"{"r":1}"#);
    assert_eq!(state(Parts::EveryMessage { calls: true }), r#"{"a":1,"r":1}"#);
}

#[test]
fn a_built_in_that_is_off_is_off_under_all_its_names() {
    for (off, on, text) in [
        ("ASSIGN", false, "@.ASSIGN('o', {a: 1});"),
        ("assign", false, "@.UPDATE('o', {a: 1});"),
        ("UPDATE", false, "@.ASSIGN('o', {a: 1});"),
        ("ASSIGN", false, "@.var.UPDATE('o', {a: 1});"),
        ("ASSIGN", false, "#update('o', {a: 1})"),
        ("UNSET", false, "@.DEL('o');"),
        ("DEL", false, "_.unset('o');"),
        ("UNSET", false, "_.delete('o');"),
        ("UNSET", true, "@.REMOVE('l', 0);"),
        ("ASSIGN", true, "@.SET('o', 1);"),
        ("SET", true, r#"<JSONPatch>[{"op":"replace","path":"/o","value":1}]</JSONPatch>"#),
    ] {
        let library = Library { off: vec![off.into()], ..Library::default() };
        let played = play(&library, r#"{"o":{},"l":[1]}"#, text);
        assert_eq!(played.traces.len(), 1, "{text}");
        assert_eq!(!played.traces[0].ends_with("!E-OFF"), on, "{off} off: {text}: {:?}", played.traces);
    }
}

#[test]
fn a_stretch_belongs_to_one_function() {
    let library = library(
        r#"[{"id":"1","name":"SET","pattern":"@.SET('a'","executor":"@.APPEND('t', 'own');"},
        {"id":"2","name":"long","order":9,"pattern":"<<HEAL","executor":"@.APPEND('t', 'long');"},
        {"id":"3","name":"short","order":1,"pattern":"HEAL","executor":"@.APPEND('t', $1);"}]"#,
    );
    let played = play(&library, "{}", "@.SET('a', 1); <<HEAL<5> HEAL<'x'> HEAL<1+1> HEAL <think>HEAL<9></think>");
    // The pattern of the first ends inside its own call; the third is inside the second.
    assert_eq!(played.state, r#"{"t":["own","long","x","1+1",null]}"#);
    assert_eq!(played.traces, ["@.SET", "long", "short", "short", "short"]);
    assert_eq!(played.codes, ["W-OVERLAP"]);
}

#[test]
fn of_two_functions_with_one_name_one_runs_and_the_other_is_told() {
    let library = library(
        r#"[{"id":"1","name":"heal","order":2,"executor":"@.APPEND('t', 'later');"},
        {"id":"2","name":"HEAL","order":1,"executor":"@.APPEND('t', 'first');"}]"#,
    );
    let played = play(&library, "{}", "@.heal();");
    assert_eq!(played.state, r#"{"t":["first"]}"#);
    assert_eq!(played.codes, ["W-SAME-NAME"]);
}

#[test]
fn names_work_in_both_dialects_and_in_chinese() {
    let library =
        library(r#"[{"name":"治疗","executor":"@.ADD('hp', $1);"},{"name":"heal","executor":"@.ADD('hp', 10);"}]"#);
    let played = play(&library, "{}", "@.治疗(5); #heal() #hash(x) @.HEAL ()");
    assert_eq!((played.state.as_str(), played.codes.len()), (r#"{"hp":25}"#, 0));
}

#[test]
fn steps_are_all_or_nothing_and_bounded() {
    let library = library(
        r#"[{"name":"HEAL","implementation":{"steps":[{"function":"SET","args":["hp",100]},{"function":"NOTE","args":[]}]}},
        {"name":"NOTE","executor":"@.SET('n', 1);"},
        {"name":"HALF","implementation":{"steps":[{"function":"SET","args":["hp",1]},{"function":"FLY","args":[]}]}},
        {"name":"LOOP","implementation":{"steps":[{"function":"LOOP","args":[]}]}},
        {"name":"A","implementation":{"steps":[{"function":"UNSET","args":["hp"]}]}}]"#,
    );
    let mut library = library;
    library.off.push("UNSET".into());
    let played = play(&library, "{}", "@.HEAL(); @.HALF(); @.LOOP(); @.A(); @.UNSET(\"hp\"); @.SET(\"z\", 1);");
    assert_eq!(played.state, r#"{"hp":100,"n":1,"z":1}"#);
    assert_eq!(
        played.traces,
        ["@.HEAL", "@.HALF!E-UNKNOWN", "@.LOOP!E-STEPS-DEEP", "@.A!E-OFF", "@.UNSET!E-OFF", "@.SET"]
    );
}

#[test]
fn a_function_that_hangs_leaves_the_page_open_until_it_is_given_up() {
    let library = library(
        r#"[{"id":"h","name":"h","type":"passive","executor":"hang"},{"name":"b","pattern":"broken","executor":""}]"#,
    );
    assert!(try_play(&library, Parts::All, "{}", "@.SET('a', 1);", &[]).is_err());
    let played = try_play(&library, Parts::All, "{}", "@.SET('a', 1);", &["h".to_owned()]).unwrap();
    assert_eq!(played.traces, ["@.SET", "h!E-STUCK"]);
    assert_eq!(played.codes, ["E-PATTERN"]);
}

#[test]
fn a_failed_test_undoes_and_stops_its_block() {
    let block = r#"<JSONPatch>[{"op":"add","path":"/b","value":1},{"op":"remove","path":"/none"},{"op":"test","path":"/a","value":1},
        {"op":"test","path":"/b","value":2},{"op":"add","path":"/c","value":1}]</JSONPatch>"#;
    let text =
        format!("@.SET('x', 1); {block} <JSONPatch>[{{\"op\":\"add\",\"path\":\"/d\",\"value\":1}}]</JSONPatch>");
    // With a library and without one: both code paths of a page.
    for library in [Library::default(), library(r#"[{"name":"heal","executor":"@.SET('h', 1);"}]"#)] {
        let played = play(&library, r#"{"a":1}"#, &text);
        assert_eq!(played.state, r#"{"a":1,"x":1,"d":1}"#);
        let wanted = [
            "@.SET",
            "add!E-PATCH-UNDONE",
            "remove!E-MISSING",
            "test",
            "test!E-PATCH-TEST",
            "add!E-PATCH-SKIPPED",
            "add",
        ];
        assert_eq!(played.traces, wanted);
    }
    let passed = play(&Library::default(), r#"{"a":1}"#, &text.replace("\"value\":2", "\"value\":1"));
    assert_eq!(passed.state, r#"{"a":1,"x":1,"b":1,"c":1,"d":1}"#);
}

#[test]
fn what_a_message_copies_is_bounded() {
    let copy = r#"<JSONPatch>[{"op":"copy","from":"/l","path":"/l/-"}]</JSONPatch>"#;
    let text = copy.repeat(60);
    for library in [Library::default(), library(r#"[{"name":"heal","executor":"@.SET('h', 1);"}]"#)] {
        let played = play(&library, r#"{"l":[1,"x"]}"#, &text);
        assert!(played.state.len() < 1 << 20, "{}", played.state.len());
        assert!(played.traces.contains(&"copy!E-GROWTH".to_owned()));
        let long = format!("{{\"l\":[\"{}\"]}}", "x".repeat(100_000));
        assert!(play(&library, &long, &text).state.len() < 4 << 20);
    }
}
