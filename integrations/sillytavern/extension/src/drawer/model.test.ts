import { type Session, memoryAddress } from 'storeyline-ui';
import { beforeEach, expect, it, vi } from 'vitest';
import { opened, rest, withFakeTime } from '../app/play';
import { DrawerModel } from './model.svelte';

withFakeTime();
beforeEach(() => void vi.stubGlobal('document', { hidden: false }));

async function shown() {
  const all = await opened();
  const address = memoryAddress();
  const calls: string[] = [];
  const session = {
    place: address.read(),
    pause: (paused: boolean) => calls.push(paused ? 'pause' : 'go on'),
    start: () => (calls.push('start'), () => {}),
    retry: () => calls.push('retry'),
  } as unknown as Session;
  const model = new DrawerModel(all.app, session, address);
  model.show(true);
  return { ...all, model, address, calls };
}

it('shows the branch of the open chat, and asks nothing while it is closed', async () => {
  const { model, address, calls } = await shown();
  expect(model.at).toEqual({ story: 'story', ref: 'ref' });
  expect(address.read()).toMatchObject({ story: 'story', ref: 'ref', floor: null });
  expect(calls).toContain('start');
  model.show(false);
  expect(calls.at(-1)).toBe('pause');
  model.go(1);
  expect(address.read().floor).toBe(1);
});

it('keeps its screens while the same chat is loaded again', async () => {
  const { model, host, calls } = await shown();
  const before = model.at;
  const loading = host.emit('CHAT_CHANGED', 'chat-1');
  model.update();
  expect(model.at).toBe(before);
  await loading;
  await rest(2000);
  expect(model.at).toEqual(before);
  expect(calls.filter((call) => call === 'start' || call === 'retry')).toEqual(['start']);
});

it('shows nothing without a chat, of another chat, or of a card that is off', async () => {
  const { model, host, address, calls } = await shown();
  const chat = host.current!;
  host.current = { ...chat, file: 'chat-2' };
  const loading = host.emit('CHAT_CHANGED', 'chat-2');
  model.update();
  expect(model.at).toBeNull();
  await loading;
  await rest(2000);
  expect(model.at).not.toBeNull();
  host.current = null;
  await host.emit('CHAT_CHANGED');
  await rest(100);
  expect([model.at, model.chatOpen]).toEqual([null, false]);
  expect(address.read().story).toBeNull();
  expect(calls.at(-1)).not.toBe('pause');
  host.current = { ...chat, cards: [{ ...chat.cards[0]!, identity: {}, field: { enabled: false } }] };
  await host.emit('CHAT_CHANGED', 'chat-1');
  await rest(100);
  expect([model.at, model.chatOpen, model.cards.map(({ on }) => on)]).toEqual([null, true, [false]]);
});
