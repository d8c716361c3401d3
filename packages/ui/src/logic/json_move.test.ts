import { expect, test } from 'vitest';
import { parseExact, writeExact, type Json, type Path } from 'storeyline-client';
import { dropTarget, keyTarget, moved, type Direction, type Where } from './json_move';

const STATE = parseExact('{"a":1,"b":{"x":12345678901234567890,"y":2},"bag":["p","q",{"n":1}],"c":3}') as Json;

const drop = (from: Path, onto: Path, where: Where, root = STATE): string => {
  const done = moved(root, from, dropTarget(root, onto, where), 'item');
  return done === null ? 'nothing' : `${writeExact(done.value).text} ${JSON.stringify(done.path)}`;
};
const press = (path: Path, direction: Direction): string => {
  const to = keyTarget(STATE, path, direction);
  const done = to && moved(STATE, path, to, 'item');
  return done === null ? 'nothing' : `${writeExact(done.value).text} ${JSON.stringify(done.path)}`;
};

test('within an object or a list, and every digit stays', () => {
  expect(drop(['c'], ['a'], 'before')).toBe('{"c":3,"a":1,"b":{"x":12345678901234567890,"y":2},"bag":["p","q",{"n":1}]} ["c"]');
  expect(drop(['bag', 0], ['bag', 2], 'after')).toBe('{"a":1,"b":{"x":12345678901234567890,"y":2},"bag":["q",{"n":1},"p"],"c":3} ["bag",2]');
  expect(drop(['bag', 2], ['bag', 0], 'before')).toContain('"bag":[{"n":1},"p","q"]');
  expect(drop(['a'], ['a'], 'after')).toBe('nothing');
  expect(drop(['a'], ['b'], 'before')).toBe('nothing');
});

test('into another object or list; a name that is taken gets a number, an item of a list gets a name', () => {
  expect(drop(['b', 'x'], ['bag', 0], 'after')).toContain('"bag":["p",12345678901234567890,"q",{"n":1}]');
  expect(drop(['c'], ['b'], 'inside')).toContain('"b":{"x":12345678901234567890,"y":2,"c":3}');
  expect(drop(['bag', 0], ['b', 'y'], 'before')).toContain('"b":{"x":12345678901234567890,"item":"p","y":2},"bag":["q",{"n":1}]');
  const twice = { a: { x: 1 }, b: { x: 2 } };
  expect(drop(['a', 'x'], ['b'], 'inside', twice)).toBe('{"a":{},"b":{"x":2,"x 2":1}} ["b","x 2"]');
});

test('an item into a later item of its own list: the place counts without it', () => {
  expect(drop(['bag', 0], ['bag', 2], 'inside')).toContain('"bag":["q",{"n":1,"item":"p"}],"c":3} ["bag",1,"item"]');
});

test('nothing goes into itself, and the whole stays', () => {
  expect(drop(['b'], ['b', 'x'], 'before')).toBe('nothing');
  expect(drop(['b'], ['b'], 'inside')).toBe('nothing');
  expect(moved(STATE, [], { container: ['b'], index: 0 }, 'item')).toBeNull();
  expect(moved(STATE, ['none'], { container: ['b'], index: 0 }, 'item')).toBeNull();
});

test('keys that are whole numbers stay first, in ascending order', () => {
  const root = JSON.parse('{"10":"b","2":"a","x":1,"y":2}') as Json;
  expect(drop(['10'], ['y'], 'after', root)).toBe('nothing');
  expect(drop(['y'], ['2'], 'before', root)).toBe('{"2":"a","10":"b","y":2,"x":1} ["y"]');
  expect(drop(['y'], ['x'], 'before', root)).toContain('"y":2,"x":1');
});

test('by keys: past a neighbour, out at the ends, into the container above', () => {
  expect(press(['c'], 'up')).toContain('"c":3,"bag":');
  expect(press(['a'], 'down')).toContain('{"b":{"x":12345678901234567890,"y":2},"a":1');
  expect(press(['a'], 'up')).toBe('nothing');
  expect(press(['b', 'x'], 'up')).toBe('{"a":1,"x":12345678901234567890,"b":{"y":2},"bag":["p","q",{"n":1}],"c":3} ["x"]');
  expect(press(['b', 'y'], 'down')).toContain('"b":{"x":12345678901234567890},"y":2,"bag"');
  expect(press(['c'], 'in')).toContain('"bag":["p","q",{"n":1},3]}');
  expect(press(['b'], 'in')).toBe('nothing');
  expect(press(['bag', 0], 'out')).toContain('"bag":["q",{"n":1}],"item":"p","c":3}');
});

test('a key named __proto__ moves like any other', () => {
  const root = JSON.parse('{"a":1,"__proto__":2,"b":{}}') as Json;
  expect(drop(['__proto__'], ['b'], 'inside', root)).toBe('{"a":1,"b":{"__proto__":2}} ["b","__proto__"]');
  expect(drop(['__proto__'], ['a'], 'before', root)).toBe('{"__proto__":2,"a":1,"b":{}} ["__proto__"]');
});
