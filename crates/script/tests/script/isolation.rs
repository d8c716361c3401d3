//! Nothing is passed from one page to the next, and little from one call to the next of a page.

use storeyline_functions::script::Source;
use storeyline_functions::{Scripts, Stopped};

use crate::support::{after, in_process, script, shown, value, words};

/// Scripts, one per line, that try to leave something behind; the probe on the next page must see an unchanged realm.
const LEAVERS: &str = include_str!("../../../../corpus/scripts/leavers.txt");

/// Visits everything that a script can reach.
const WALK: &str = include_str!("../../../../corpus/scripts/walk.js");

const PROBE: &str = r#"
    const seen = [];
    for (const value of [snapshot, [], '', 1, () => 1, {}, globalThis, _, _.templateSettings, _.templateSettings.imports, args, context,
        RegExp, addDays, async function () {}, (function* () {})()]) {
        if (value.leak !== undefined) seen.push(typeof value);
    }
    snapshot.seen = seen;
    snapshot.leaks = [typeof leak, typeof leaked, Object.keys(globalThis).filter(k => k.includes('leak')).length,
        Object.getOwnPropertySymbols(globalThis).map(String).join()];
    snapshot.works = [[1, 2].push(3), _.get({ a: { b: 2 } }, 'a.b'), JSON.stringify({ a: [1] }), Math.max(1, 2), [...'ab'].length,
        Date.now(), Math.random() < 1, _.uniqueId('u'), _.cloneDeep({ a: { b: [1] } }).a.b[0], _.isEqual({ a: [1] }, { a: [1] }),
        _([3, 1]).map(n => n + 1).value().join(), _.template('<%= x %>')({ x: 4 }), /a(b)/.exec('ab')[1], [...(function* () { yield 1 })()],
        context.floor, args.length, Object.isFrozen(snapshot), 'hidden' in snapshot, Object.getOwnPropertySymbols(snapshot).length,
        Object.getPrototypeOf(snapshot) === Object.prototype, String(new Error('x').stack).includes('leak'), addDays('2024-01-01', 1),
        _.memoize(x => x)('y'), Object.isExtensible(globalThis)];
"#;

