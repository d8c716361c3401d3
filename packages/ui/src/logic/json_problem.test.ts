import { expect, test } from 'vitest';
import { readObject } from './json_problem';

function place(text: string): string {
  const read = readObject(text);
  return 'value' in read ? 'ok' : `${read.problem.kind} ${read.problem.line}:${read.problem.column}`;
}

test('an object is read, with exact numbers', () => {
  const read = readObject(' {"a": [1, -2.5e3, true, null, "x\\n\\u00e9"], "b": {}, "n": 12345678901234567890} ');
  expect(JSON.stringify('value' in read && read.value)).toBe('{"a":[1,-2.5e3,true,null,"x\\né"],"b":{},"n":12345678901234567890}');
});

test('the place of the first wrong character is told', () => {
  expect(place('{\n  "a": 1,\n  b: 2\n}')).toBe('syntax 3:3');
  expect(place('{"a": 1,}')).toBe('syntax 1:9');
  expect(place('{"a" 1}')).toBe('syntax 1:6');
  expect(place('{"a": 1')).toBe('syntax 1:8');
  expect(place('{"a": "open')).toBe('syntax 1:12');
  expect(place('{"a": 01}')).toBe('syntax 1:8');
  expect(place('{"a": [1 2]}')).toBe('syntax 1:10');
  expect(place('{"a": [1}')).toBe('syntax 1:9');
  expect(place('{} x')).toBe('syntax 1:4');
  expect(place('{"a":"tab\there"}')).toBe('syntax 1:10');
  expect(place('')).toBe('syntax 1:1');
  expect(place('{"a":\\u1}')).toBe('syntax 1:6');
});

test('what is JSON but no object is refused', () => {
  expect(place(' [1]')).toBe('shape 1:2');
  expect(place('"a"')).toBe('shape 1:1');
  expect(place('17')).toBe('shape 1:1');
});

test('the scanner and the parser agree on odd texts', () => {
  for (const text of ['{"a":1e5}', '{"a":1.}', '{"a":.5}', '{"a":-}', '{"a":tru}', "{'a':1}", '{"a":"\\x"}', '{"a":1}}', '{"":""}', '{"a":+1}', '\u00a0{}']) {
    let valid = true;
    try {
      JSON.parse(text);
    } catch {
      valid = false;
    }
    expect(place(text) === 'ok', text).toBe(valid);
  }
});

test('a string of any length is read', () => {
  expect(place(`{"a": "${'x\\n'.repeat(2_000_000)}"}`)).toBe('ok');
});

test('nesting is bounded, in time that grows with the text', () => {
  expect(place('{"a":'.repeat(200_000))).toMatch(/^deep 1:/);
  expect(place(`{"a":${'['.repeat(99)}${']'.repeat(99)}}`)).toBe('ok');
  expect(place(`{"a":${'['.repeat(100)}${']'.repeat(100)}}`)).toMatch(/^deep/);
});
