import { expect, test } from 'vitest';
import { timeText, type TimeWords } from './time';

const zh: TimeWords = { locale: 'zh-CN', today: '今天', yesterday: '昨天' };
const en: TimeWords = { locale: 'en-GB', today: 'today', yesterday: 'yesterday' };
const now = new Date(2025, 10, 15, 22, 30).getTime();

test('near days have names', () => {
  expect(timeText(new Date(2025, 10, 15, 0, 5).getTime(), now, zh)).toBe('今天 00:05');
  expect(timeText(new Date(2025, 10, 14, 23, 59).getTime(), now, en)).toBe('yesterday 23:59');
});

test('other days have a date, other years their year', () => {
  expect(timeText(new Date(2025, 10, 2, 21, 7).getTime(), now, zh)).toBe('11月2日 21:07');
  expect(timeText(new Date(2025, 10, 2, 21, 7).getTime(), now, en)).toBe('2 Nov 21:07');
  expect(timeText(new Date(2024, 0, 2, 21, 7).getTime(), now, en)).toBe('2 Jan 2024 21:07');
});
