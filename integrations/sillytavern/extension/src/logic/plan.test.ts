import { describe, expect, it } from 'vitest';
import type { SyncAnswer } from 'storeyline-client';
import { FakeChat } from './fake-chat';
import { type Outcome, type SyncMemory, buildRequest, newMemory, readAnswer, remember, writeAdopted } from './plan';
import { KEY } from './message';
import { type TextRow, chatRows, digestChain } from './rows';
import { applyStep, selectPage } from './apply';

const OPTIONS = {
  chat: 'c', names: { user: 'u', char: 'c' }, needed: new Set<string>(), whole: false, freshState: false,
};
const ANSWER: SyncAnswer = {
  story: 's', ref: 'r', node: 'n1', head: 'n1', seen: 'c1', need: [], adopt: [], apply: [], diagnostics: [], notices: [], pending: false, evaluated: 0,
  state: { hash: 'h1', value: { gold: 1 } }, parent: { hash: 'h0', value: {} },
};

function setup(): { fake: FakeChat; memory: SyncMemory; rows: TextRow[] } {
  const fake = new FakeChat();
  fake.greet('hello');
  fake.user('hi');
  fake.reply('reply');
  fake.bind(true);
  return { fake, memory: newMemory(null), rows: chatRows(fake.chat)! };
}

async function take(memory: SyncMemory, rows: TextRow[], answer: SyncAnswer = ANSWER): Promise<Extract<Outcome, { kind: 'acked' }>> {
  const outcome = await readAnswer(memory, rows, answer);
  if (outcome.kind !== 'acked') throw new Error(outcome.kind);
  await remember(memory, outcome.acked, () => true);
  return outcome;
}

describe('a sync request', () => {
  it('declares everything at first, with all texts', () => {
    const { fake, memory, rows } = setup();
    const request = buildRequest(memory, rows, fake.chat, OPTIONS);
    expect(request).toMatchObject({ seq: 1, base: null, keep: { len: 0, digest: '' }, have: null });
    expect(request.tail).toHaveLength(3);
    expect(Object.keys(request.messages).sort()).toEqual(rows.map(({ id }) => id).sort());
  });

  it('asks first when the engine may know the chat already', () => {
    const { fake, rows } = setup();
    const request = buildRequest(newMemory('n0'), rows, fake.chat, OPTIONS);
    expect(request.messages).toEqual({});
    expect(request.base).toBe('n0');
    const again = buildRequest(newMemory('n0'), rows, fake.chat, { ...OPTIONS, needed: new Set([rows[1]!.id]) });
    expect(Object.keys(again.messages)).toEqual([rows[1]!.id]);
  });

  it('sends only the new end afterwards, on the acknowledged beginning', async () => {
    const { fake, memory, rows } = setup();
    buildRequest(memory, rows, fake.chat, OPTIONS);
    await take(memory, rows);
    fake.user('more');
    fake.bind();
    const next = chatRows(fake.chat)!;
    const request = buildRequest(memory, next, fake.chat, OPTIONS);
    expect(request).toMatchObject({ seq: 2, base: 'n1', have: 'h1', keep: { len: 3, digest: digestChain(rows)[3] } });
    expect(request.tail).toHaveLength(1);
    expect(Object.keys(request.messages)).toEqual([next[3]!.id]);
  });

  it('starts at the first floor that changed, with its message and no other', async () => {
    const { fake, memory, rows } = setup();
    await take(memory, rows);
    fake.chat[1]!.is_system = true;
    const request = buildRequest(memory, chatRows(fake.chat)!, fake.chat, OPTIONS);
    expect(request.keep).toEqual({ len: 1, digest: digestChain(rows)[1] });
    expect(Object.keys(request.messages)).toEqual([rows[1]!.id]);
  });

  it('sends messages with equal words each under its own id', () => {
    const fake = new FakeChat();
    fake.greet('hello');
    fake.user('go on');
    fake.user('go on');
    fake.bind(true);
    const rows = chatRows(fake.chat)!;
    expect(Object.keys(buildRequest(newMemory(null), rows, fake.chat, OPTIONS).messages)).toHaveLength(3);
  });

  it('sends an unchanged path as keep alone, and the whole one when told to', async () => {
    const { fake, memory, rows } = setup();
    await take(memory, rows);
    expect(buildRequest(memory, rows, fake.chat, OPTIONS)).toMatchObject({ keep: { len: 3 }, tail: [] });
    const whole = buildRequest(memory, rows, fake.chat, { ...OPTIONS, whole: true });
    expect(whole.keep).toEqual({ len: 0, digest: '' });
    expect(whole.tail).toHaveLength(3);
  });

  it('sends a pending message as its last stored page', () => {
    const { fake, memory } = setup();
    fake.overSwipe(fake.chat[2]!);
    fake.bind();
    const request = buildRequest(memory, chatRows(fake.chat)!, fake.chat, OPTIONS);
    const sent = Object.values(request.messages).at(-1)!;
    expect(sent).toMatchObject({ swipe_id: 0, mes: 'reply' });
    expect(fake.chat[2]!.swipe_id).toBe(1);
  });
});

