import { expect, test } from 'vitest';
import { ExactNumber } from './exact_json.ts';
import { conforms, differences } from './testing.ts';

const words = { zh: '甲', en: 'a' };

test('an answer as described fits, exact numbers too', () => {
  expect(differences('Words', words)).toEqual([]);
  expect(differences('Template', { card: 'c', template: { gold: new ExactNumber('12345678901234567890') } })).toEqual([]);
  expect(conforms('Words', words)).toBe(words);
});

test('a field that is missing, unknown or of another kind is named', () => {
  expect(differences('Notice', { code: 1, message: { zh: '甲' }, extra: true })).toEqual([
    expect.stringContaining('Notice must NOT have additional properties'),
    expect.stringContaining('Notice/code must be string'),
    expect.stringContaining("Notice/message must have required property 'en'"),
  ]);
  expect(() => conforms('Words', {})).toThrow("required property 'en'");
});

test('an object of several parts has the fields of all', () => {
  const story = { card: '', created: 0, edit_policy: 'auto', profile: 'native', refs: [], story: '00000000-0000-4000-8000-000000000001', title: '', trashed: false };
  expect(differences('StoryDetail', story)).toEqual([]);
  expect(differences('StoryDetail', { ...story, more: 1 })).toHaveLength(1);
});
