//! Every folder of `corpus/initial`: a card, world books and a chat, and how their story begins.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod corpus;

use corpus::Case;
use storeyline_compat::{Card, Cast, initvar};
use storeyline_history::Enabled;
use storeyline_state::{Value, json};

#[test]
fn every_case_begins_as_expected() {
    let cases = Case::all();
    assert!(cases.len() > 25, "only {} cases were found", cases.len());
    let mut wrong = Vec::new();
    for case in cases {
        let initial = case.initial();
        let wanted = json::read(&case.text("expected.json")).unwrap();
        let found = shown(&initial);
        for (key, value) in wanted.as_object().unwrap().iter() {
            let found = found.get(key).map(json::write).unwrap_or_default();
            if found != json::write(value) {
                wrong.push(format!("{} of {}\n  found  {found}\n  wanted {}", key, case.name(), json::write(value)));
            }
        }
        assert_eq!(initial.rules().profile, initial.profile);
        for remark in &initial.remarks {
            let words = &remark.diagnostic.message;
            assert!(!words.zh.is_empty() && !words.en.is_empty() && !remark.location.words().en.is_empty());
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_seed_says_what_is_stripped() {
    let cases = json::read(&corpus::read("seeds/strip-mvu.json")).unwrap();
    assert!(!cases.as_list().unwrap().is_empty());
    for case in cases.as_list().unwrap() {
        assert_eq!(&storeyline_compat::strip_mvu(case.get("given").unwrap()), case.get("expected").unwrap());
    }
}

/// The extension reads the same cases (`logic/card.test.ts`).
#[test]
fn a_card_is_on_as_its_switch_says_or_if_it_brings_a_first_state() {
    for case in json::read(&corpus::read("cards/on.json")).unwrap().as_list().unwrap() {
        let given = |key: &str, otherwise: &str| case.get(key).map_or(otherwise.to_owned(), json::write);
        let text = format!(
            r#"{{"data":{{"name":"A","first_mes":{},"extensions":{{"st_var_system":{}}},"character_book":{{"entries":{}}}}}}}"#,
            given("greeting", "null"),
            given("field", "{}"),
            given("entries", "[]"),
        );
        let card = Card::read(text.as_bytes()).unwrap();
        let begun = Cast { members: vec![card], ..Cast::default() }.begin(&initvar::Names::default());
        assert_eq!(Some(begun.is_on()), case.get("on").and_then(Value::as_bool), "{}", json::write(case));
    }
}

/// `peer` is the result of the parser that MVU uses; where `ours` differs, the case says why.
#[test]
fn yaml_is_read_as_the_peer_reads_it() {
    let cases = corpus::read("peers/yaml.jsonl");
    assert!(cases.lines().count() > 20, "{} cases were found", cases.lines().count());
    for line in cases.lines() {
        let case = json::read(line).unwrap();
        let text = case.get("text").and_then(Value::as_text).unwrap();
        let wanted = case.get("ours").or(case.get("peer")).unwrap();
        let found = initvar::read(text, &initvar::Names::default()).value.unwrap_or(Value::Null);
        assert_eq!(json::write(&found), json::write(wanted), "{text}");
        assert_eq!(case.get("ours").is_some(), case.get("why").is_some(), "{text}");
    }
}

/// Formats what the expectations cover.
fn shown(initial: &storeyline_compat::Initial) -> Value {
    let texts = |texts: Vec<&str>| Value::list(texts.into_iter().map(Value::from).collect());
    let kinds = |used: bool| {
        texts(initial.sources.iter().filter(|source| source.used == used).map(|source| source.kind.as_str()).collect())
    };
    let functions = initial.sam_functions.iter().map(|function| function.definition.get("func_name").unwrap().clone());
    let own = initial.library.functions.iter().map(|function| Value::text(&function.name));
    let functions = functions.chain(own);
    let entries = [
        ("enabled", (initial.enabled == Enabled::On).into()),
        ("profile", initial.profile.as_str().into()),
        ("state", initial.state.clone()),
        ("used", kinds(true)),
        ("unused", kinds(false)),
        ("diagnostics", texts(initial.remarks.iter().map(|remark| remark.diagnostic.code.as_str()).collect())),
        ("locked", initial.locks.is_some().into()),
        ("functions", Value::list(functions.collect())),
        ("greetings", Value::list(initial.greetings.iter().map(|greeting| greeting.state.clone()).collect())),
    ];
    Value::object(entries.into_iter().map(|(key, value)| (key.into(), value)).collect())
}
