import { expect, it } from 'vitest';
import type { Json } from './json';
import { renderDiff, renderPath, renderState, withoutMacros } from './macros';

/** What the host would expand, with or without braces. */
const MACRO = /\{\{[^"]|<(user|bot|char|charifnotgroup|group)>/i;

const HOSTILE = ['{{user}}', '{', '{user}}', '}}', '{{', '{{{', 'x{', '<USER>', '<us', 'er>', '<', 'char>', '{{getvar::x}}', '{{//', ' {'];

it('a value is text in every macro, alone and beside another', () => {
  for (const one of HOSTILE) {
    for (const other of HOSTILE) {
      const state: Json = { a: one, b: other, [one]: [other], deep: { [`${one}${other}`]: one } };
      const get = (path: string): string => renderPath(state, path);
      const rendered = [get('a') + get('b'), get('a') + get('deep'), renderState(state), get('deep') + get('a'), JSON.stringify(withoutMacros(state))];
      rendered.push(renderDiff({}, state), renderDiff(state, {}), renderDiff({ a: other }, state), get('a') + renderDiff({}, { [other]: 1 }));
      for (const text of rendered) expect(text, `${one} beside ${other}`).not.toMatch(MACRO);
    }
  }
});

it('usual values are shown as they are', () => {
  const state: Json = { name: 'a {b} <c> d', list: [1, { x: '<p>' }] };
  expect(renderPath(state, 'name')).toBe('a {b} <c> d');
  expect(renderState(state)).toBe(JSON.stringify(state));
  expect(renderDiff({ n: 1 }, { n: 2 })).toBe('n: 1 → 2');
});
