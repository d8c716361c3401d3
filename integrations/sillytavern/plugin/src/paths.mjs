// The path of a request in its one plain form. A path that could be read in two ways is refused, because the list
// of allowed routes and the engine behind it must read the same one.

/** How often a name may be decoded until nothing is left to decode. */
const ROUNDS = 4;

/** Returns the path with every name decoded and encoded again, or null. */
export function plainPath(path) {
  if (typeof path !== 'string' || !path.startsWith('/')) return null;
  const names = path.slice(1).split('/').map(plainName);
  return names.includes(null) ? null : `/${names.map(encodeURIComponent).join('/')}`;
}

function plainName(text) {
  const name = decoded(text);
  if (name === null) return null;
  let next = name;
  for (let round = 0; round < ROUNDS; round++) {
    if (!isPlainName(next)) return null;
    const further = decoded(next);
    if (further === null || further === next) return name;
    next = further;
  }
  return null;
}

/** Tells whether a name stands for itself: it is not empty, leads nowhere else and has no separator. */
export function isPlainName(name) {
  // eslint-disable-next-line no-control-regex
  return typeof name === 'string' && name !== '' && name !== '.' && name !== '..' && !/[\\/\u0000-\u001f\u007f]/.test(name);
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
