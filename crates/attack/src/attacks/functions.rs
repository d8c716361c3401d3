//! Functions of a card, which a user allowed.

use std::time::{Duration, Instant};

use storeyline_bench::http::Connection;
use storeyline_state::{Value, json};

use crate::{Attack, Done, Outcome, Target};

/// Scripts with the outcomes that are expected, and scripts that try to leave something behind.
const HOSTILE: &str = include_str!("../../../../corpus/scripts/hostile.md");
const LEAVERS: &str = include_str!("../../../../corpus/scripts/leavers.txt");

/// Visits everything that a script can reach, and writes a hash of it.
const WALK: &str = include_str!("../../../../corpus/scripts/walk.js");

pub static LEAK: Attack = Attack {
    name: "leak",
    wants: "to read the state of another owner from what its function left behind",
    is_quick: true,
    limit: Duration::from_secs(60),
    run: leak,
};

pub static FUNCTIONS: Attack = Attack {
    name: "functions",
    wants: "to change what a later page of anybody sees or computes, by about 200 functions of two owners in turn",
    is_quick: false,
    limit: Duration::from_secs(1_800),
    run: every_function,
};

pub static PAGE_TIME: Attack = Attack {
    name: "page-time",
    wants: "to occupy a worker for minutes with many slow calls in one reply",
    is_quick: false,
    limit: Duration::from_secs(120),
    run: many_slow_calls,
};

pub static HANGING: Attack = Attack {
    name: "hanging",
    wants: "to make another owner wait by functions that hang",
    is_quick: false,
    limit: Duration::from_secs(120),
    run: hang,
};

/// Evaluates a page with one passive function; returns the status and the answer.
fn evaluate(connection: &mut Connection, executor: &str, message: &str) -> Done<(u16, String)> {
    let function = Value::entries([
        ("name", "f".into()),
        ("type", if message.is_empty() { "passive".into() } else { "active".into() }),
        ("enabled", true.into()),
        ("executor", executor.into()),
    ]);
    let library = Value::entries([("functions", Value::list(vec![function]))]);
    let rules = Value::entries([("library", library)]);
    let state = json::read(r#"{"list":[1],"secret":"no"}"#)?;
    let message = if message.is_empty() { "hello" } else { message };
    let body = Value::entries([("state", state), ("message", message.into()), ("rules", rules)]);
    let (status, answer) = connection.ask("POST", "/api/v1/evaluate", &json::write(&body))?;
    Ok((status, answer))
}

fn leak(target: &Target) -> Done<Outcome> {
    let server = target.server()?;
    let (mut attacker, mut victim) = (server.connect("attacker")?, server.connect("victim")?);
    let close = "}); let window = { secret: 1 }; var stolen = []; (function (snapshot, args, context) {";
    evaluate(&mut attacker, close, "")?;
    let fresh = target_probe(target)?;
    let seen = evaluate(&mut victim, "snapshot.t = [typeof window, typeof stolen]", "")?.1;
    let walked = evaluate(&mut victim, WALK, "")?.1;
    let got = !seen.contains(r#"["undefined","undefined"]"#) || walked != fresh;
    Ok(Outcome::new(got, format!("the victim's function saw {seen}")))
}

/// What a function reaches in a new process.
fn target_probe(target: &Target) -> Done<String> {
    let other = Target::new(&target.program)?;
    let server = other.server()?;
    Ok(evaluate(&mut server.connect("fresh")?, WALK, "")?.1)
}

fn hostile() -> Vec<(&'static str, &'static str)> {
    let section = |section: &'static str| {
        let (name, rest) = section.split_once('\n')?;
        Some((name, rest.split_once("```js\n")?.1.split("\n```").next()?))
    };
    let named = HOSTILE.split("\n## ").skip(1).filter_map(section);
    named.chain(LEAVERS.lines().map(|line| (line, line))).collect()
}

fn every_function(target: &Target) -> Done<Outcome> {
    let server = target.server()?;
    let mut owners = [server.connect("one")?, server.connect("two")?];
    let wanted = target_probe(target)?;
    let (all, mut clock, mut differences) = (hostile(), Vec::new(), Vec::new());
    for (number, (name, script)) in all.iter().enumerate() {
        let (mut own, other) = (number % 2, 1 - number % 2);
        let start = Instant::now();
        let (status, done) = evaluate(&mut owners[own], script, "")?;
        if status != 200 {
            clock.push(format!("{name} ({:.0} s)", start.elapsed().as_secs_f64()));
        }
        for _ in 0..2 {
            if evaluate(&mut owners[own], WALK, "")?.1 != wanted {
                differences.push(format!("after {name}"));
            }
            own = other;
        }
        // What a process computes that has run nothing else; a hang would only be repeated.
        if status == 200 && number % 8 == 0 {
            let alone = Target::new(&target.program)?;
            let fresh = alone.server()?;
            let alone = evaluate(&mut fresh.connect("fresh")?, script, "")?;
            if alone.0 == 200 && alone.1 != done {
                differences.push(format!("result of {name}: {done:.300} and {:.300}", alone.1));
            }
        }
    }
    let seen = format!(
        "{} functions, {} differences {differences:?}; ended by the clock: {} {clock:?}",
        all.len(),
        differences.len(),
        clock.len()
    );
    Ok(Outcome::new(!differences.is_empty() || clock.len() > 5, seen))
}

fn many_slow_calls(target: &Target) -> Done<Outcome> {
    let server = target.server()?;
    let slow = "const a = 'x'.repeat(4e6), b = 'x'.repeat(4e6 - 1) + 'y'; for (let i = 0; i < 2500; i++) a === b";
    let start = Instant::now();
    let (status, said) = evaluate(&mut server.connect("attacker")?, slow, &"@.f();\n".repeat(40))?;
    let took = start.elapsed();
    Ok(Outcome::new(
        took > Duration::from_secs(20),
        format!("{:.1} s, status {status}: {said:.80}", took.as_secs_f64()),
    ))
}

fn hang(target: &Target) -> Done<Outcome> {
    let server = target.server()?;
    let stuck = "let o = {}; for (let i = 0; i < 1e5; i++) o = Object.create(o); for (;;) o.missing";
    let mut others: Vec<Connection> = (0..4).map(|_| server.connect("attacker")).collect::<Result<_, _>>()?;
    let mut victim = server.connect("victim")?;
    evaluate(&mut victim, "snapshot.n = 1", "")?;
    let longest = std::thread::scope(|scope| -> Done<Duration> {
        let hanging: Vec<_> =
            others.iter_mut().map(|other| scope.spawn(|| evaluate(other, stuck, "").is_ok())).collect();
        std::thread::sleep(Duration::from_millis(500));
        let (mut longest, begin) = (Duration::ZERO, Instant::now());
        while begin.elapsed() < Duration::from_secs(8) {
            let start = Instant::now();
            evaluate(&mut victim, "snapshot.n = 1", "")?;
            longest = longest.max(start.elapsed());
        }
        hanging.into_iter().for_each(|one| drop(one.join()));
        Ok(longest)
    })?;
    let seen = format!("the longest wait of the other owner beside four hanging functions: {longest:.0?}");
    Ok(Outcome::new(longest > Duration::from_secs(2), seen))
}
