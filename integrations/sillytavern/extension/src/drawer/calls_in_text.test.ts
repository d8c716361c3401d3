import { expect, test } from 'vitest';
import { callRuns } from './calls_in_text';

const folded = (text: string): string[] => callRuns(text).map(({ start, end, count }) => `${count}: ${text.slice(start, end)}`);

test('calls that follow each other are one run', () => {
  expect(folded('She nods. @.ADD("a", 1); @.SET("b", ")");\n@.APPEND(\'c\', f(1)) And on.')).toEqual(['3: @.ADD("a", 1); @.SET("b", ")");\n@.APPEND(\'c\', f(1))']);
  expect(folded("_.set('角色.生命值', 100, 90);//受伤\nHe falls. @.加钱(3);")).toEqual(["1: _.set('角色.生命值', 100, 90);//受伤", '1: @.加钱(3);']);
});

test('what only looks like one stays', () => {
  expect(folded('a@b.com (me), snake_.case(1), 3 @ 5, @.name, _._, @.()')).toEqual([]);
  expect(folded('@.ADD("a", 1')).toEqual([]);
  expect(folded('')).toEqual([]);
});

test('a text of nothing but beginnings is read once', () => {
  expect(folded('@.A('.repeat(200_000))).toEqual([]);
  expect(folded('@.A()'.repeat(100_000))[0]).toMatch(/^100000: /);
});
