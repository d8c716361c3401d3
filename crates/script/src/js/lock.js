// Locks the realm: removes globals that are not on the list, freezes everything reachable, and returns
// the functions that the host uses around a call. Runs once, after lodash.
(function () {
  "use strict";
  const { ownKeys, apply, getPrototypeOf, getOwnPropertyDescriptor, defineProperty, deleteProperty, isExtensible } = Reflect;
  const { freeze } = Object;
  const Weak = WeakRef;
  const deref = Weak.prototype.deref;
  const { exec } = RegExp.prototype;
  const { toWellFormed } = String.prototype;
  const ObjectPrototype = Object.prototype;
  const Pattern = RegExp;
  const { push } = Array.prototype;

  const keep = new Set(`globalThis undefined NaN Infinity Object Function Error EvalError RangeError ReferenceError SyntaxError
    TypeError URIError InternalError AggregateError Iterator Array parseInt parseFloat isNaN isFinite decodeURI decodeURIComponent
    encodeURI encodeURIComponent escape unescape Number Boolean String Math Reflect Symbol eval Date RegExp JSON Proxy Map Set
    WeakMap WeakSet ArrayBuffer Uint8ClampedArray Int8Array Uint8Array Int16Array Uint16Array Int32Array Uint32Array BigInt64Array
    BigUint64Array Float16Array Float32Array Float64Array DataView Promise BigInt _ addMinutes addHours addDays`.split(/\s+/));
  for (const name of ownKeys(globalThis)) if (!keep.has(name)) delete globalThis[name];
  // These would carry a function from one call into the next.
  delete Error.prepareStackTrace;
  delete Error.stackTraceLimit;

  // lodash counts ids for as long as it lives; here they start again with each call.
  let ids = 0;
  _.mixin({ uniqueId(prefix) { return (prefix === undefined || prefix === null ? "" : String(prefix)) + ++ids; } }, { chain: false });

  const samples = [
    function* () {}, (function* () {})(), async function () {}, async function* () {}, (async function* () {})(),
    [][Symbol.iterator](), ""[Symbol.iterator](), new Map()[Symbol.iterator](), new Set()[Symbol.iterator](),
    "".matchAll(/x/g), (() => { try { return Iterator.from({ next() {} }); } catch { return undefined; } })(),
    (() => { try { return [].values().map((x) => x); } catch { return undefined; } })(),
    getOwnPropertyDescriptor((function () { return arguments; })(), "callee"),
    _([1]), _([1]).map((x) => x), _([1]).map((x) => x).__wrapped__, _.chain({}), _.memoize((x) => x).cache,
  ];
  const cache = _.memoize((x) => x).cache;
  for (const name of ownKeys(cache.__data__ ?? {})) samples.push(cache.__data__[name]);
  const note = (...given) => {
    for (const value of given) if (value && typeof value === "object" && value.__data__) samples.push(value, value.__data__);
  };
  _.cloneDeepWith({ a: { b: 1 } }, note);
  _.isEqualWith({ a: { b: 1 } }, { a: { b: 1 } }, note);
  _.mergeWith({ a: { b: 1 } }, { a: { b: 2 } }, note);

  // A frozen prototype would also forbid `own.toString = …` on everyone else's objects; with these
  // accessors an assignment makes an own property, as it would without the freezing.
  const yielding = (proto) => {
    for (const name of ownKeys(proto)) {
      const { value, writable, configurable, enumerable } = getOwnPropertyDescriptor(proto, name);
      if (!writable || !configurable || (proto === Array.prototype && name === "length")) continue;
      defineProperty(proto, name, {
        enumerable,
        configurable: true,
        get: function () { return value; },
        set: function (next) {
          if (this === proto) throw new TypeError("built-in objects cannot be changed");
          defineProperty(this, name, { value: next, writable: true, enumerable: true, configurable: true });
        },
      });
    }
  };

  const kept = new Set(samples);
  const reached = new Set();
  const visit = (root) => {
    const waiting = [root];
    while (waiting.length > 0) {
      const value = waiting.pop();
      if ((typeof value !== "object" && typeof value !== "function") || value === null || reached.has(value)) continue;
      reached.add(value);
      waiting.push(getPrototypeOf(value));
      for (const name of ownKeys(value)) {
        const property = getOwnPropertyDescriptor(value, name);
        waiting.push(property.value, property.get, property.set);
      }
    }
  };
  visit(globalThis);
  samples.forEach(visit);
  for (const proto of [ObjectPrototype, Error.prototype]) yielding(proto);
  for (const proto of reached) if (getPrototypeOf(proto) === Error.prototype) yielding(proto);
  visit(ObjectPrototype);
  visit(Error.prototype);
  for (const value of reached) if (value !== globalThis && !kept.has(value)) freeze(value);
  for (const name of ownKeys(globalThis)) {
    defineProperty(globalThis, name, { writable: false, configurable: false });
  }
  const globals = ownKeys(globalThis).length;
  const owned = new Set(ownKeys(globalThis));

  let canary;
  const tools = {
    ObjectPrototype,
    // Before a call: ids start again, and a ring of garbage waits for the collector. If the ring is
    // gone afterwards, the heap has been large.
    begin() {
      ids = 0;
      const ring = {};
      ring.ring = ring;
      canary = new Weak(ring);
    },
    grew() { return apply(deref, canary, []) === undefined; },
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
      return apply(apply(outer, undefined, [state, offline, offline]), undefined, args);
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
  for (const name of ownKeys(tools)) if (name !== "ObjectPrototype") freeze(tools[name]);
  return freeze(tools);
});
