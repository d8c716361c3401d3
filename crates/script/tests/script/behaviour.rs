//! What a script sees and what happens to its result.

use storeyline_functions::Scripts;
use storeyline_functions::script::Source;
use storeyline_script::Limits;
use storeyline_state::Value;

use crate::support::{after, in_process, run_on, script, shown, value, words, worker};

#[test]
fn a_body_changes_the_snapshot_or_returns_another() {
    let mut js = in_process();
    for (state, body, wanted) in [
        (r#"{"hp":1}"#, "snapshot.hp += 2;", r#"{"hp":3}"#),
        (r#"{"hp":1}"#, "snapshot.x = 1; return;", r#"{"hp":1,"x":1}"#),
        (r#"{"hp":1}"#, "return {a: [snapshot.hp]}", r#"{"a":[1]}"#),
        (r#"{"hp":1}"#, "_.set(snapshot, '角色.金币', 5)", r#"{"hp":1,"角色":{"金币":5}}"#),
        (r#"{"a":[1,2,3]}"#, "snapshot.a.splice(1, 1)", r#"{"a":[1,3]}"#),
        (r#"{"a":[]}"#, "snapshot.a = {}", r#"{"a":{}}"#),
        (r#"{"a":{}}"#, "snapshot.a = []", r#"{"a":[]}"#),
        (r#"{"a":1,"b":2}"#, "delete snapshot.a; snapshot.a = 1", r#"{"b":2,"a":1}"#),
        (r#"{"b":2}"#, "snapshot[7] = context.floor", r#"{"7":3,"b":2}"#),
        ("{}", "for (i = 0; i < 3; i++) snapshot['k' + i] = i", r#"{"k0":0,"k1":1,"k2":2}"#),
        ("{}", "snapshot.d = new Date(0)", r#"{"d":"1970-01-01T00:00:00.000Z"}"#),
        ("{}", "snapshot.s = 'a\\ud83d!'", "{\"s\":\"a\u{fffd}!\"}"),
        ("{}", "snapshot.toString = 1; snapshot.constructor = 2", r#"{"toString":1,"constructor":2}"#),
        ("{}", "snapshot.x = _.chain([3,1,2]).sortBy().map(n => n * 2).value()", r#"{"x":[2,4,6]}"#),
        (
            "{}",
            "class Own extends Error { constructor() { super('x'); this.name = 'Own' } } snapshot.n = new Own().name",
            r#"{"n":"Own"}"#,
        ),
    ] {
        assert_eq!(after(&mut js, state, body), wanted, "{body}");
    }
}

#[test]
fn a_result_that_a_state_cannot_hold_is_refused() {
    let mut js = in_process();
    for (body, wanted) in [
        ("return 5", "E-JS-RESULT"),
        ("return null", "E-JS-RESULT"),
        ("return [1]", "E-JS-RESULT"),
        ("return () => 1", "E-JS-RESULT"),
        ("return Promise.resolve({})", "E-JS-RESULT"),
        ("snapshot.x = NaN", "E-JS-VALUE"),
        ("snapshot.x = [1, -Infinity]", "E-JS-VALUE"),
        ("snapshot.x = undefined", "E-JS-VALUE"),
        ("snapshot.x = [,1]", "E-JS-VALUE"),
        ("snapshot.x = 5n", "E-JS-VALUE"),
        ("snapshot.x = Symbol()", "E-JS-VALUE"),
        ("snapshot.x = () => 1", "E-JS-VALUE"),
        ("snapshot.x = new Map()", "E-JS-VALUE"),
        ("snapshot.x = new Error('e')", "E-JS-VALUE"),
        ("snapshot.x = new Proxy({}, {})", "E-JS-VALUE"),
        ("snapshot.x = snapshot", "E-JS-CYCLE"),
        ("let x = snapshot; for (let i = 0; i < 120; i++) x = x.d = {}", "E-JS-DEEP"),
    ] {
        assert_eq!(after(&mut js, "{\"keep\":1}", body), wanted, "{body}");
        assert_eq!(after(&mut js, "{\"keep\":1}", "snapshot.ok = true"), r#"{"keep":1,"ok":true}"#, "after {body}");
    }
    assert_eq!(
        words(run_on(&mut js, "{}", "snapshot.角色 = {列表: [1, NaN]}")),
        "The script left NaN at snapshot.角色.列表[1], which a state cannot hold; nothing was changed."
    );
}

#[test]
fn an_error_names_line_and_column_of_the_authors_text() {
    let mut js = in_process();
    assert_eq!(
        words(run_on(&mut js, "{}", "let a = 1;\nsnapshot.b.c = 1;")),
        "The script failed at line 2, column 1: TypeError: cannot set property 'c' of undefined; nothing was changed."
    );
    let syntax = words(run_on(&mut js, "{}", "let a = 1;\nlet b = (;"));
    assert!(syntax.starts_with("The script has a syntax error at line 2, column 10"), "{syntax}");
    assert!(words(run_on(&mut js, "{}", "throw '坏了'")).contains("坏了"));
    assert!(words(run_on(&mut js, "{}", "throw {}")).starts_with("The script failed: "));
    assert_eq!(after(&mut js, "{}", "snapshot.a = 1;\u{0}"), "E-JS-SYNTAX");
    assert_eq!(after(&mut js, "{}", &format!("/*{}*/", "x".repeat(300_000))), "E-JS-SOURCE");
}

#[test]
fn a_function_text_gets_snapshot_and_arguments() {
    let mut js = in_process();
    let args = [Some(value(r#"{"n":2}"#)), None];
    for (text, wanted) in [
        ("(snapshot, a, b) => { snapshot.x = [a.n, b === undefined] }", r#"{"x":[2,true]}"#),
        ("function (s, ...rest) { s.count = rest.length; return s };", r#"{"count":2}"#),
        ("5", "E-JS-SYNTAX"),
        ("async (s) => { s.x = 1 }", "E-JS-RESULT"),
    ] {
        assert_eq!(shown(js.run(&value("{}"), &script(Source::Function(text), &args))), wanted, "{text}");
    }
    assert_eq!(
        shown(js.run(&value("{}"), &script(Source::Body("snapshot.a = args"), &args[..1]))),
        r#"{"a":[{"n":2}]}"#
    );
}

#[test]
fn sams_functions_see_state_and_their_parameters_and_no_network() {
    let mut js = in_process();
    let parameters = ["who".to_owned(), "...rest".to_owned()];
    let args = [Some(Value::from("小满")), Some(Value::from(1)), Some(Value::from(2))];
    let mut sam =
        |body: &str| shown(js.run(&value("{}"), &script(Source::Sam { parameters: &parameters, body }, &args)));
    assert_eq!(sam("_.set(state, ['n', who], rest.length); return 5"), r#"{"n":{"小满":2}}"#);
    assert_eq!(
        sam("try { fetch('x') } catch (e) { state.e = e.message }"),
        r#"{"e":"EVAL: Network access is disabled for this function."}"#
    );
    assert_eq!(sam("new XMLHttpRequest()"), "E-JS-THROW");
}

#[test]
fn conditions_are_truths() {
    let mut js = in_process();
    let state = value(r#"{"hp":3,"name":"","list":[]}"#);
    for (condition, wanted) in [
        ("snapshot.hp > 2", true),
        ("snapshot.hp > 3 // no", false),
        ("snapshot.name", false),
        ("snapshot.list", true),
        ("snapshot.missing", false),
        ("return snapshot.hp === 3", true),
        ("NaN", false),
        ("snapshot.hp = 9", true),
    ] {
        assert_eq!(js.test(&state, &script(Source::Body(condition), &[])), Ok(wanted), "{condition}");
    }
    assert!(js.test(&state, &script(Source::Body("snapshot.("), &[])).is_err());
    assert_eq!(shown(js.run(&state, &script(Source::Body(""), &[]))), r#"{"hp":3,"name":"","list":[]}"#);
}

#[test]
fn times_are_answered_in_the_form_they_came() {
    let mut js = in_process();
    for (call, wanted) in [
        ("addMinutes('2024-10-26T20:00:00Z', 30)", "\"2024-10-26T20:30:00Z\""),
        ("addHours('2024-10-26T20:00:00.000+08:00', 5)", "\"2024-10-27T01:00:00.000+08:00\""),
        ("addDays('2024-12-31', 1)", "\"2025-01-01\""),
        ("addMinutes('2024年10月26日 20:00', 300)", "\"2024年10月27日 01:00\""),
        ("addMinutes('2024年1月5日 星期五 9:05', -10)", "\"2024年1月5日 星期五 8:55\""),
        ("addDays('2024年1月5日 星期五 9:05', 1)", "\"2024年1月6日 星期六 9:05\""),
        ("addHours('2024年10月26日20时05分', 1)", "\"2024年10月26日21时05分\""),
        ("addHours('2024/10/26 23:30', 1)", "\"2024/10/27 00:30\""),
        ("addDays('0312-02-28 08:00:01', 1)", "\"0312-02-29 08:00:01\""),
        ("addMinutes('2024-10-26', 90)", "\"2024-10-26 01:30\""),
        ("addMinutes(0, 1)", "60000"),
        ("addHours(new Date(0), 1).getTime()", "3600000"),
    ] {
        assert_eq!(after(&mut js, "{}", &format!("snapshot.t = {call}")), format!("{{\"t\":{wanted}}}"), "{call}");
    }
    assert_eq!(after(&mut js, "{}", "addDays('昨天', 1)"), "E-JS-THROW");
}

#[test]
fn the_clock_stands_and_the_zone_is_utc() {
    let mut js = in_process();
    let body = "snapshot.t = [Date.now(), +new Date(), new Date().constructor.now(), Date(), new Date(2024, 9, 26, 20).getTime(),
        new Date().getHours(), new Date().getTimezoneOffset(), Date.parse('2024-10-26T20:00'), Date.parse('2024-10-26'),
        Date.parse('Oct 26, 2024 20:00'), Date.parse('2024/10/26 20:00'), +new Date('2024-10-26T20:00:00+08:00'),
        new Date().toLocaleString(), String(new Date(NaN)), new (class extends Date {})().getTime(), Date.UTC(2024, 0), _.now()]";
    assert_eq!(
        after(&mut js, "{}", body),
        "{\"t\":[1729972800000,1729972800000,1729972800000,\"Sat Oct 26 2024 20:00:00 GMT+0000\",1729972800000,20,0,\
         1729972800000,1729900800000,1729972800000,1729972800000,1729944000000,\"10/26/2024, 08:00:00 PM\",\"Invalid Date\",\
         1729972800000,1704067200000,1729972800000]}"
    );
}

#[test]
fn chance_comes_from_the_seed() {
    let mut js = in_process();
    let mut roll = |seed| {
        let body = Source::Body("snapshot.r = [Math.random(), _.random(1, 1000), _.shuffle([1,2,3,4,5,6,7])]");
        shown(js.run(&value("{}"), &storeyline_functions::Script { seed, ..script(body, &[]) }))
    };
    let first = roll(1);
    assert_ne!(first, roll(2));
    assert_eq!(first, roll(1));
}

#[test]
fn console_prints_to_whoever_listens_and_does_nothing_else() {
    let mut js = worker(Limits::default());
    let body =
        "console.log('a', { b: [1] }, undefined, 10n); console.warn('\\ud800'); snapshot.n = typeof console.log;";
    assert_eq!(after(&mut js, "{}", body), r#"{"n":"function"}"#);
    assert!(js.printed().is_empty(), "nobody listened");
    js.listen();
    assert_eq!(after(&mut js, "{}", body), r#"{"n":"function"}"#);
    let much = "for (let i = 0; i < 5000; i++) console.log('x'.repeat(100)); console.log('end')";
    after(&mut js, "{}", much);
    let printed = js.printed();
    assert_eq!(printed[..2], ["a {\"b\":[1]} undefined bigint", "\u{fffd}"]);
    assert!(printed.len() < 200 && printed.iter().map(String::len).sum::<usize>() < 17 << 10, "bounded");
    for function in ["(snapshot) => { console.log(1) }", "function (snapshot) { console.log(1) }"] {
        js.listen();
        js.run(&value("{}"), &script(Source::Function(function), &[])).unwrap();
        assert_eq!(js.printed(), ["1"]);
    }
}
