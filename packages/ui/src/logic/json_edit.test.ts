import { expect, test } from 'vitest';
import { ExactNumber, parseExact, writeExact, type Json } from 'storeyline-client';
import { added, countValues, duplicated, freeKey, renamed, typedValue, valueAt, withNewValue, withValue, without } from './json_edit';

const STATE = { world: { place: 'tavern', time: 20 }, bag: ['potion', 'map'] };

test('a value is set, added, renamed and removed; the given value stays as it was', () => {
  const before = JSON.stringify(STATE);
  expect(withValue(STATE, ['world', 'time'], 21)).toEqual({ ...STATE, world: { place: 'tavern', time: 21 } });
  expect(withValue(STATE, ['bag', 0], 'key')).toHaveProperty('bag', ['key', 'map']);
  expect(without(STATE, ['world', 'place'])).toHaveProperty('world', { time: 20 });
  expect(without(STATE, ['bag', 0])).toHaveProperty('bag', ['map']);
  expect(Object.keys(valueAt(renamed(STATE, ['world', 'place'], 'where'), ['world']) as object)).toEqual(['where', 'time']);
  expect(JSON.stringify(STATE)).toBe(before);
});

test('what did not change is shared, not copied', () => {
  const after = withValue(STATE, ['world', 'time'], 21) as typeof STATE;
  expect(after.bag).toBe(STATE.bag);
});

test('a path that does not exist changes nothing', () => {
  expect(withValue(STATE, ['none', 'deep'], 1)).toEqual(STATE);
  expect(without(STATE, ['world', 'none'])).toEqual(STATE);
  expect(valueAt(STATE, ['world', 'none', 'x'])).toBeUndefined();
  expect(valueAt({ a: 1 }, ['toString'])).toBeUndefined();
});

test('missing objects on the way are created, but no value is overwritten', () => {
  expect(withNewValue(STATE, ['hero', 'gold'], 0)).toHaveProperty('hero', { gold: 0 });
  expect(withNewValue(STATE, ['world', 'place', 'x'], 0)).toEqual(STATE);
  expect(withNewValue(STATE, ['bag', 2], 0)).toHaveProperty('bag', ['potion', 'map', 0]);
  expect(withNewValue(STATE, ['bag', 9], 0)).toEqual(STATE);
});

test('a key is added under a free name, an item at the end of a list', () => {
  expect(added(STATE, ['world'], 'place', 1)).toEqual({ value: { ...STATE, world: { ...STATE.world, 'place 2': 1 } }, path: ['world', 'place 2'] });
  expect(added(STATE, ['bag'], 'x', 'rope').path).toEqual(['bag', 2]);
  expect(added(STATE, [], 'new', null).path).toEqual(['new']);
  expect(freeKey({ a: 1, 'a 2': 1 }, 'a')).toBe('a 3');
});

test('a copy stands behind its original', () => {
  const copy = duplicated(STATE, ['world', 'place']);
  expect(copy.path).toEqual(['world', 'place 2']);
  expect(Object.keys(valueAt(copy.value, ['world']) as object)).toEqual(['place', 'place 2', 'time']);
  expect(duplicated(STATE, ['bag', 0])).toEqual({ value: { ...STATE, bag: ['potion', 'potion', 'map'] }, path: ['bag', 1] });
});

test('a key named __proto__ is a key', () => {
  const value = parseExact('{"__proto__":1,"b":2}') as Json;
  expect(writeExact(withValue(value, ['b'], 3)).text).toBe('{"__proto__":1,"b":3}');
  expect(writeExact(withValue({}, ['__proto__'], { x: 1 })).text).toBe('{"__proto__":{"x":1}}');
  expect(writeExact(renamed({ a: 1 }, ['a'], '__proto__')).text).toBe('{"__proto__":1}');
});

test('typed text is JSON or bare text; half of a JSON is neither', () => {
  expect(typedValue(' 17 ')).toBe(17);
  expect(typedValue('"17"')).toBe('17');
  expect(typedValue('true')).toBe(true);
  expect(typedValue('a gate')).toBe('a gate');
  expect(typedValue('')).toBe('');
  expect(typedValue('{"a": 1}')).toEqual({ a: 1 });
  expect(typedValue('{"a": 1')).toBeUndefined();
  expect(typedValue('"open')).toBeUndefined();
  expect((typedValue('12345678901234567890') as ExactNumber).text).toBe('12345678901234567890');
});

test('values are counted, not containers', () => {
  expect(countValues(STATE)).toBe(4);
  expect(countValues({ a: {}, b: [], c: null })).toBe(3);
});
