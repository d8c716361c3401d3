import { expect, test } from 'vitest';
import { recorded } from '../model/fake_engine';
import { callNumbers, countsOf, isPassive } from './calls';
import { segmentsOf } from './prose';

const reply = recorded.details[2];

test('passive functions, as the server tells them, have no number and no place in the text', () => {
  expect(reply.calls.map(({ name }) => name)).toEqual(['先数', '@.ADD', '@.SET', '@.ADD', '后数']);
  expect(callNumbers(reply.calls)).toEqual([null, 1, 2, 3, null]);
  expect(reply.calls.filter(isPassive).map(({ source }) => source)).toEqual(['', '']);
  const marked = segmentsOf(reply.text, reply.calls).flatMap(({ call }) => (call === null ? [] : [call]));
  expect(marked).toEqual([1, 2, 3]);
});

test('the recording has a call of every verdict', () => {
  expect(new Set(reply.calls.map(({ verdict }) => verdict))).toEqual(new Set(['done', 'repaired', 'failed']));
});

test('what the calls did is counted as the server counts it', () => {
  expect(countsOf(reply.calls)).toEqual(recorded.floors.floors[2]!.changes);
});
