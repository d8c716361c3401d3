import { expect, test } from 'vitest';
import { readFloor } from './entries';

test('/vs takes a number, with or without its sign, or nothing', () => {
  expect([readFloor(''), readFloor('  '), readFloor('96'), readFloor(' #96 '), readFloor('９６')]).toEqual([null, null, 96, 96, 96]);
  expect([readFloor('-1'), readFloor('1.5'), readFloor('graph'), readFloor('9999999999')]).toEqual(Array(4).fill('unreadable'));
});