describe('an answer', () => {
  it('that needs texts changes nothing', async () => {
    const { memory, rows } = setup();
    expect(await readAnswer(memory, rows, { ...ANSWER, need: ['x'] })).toEqual({ kind: 'need', pages: ['x'] });
    expect(memory.acked).toBeNull();
  });

  it('may give the state as value, as ops, or as the one we have', async () => {
    const { memory, rows } = setup();
    expect((await take(memory, rows)).acked.state.value).toEqual({ gold: 1 });
    const ops = { ...ANSWER, state: { hash: 'h2', ops: [{ path: ['gold'], value: 2 }] }, parent: { hash: 'h1' } };
    const second = (await take(memory, rows, ops)).acked;
    expect(second.state.value).toEqual({ gold: 2 });
    expect(second.parent.value).toEqual({ gold: 1 });
    const same = (await take(memory, rows, { ...ANSWER, state: { hash: 'h2' }, parent: { hash: 'h2' } })).acked;
    expect([same.state.value, same.parent.value]).toEqual([{ gold: 2 }, { gold: 2 }]);
  });

  it('whose state cannot be made is asked for again', async () => {
    const { memory, rows } = setup();
    expect((await readAnswer(memory, rows, { ...ANSWER, state: { hash: 'unknown' } })).kind).toBe('lost-state');
    await take(memory, rows);
    expect((await readAnswer(memory, rows, { ...ANSWER, state: { hash: 'x', ops: [{ path: ['no', 'way'], value: 1 }] } })).kind).toBe('lost-state');
  });

  it('with an adopted id is acknowledged with that id, and the message gets it', async () => {
    const { fake, memory, rows } = setup();
    const id = '99999999-9999-4999-8999-999999999999';
    const { acked, adopted } = await take(memory, rows, { ...ANSWER, adopt: [[2, id]] });
    expect(acked.rows[2]).toMatchObject({ id, row: { swipes: [{ id }] } });
    expect(await writeAdopted(fake.chat, KEY, adopted)).toBe(true);
    expect(fake.violations()).toEqual([]);
    expect(chatRows(fake.chat)!.map(({ text }) => text)).toEqual(acked.rows.map(({ text }) => text));
    expect(digestChain(acked.rows)).toEqual(acked.digests);
  });
});

describe('steps', () => {
  it('edit the active page: text, swipe and hash, same id', () => {
    const { fake } = setup();
    const id = fake.id(2)!;
    expect(applyStep(fake.chat, { op: 'edit', floor: 2, page: id, text: 'new' })).toEqual({ kind: 'render', floor: 2 });
    expect(fake.chat[2]).toMatchObject({ mes: 'new', swipes: ['new'] });
    expect(fake.id(2)).toBe(id);
    expect(fake.violations()).toEqual([]);
    expect(applyStep(fake.chat, { op: 'edit', floor: 2, page: id, text: 'new' })).toEqual({ kind: 'nothing' });
  });

  it('find their page where it is now, and do nothing if it is gone', () => {
    const { fake } = setup();
    const id = fake.id(2)!;
    fake.chat.splice(1, 1);
    expect(applyStep(fake.chat, { op: 'edit', floor: 2, page: id, text: 'new' })).toEqual({ kind: 'render', floor: 1 });
    fake.chat.pop();
    expect(applyStep(fake.chat, { op: 'edit', floor: 2, page: id, text: 'x' })).toEqual({ kind: 'nothing' });
  });

  it('select a stored page as the host would', () => {
    const { fake } = setup();
    const message = fake.chat[2]!;
    const first = fake.id(2, 0)!;
    fake.overSwipe(message);
    fake.bind();
    fake.finishSwipe(message, 'second', true);
    fake.bind();
    expect(applyStep(fake.chat, { op: 'select', floor: 2, page: first, index: 0 })).toEqual({ kind: 'select', floor: 2, index: 0 });
    expect(selectPage(message, 0)).toBe(true);
    expect(message).toMatchObject({ swipe_id: 0, mes: 'reply' });
    expect(fake.id(2)).toBe(first);
    expect(fake.violations()).toEqual([]);
    expect(fake.bind()).toBe(false);
    expect(applyStep(fake.chat, { op: 'select', floor: 2, page: first, index: 0 })).toEqual({ kind: 'nothing' });
  });

  it('replace the end of the chat', () => {
    const { fake } = setup();
    const kept = fake.chat[0];
    expect(applyStep(fake.chat, { op: 'replace', floor: 1, messages: [{ mes: 'x' }] })).toEqual({ kind: 'reload' });
    expect(fake.chat).toEqual([kept, { mes: 'x' }]);
  });
});
