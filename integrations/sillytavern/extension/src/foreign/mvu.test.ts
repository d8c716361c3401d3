import { ExactNumber } from 'storeyline-client';
import { expect, test } from 'vitest';
import { FakeHost } from '../app/fakes';
import type { Json } from '../logic/json';
import type { Acked } from '../logic/plan';
import { EVENTS, Mvu, type MvuData } from './mvu';

function setup() {
  const host = new FakeHost();
  const written: { page: string; state: Json }[] = [];
  const story = {
    acked: () => null,
    stateAt: () => undefined,
    setState: async (page: string, state: Json) => void written.push({ page, state }),
    evaluate: async (state: Json) => state,
  };
  const mvu = new Mvu(host, story, () => null);
  mvu.offer();
  const acknowledged = async (gold: Json): Promise<void> => {
    const rows = host.chat().map((_, floor) => ({ id: `page-${floor}` }));
    const state = { value: { gold }, hash: `gold ${gold}` };
    mvu.acknowledged({ node: 'n', rows, digests: [], state, parent: state } as unknown as Acked);
    await new Promise((resolve) => setTimeout(resolve));
  };
  const reply = async (gold: Json): Promise<void> => {
    const message = { mes: 'She pays.', is_user: false };
    host.chat().push(message);
    mvu.received(message);
    await acknowledged(gold);
  };
  const ended = (): number => host.emitted.filter(({ event }) => event === EVENTS.VARIABLE_UPDATE_ENDED).length;
  const listen = (change: (data: { gold: number }) => void): void =>
    host.on(EVENTS.VARIABLE_UPDATE_ENDED as never, (now) => change((now as MvuData).stat_data as { gold: number }));
  return { host, written, acknowledged, reply, ended, listen };
}

test('what a script makes of the state of a new reply counts, once', async () => {
  const { host, written, acknowledged, reply, ended, listen } = setup();
  await acknowledged(5);
  listen((data) => (data.gold += 100));
  await reply(7);
  expect(written).toEqual([{ page: 'page-0', state: { gold: 107 } }]);
  const single = host.emitted.filter(({ event }) => event === EVENTS.SINGLE_VARIABLE_UPDATED);
  expect(single.map(({ args }) => args.slice(1))).toEqual([['gold', 5, 7]]);
  await acknowledged(107);
  expect([ended(), written.length]).toEqual([1, 1]);
});

test('a number beyond double precision is not corrected by rounding', async () => {
  const { written, acknowledged, reply, listen } = setup();
  const exact = { coins: new ExactNumber('12345678901234567890'), level: 1 };
  await acknowledged(exact);
  listen((data) => ((data.gold as unknown as { level: number }).level += 1));
  await reply(exact);
  expect(JSON.stringify(written)).toBe('[{"page":"page-0","state":{"gold":{"coins":12345678901234567890,"level":2}}}]');
});

test('every new reply is told, also one that leaves the state alone', async () => {
  const { written, acknowledged, reply, ended } = setup();
  await acknowledged(5);
  await reply(5);
  await reply(5);
  await acknowledged(5);
  expect([ended(), written.length]).toEqual([2, 0]);
});

test('a page that is shown again, and a correction by hand, are told and not taken back', async () => {
  const { written, acknowledged, ended, listen } = setup();
  await acknowledged(5);
  listen((data) => (data.gold += 100));
  await acknowledged(6);
  await acknowledged(5);
  expect([ended(), written.length]).toEqual([2, 0]);
});
