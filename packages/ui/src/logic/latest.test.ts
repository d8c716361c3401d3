import { expect, test } from 'vitest';
import { latest } from './latest';

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

test('while one request is under way only the newest wish is kept', async () => {
  const sent: number[] = [];
  const shown: number[] = [];
  const answers: (() => void)[] = [];
  const load = (wish: number): Promise<number> => {
    sent.push(wish);
    return new Promise((resolve) => answers.push(() => resolve(wish)));
  };
  const floors = latest(load, (answer) => shown.push(answer), () => {});
  [1, 2, 3, 4].forEach((floor) => floors.ask(floor));
  expect(sent).toEqual([1]);
  answers[0]?.();
  await settle();
  expect(sent).toEqual([1, 4]);
  answers[1]?.();
  await settle();
  expect(shown).toEqual([1, 4]);
});

test('a failure is told only if nothing newer was asked for', async () => {
  const failures: number[] = [];
  const load = (wish: number): Promise<number> => Promise.reject(new Error(String(wish)));
  const floors = latest(load, () => {}, (_error, wish) => failures.push(wish));
  floors.ask(1);
  floors.ask(2);
  await settle();
  expect(failures).toEqual([2]);
});
