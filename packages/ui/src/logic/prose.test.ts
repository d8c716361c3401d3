import { expect, test } from 'vitest';
import { segmentsOf } from './prose';

const text = '她笑了。@.ADD("a", 1);然后离开。';

test('calls are cut out where they stand', () => {
  expect(segmentsOf(text, [{ span: [4, 17] }])).toEqual([
    { text: '她笑了。', call: null },
    { text: '@.ADD("a", 1)', call: 0 },
    { text: ';然后离开。', call: null },
  ]);
});

test('calls may come in any order, and what ran by itself is nowhere', () => {
  const segments = segmentsOf('abcdef', [{ span: [4, 6] }, { span: [0, 0] }, { span: [0, 2] }]);
  expect(segments).toEqual([
    { text: 'ab', call: 2 },
    { text: 'cd', call: null },
    { text: 'ef', call: 0 },
  ]);
});

test('overlapping, empty and outlying spans lose no text', () => {
  const segments = segmentsOf('abcdef', [{ span: [0, 4] }, { span: [2, 5] }, { span: [3, 3] }, { span: [5, 99] }, { span: [40, 50] }]);
  expect(segments.map((segment) => segment.text).join('')).toBe('abcdef');
  expect(segments.map((segment) => segment.call)).toEqual([0, 1, 3]);
});

test('positions are UTF-16 units', () => {
  expect(segmentsOf('😀x', [{ span: [2, 3] }])[1]).toEqual({ text: 'x', call: 0 });
});
