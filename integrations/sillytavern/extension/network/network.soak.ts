// Two tabs under a hostile network, many times, each with its own seed. A seed that fails is played again
// with fewer and fewer steps, and the events of the shortest failing one are printed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Engine } from './engine';
import { counts } from './proxy';
import { type Outcome, STEPS, play } from './schedule';

const count = Number(process.env['STOREYLINE_SOAK_SCHEDULES'] ?? 10);
const first = Number(process.env['STOREYLINE_SOAK_SEED'] ?? 1);
const binary = process.env['STOREYLINE_BIN'] ?? new URL('../../../../target/debug/storeyline', import.meta.url).pathname;

/** Number of failing schedules that are printed in full. */
const TOLD = 3;

let engine: Engine;

beforeAll(async () => {
  engine = await Engine.start(binary);
  // Console output of the extension is suppressed: it comes from many tabs.
  for (const name of ['error', 'warn'] as const) console[name] = () => undefined;
});

afterAll(() => engine?.stop());

test(`${count} schedules from seed ${first} on: no page is lost, every state is the replay of the file`, async () => {
  const wrong: number[] = [];
  let [forks, gestures] = [0, 0];
  for (let seed = first; seed < first + count; seed++) {
    const outcome = await play(seed, engine);
    forks += outcome.forks;
    gestures += outcome.gestures;
    if (outcome.problems.length === 0) continue;
    wrong.push(seed);
    if (wrong.length <= TOLD) tell(seed, await shrink(seed, outcome));
  }
  process.stdout.write(`${count} schedules, ${gestures} gestures, ${forks} forks, ${wrong.length} wrong (${wrong.join(' ')}); ${JSON.stringify(counts)}\n`);
  expect(counts.lostRequests * counts.lostAnswers * counts.doubled, 'the network was bad').toBeGreaterThan(0);
  expect(wrong).toEqual([]);
});

/** Leaves out one step after the other, as long as it still fails. */
async function shrink(seed: number, wrong: Outcome): Promise<Outcome> {
  const left = new Set(Array.from({ length: STEPS }, (_, step) => step));
  let shortest = wrong;
  for (const step of [...left].reverse()) {
    left.delete(step);
    const outcome = await play(seed, engine, step + 1, (step) => left.has(step));
    if (outcome.problems.length > 0) shortest = outcome;
    else left.add(step);
  }
  return shortest;
}

function tell(seed: number, { journal, problems }: Outcome): void {
  process.stdout.write([`seed ${seed}`, ...journal, ...problems].join('\n  ') + '\n\n');
}
