// Guards for built-ins that loop inside the engine without polling: each is charged for the size of
// its input before it starts. A length that could be another one the next time it is read is charged
// like the longest.
(function (charge) {
  "use strict";
  const { apply, getPrototypeOf, getOwnPropertyDescriptor, defineProperty } = Reflect;
  const { indexOf } = String.prototype;
  const { min, max, trunc } = Math;
  const { isArray } = Array;

  const pay = (units) => {
    if (!charge(units)) throw new RangeError("too much work for one call");
  };
  const longest = 2 ** 53 - 1;
  // The length of something as it is stored: an accessor or an object may say something else each time.
  const stored = (value) => {
    for (let holder = value; holder !== null; holder = getPrototypeOf(holder)) {
      const property = getOwnPropertyDescriptor(holder, "length");
      if (property === undefined) continue;
      const length = property.value;
      return "value" in property && (typeof length !== "object" || length === null) && typeof length !== "function" ? length : longest;
    }
    return 0;
  };
  const size = (value) => {
    if (value === null || value === undefined) return 0;
    const kind = typeof value;
    if (kind === "string") return value.length;
    if (kind !== "object" && kind !== "function") return 0;
    const length = trunc(Number(isArray(value) ? value.length : stored(value)));
    return length > 0 ? min(length, longest) : 0;
  };
  // An assignment, because the property exists and stays as writable and as hidden as it is.
  const replace = (holder, name, native, guarded) => {
    if (native.length > 0) defineProperty(guarded, "length", { value: native.length });
    holder[name] = guarded;
  };
  const guard = (holder, name, cost) => {
    const native = holder[name];
    if (typeof native !== "function") return;
    const guarded = {
      [name]() {
        pay(apply(cost, this, arguments));
        return apply(native, this, arguments);
      },
    };
    replace(holder, name, native, guarded[name]);
  };
  // Where the work is only known from the result.
  const guardAfter = (holder, name, cost) => {
    const native = holder[name];
    const guarded = {
      [name]() {
        const result = apply(native, this, arguments);
        pay(cost(result));
        return result;
      },
    };
    replace(holder, name, native, guarded[name]);
  };
  const whole = function () { return size(this); };
  const several = (factor) => function () { return size(this) * factor; };

  const array = Array.prototype;
  for (const name of ["join", "toString", "toLocaleString", "reverse", "copyWithin", "fill", "lastIndexOf", "indexOf", "includes",
    "shift", "splice", "slice", "toReversed", "toSpliced", "with", "unshift"]) {
    guard(array, name, whole);
  }
  guard(array, "sort", several(8));
  guard(array, "toSorted", several(8));
  const nested = (list, depth) => {
    let total = size(list);
    if (depth > 0 && isArray(list) && total < 1e6) {
      for (let i = 0; i < total; i++) if (isArray(list[i])) total += min(nested(list[i], depth - 1), 2 ** 53);
    }
    return total;
  };
  guard(array, "flat", function (depth) { return nested(this, depth === undefined ? 1 : min(Number(depth) || 0, 100)); });
  guard(array, "concat", function () {
    let total = size(this);
    for (let i = 0; i < arguments.length; i++) if (typeof arguments[i] === "object") total += size(arguments[i]);
    return total;
  });

  const string = String.prototype;
  const count = (number) => max(0, Number(number) || 0);
  guard(string, "repeat", function (times) { return String(this).length * count(times); });
  guard(string, "padStart", count);
  guard(string, "padEnd", count);
  for (const name of ["indexOf", "lastIndexOf", "includes", "split", "normalize", "toUpperCase", "toLowerCase", "localeCompare",
    "slice", "substring", "substr", "trim", "trimStart", "trimEnd", "replace"]) {
    guard(string, name, function () { return size(this) / 16; });
  }
  guard(string, "replaceAll", function (pattern, replacement) {
    const text = String(this);
    if (typeof pattern !== "string" || typeof replacement === "function") return text.length;
    let found = 0;
    for (let at = 0; at <= text.length; found++) {
      at = apply(indexOf, text, [pattern, at]);
      if (at < 0) break;
      at += pattern.length || 1;
    }
    const added = String(replacement);
    const grows = apply(indexOf, added, ["$`"]) >= 0 || apply(indexOf, added, ["$'"]) >= 0;
    return text.length + found * added.length * (grows ? text.length : 1);
  });

  // The engine writes a text of nulls for a list that is only long.
  guard(JSON, "stringify", function (value) { return isArray(value) ? size(value) : 0; });
  guard(JSON, "parse", function (text) { return size(text) / 16; });
  guardAfter(JSON, "stringify", (text) => size(text) / 16);
  for (const name of ["keys", "values", "entries", "getOwnPropertyNames"]) guardAfter(Object, name, size);
  // A match of fewer than 10,000 steps does not poll at all; `test`, `match` and their sisters come here.
  guard(RegExp.prototype, "exec", () => 50);
  // Numbers are read from long texts, and texts are encoded, without a poll.
  const text = (value) => (typeof value === "string" ? value.length / 4 : 0);
  for (const name of ["parseInt", "parseFloat", "encodeURI", "encodeURIComponent", "decodeURI", "decodeURIComponent", "escape", "unescape"]) {
    guard(globalThis, name, text);
  }
  guard(Number, "parseInt", text);
  guard(Number, "parseFloat", text);
  for (const name of ["concat", "startsWith", "endsWith", "isWellFormed", "toWellFormed", "codePointAt", "search", "match", "matchAll"]) {
    guard(string, name, function () { return size(this) / 16; });
  }
  // Work grows with the square of the length of the number.
  guardAfter(BigInt.prototype, "toString", (digits) => (digits.length * digits.length) / 256);
  guard(Array, "from", function (source) { return typeof source === "object" ? size(source) : 0; });
});
