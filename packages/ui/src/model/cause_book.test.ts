import { expect, test } from 'vitest';
import { CauseBook } from './cause_book.svelte';
import { FakeEngine, MAIN, STORY } from './fake_engine';

const at = (floor: number) => ({ story: STORY, ref: MAIN, floor });
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

function setUp() {
  const engine = new FakeEngine('a');
  const errors: unknown[] = [];
  return { engine, errors, book: new CauseBook(engine, (error) => errors.push(error)) };
}

test('a cause is asked for once, at the floor above', async () => {
  const { engine, book } = setUp();
  expect(book.of(at(8), ['7'])).toBeUndefined();
  for (let times = 0; times < 2; times++) {
    book.want(at(8), [['7'], ['first']]);
    await settled();
  }
  expect(engine.asked).toEqual(['causes 7 2']);
  expect([book.of(at(8), ['7']), book.of(at(8), ['first'])]).toEqual([7, null]);
});

test('a search that the engine ended early goes on for what is open', async () => {
  const { engine, book } = setUp();
  book.want(at(25), [['24'], ['3']]);
  await settled();
  expect(engine.asked).toEqual(['causes 24 2', 'causes 14 1', 'causes 4 1']);
  expect([book.of(at(25), ['24']), book.of(at(25), ['3'])]).toEqual([24, 3]);
});

test('the first floor has nothing above it', async () => {
  const { engine, book } = setUp();
  book.want(at(0), [['a']]);
  await settled();
  expect(engine.asked).toEqual([]);
  expect(book.of(at(0), ['a'])).toBeNull();
});

test('many paths go in several requests, and only those that are looked at now', async () => {
  const { engine, book } = setUp();
  book.want(at(9), Array.from({ length: 450 }, (_, index) => [`k${index}`]));
  await settled();
  expect(engine.asked).toEqual(['causes 8 200', 'causes 8 200', 'causes 8 50']);
  engine.asked = [];
  book.want(at(30), [['a']]);
  book.want(at(5), [['b']]);
  await settled();
  expect(engine.asked).toEqual(['causes 29 1', 'causes 4 1']);
});

test('after a change everything is asked again; a failure is told and does not repeat itself', async () => {
  const { engine, errors, book } = setUp();
  book.want(at(8), [['7']]);
  await settled();
  book.forget();
  expect(book.of(at(8), ['7'])).toBeUndefined();
  engine.trouble = 'dead';
  book.want(at(8), [['7']]);
  await settled();
  expect(errors).toHaveLength(1);
  expect(engine.asked).toHaveLength(2);
});
