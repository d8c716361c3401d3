//! Paths mean in Rust what they mean in lodash: 100,000 random triples of state, path and
//! operation, compared.
//!
//! Intended differences, and no others:
//! - an empty path is refused ([`Apart::Empty`]);
//! - backticks may quote a key in a bracket ([`Apart::Backtick`]);
//! - texts have no children: lodash gives their characters ([`Apart::Text`]);
//! - removing an item of a list closes the gap, lodash leaves a hole ([`Apart::Gap`]);
//! - a name as a key of a list, and an index beyond its end, are refused; where a list with a hole
//!   would have to be made, an object is made ([`Apart::Hole`]).
//!
//! Names that JavaScript defines on every object or list (`length`, `constructor`) are not tested:
//! to lodash's `get` they are values. `__proto__` is refused by both.

use std::collections::BTreeMap;

use storeyline_functions::Scripts;
use storeyline_functions::script::Source;
use storeyline_state::object::array_index;
use storeyline_state::path::child;
use storeyline_state::{StatePath, Value, json, op};

use crate::support::{in_process, script, value};

const TRIPLES: usize = 100_000;
const BATCH: usize = 2_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Apart {
    Empty,
    Backtick,
    Text,
    Gap,
    Hole,
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % end
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

const KEYS: &[&str] =
    &["a", "b", "金", "0", "1", "2", "10", "-1", "01", "1.5", "a b", "a.b", "a[0]", "", "a[b", "]", "\\", "'"];
const PIECES: &[&str] = &[
    "a",
    "b",
    "金",
    "0",
    "1",
    "2",
    ".",
    ".",
    "..",
    "[",
    "]",
    "[]",
    "[0]",
    "[1]",
    "[2]",
    "[-1]",
    "[01]",
    "[1.5]",
    "[a]",
    "[a.b]",
    "['b']",
    "[\"a.b\"]",
    "['']",
    "[\"a]\"]",
    "['\\'']",
    "[\"\\\\\"]",
    "['a",
    "\"]",
    "'",
    "\"",
    "\\",
    " ",
    "[`a`]",
    "[\n]",
    "['\\\n']",
    "[ 0 ]",
];

fn state(dice: &mut Dice, depth: usize) -> Value {
    match if depth == 0 { 6 } else { dice.below(if depth > 3 { 4 } else { 9 }) } {
        0 => Value::Null,
        1 => Value::from(dice.below(9) as i64),
        2 => Value::text(dice.pick(&["", "x", "yz"])),
        3 => Value::from(dice.below(2) == 0),
        4 | 5 => Value::list((0..dice.below(4)).map(|_| state(dice, depth + 1)).collect()),
        _ => {
            let entry = |dice: &mut Dice| (dice.pick(KEYS).into(), state(dice, depth + 1));
            Value::object((0..dice.below(5)).map(|_| entry(dice)).collect())
        }
    }
}

/// A third of the paths follow the state, a third are well formed, a third are anything.
fn path(dice: &mut Dice, state: &Value) -> String {
    let count = 1 + dice.below(4);
    let mut text = String::new();
    if dice.below(3) == 0 {
        follow(dice, state, &mut text);
        return text;
    }
    for at in 0..count {
        if count.is_multiple_of(2) {
            text.push_str(dice.pick(PIECES));
            continue;
        }
        match (dice.below(3), dice.pick(KEYS)) {
            (0, key) => text.push_str(&format!("['{}']", key.replace('\\', "\\\\").replace('\'', "\\'"))),
            (1, key) if array_index(key).is_some() => text.push_str(&format!("[{key}]")),
            (_, key) if at > 0 => text.push_str(&format!(".{key}")),
            (_, key) => text.push_str(key),
        }
    }
    text
}

fn follow(dice: &mut Dice, value: &Value, text: &mut String) {
    if !text.is_empty() && dice.below(4) == 0 {
        return;
    }
    let (key, next) = match value {
        Value::List(items) if !items.is_empty() => {
            let at = dice.below(items.len());
            (at.to_string(), &items[at])
        }
        Value::Object(object) if !object.is_empty() => {
            let (key, next) = object.iter().nth(dice.below(object.len())).unwrap();
            (key.to_string(), next)
        }
        _ => return,
    };
    match dice.below(3) {
        0 => text.push_str(&format!("[\"{}\"]", key.replace('\\', "\\\\"))),
        1 if array_index(&key).is_some() => text.push_str(&format!("[{key}]")),
        _ if text.is_empty() => text.push_str(&key),
        _ => text.push_str(&format!(".{key}")),
    }
    follow(dice, next, text);
}

const OPERATIONS: &[&str] = &["get", "has", "set", "unset"];

/// Returns our result as text, or the reason for a difference.
fn ours(state: &Value, path: &str, operation: &str, new: &Value) -> Result<String, Apart> {
    let parsed: StatePath = path.parse().map_err(|_| Apart::Empty)?;
    if path.contains("[`") {
        return Err(Apart::Backtick);
    }
    let mut next = state.clone();
    match operation {
        "get" => {
            through_text(state, &parsed)?;
            Ok(parsed.get(state).map_or_else(|| "nothing".to_owned(), json::write))
        }
        "has" => {
            through_text(state, &parsed)?;
            Ok(parsed.get(state).is_some().to_string())
        }
        "set" => {
            makes_hole(state, &parsed)?;
            op::set(&mut next, &parsed, new.clone()).map_err(|_| Apart::Hole)?;
            Ok(json::write(&next))
        }
        _ => {
            through_text(state, &parsed)?;
            let keys = parsed.keys_in(state);
            let parent = keys[..keys.len() - 1].iter().try_fold(state, |value, key| child(value, key));
            if parent.is_some_and(|parent| parent.as_list().is_some()) && parsed.get(state).is_some() {
                return Err(Apart::Gap);
            }
            op::unset(&mut next, &parsed).map_err(|_| Apart::Hole)?;
            Ok(json::write(&next))
        }
    }
}

fn through_text(state: &Value, path: &StatePath) -> Result<(), Apart> {
    let mut value = state;
    for key in path.keys_in(state) {
        if value.as_text().is_some() {
            return Err(Apart::Text);
        }
        let Some(next) = child(value, key) else { break };
        value = next;
    }
    Ok(())
}

/// Fails if lodash would make a list that does not begin at 0.
fn makes_hole(state: &Value, path: &StatePath) -> Result<(), Apart> {
    let keys = path.keys_in(state);
    let mut here = Some(state);
    for (at, key) in keys.iter().enumerate() {
        here = here.and_then(|value| child(value, key));
        let replaced = here.is_none_or(|value| value.as_list().is_none() && value.as_object().is_none());
        let index = |key: &str| {
            key == "0" || (!key.starts_with('0') && !key.is_empty() && key.bytes().all(|b| b.is_ascii_digit()))
        };
        if replaced && keys.get(at + 1).is_some_and(|next| index(next) && **next != *"0") {
            return Err(Apart::Hole);
        }
    }
    Ok(())
}

/// Computes lodash's results of a batch.
const ASK: &str = r#"
    snapshot.answers = args[0].map(([text, path, operation, value]) => {
        const state = JSON.parse(text);
        switch (operation) {
            case 'get': { const found = _.get(state, path); return found === undefined ? 'nothing' : JSON.stringify(found); }
            case 'has': return String(_.has(state, path));
            case 'set': _.set(state, path, value); return JSON.stringify(state);
            default: _.unset(state, path); return JSON.stringify(state);
        }
    });
"#;

#[test]
fn paths_mean_what_they_mean_in_lodash() {
    let mut js = in_process();
    let mut dice = Dice(42);
    let mut apart: BTreeMap<Apart, usize> = BTreeMap::new();
    let (mut compared, mut found) = (0, 0);
    for _ in 0..TRIPLES / BATCH {
        let triples: Vec<_> = (0..BATCH)
            .map(|at| {
                let state_before = state(&mut dice, 0);
                let path = path(&mut dice, &state_before);
                (state_before, path, OPERATIONS[at % OPERATIONS.len()], state(&mut dice, 4))
            })
            .collect();
        let asked = triples.iter().map(|(state, path, operation, new)| {
            Value::list(vec![Value::text(json::write(state)), Value::text(path), Value::text(operation), new.clone()])
        });
        let args = [Some(Value::list(asked.collect()))];
        let outcome = js.run(&value("{}"), &script(Source::Body(ASK), &args)).unwrap();
        let answers = outcome.state.get("answers").unwrap().as_list().unwrap();
        for ((state, path, operation, new), answer) in triples.iter().zip(answers) {
            let answer = answer.as_text().unwrap();
            match ours(state, path, operation, new) {
                Ok(own) => {
                    assert_eq!(own, answer, "{operation} {path:?} {} in {}", json::write(new), json::write(state));
                    compared += 1;
                    found += usize::from(own != "nothing" && own != "false" && own != json::write(state));
                }
                Err(why) => *apart.entry(why).or_default() += 1,
            }
        }
    }
    assert!(compared > TRIPLES * 8 / 10, "{compared} compared, apart: {apart:?}");
    assert!(found > TRIPLES / 4, "only {found} paths led somewhere");
    assert!(apart.len() == 5 && apart.values().all(|count| *count > 100), "{apart:?}");
}
