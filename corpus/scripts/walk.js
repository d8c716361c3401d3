// Visits every object that a script can reach, and writes how many there are and a hash of what they are:
// keys, kinds of properties, plain values, the texts and lengths of functions.
const seen = new Map();
const waiting = [];
let hash = 7, parts = 0;
const add = (text) => {
  parts++;
  for (let i = 0; i < text.length; i++) hash = (hash * 31 + text.charCodeAt(i)) | 0;
};
const meet = (value) => {
  const kind = typeof value;
  if (value === null || (kind !== "object" && kind !== "function")) return kind + ":" + String(value);
  if (!seen.has(value)) {
    seen.set(value, seen.size);
    waiting.push(value);
  }
  return "#" + seen.get(value);
};
meet(globalThis);
meet(_);
for (const value of [[][Symbol.iterator](), (function* () {})(), async function () {}, (async function* () {})(), new Map().entries(),
  _([1]), _([1]).map((x) => x), _.chain({}), _.memoize((x) => x).cache, snapshot, args, context]) meet(Object.getPrototypeOf(value));
while (waiting.length > 0) {
  const value = waiting.shift();
  add(typeof value + " " + Object.isExtensible(value) + " " + meet(Object.getPrototypeOf(value)));
  if (typeof value === "function") add(Function.prototype.toString.call(value).slice(0, 200));
  for (const key of Reflect.ownKeys(value)) {
    const property = Object.getOwnPropertyDescriptor(value, key);
    const what = "value" in property ? meet(property.value) : meet(property.get) + " " + meet(property.set);
    add(String(key) + " " + property.writable + property.enumerable + property.configurable + " " + what);
  }
}
snapshot.objects = seen.size;
snapshot.parts = parts;
snapshot.hash = hash;
snapshot.counts = [_.uniqueId(), Date.now(), Math.random(), Object.keys(globalThis).length];
