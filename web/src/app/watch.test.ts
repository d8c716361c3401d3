import { expect, test } from 'vitest';
import { Unreachable } from '../api/engine';
import { FakeEngine, MAIN } from './fake_engine';
import { Watch, type Rhythm } from './watch';

const FAST: Rhythm = { waitSeconds: 25, idleMs: 1, firstRetryMs: 10, lastRetryMs: 40 };
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function watching(engine: FakeEngine) {
  const heard: string[] = [];
  const watch = new Watch(
    engine,
    {
      changed: () => Promise.resolve(void heard.push('changed')),
      answered: () => false,
      failed: (error) => void heard.push(error instanceof Unreachable ? 'lost' : 'refused'),
    },
    FAST,
  );
  void watch.run();
  return { watch, heard };
}

test('the first contact counts as a change, then each operation', async () => {
  const engine = new FakeEngine('a');
  const { watch, heard } = watching(engine);
  await sleep(5);
  expect(heard).toEqual(['changed']);
  engine.moved(MAIN);
  await sleep(5);
  expect(heard).toEqual(['changed', 'changed']);
  watch.stop();
});

test('a lost engine is asked again, each time later, and then read anew', async () => {
  const engine = new FakeEngine('a');
  engine.trouble = 'dead';
  const { watch, heard } = watching(engine);
  await sleep(60);
  expect(heard.length).toBeGreaterThanOrEqual(2);
  expect(heard.length).toBeLessThan(5);
  engine.trouble = 'none';
  await sleep(60);
  expect(heard.at(-1)).toBe('changed');
  watch.stop();
});

test('without access nothing is asked until someone wakes the watch', async () => {
  const engine = new FakeEngine('a');
  engine.trouble = 'locked';
  const { watch, heard } = watching(engine);
  await sleep(60);
  expect(heard).toEqual(['refused']);
  engine.trouble = 'none';
  watch.wake();
  await sleep(5);
  expect(heard).toEqual(['refused', 'changed']);
  watch.stop();
});

test('a hidden window asks nothing', async () => {
  const engine = new FakeEngine('a');
  const { watch, heard } = watching(engine);
  await sleep(5);
  watch.pause(true);
  await sleep(5);
  engine.asked = [];
  engine.moved(MAIN);
  await sleep(10);
  expect(engine.asked).toEqual([]);
  watch.pause(false);
  await sleep(5);
  expect(heard).toEqual(['changed', 'changed']);
  watch.stop();
});

test('an engine that answers at once without news is not asked in a tight loop', async () => {
  const engine = new FakeEngine('a');
  engine.changes = () => {
    engine.asked.push('changes');
    return Promise.resolve('c7');
  };
  const watch = new Watch(
    engine,
    { changed: () => Promise.resolve(), answered: () => false, failed: () => {} },
    { ...FAST, idleMs: 20 },
  );
  void watch.run();
  await sleep(50);
  expect(engine.asked.length).toBeLessThan(6);
  watch.stop();
});
