import { expect, test } from 'vitest';
import { parseExact, type JsonObject } from 'storeyline-client';
import { findMvu, stripMvu } from './strip_mvu';

const stripped = (text: string): string => JSON.stringify(stripMvu(parseExact(text) as JsonObject));

// The cases of crates/compat/src/strip_mvu.rs.
test('metadata goes and variables stay', () => {
  expect(stripped('{"$meta":{"extensible":true},"a":{"$meta":1,"b":[1,"$__META_EXTENSIBLE__$",{"$arrayMeta":true,"$meta":{},"c":2}]}}')).toBe('{"a":{"b":[1,{"c":2}]}}');
  expect(stripped('{"好感":[5,"对玩家的好感"],"日期":"2031-05-07"}')).toBe('{"好感":[5,"对玩家的好感"],"日期":"2031-05-07"}');
  expect(stripped('{"stat_data":{"x":1,"$meta":{}},"display_data":{},"delta_data":{},"schema":{},"initialized_lorebooks":{}}')).toBe('{"x":1}');
  expect(stripped('{"stat_data":{"x":1},"own":2}')).toBe('{"stat_data":{"x":1},"own":2}');
  expect(stripped('{"__proto__":{"$meta":1,"n":12345678901234567890}}')).toBe('{"__proto__":{"n":12345678901234567890}}');
});

test('what is there is counted', () => {
  expect(findMvu({ $meta: {}, a: [1, '$__META_EXTENSIBLE__$', { $arrayMeta: true }], love: [5, 'how much she trusts you'] })).toEqual({ record: false, metadata: 3, pairs: 1 });
  expect(findMvu({ stat_data: { x: 1 } })).toEqual({ record: true, metadata: 0, pairs: 0 });
  expect(findMvu({ bag: ['potion', 'map'] })).toEqual({ record: false, metadata: 0, pairs: 0 });
});
