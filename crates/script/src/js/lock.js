// Locks the realm: removes globals that are not on the list, freezes built-in objects, and returns the
// functions that the host uses around a call. Runs once, after lodash, which may be missing. A realm
// serves one page only, so what is frozen here protects one function of a page from another.
(function (wantLodash, print) {
  "use strict";
  const { ownKeys, apply, getPrototypeOf, getOwnPropertyDescriptor, defineProperty, deleteProperty, isExtensible } = Reflect;
  const { freeze } = Object;
  const { toString } = Function.prototype;
  const { exec } = RegExp.prototype;
  const { toWellFormed } = String.prototype;
  const ObjectPrototype = Object.prototype;
  const Pattern = RegExp;
  const { push } = Array.prototype;
  const { stringify } = JSON;

  const keep = new Set([
    "globalThis", "undefined", "NaN", "Infinity", "Object", "Function", "Error", "EvalError", "RangeError", "ReferenceError",
    "SyntaxError", "TypeError", "URIError", "InternalError", "AggregateError", "Iterator", "Array", "parseInt", "parseFloat",
    "isNaN", "isFinite", "decodeURI", "decodeURIComponent", "encodeURI", "encodeURIComponent", "escape", "unescape", "Number",
    "Boolean", "String", "Math", "Reflect", "Symbol", "eval", "Date", "RegExp", "JSON", "Proxy", "Map", "Set", "WeakMap",
    "WeakSet", "Promise", "BigInt", "addMinutes", "addHours", "addDays",
  ]);
  const lodash = globalThis._;
  for (const name of ownKeys(globalThis)) if (!keep.has(name)) delete globalThis[name];
  // These would carry a function from one call into the next.
  delete Error.prepareStackTrace;
  delete Error.stackTraceLimit;

  // lodash counts ids for as long as it lives; here they start again with each call.
  let ids = 0;
  if (lodash) {
    const uniqueId = (prefix) => (prefix === undefined || prefix === null ? "" : String(prefix)) + ++ids;
    lodash.mixin({ uniqueId(prefix) { return uniqueId(prefix); } }, { chain: false });
  }

  // What has no name: the prototypes of iterators, generators and async functions, and those of lodash.
  const samples = [
    function* () {}, (function* () {})(), async function () {}, async function* () {}, (async function* () {})(),
    [][Symbol.iterator](), ""[Symbol.iterator](), new Map()[Symbol.iterator](), new Set()[Symbol.iterator](),
    "".matchAll(/x/g), (() => { try { return Iterator.from({ next() {} }); } catch { return undefined; } })(),
    (() => { try { return [].values().map((x) => x); } catch { return undefined; } })(),
  ];
  const frozen = new Set();
  if (lodash) {
    const wrapped = lodash([1]).map((x) => x);
    const { cache } = lodash.memoize((x) => x);
    samples.push(lodash([1]), wrapped, wrapped.__wrapped__, lodash.chain({}), cache, cache.__data__.hash, cache.__data__.string, cache.__data__.map);
    lodash.cloneDeepWith({ a: { b: 1 } }, (value, key, object, stack) => {
      if (stack) samples.push(stack, stack.__data__);
    });
    const { templateSettings } = lodash;
    const { Cache } = lodash.memoize;
    for (const part of [lodash, lodash.prototype, Cache, Cache.prototype, templateSettings, templateSettings.imports]) frozen.add(part);
  }

  // A frozen prototype would also forbid `own.toString = …` on everyone else's objects; with these
  // accessors an assignment makes an own property, as it would without the freezing.
  const yielding = (proto, name) => {
    const value = proto[name];
    defineProperty(proto, name, {
      enumerable: false,
      configurable: true,
      get: () => value,
      set(next) {
        if (this === proto) throw new TypeError("built-in objects cannot be changed");
        defineProperty(this, name, { value: next, writable: true, enumerable: true, configurable: true });
      },
    });
  };
  for (const proto of [ObjectPrototype, Error.prototype]) {
    for (const name of ownKeys(proto)) if (getOwnPropertyDescriptor(proto, name).writable) yielding(proto, name);
  }

  // An accessor in every realm, so that a script cannot tell whether lodash is loaded before it asks.
  const give = function () { return lodash; };
  const ask = function () { wantLodash(); throw new TypeError("lodash is loaded, and the function runs again"); };
  defineProperty(globalThis, "_", { get: lodash ? give : ask, enumerable: false, configurable: false });

  for (const name of ownKeys(globalThis)) {
    const { value } = getOwnPropertyDescriptor(globalThis, name);
    if (value === globalThis || (typeof value !== "object" && typeof value !== "function") || value === null) continue;
    frozen.add(value);
    if (typeof value === "function" && value.prototype) frozen.add(value.prototype);
  }
  for (const sample of samples) {
    for (let proto = sample && getPrototypeOf(sample); proto; proto = getPrototypeOf(proto)) frozen.add(proto);
  }
  for (const proto of frozen) {
    if (getPrototypeOf(proto) !== Error.prototype) continue;
    yielding(proto, "name");
    // The empty one of `Error.prototype` serves all.
    delete proto.message;
  }
  for (const value of frozen) freeze(value);
  const names = ownKeys(globalThis);
  const locked = { writable: false, configurable: false };
  for (const name of names) if (name !== "_") defineProperty(globalThis, name, locked);
  const globals = names.length;
  const owned = new Set(names);

  // Prints only while somebody tries out a function; else it does nothing.
  const line = (value) => {
    if (typeof value === "string") return value;
    try {
      return stringify(value) ?? String(value);
    } catch {
      return typeof value;
    }
  };
  const log = (...values) => {
    if (!print()) return;
    let text = "";
    for (let i = 0; i < values.length; i++) text += (i ? " " : "") + line(values[i]);
    print(apply(toWellFormed, text, []));
  };

  const tools = {
    ObjectPrototype,
    console: freeze({ log: freeze(log), info: log, warn: log, error: log, debug: log }),
    begin() { ids = 0; },
    source(compiled) { return apply(toString, compiled, []); },
    // After a call: removes new globals; false when something cannot be made as it was.
    clean() {
      if (getPrototypeOf(globalThis) !== ObjectPrototype || !isExtensible(globalThis)) return false;
      const names = ownKeys(globalThis);
      if (names.length === globals) return true;
      for (const name of names) if (!owned.has(name) && !deleteProperty(globalThis, name)) return false;
      return true;
    },
    drain() { for (;;) {} },
    invoke(call, snapshot, args) {
      const all = [snapshot];
      for (let i = 0; i < args.length; i++) all[i + 1] = args[i];
      return apply(call, undefined, all);
    },
    invokeSam(outer, state, args) {
      return apply(apply(outer, undefined, [state, offline, offline, tools.console]), undefined, args);
    },
    wellFormed(text) { return apply(toWellFormed, text, []); },
    // Flat: start, end, number of groups, the groups; empty matches are left out.
    find(source, flags, text, room) {
      const pattern = new Pattern(source, flags);
      const all = [];
      let used = 0;
      for (;;) {
        const match = apply(exec, pattern, [text]);
        if (match === null) return all;
        const length = match[0].length;
        if (length === 0) {
          const point = pattern.unicode || pattern.unicodeSets ? text.codePointAt(pattern.lastIndex) : 0;
          pattern.lastIndex += point > 0xffff ? 2 : 1;
          if (pattern.lastIndex > text.length) return all;
          continue;
        }
        used += 16;
        apply(push, all, [match.index, match.index + length, match.length - 1]);
        for (let i = 1; i < match.length; i++) {
          used += match[i] === undefined ? 1 : match[i].length + 1;
          apply(push, all, [match[i]]);
        }
        if (used > room) return undefined;
      }
    },
  };
  const offline = function () { throw new Error("EVAL: Network access is disabled for this function."); };
  freeze(offline);
  freeze(offline.prototype);
  for (const name of ownKeys(tools)) if (name !== "ObjectPrototype" && name !== "console") freeze(tools[name]);
  return freeze(tools);
});
