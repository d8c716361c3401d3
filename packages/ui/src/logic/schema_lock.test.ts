import { expect, test } from 'vitest';
import type { JsonObject } from 'storeyline-client';
import { canLock, lockOf, withLock, withoutLock } from './schema_lock';

test('without a schema the lock makes a small one, and taking it off leaves none', () => {
  const schema = withLock(null, ['hero', 'gold']);
  expect(schema).toEqual({ type: 'object', properties: { hero: { properties: { gold: { readOnly: true } } } } });
  expect([lockOf(schema, ['hero', 'gold']), lockOf(schema, ['hero']), lockOf(schema, ['hero', 'hp'])]).toEqual(['own', null, null]);
  expect(withoutLock(schema, ['hero', 'gold'])).toBeNull();
});

test('what the schema asks for stays, also where a rule for other keys held', () => {
  const schema: JsonObject = {
    type: 'object',
    properties: { hp: { type: 'integer', maximum: 9 }, npc: { additionalProperties: { type: 'number', maximum: 10 } } },
    additionalProperties: false,
  };
  const hp = withLock(schema, ['hp']);
  expect(hp['properties']).toHaveProperty('hp', { type: 'integer', maximum: 9, readOnly: true });
  expect(withoutLock(hp, ['hp'])).toEqual(schema);
  const npc = withLock(schema, ['npc', 'Bo']);
  expect(npc).toHaveProperty('properties.npc.properties.Bo', { type: 'number', maximum: 10, readOnly: true });
  expect(withoutLock(npc, ['npc', 'Bo'])).toEqual(schema);
  expect(schema['properties']).toHaveProperty('hp', { type: 'integer', maximum: 9 });
});

test('a value inside of something locked, and a key with an underscore, are locked from outside', () => {
  const schema: JsonObject = { properties: { a: { readOnly: true }, b: { additionalProperties: { readOnly: true } } } };
  expect([lockOf(schema, ['a', 'x']), lockOf(schema, ['b', 'x']), lockOf(schema, ['_x', 'y'])]).toEqual(['outer', 'outer', 'outer']);
  expect(lockOf(null, ['_x'])).toBeNull();
  expect(lockOf(schema, ['c'])).toBeNull();
});

test('one item of a list cannot be locked, and a key named __proto__ is a key', () => {
  expect([canLock(['bag', 2]), canLock(['bag']), canLock([])]).toEqual([false, true, false]);
  const schema = withLock(null, ['__proto__']);
  expect(JSON.stringify(schema)).toBe('{"type":"object","properties":{"__proto__":{"readOnly":true}}}');
});
