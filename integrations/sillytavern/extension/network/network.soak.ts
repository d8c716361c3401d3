// Two tabs under a hostile network, many times, each from a seed of its own.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Engine } from './engine';
import { Proxy } from './proxy';
import { play } from './schedule';

const count = Number(process.env['STOREYLINE_SOAK_SCHEDULES'] ?? 10);
const first = Number(process.env['STOREYLINE_SOAK_SEED'] ?? 1);
const binary = process.env['STOREYLINE_BIN'] ?? new URL('../../../../target/debug/storeyline', import.meta.url).pathname;

/** How many schedules run side by side, and how much faster than in a page their clocks go. */
const SIDE_BY_SIDE = 6;
const FASTER = 20;

let engine: Engine;
let proxy: Proxy;
const slow = globalThis.setTimeout;

beforeAll(async () => {
  engine = await Engine.start(binary);
  proxy = await Proxy.start(engine);
  // What the extension says on the console belongs to one tab of many.
  for (const name of ['error', 'warn'] as const) console[name] = () => undefined;
  globalThis.setTimeout = ((work: () => void, ms = 0, ...rest: []) => slow(work, ms / FASTER, ...rest)) as typeof setTimeout;
});

afterAll(async () => {
  globalThis.setTimeout = slow;
  await proxy?.stop();
  await engine?.stop();
});

test(`${count} schedules from seed ${first} on: no page is lost, every state is the replay of the file`, async () => {
  const failed: string[] = [];
  let [next, forks, gestures] = [first, 0, 0];
  const worker = async (): Promise<void> => {
    while (next < first + count) {
      const seed = next++;
      const outcome = await play(seed, engine, proxy);
      forks += outcome.forks;
      gestures += outcome.gestures.length;
      if (outcome.problems.length > 0) failed.push([`seed ${seed}`, ...outcome.gestures, ...outcome.problems].join('\n  '));
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
  for (const one of failed.slice(0, 5)) process.stdout.write(`${one}\n`);
  process.stdout.write(`${count} schedules, ${gestures} gestures, ${forks} forks, ${failed.length} wrong; ${JSON.stringify(proxy.counts)}\n`);
  expect(proxy.counts.lostRequests * proxy.counts.lostAnswers * proxy.counts.doubled, 'the network was bad').toBeGreaterThan(0);
  expect(failed.length).toBe(0);
});
