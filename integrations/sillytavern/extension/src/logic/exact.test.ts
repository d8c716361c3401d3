import { ExactNumber, parseExact } from 'storeyline-client';
import { expect, test } from 'vitest';
import { splitValue } from '../app/commands';
import { renderChanges } from './diff';
import { exactAgain, forYaml, plainNumbers } from './exact';
import type { Json } from './json';
import { renderPath, renderState, withoutMacros } from './macros';

const TEXT = '{"gold":12345678901234567890,"bag":[{"id":9007199254740993},{"id":2}],"rate":0.12345678901234567891}';
const state = parseExact(TEXT) as Json;

test('every digit reaches the prompt, by macros and by the chat variable', () => {
  expect(renderState(state)).toBe(TEXT);
  expect(renderPath(state, 'gold')).toBe('12345678901234567890');
  expect(renderPath(state, 'bag')).toBe('[{"id":9007199254740993},{"id":2}]');
  expect(JSON.stringify(withoutMacros(state))).toBe(TEXT);
  const after = parseExact(TEXT.replace('890,', '891,')) as Json;
  expect(renderChanges(state, after)).toBe('gold: 12345678901234567890 → 12345678901234567891');
});

test('a value set by a command keeps its digits', () => {
  expect(JSON.stringify(splitValue('gold 12345678901234567891')?.value)).toBe('12345678901234567891');
});

test('scripts get ordinary numbers, and what they leave alone is exact again', () => {
  const given = plainNumbers(state) as { gold: number; bag: { id: number }[]; rate: number };
  expect([given.gold, typeof given.gold]).toEqual([12345678901234567890, 'number']);
  expect(JSON.stringify(exactAgain(state, given))).toBe(TEXT);
  given.bag.unshift({ id: 7 });
  given.gold = 5;
  expect(JSON.stringify(exactAgain(state, given))).toBe(
    '{"gold":5,"bag":[{"id":7},{"id":9007199254740993},{"id":2}],"rate":0.12345678901234567891}',
  );
});

test('YAML gets whole numbers with all their digits', () => {
  expect(forYaml(state)).toEqual({ gold: 12345678901234567890n, bag: [{ id: 9007199254740993n }, { id: 2 }], rate: 0.12345678901234568 });
});

test('two numbers that round to one are told apart by their place only', () => {
  const two = { a: new ExactNumber('9007199254740993'), b: new ExactNumber('9007199254740991.5') } as Json;
  const rounded = 9007199254740992;
  expect(JSON.stringify(exactAgain(two, { a: rounded, b: rounded, c: rounded }))).toBe(
    '{"a":9007199254740993,"b":9007199254740991.5,"c":9007199254740992}',
  );
});
