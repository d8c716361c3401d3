//! The same calls give the same bytes, on any executor and after any earlier pages.

use storeyline_functions::script::Source;
use storeyline_functions::{Script, Scripts, Stopped};
use storeyline_script::{InProcess, Limits};
use storeyline_state::{Change, Op, json};

use crate::support::{context, value, worker};

const CALL_TICKS: u64 = 60;

fn limits() -> Limits {
    Limits { call_ticks: CALL_TICKS, memory: 8 << 20, ..Limits::default() }
}

/// The source of call number `n`; some are just within or just beyond a limit.
fn source(n: u64) -> String {
    // One iteration of this loop polls twice, a tick is 10,000 polls.
    let turns = |percent: u64| CALL_TICKS * 10_000 / 2 * percent / 100;
    // Calls that need a new realm are slow; they occur three times each, the rest ten times.
    let kind = if n >= 60 && [4, 7, 8, 10, 12, 13, 16, 19].contains(&(n % 20)) { 15 } else { n % 20 };
    match kind {
        0 => format!("for (let i = 0; i < {}; i++); snapshot.n = {n}", turns(90)),
        1 => format!("for (let i = 0; i < {}; i++); snapshot.n = {n}", turns(110)),
        2 => format!("for (let i = 0; i < {}; i++); snapshot.n = {n}", turns(99)),
        3 => {
            format!("snapshot.paths = _.range(500).map(i => _.get(snapshot, 'a.b' + i + '.c[' + i + ']', {n})).length")
        }
        4 => "for (let i = 0;; i++) _.get(snapshot, 'deep.path' + (i % 700) + '.x')".to_owned(),
        5 => format!("snapshot.r = [Math.random(), _.sample([1,2,3,4,5]), _.shuffle([1,2,3]), _.uniqueId('id{n}')]"),
        6 => "snapshot.t = [Date.now(), new Date().toString(), Object.keys(globalThis).length]".to_owned(),
        7 => "const a = []; for (;;) a.push({ x: [a.length] })".to_owned(),
        8 => "const a = []; try { for (;;) a.push({ x: [a.length] }) } catch { snapshot.caught = 1 }".to_owned(),
        9 => format!("const a = []; for (let i = 0; i < 40000; i++) a.push({{ i }}); snapshot.n = a.length + {n}"),
        10 => "let depth = 0; (function f() { depth++; f() })()".to_owned(),
        11 => "let depth = 0; try { (function f() { depth++; f() })() } catch {} snapshot.depth = depth".to_owned(),
        12 => "/(x+)+y/.test('x'.repeat(30))".to_owned(),
        13 => format!("snapshot.m = 'ab{n}'.match(/([a-z])(\\d)?/g); leak = {n}; Object.prototype.p = 1"),
        14 => "null.f()".to_owned(),
        15 => "snapshot.list = (snapshot.list ?? []).concat([snapshot.list?.length ?? 0]).slice(-30)".to_owned(),
        16 => "'x'.repeat(1e6).split('').sort().join('')".to_owned(),
        17 => "snapshot.o = _.mapValues({ a: 1, b: 2 }, v => v * 0.1)".to_owned(),
        18 => "return { ...snapshot, z: _.cloneDeep(snapshot.o) ?? null }".to_owned(),
        _ => "snapshot.big = _.range(300).map(i => ({ i, s: 'x'.repeat(i) })); Promise.resolve().then(() => 1)"
            .to_owned(),
    }
}

/// An op as text.
fn op_text(op: &Op) -> String {
    let (kind, values, at) = match &op.change {
        Change::Set { old, new } => ("set", [Some(old), Some(new)], None),
        Change::Insert { new, at } => ("insert", [None, Some(new)], Some(at)),
        Change::Remove { old, at } => ("remove", [Some(old), None], Some(at)),
    };
    format!("{kind} {:?} {:?} {at:?}", op.path, values.map(|value| value.map(json::write)))
}

