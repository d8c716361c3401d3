import { afterEach, expect, test, vi } from 'vitest';
import { type HostScript, saveOpenChat } from './save';
import type { HostContext } from './sillytavern';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function setup(groupId?: string) {
  const state = { chatMetadata: { integrity: 'a' } as Record<string, unknown>, chat: [{ mes: 'one' }], groupId, chatId: 'file', ownWay: 0, inner: 0 };
  const context = () => ({ ...state, getRequestHeaders: () => ({}), saveChat: async () => void state.ownWay++ }) as unknown as HostContext;
  const script: HostScript = { isChatSaving: false, saveChat: async () => void state.inner++ };
  return { state, context, script };
}

test('a card\'s chat is saved before anything else can happen', () => {
  const { state, context, script } = setup();
  void saveOpenChat(context, script);
  expect(state).toMatchObject({ inner: 1, ownWay: 0 });
});

test('a group\'s chat is written as it is now', () => {
  const { state, context, script } = setup('group');
  const sent: { id: string; chat: unknown[] }[] = [];
  vi.stubGlobal('fetch', async (_url: string, init: { body: string }) => {
    sent.push(JSON.parse(init.body) as (typeof sent)[number]);
    return { ok: true };
  });
  void saveOpenChat(context, script);
  state.chat.length = 0;
  expect(sent).toEqual([
    { id: 'file', force: false, chat: [{ chat_metadata: { integrity: 'a' }, user_name: 'unused', character_name: 'unused' }, { mes: 'one' }] },
  ]);
});

test('a refused group is the host\'s to ask about', async () => {
  const { state, context, script } = setup('group');
  vi.stubGlobal('fetch', async () => ({ ok: false }));
  await saveOpenChat(context, script);
  expect(state.ownWay).toBe(1);
});

test.each(['another chat is opened', 'a chat is being opened'])('while the host saves, %s: nothing is written', async (what) => {
  vi.useFakeTimers();
  const { state, context, script } = setup();
  script.isChatSaving = true;
  const saved = saveOpenChat(context, script);
  if (what === 'another chat is opened') state.chatMetadata = { integrity: 'b' };
  else state.chat.length = 0;
  script.isChatSaving = false;
  await vi.advanceTimersByTimeAsync(100);
  await saved;
  expect(state).toMatchObject({ inner: 0, ownWay: 0 });
});

test('a chat is not offered to a file that it was not read from', async () => {
  const { state, context, script } = setup();
  await saveOpenChat(context, script, 'file');
  state.chatId = 'another file';
  await saveOpenChat(context, script, 'file');
  expect(state).toMatchObject({ inner: 1, ownWay: 0 });
});

test('it waits for the host\'s own save', async () => {
  vi.useFakeTimers();
  const { state, context, script } = setup();
  script.isChatSaving = true;
  void saveOpenChat(context, script);
  await vi.advanceTimersByTimeAsync(200);
  expect(state.inner).toBe(0);
  script.isChatSaving = false;
  await vi.advanceTimersByTimeAsync(100);
  expect(state.inner).toBe(1);
});

test('a host that lends nothing saves in its own way', async () => {
  const { state, context } = setup();
  await saveOpenChat(context, null);
  expect(state).toMatchObject({ inner: 0, ownWay: 1 });
});
