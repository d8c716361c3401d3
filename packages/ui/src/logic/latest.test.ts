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

test('the next request waits for the rest, and then the newest wish is sent', async () => {
  const asked: number[] = [];
  const shown: number[] = [];
  let wake = (): void => {};
  const load = async (wish: number): Promise<number> => (asked.push(wish), Promise.resolve(wish));
  const wishes = latest(load, (answer) => shown.push(answer), () => {}, () => new Promise((next) => (wake = next)));
  wishes.ask(1);
  await new Promise((next) => setTimeout(next));
  wishes.ask(2);
  wishes.ask(3);
  expect(shown).toEqual([1]);
  expect(asked).toEqual([1]);
  wake();
  await new Promise((next) => setTimeout(next));
  expect(asked).toEqual([1, 3]);
});
