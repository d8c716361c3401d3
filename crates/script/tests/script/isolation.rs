//! Nothing is passed from one call to the next.

use storeyline_functions::Scripts;

use crate::support::{after, in_process};

/// Each tries to leave something behind; the probe after it must see an unchanged realm.
const LEAVERS: &[&str] = &[
    "Object.prototype.leak = 1",
    "Array.prototype.leak = 1; Array.prototype.push = function () { return 'leak' }",
    "String.prototype.leak = 1; Number.prototype.leak = 1; Function.prototype.leak = 1",
    "Object.prototype.__defineGetter__('leak', () => 1)",
    "snapshot.__proto__.leak = 1",
    "snapshot.constructor.prototype.leak = 1; snapshot.constructor.keys = () => ['leak']",
    "_.set({}, '__proto__.leak', 1); _.merge({}, JSON.parse('{\"__proto__\":{\"leak\":1}}'))",
    "_.set({}, 'constructor.prototype.leak', 1)",
    "Object.setPrototypeOf(Object.prototype, { leak: 1 })",
    "Object.setPrototypeOf(globalThis, { leak: 1 })",
    "globalThis.leak = 1",
    "leak = 1",
    "Object.defineProperty(globalThis, 'leak', { value: 1 })",
    "(0, eval)('var leak = 1; function leaked() { return 1 }')",
    "new Function('globalThis.leak = 1')()",
    "this.leak = 1; globalThis[Symbol.for('leak')] = 1",
    "Object.preventExtensions(globalThis); globalThis.leak = 1",
    "globalThis._ = { get: () => 'leak' }; globalThis.JSON = null; Math = null",
    "_.mixin({ leak: () => 1 })",
    "_.get = () => 'leak'",
    "_.prototype.leak = () => 1; _.templateSettings.imports.leak = 1; _.templateSettings.interpolate = /x/",
    "_.templateSettings = { interpolate: /(leak)/ }",
    "_.memoize.Cache = function () { return 'leak' }",
    "const cache = _.memoize(x => x).cache; cache.set('a', 1); Object.getPrototypeOf(cache).get = () => 'leak'; Object.getPrototypeOf(cache.__data__.hash).get = () => 'leak'",
    "_.cloneDeepWith({a: {}}, (v, k, o, stack) => { if (stack) Object.getPrototypeOf(stack).get = () => 'leak' })",
    "_.isEqualWith([{}], [{}], (...all) => { const stack = all[5]; if (stack) { Object.getPrototypeOf(stack).get = () => 'leak'; Object.getPrototypeOf(stack.__data__).get = () => 'leak' } })",
    "Object.getPrototypeOf(_([1]).map(x => x)).value = () => 'leak'; Object.getPrototypeOf(_([1]).map(x => x).__wrapped__).value = () => 'leak'",
    "Object.getPrototypeOf([][Symbol.iterator]()).next = () => ({ done: true })",
    "Object.getPrototypeOf((function* () {})()).next = () => 'leak'",
    "Object.getPrototypeOf(async function () {}).leak = 1; Object.getPrototypeOf(function* () {}).prototype.leak = 1",
    "Error.prepareStackTrace = () => 'leak'; Error.stackTraceLimit = 0",
    "Date.now = () => 5; Date.prototype.getTime = () => 5; Math.random = () => 0.5",
    "_.uniqueId(); _.uniqueId(); _('x').uniqueId()",
    "/(leak)/.exec('leak'); RegExp.leak = RegExp.$1",
    "RegExp.prototype.exec = () => null; RegExp.prototype.flags",
    "Promise.resolve().then(() => { globalThis.leak = 1 })",
    "(async () => { await null; globalThis.leak = 1 })()",
    "Symbol.for('leak').description; Reflect.apply = null; JSON.parse = () => ({ leak: 1 })",
    "Object.freeze(snapshot); Object.freeze(args); Object.freeze(context)",
    "context.leak = 1; args.leak = 1; context.floor = 9",
    "snapshot.list.leak = 1; Object.defineProperty(snapshot, 'hidden', { value: 1, enumerable: false }); snapshot[Symbol('s')] = 1",
    "Object.setPrototypeOf(snapshot.list, null); Object.setPrototypeOf(snapshot, null)",
    "addDays.leak = 1; addDays.call = null; globalThis.addDays = null",
];

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
fn nothing_that_a_script_does_is_seen_by_the_next() {
    let mut fresh = in_process();
    let wanted = after(&mut fresh, r#"{"list":[1]}"#, PROBE);
    assert!(wanted.contains(r#""seen":[],"leaks":["undefined","undefined",0,""]"#), "{wanted}");
    let mut js = in_process();
    for leaver in LEAVERS {
        for strict in ["", "'use strict';"] {
            let left = after(&mut js, r#"{"list":[1]}"#, &format!("{strict}{leaver}"));
            let seen = after(&mut js, r#"{"list":[1]}"#, PROBE);
            assert_eq!(seen, wanted, "after {strict}{leaver} ({left})");
        }
    }
}

#[test]
fn what_is_not_of_the_language_is_not_there() {
    let mut js = in_process();
    let names = "performance Atomics SharedArrayBuffer WeakRef FinalizationRegistry queueMicrotask console setTimeout \
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
