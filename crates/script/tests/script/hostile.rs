//! Hostile scripts: the cases are in `corpus/scripts/hostile.md`.

use std::time::Duration;

use storeyline_functions::{Scripts, Stopped};
use storeyline_script::{InProcess, Limits};

use crate::support::{run_on, value, worker};

struct Case {
    name: &'static str,
    everywhere: bool,
    outcomes: Vec<&'static str>,
    source: &'static str,
}

fn cases() -> Vec<Case> {
    let text = include_str!("../../../../corpus/scripts/hostile.md");
    let sections = text.split("\n## ").skip(1);
    let case = |section: &'static str| {
        let (name, rest) = section.split_once('\n').unwrap();
        let (expectation, code) = rest.split_once("```js\n").unwrap();
        let (place, outcomes) = expectation.trim().split_once(": ").unwrap();
        let source = code.split("\n```").next().unwrap();
        Case { name, everywhere: place == "everywhere", outcomes: outcomes.split(' ').collect(), source }
    };
    sections.map(case).collect()
}

/// A fifth of the default ticks, so that the test takes less time. Cases that end by their count
/// have a long wall limit, for busy machines; only cases that never count have a short one.
fn limits(case: &Case) -> Limits {
    let wall = Duration::from_secs(if case.outcomes.contains(&"incomplete") { 3 } else { 60 });
    Limits { call_ticks: 200, wall, page_time: wall, request_time: wall, ..Limits::default() }
}

const STATE: &str = r#"{"a":1,"list":[1,2,{"b":"金"}],"exact":0.1234567890123456789012345}"#;

/// One engine for all cases that count and one for all that do not, so that each case runs after
/// others.
fn run_all<S: Scripts>(start: impl Fn(Limits) -> S, cases: impl Iterator<Item = Case>) {
    let mut problems = Vec::new();
    let (mut patient, mut hasty) = (None, None);
    for case in cases {
        let Case { name, source, ref outcomes, .. } = case;
        let scripts = if outcomes.contains(&"incomplete") { &mut hasty } else { &mut patient };
        let scripts = scripts.get_or_insert_with(|| start(limits(&case)));
        let result = run_on(scripts, STATE, source);
        let outcome = match &result {
            Ok(_) => "ok",
            Err(Stopped::Refused(refusal)) => refusal.code,
            Err(Stopped::Incomplete(_)) => "incomplete",
        };
        if !outcomes.contains(&outcome) {
            problems.push(format!("{name}: {outcome} {result:?}").chars().take(300).collect::<String>());
        }
        let next = run_on(scripts, STATE, "snapshot.a += snapshot.list.length").map(|outcome| outcome.state);
        if next != Ok(value(&STATE.replace(r#""a":1"#, r#""a":4"#))) {
            problems.push(format!("after {name}: {next:?}"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn a_worker_outlives_every_hostile_script() {
    run_all(worker, cases().into_iter());
}

#[test]
fn in_process_every_hostile_script_that_polls_is_ended() {
    run_all(InProcess::new, cases().into_iter().filter(|case| case.everywhere));
}

#[test]
fn only_loops_inside_the_engine_need_a_process() {
    let of_process: Vec<&str> = cases().iter().filter(|case| !case.everywhere).map(|case| case.name).collect();
    assert_eq!(
        of_process,
        ["a chain of prototypes", "a chain of proxies", "long texts that are compared", "long numbers multiplied"]
    );
}