/// Returns the results of 200 calls as one text.
fn story(scripts: &mut dyn Scripts, between: impl Fn(&mut dyn Scripts, u64)) -> String {
    let mut state = value(r#"{"a":{},"exact":0.12345678901234567890123}"#);
    let mut told = String::new();
    for n in 0..200 {
        between(scripts, n);
        scripts.begin_page();
        let source = source(n);
        let script = Script { source: Source::Body(&source), args: &[], context: context(), seed: n, time: n as i64 };
        match scripts.run(&state, &script) {
            Ok(outcome) => {
                told.push_str(&format!("{n} {:?}\n", outcome.ops.iter().map(op_text).collect::<Vec<_>>()));
                state = outcome.state;
            }
            Err(Stopped::Refused(refusal)) => told.push_str(&format!("{n} {refusal:?}\n")),
            Err(Stopped::Incomplete(incomplete)) => panic!("{n}: {incomplete}"),
        }
    }
    told + &json::write(&state)
}

fn same(told: &str, wanted: &str, who: &str) {
    for (line, wanted) in told.lines().zip(wanted.lines()) {
        assert_eq!(line, wanted, "{who}");
    }
    assert_eq!(told.len(), wanted.len(), "{who}");
}

#[test]
fn two_hundred_calls_give_the_same_bytes_everywhere() {
    let fresh = story(&mut worker(limits()), |_, _| {});
    for (call, code) in
        [(1, "E-JS-TICKS"), (4, "E-JS-TICKS"), (7, "E-JS-MEMORY"), (10, "E-JS-STACK"), (12, "E-JS-TICKS")]
    {
        let line = fresh.lines().find(|line| line.starts_with(&format!("{call} "))).unwrap();
        assert!(line.contains(code), "{line}");
    }
    for call in [0, 2, 3, 9] {
        let line = fresh.lines().find(|line| line.starts_with(&format!("{call} "))).unwrap();
        assert!(line.contains("\"set ") || line.contains("\"insert "), "{line}");
    }
    same(&story(&mut InProcess::new(limits()), |_, _| {}), &fresh, "in process");
    let past = |scripts: &mut dyn Scripts, n: u64| {
        let noise = format!(
            "const keep = []; for (let i = 0; i < {}; i++) keep.push(_.get(snapshot, 'p' + i)); snapshot.q = {n}",
            n * 37
        );
        let script = Script { source: Source::Body(&noise), args: &[], context: context(), seed: 1, time: 1 };
        let _ = scripts.run(&value(r#"{"other":1}"#), &script);
        let _ = scripts.find("(b+)+c", &"b".repeat((n % 12) as usize));
    };
    same(&story(&mut worker(limits()), past), &fresh, "in a worker with a past");
    same(&story(&mut InProcess::new(limits()), past), &fresh, "in process with a past");
}

#[test]
fn the_last_turn_that_fits_is_the_same_in_a_fresh_and_in_an_old_process() {
    let limits = Limits { call_ticks: 3, ..Limits::default() };
    let fits = |scripts: &mut dyn Scripts, turns: u64| {
        scripts.begin_page();
        let body = format!("for (let i = 0; i < {turns}; i++);");
        let script = Script { source: Source::Body(&body), args: &[], context: context(), seed: 0, time: 0 };
        scripts.run(&value("{}"), &script).is_ok()
    };
    let edge = |scripts: &mut dyn Scripts| {
        let (mut low, mut high) = (0, 100_000);
        while high - low > 1 {
            let middle = (low + high) / 2;
            if fits(scripts, middle) { low = middle } else { high = middle }
        }
        low
    };
    let mut old = InProcess::new(limits.clone());
    let first = edge(&mut old);
    assert_eq!(edge(&mut old), first);
    assert!(fits(&mut InProcess::new(limits.clone()), first));
    assert!(!fits(&mut InProcess::new(limits), first + 1));
}