#[test]
fn nothing_that_a_script_does_is_seen_on_the_next_page() {
    let mut fresh = in_process();
    let wanted = after(&mut fresh, r#"{"list":[1]}"#, PROBE);
    assert!(wanted.contains(r#""seen":[],"leaks":["undefined","undefined",0,""]"#), "{wanted}");
    let mut js = in_process();
    for leaver in LEAVERS.lines() {
        for strict in ["", "'use strict';"] {
            let left = after(&mut js, r#"{"list":[1]}"#, &format!("{strict}{leaver}"));
            js.begin_page();
            let seen = after(&mut js, r#"{"list":[1]}"#, PROBE);
            assert_eq!(seen, wanted, "after {strict}{leaver} ({left})");
        }
    }
}

#[test]
fn what_is_not_of_the_language_is_not_there() {
    let mut js = in_process();
    let names = "performance Atomics SharedArrayBuffer ArrayBuffer Uint8Array DataView WeakRef FinalizationRegistry queueMicrotask setTimeout \
                 fetch require process navigator DOMException btoa structuredClone";
    for name in names.split_whitespace() {
        assert_eq!(after(&mut js, "{}", &format!("snapshot.t = typeof {name}")), r#"{"t":"undefined"}"#, "{name}");
    }
    assert_eq!(after(&mut js, "{}", "return import('fs')"), "E-JS-RESULT");
    assert!(js.find("a", "a").is_ok());
}

#[test]
fn writes_before_an_error_are_gone() {
    let mut js = in_process();
    assert_eq!(after(&mut js, r#"{"n":1}"#, "snapshot.n = 2; snapshot.more = {}; null.x"), "E-JS-THROW");
    assert_eq!(after(&mut js, r#"{"n":1}"#, ""), r#"{"n":1}"#);
}

#[test]
fn a_text_that_closes_its_function_is_refused() {
    let mut js = in_process();
    for text in
        ["}); let window = { a: 1 }; (function (snapshot, args, context) {", "}); snapshot = 1; ({", "}, function () {"]
    {
        assert_eq!(after(&mut js, "{}", text), "E-JS-SYNTAX", "{text}");
        assert_eq!(
            after(&mut js, "{}", "snapshot.t = typeof window"),
            r#"{"t":"undefined"}"#,
            "the next call, after {text}"
        );
    }
    for text in ["x => x)}); let window = 1; (function(){return (x => x", "x => x), evil, (y => y"] {
        let refused = js.run(&value("{}"), &script(Source::Function(text), &[]));
        assert!(matches!(refused, Err(Stopped::Refused(_))), "{text}: {refused:?}");
    }
    assert_eq!(after(&mut js, "{}", "// } and ( in a comment\nsnapshot.s = '})'"), r#"{"s":"})"}"#);
    let whole = js.run(&value("{}"), &script(Source::Function("/* a */ (state) => { state.ok = true } // b"), &[]));
    assert_eq!(shown(whole), r#"{"ok":true}"#);
}

#[test]
fn a_call_cannot_change_what_the_next_call_of_its_page_computes_with() {
    let mut js = in_process();
    for text in [
        "Object.prototype.leak = 1; Array.prototype.push = null; Math.max = () => 7; Date.now = () => 5",
        "globalThis.leak = 1; leak2 = 2; _.map = null; _.templateSettings.imports.leak = 1",
        "Object.getPrototypeOf([][Symbol.iterator]()).next = () => ({ done: true })",
    ] {
        after(&mut js, "{}", text);
        let seen = after(
            &mut js,
            "{}",
            "snapshot.seen = [typeof leak, typeof leak2, ({}).leak ?? 0, [].push(1), Math.max(1, 2), [...'ab'].length, _.map([1], x => x).length]",
        );
        assert_eq!(seen, r#"{"seen":["undefined","undefined",0,1,2,2,1]}"#, "after {text}");
    }
}

#[test]
fn a_script_gets_lodash_however_it_asks() {
    let mut js = in_process();
    for text in [
        "snapshot.n = _.size([1, 2])",
        "snapshot.n = globalThis[String.fromCharCode(95)].size([1, 2])",
        "try { snapshot.n = eval(String.fromCharCode(95)).size([1, 2]) } catch { snapshot.n = 'caught' }",
        "snapshot.n = Object.keys({ a: 1, b: globalThis['\\x5f'] }).length",
    ] {
        js.begin_page();
        assert_eq!(after(&mut js, "{}", text), r#"{"n":2}"#, "{text}");
    }
}

#[test]
fn what_is_thrown_is_told_as_it_is() {
    let mut js = in_process();
    for (text, said) in [
        ("throw null", "null"),
        ("throw undefined", "undefined"),
        ("throw new InternalError('out of memory')", "out of memory"),
    ] {
        let refused = js.run(&value("{}"), &script(Source::Body(text), &[]));
        assert_eq!(shown(refused.clone()), "E-JS-THROW", "{text}");
        assert!(words(refused).contains(said), "{text}");
    }
    assert_eq!(after(&mut js, "{}", "const a = []; for (;;) a.push({ x: [a.length] })"), "E-JS-MEMORY");
}

#[test]
fn a_script_reaches_the_same_on_every_page() {
    let mut js = in_process();
    let wanted = after(&mut js, "{}", WALK);
    assert!(wanted.contains("\"parts\":"), "{wanted}");
    for leaver in LEAVERS.lines() {
        js.begin_page();
        after(&mut js, r#"{"list":[1]}"#, leaver);
        js.begin_page();
        assert_eq!(after(&mut js, "{}", WALK), wanted, "after {leaver}");
    }
}
