//! Patterns: JavaScript's semantics, spans in bytes.

use storeyline_functions::{Scripts, Stopped};

use crate::support::in_process;

fn spans(pattern: &str, text: &str) -> Vec<String> {
    let found = in_process().find(pattern, text).unwrap();
    found.iter().map(|found| text[found.span.clone()].to_owned()).collect()
}

#[test]
fn all_matches_are_found_in_order() {
    assert_eq!(spans(r"\d+", "a1b22c333"), ["1", "22", "333"]);
    assert_eq!(spans("/GOLD/i", "gold Gold"), ["gold", "Gold"]);
    assert_eq!(spans("(?<=金币)[+-]\\d+", "😀金币+5，银币+6，金币-7"), ["+5", "-7"]);
    assert_eq!(spans("/^.$/mu", "😀\na\n金"), ["😀", "a", "金"]);
    assert_eq!(spans("x*", "axxb"), ["xx"], "empty matches are left out");
    assert_eq!(spans("/(?:)/u", "😀a"), Vec::<String>::new());
    assert_eq!(spans(".", "😀"), ["😀", "😀"], "each half is widened");
}

#[test]
fn groups_that_took_no_part_are_nothing() {
    let found = in_process().find("(a)|(b)(?<n>c)?", "abc b").unwrap();
    let groups: Vec<_> = found.iter().map(|found| found.groups.clone()).collect();
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(groups, [vec![some("a"), None, None], vec![None, some("b"), some("c")], vec![None, some("b"), None],]);
}

#[test]
fn a_pattern_that_does_not_compile_is_explained() {
    for (pattern, words) in [("@\\.SET(", "at character 7"), ("/a/q", "flags"), ("[", "at character 1")] {
        let Err(Stopped::Refused(refusal)) = in_process().find(pattern, "x") else {
            panic!("{pattern} was taken");
        };
        assert_eq!(refusal.code, "E-JS-PATTERN");
        assert!(refusal.message.en.contains(words), "{}", refusal.message.en);
    }
}

#[test]
fn a_catastrophic_pattern_ends_by_its_count() {
    let mut js = in_process();
    let Err(Stopped::Refused(refusal)) = js.find("(a+)+b", &"a".repeat(40)) else {
        panic!("it ended");
    };
    assert_eq!(refusal.code, "E-JS-TICKS");
    assert_eq!(js.find("a", "a").unwrap().len(), 1);
}

#[test]
fn many_matches_are_found_and_too_many_are_refused() {
    let text = "金😀".repeat(20_000);
    assert_eq!(in_process().find("/./u", &text).unwrap().len(), 40_000);
    let Err(Stopped::Refused(refusal)) = in_process().find("(.)(.)(.)(.)", &"x".repeat(4_000_000)) else {
        panic!("it is too much");
    };
    assert!(["E-JS-OUTPUT", "E-JS-TICKS", "E-JS-MEMORY"].contains(&refusal.code));
}
