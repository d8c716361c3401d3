//! Replies with damage as models cause it: every kind of damage on generated blocks and lines, with
//! a seed.
//!
//! The expected state is that of the undamaged reply; if the damage destroys information, the state
//! that the complete ops reach. `cargo test -p storeyline-functions --test damage -- --nocapture`
//! prints the table of `docs/compat.md`. `DAMAGE_SEED` and `DAMAGE_CASES` select others.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test that prints its table")]

mod line_kinds;
mod patch_kinds;
mod random;
mod story;
mod tokens;
mod well_formed;

use std::collections::BTreeMap;

use storeyline_calls::{ParseSettings, parse};
use storeyline_functions::{Conventions, Profile, run};
use storeyline_state::{Value, json};

use patch_kinds::Right;
use random::Random;

struct Outcome {
    state: Value,
    /// Number of diagnostics of the parser, and of refused calls.
    remarks: usize,
    refused: usize,
    calls: usize,
}

fn evaluate(message: &str) -> Outcome {
    let parsed = parse(message, &ParseSettings::default());
    let conventions = Conventions { profile: Profile::Mvu, locks: None, schema: None, time_path: None };
    let mut state = story::state();
    let remarks = parsed.diagnostics.len() + parsed.calls.iter().map(|call| call.repairs.len()).sum::<usize>();
    let mut refused = 0;
    for call in &parsed.calls {
        match run(&state, call, conventions) {
            Ok(outcome) => state = outcome.state,
            Err(_) => refused += 1,
        }
    }
    Outcome { state, remarks, refused, calls: parsed.calls.len() }
}

fn texts<'a>(value: &'a Value, out: &mut Vec<&'a str>) {
    match value {
        Value::Text(text) => out.push(text),
        Value::List(_) => value.as_list().unwrap().iter().for_each(|item| texts(item, out)),
        Value::Object(_) => value.as_object().unwrap().iter().for_each(|(key, item)| {
            out.push(key);
            texts(item, out);
        }),
        _ => {}
    }
}

/// Tells whether a state contains a text with marks of JSON or calls that the expected state does
/// not contain.
fn swallowed(found: &Value, right: &Value, whole: &Value) -> bool {
    let (mut has, mut may) = (Vec::new(), Vec::new());
    texts(found, &mut has);
    texts(right, &mut may);
    texts(whole, &mut may);
    let marks = |text: &str| {
        text.contains(['{', '}', '[', ']']) || text.contains("\":") || text.contains("\",") || text.contains("_.")
    };
    has.into_iter().any(|text| marks(text) && !may.contains(&text))
}

#[derive(Default)]
struct Tally {
    cases: usize,
    right: usize,
    swallowed: usize,
    untold: usize,
}

fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn report(title: &str, tallies: &BTreeMap<usize, (&str, Tally)>) -> f64 {
    println!("\n| {title} | right |\n|---|---|");
    let (mut cases, mut right) = (0, 0);
    for (name, tally) in tallies.values() {
        let share = 100.0 * tally.right as f64 / tally.cases as f64;
        let note = match (tally.swallowed, tally.untold) {
            (0, 0) => String::new(),
            (swallowed, untold) => format!(" swallowed {swallowed}, untold {untold}"),
        };
        println!("| {name} | {share:.0} %{note} |");
        cases += tally.cases;
        right += tally.right;
    }
    let share = 100.0 * right as f64 / cases as f64;
    println!("| all {cases} | {share:.1} % |");
    share
}

fn judge(tally: &mut Tally, message: &str, right: &Value, whole: &Outcome, name: &str, shown: &str) {
    let outcome = evaluate(message);
    tally.cases += 1;
    tally.right += usize::from(outcome.state == *right);
    let swallow = swallowed(&outcome.state, right, &whole.state);
    tally.swallowed += usize::from(swallow);
    let untold = outcome.state != *right && outcome.remarks == 0 && outcome.refused <= whole.refused;
    tally.untold += usize::from(untold);
    if (outcome.state != *right && shown == name) || ((swallow || untold) && shown == "bad") {
        println!(
            "--- {name}\n{message}\nright {}\nfound {}\n{:?}",
            json::write(right),
            json::write(&outcome.state),
            parse(message, &ParseSettings::default())
                .diagnostics
                .iter()
                .map(|d| format!("{} {:?}", d.code, message.get(d.span.clone())))
                .collect::<Vec<_>>()
        );
    }
}

fn assert_good(tallies: &BTreeMap<usize, (&str, Tally)>, share: f64, wanted: f64) {
    for (name, tally) in tallies.values() {
        assert!(tally.right * 100 >= tally.cases * 60, "{name}: {} of {}", tally.right, tally.cases);
        assert_eq!((tally.swallowed, tally.untold), (0, 0), "{name}");
    }
    assert!(share >= wanted, "{share}");
}

#[test]
fn damaged_patches_reach_the_right_state() {
    let mut random = Random::new(setting("DAMAGE_SEED", 1));
    let shown = std::env::var("DAMAGE_SHOW").unwrap_or_default();
    let mut tallies: BTreeMap<usize, (&str, Tally)> = BTreeMap::new();
    for (index, (name, damage)) in patch_kinds::KINDS.iter().enumerate() {
        let (_, tally) = tallies.entry(index).or_insert((name, Tally::default()));
        while tally.cases < setting("DAMAGE_CASES", 60) as usize {
            let tokens = tokens::block(&mut random);
            let Some(damaged) = damage(&mut random, tokens.clone()) else { continue };
            let before = damaged.before.unwrap_or_else(|| tokens::concat(&tokens));
            let whole = evaluate(&patch_kinds::block(&before));
            assert_eq!(whole.remarks, 0, "a reply without damage needs no remark: {before}");
            let right = match &damaged.right {
                Right::All => whole.state.clone(),
                Right::Whole(ops) => evaluate(&patch_kinds::block(&tokens::only(&tokens, ops))).state,
            };
            judge(tally, &damaged.message, &right, &whole, name, &shown);
        }
    }
    let share = report("patch blocks", &tallies);
    assert_good(&tallies, share, 92.0);
}

#[test]
fn damaged_lines_reach_the_right_state() {
    let mut random = Random::new(setting("DAMAGE_SEED", 1));
    let shown = std::env::var("DAMAGE_SHOW").unwrap_or_default();
    let mut tallies: BTreeMap<usize, (&str, Tally)> = BTreeMap::new();
    for (index, (name, damage, can_be_meant)) in line_kinds::KINDS.iter().enumerate() {
        let (_, tally) = tallies.entry(index).or_insert((name, Tally::default()));
        while tally.cases < setting("DAMAGE_CASES", 60) as usize {
            let Some(lines) = line_kinds::damaged(&mut random, *damage, *can_be_meant) else { continue };
            let whole = evaluate(&lines.before);
            assert_eq!(whole.remarks, 0, "a reply without damage needs no remark: {}", lines.before);
            let right = if *can_be_meant { whole.state.clone() } else { evaluate(&lines.others).state };
            judge(tally, &lines.message, &right, &whole, name, &shown);
        }
    }
    let share = report("lines", &tallies);
    assert_good(&tallies, share, 88.0);
}

/// Returns the state after a message, on `{"a": 0, "b": 0}`.
fn written(message: &str) -> (Value, usize) {
    let parsed = parse(message, &ParseSettings::default());
    let conventions = Conventions { profile: Profile::Native, locks: None, schema: None, time_path: None };
    let mut state = json::read(r#"{"a":"","b":0}"#).unwrap();
    let mut remarks = parsed.diagnostics.len();
    for call in &parsed.calls {
        remarks += call.repairs.len();
        match run(&state, call, conventions) {
            Ok(outcome) => state = outcome.state,
            Err(_) => remarks += 1,
        }
    }
    (state, remarks)
}

#[test]
fn well_formed_values_are_stored_whatever_they_hold() {
    let mut random = Random::new(setting("DAMAGE_SEED", 1));
    for case in 0..setting("WELL_FORMED_CASES", 10_000) as usize {
        let way = well_formed::WAYS[case % well_formed::WAYS.len()];
        let (value, message) = well_formed::message(&mut random, way);
        let (state, remarks) = written(&message);
        assert_eq!((state.get("a"), remarks), (Some(&value), 0), "case {case}, {way:?}:\n{message}");
        assert_eq!(state.get("b").map(json::write).as_deref(), Some("2"), "case {case}:\n{message}");
    }
}

/// Whatever is removed, inserted or doubled: no part of the surrounding JSON ends up inside a
/// value, and a lost change is reported.
#[test]
fn random_damage_never_swallows_structure() {
    let mut random = Random::new(setting("DAMAGE_SEED", 1));
    let (mut swallows, mut silent, mut right) = (0, 0, 0);
    let cases = setting("DAMAGE_CASES", 60) * 50;
    for case in 0..cases {
        let before = match case % 2 {
            0 => patch_kinds::block(&tokens::concat(&tokens::block(&mut random))),
            _ => line_kinds::lines(&mut random),
        };
        let whole = evaluate(&before);
        let message = mutated(&mut random, &before);
        let outcome = evaluate(&message);
        let same = outcome.state == whole.state;
        right += usize::from(same);
        if swallowed(&outcome.state, &whole.state, &whole.state) {
            swallows += 1;
        }
        if !same && outcome.remarks == 0 && outcome.calls < whole.calls {
            silent += 1;
        }
    }
    println!("{cases} cases: {right} as before, {swallows} swallowed, {silent} silent");
    // If two marks of one list are damaged, an item cannot be told from a quotation.
    assert!(swallows * 1_000 <= cases as usize * 2, "{swallows} of {cases}");
    assert!(silent * 1_000 <= cases as usize, "{silent} of {cases}");
}

const MARKS: &[&str] = &["\"", "{", "}", "[", "]", ",", " "];

fn mutated(random: &mut Random, text: &str) -> String {
    let start = text.find("<JSONPatch>").map_or_else(|| text.find('\n').unwrap(), |at| at + 11);
    let end = text.rfind("\n</").unwrap();
    let marks: Vec<usize> = structural_marks(&text[..end], start);
    let mut out = text.to_owned();
    let mut places: Vec<usize> = (0..1 + random.below(2)).map(|_| *random.pick(&marks)).collect();
    places.sort_unstable();
    places.dedup();
    for at in places.into_iter().rev() {
        match random.below(3) {
            0 => drop(out.remove(at)),
            1 => out.insert(at, text[at..].chars().next().unwrap()),
            _ if matches!(text.as_bytes()[at], b'"' | b'\'') => drop(out.remove(at)),
            _ => out.insert_str(at, random.pick::<&str>(MARKS)),
        }
    }
    out
}

/// Returns the offsets of the marks of a well-formed reply outside of texts.
fn structural_marks(text: &str, start: usize) -> Vec<usize> {
    let (mut marks, mut quote, mut escaped) = (Vec::new(), None, false);
    for (at, next) in text.char_indices().skip_while(|(at, _)| *at <= start) {
        match quote {
            Some(_) if escaped => escaped = false,
            Some(_) if next == '\\' => escaped = true,
            Some(open) if next == open => {
                quote = None;
                marks.push(at);
            }
            Some(_) => {}
            None if matches!(next, '"' | '\'') => {
                quote = Some(next);
                marks.push(at);
            }
            None if "{}[],:()".contains(next) => marks.push(at),
            None => {}
        }
    }
    marks
}
