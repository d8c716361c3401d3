import { describe, expect, it } from 'vitest';
import { textHash } from '../logic/hash';
import type { JsonObject } from '../logic/json';
import { KEY } from '../logic/message';
import { textRow } from '../logic/rows';
import { App } from './app';
import { opened, path, rest, setup, withFakeTime } from './play';

withFakeTime();

describe('events', () => {
  it('bind a reply at once and sync it in the background', async () => {
    const { host, engine } = await opened();
    engine.gate = new Promise(() => {});
    const reply = host.fake.reply('two');
    const emitted = host.emit('MESSAGE_RECEIVED', 3, 'normal');
    expect(reply.extra![KEY]).toBeDefined();
    await emitted;
    await rest();
    expect(engine.requests).toHaveLength(1);
    expect(engine.requests[0]).toMatchObject({ keep: { len: 3 } });
  });

  it('save a user message at once, and a reply a moment later, once', async () => {
    const { host } = await opened();
    host.fake.user('more');
    await host.emit('MESSAGE_SENT', 3);
    expect(host.saves).toBe(1);
    await rest(3000);
    const before = host.saves;
    host.fake.reply('two');
    await host.emit('MESSAGE_RECEIVED', 4, 'normal');
    await host.emit('CHARACTER_MESSAGE_RENDERED', 4, 'normal');
    expect(host.saves).toBe(before);
    await rest(3000);
    expect(host.saves).toBe(before + 1);
  });

  it('leave a message that a command inserted above the end to the reload that follows', async () => {
    const { host } = await opened();
    host.fake.chat.splice(1, 0, { mes: 'inserted', extra: {} });
    await host.emit('MESSAGE_RECEIVED', 1, 'command');
    await host.emit('MESSAGE_SENT', 1);
    expect(host.fake.chat[1]!.extra).toEqual({});
    expect(host.saves).toBe(0);
    await host.emit('CHAT_CHANGED', 'chat-1');
    await rest();
    expect(host.fake.chat[1]!.extra![KEY]).toBeDefined();
  });

  it('do not save in the middle of a generation or a swipe', async () => {
    const { host, reply } = await opened();
    host.busy.generating = true;
    host.fake.edit(reply, 'changed');
    await host.emit('MESSAGE_UPDATED', 2);
    await rest(5000);
    expect(host.saves).toBe(0);
    host.busy.generating = false;
    host.fake.overSwipe(reply);
    await rest(5000);
    expect(host.saves).toBe(0);
    host.fake.swipeTo(reply, 0);
    await rest(1000);
    expect(host.saves).toBe(1);
  });

  it('do not save while the file may be renamed', async () => {
    const { host, reply } = await opened();
    host.busy.occupied = true;
    host.fake.edit(reply, 'changed');
    await host.emit('MESSAGE_UPDATED', 2);
    await rest(5000);
    expect(host.saves).toBe(0);
    host.busy.occupied = false;
    await rest(1000);
    expect(host.saves).toBe(1);
  });

  it('do not save another chat', async () => {
    const { host, reply } = await opened();
    host.fake.edit(reply, 'changed');
    await host.emit('MESSAGE_UPDATED', 2);
    host.current = { ...host.current!, file: 'other' };
    await rest(5000);
    expect(host.saves).toBe(0);
  });

  it('that change nothing ask for nothing', async () => {
    const { host, engine } = await opened();
    for (const event of ['MESSAGE_UPDATED', 'CHAT_LOADED', 'GENERATION_ENDED'] as const) await host.emit(event, 2);
    await rest(3000);
    expect([engine.requests.length, host.saves]).toEqual([0, 0]);
  });
});

describe('syncing', () => {
  it('has one request under way and joins what comes meanwhile', async () => {
    const { host, engine } = await opened();
    let release = (): void => {};
    engine.gate = new Promise((resolve) => (release = resolve));
    for (const text of ['a', 'b', 'c', 'd']) {
      host.fake.reply(text);
      await host.emit('MESSAGE_RECEIVED', host.fake.chat.length - 1, 'normal');
      await rest();
    }
    expect(engine.requests).toHaveLength(1);
    engine.gate = null;
    release();
    await rest(10);
    expect(engine.requests).toHaveLength(2);
    expect(path(host)).toEqual(['Hello You', 'hi', 'one', 'a', 'b', 'c', 'd']);
  });

  it('drops the answer if another chat is open by then', async () => {
    const { host, engine } = await opened();
    let release = (): void => {};
    engine.gate = new Promise((resolve) => (release = resolve));
    host.fake.reply('two');
    await host.emit('MESSAGE_RECEIVED', 3, 'normal');
    await rest();
    host.meta = { integrity: 'slug-9' };
    host.current = { ...host.current!, file: 'other' };
    host.fake.greet('Other');
    engine.gate = null;
    await host.emit('CHAT_CHANGED', 'other');
    await rest(10);
    release();
    await rest(100);
    expect(path(host)).toEqual(['Other']);
    expect(host.meta[KEY]).toMatchObject({ file: 'other' });
  });

  it('is not done while the host loads a chat, before it says who it is', async () => {
    const { host, engine, app } = await opened();
    host.meta = { integrity: 'slug-9', [KEY]: { ...(host.meta[KEY] as object), chat: '99999999-9999-4999-8999-999999999999' } };
    host.fake.reply('of another chat');
    app.session!.syncer.request(true);
    await host.emit('MESSAGE_UPDATED', 3);
    await rest(3000);
    expect(engine.requests).toEqual([]);
  });

  it('trusts the file about what was acknowledged, when it was put back to an older one', async () => {
    const { host, engine } = await opened();
    const older = structuredClone({ chat: host.fake.chat, meta: host.meta });
    host.fake.reply('two');
    await host.emit('MESSAGE_RECEIVED', 3, 'normal');
    await rest(1000);
    host.fake.chat.splice(0, 9, ...older.chat);
    host.meta = older.meta;
    await host.emit('CHAT_CHANGED', 'chat-1');
    await rest(1000);
    expect(engine.requests.at(-1)!.base).toBe((older.meta[KEY] as { base: string }).base);
    expect(path(host)).toEqual(['Hello You', 'hi', 'one']);
  });

  it('repeats with the whole path, a new client or a new declaration, as the engine asks', async () => {
    const { host, engine, reply } = await opened();
    const declared = engine.declared.length;
    engine.failures = ['keep_mismatch', 'old_seq', 'unknown_chat', 'ref_moved'];
    host.fake.edit(reply, 'changed');
    await host.emit('MESSAGE_UPDATED', 2);
    await rest(10);
    expect(engine.requests.map(({ keep }) => keep.len)).toEqual([2, 0, 0, 0, 0]);
    expect(engine.requests[2]!.client).not.toBe(engine.requests[1]!.client);
    expect(engine.declared.length).toBe(declared + 1);
    expect(path(host)).toEqual(['Hello You', 'hi', 'changed']);
  });

  it('asks what the engine needs after a page load and sends only that', async () => {
    const { host, engine } = await opened();
    const app = new App(host, engine);
    host.fake.chat.splice(1, 1);
    host.fake.reply('unknown');
    await app.open();
    await rest(10);
    expect(engine.requests.map(({ messages }) => Object.keys(messages).length)).toEqual([0, 1]);
    expect(path(host)).toEqual(['Hello You', 'one', 'unknown']);
  });

  it('survives an engine that is away: ids are bound and saved, one toast, and all is made up for later', async () => {
    const { host, engine } = await opened();
    engine.failures = ['away', 'away', 'away'];
    const reply = host.fake.reply('two');
    await host.emit('MESSAGE_RECEIVED', 3, 'normal');
    await rest(800);
    expect(reply.extra![KEY]).toBeDefined();
    expect(host.saves).toBe(1);
    expect(host.toasts).toHaveLength(1);
    host.fake.user('three');
    await host.emit('MESSAGE_SENT', 4);
    await rest(20_000);
    expect(host.toasts).toHaveLength(1);
    expect(path(host)).toEqual(['Hello You', 'hi', 'one', 'two', 'three']);
  });

  it('is not done while the host is between two steps', async () => {
    const { host, engine, reply } = await opened();
    host.fake.overSwipe(reply);
    host.fake.finishSwipe(reply, 'second', true);
    await host.emit('MESSAGE_RECEIVED', 2, 'swipe');
    await rest(10);
    engine.requests.length = 0;
    const finish = host.fake.deleteSwipe(reply, 1);
    await host.emit('MESSAGE_SWIPE_DELETED', {});
    await rest(10);
    expect(engine.requests).toEqual([]);
    finish();
    await host.emit('MESSAGE_SWIPED', 2);
    await rest(10);
    expect(path(host)).toEqual(['Hello You', 'hi', 'one']);
  });

  it('tells failed calls in one toast', async () => {
    const { host, engine } = await opened();
    const bad = { floor: 3, page: 'p', code: 'x', severity: 'error' as const, message: { zh: '坏', en: 'bad' }, source: '@.ADD(<b>1</b>)' };
    engine.extra = { diagnostics: [bad, { ...bad, source: '@.SET()' }], notices: [{ code: 'forked', message: { zh: '分', en: 'forked' } }] };
    host.fake.reply('two');
    await host.emit('MESSAGE_RECEIVED', 3, 'normal');
    await rest(10);
    expect(host.toasts).toHaveLength(2);
    expect(host.toasts[0]).toContain('@.ADD(<b>1</b>)');
    expect(host.toasts[0]).toContain('@.SET()');
  });
});

describe('a change made elsewhere', () => {
  it('is carried out, shown, saved and confirmed', async () => {
    const { host, engine, app } = await opened();
    const page = host.fake.id(2)!;
    engine.steps = [{ op: 'edit', floor: 2, page, text: 'edited elsewhere' }];
    app.session!.syncer.request(true);
    await rest(10);
    expect(host.rendered).toEqual([2]);
    expect(host.saves).toBe(1);
    expect(path(host)).toEqual(['Hello You', 'hi', 'edited elsewhere']);
    expect(host.fake.id(2)).toBe(page);
    expect(engine.requests.at(-1)!.tail.at(-1)).toMatchObject({ swipes: [{ id: page, h: textHash('edited elsewhere') }] });
  });

  it('waits while a message is being edited or generated', async () => {
    const { host, engine, app } = await opened();
    host.busy.editing = true;
    engine.steps = [{ op: 'edit', floor: 2, page: host.fake.id(2)!, text: 'edited elsewhere' }];
    app.session!.syncer.request(true);
    await rest(5000);
    expect(host.fake.chat[2]!.mes).toBe('one');
    host.busy.editing = false;
    await rest(1000);
    expect(host.fake.chat[2]!.mes).toBe('edited elsewhere');
  });

  it('is dropped if the chat has moved on, and the next sync decides anew', async () => {
    const { host, engine, app } = await opened();
    host.busy.editing = true;
    engine.steps = [{ op: 'replace', floor: 1, messages: [] }];
    app.session!.syncer.request(true);
    await rest(500);
    host.fake.edit(host.fake.chat[2]!, 'edited here');
    await host.emit('MESSAGE_UPDATED', 2);
    host.busy.editing = false;
    await rest(2000);
    expect(host.fake.chat).toHaveLength(3);
    expect(path(host)).toEqual(['Hello You', 'hi', 'edited here']);
  });

  it('may switch pages through the host', async () => {
    const { host, engine, app, reply } = await opened();
    host.fake.overSwipe(reply);
    host.fake.finishSwipe(reply, 'second', true);
    await host.emit('MESSAGE_RECEIVED', 2, 'swipe');
    await rest(1000);
    engine.steps = [{ op: 'select', floor: 2, page: host.fake.id(2, 0)!, index: 0 }];
    app.session!.syncer.request(true);
    await rest(1000);
    expect(reply.swipe_id).toBe(0);
    expect(path(host)).toEqual(['Hello You', 'hi', 'one']);
  });

  it('may replace the end of the chat: saved first, then loaded again', async () => {
    const { host, engine, app } = await opened();
    const message = structuredClone(host.fake.chat[2]!);
    message.mes = message.swipes![0] = 'from elsewhere';
    engine.steps = [{ op: 'replace', floor: 1, messages: [message as JsonObject] }];
    app.session!.syncer.request(true);
    await rest(1000);
    expect([host.saves > 0, host.reloads]).toEqual([true, 1]);
    expect(path(host)).toEqual(['Hello You', 'from elsewhere']);
  });

  it('that comes back again and again is not repeated for ever', async () => {
    const { host, engine, app } = await opened();
    const step = { op: 'edit' as const, floor: 2, page: '99999999-9999-4999-8999-999999999999', text: 'x' };
    engine.extra = { apply: [step] };
    app.session!.syncer.request(true);
    await rest(10_000);
    expect(engine.requests.length).toBeLessThan(8);
    expect(host.fake.chat[2]!.mes).toBe('one');
  });
});

it('what was not answered is said again before anything new', async () => {
  const { host, engine, reply } = await opened();
  engine.failures = ['lost'];
  host.fake.edit(reply, 'two');
  await host.emit('MESSAGE_UPDATED', 2);
  await rest(100);
  host.fake.edit(reply, 'three');
  await host.emit('MESSAGE_UPDATED', 2);
  await rest(3000);
  const [lost, again, next] = engine.requests;
  expect(again).toEqual(lost);
  expect(next?.tail).not.toEqual(lost?.tail);
  expect(next?.base).not.toBe(lost?.base);
  expect(path(host)?.at(-1)).toBe('three');
});

it('a reload waits for what the player does while the chat is being saved', async () => {
  const { host, engine } = await opened();
  const message = structuredClone(host.fake.chat[2]!);
  let saves = 0;
  host.saveChat = async () => {
    if (saves++ === 0) {
      host.fake.user('meanwhile');
      host.busy.generating = true;
      setTimeout(() => void (host.busy.generating = false), 1000);
    }
  };
  engine.steps = [{ op: 'replace', floor: 2, messages: [message as JsonObject] }];
  await host.emit('MESSAGE_UPDATED', 2);
  host.fake.edit(host.fake.chat[2]!, 'other');
  await host.emit('MESSAGE_UPDATED', 2);
  await rest(400);
  expect(host.reloads).toBe(0);
  await rest(2000);
  expect(host.reloads).toBe(1);
  expect(saves).toBeGreaterThan(1);
});

it('the chat is not loaded again before the engine knows what the player said meanwhile: another window may have written the file', async () => {
  const { host, engine, app } = await opened();
  const message = structuredClone(host.fake.chat[2]!);
  const file = structuredClone(host.fake.chat);
  let saves = 0;
  host.saveChat = async () => {
    if (saves++ > 0) return;
    host.fake.user('meanwhile');
    await host.emit('MESSAGE_SENT', 3);
  };
  const told: boolean[] = [];
  host.reloadChat = async () => {
    const id = host.fake.id(3);
    told.push(engine.requests.some(({ tail }) => tail.some((row) => textRow(row).id === id)));
    host.fake.chat.splice(0, 9, ...file);
    await host.emit('CHAT_CHANGED', 'chat-1');
  };
  engine.steps = [{ op: 'replace', floor: 2, messages: [message as JsonObject] }];
  app.session!.syncer.request(true);
  await rest(3000);
  expect(told).toEqual([true]);
});

it('what happens between the first answer and the first look at the feed is heard of', async () => {
  const { engine, host } = setup();
  engine.extra = { seen: 'c7' };
  host.fake.greet('Hello {{user}}');
  await host.emit('CHAT_CHANGED', 'chat-1');
  await rest(100);
  expect(engine.listening.map(({ after }) => after)).toEqual(['c7']);
  const before = engine.requests.length;
  engine.listening[0]!.answer('c8');
  await rest(1000);
  expect(engine.requests.length).toBe(before + 1);
  expect(engine.listening.at(-1)!.after).toBe('c8');
});

it('a change that this page made itself is not asked about again', async () => {
  const { app, engine, host, reply } = await opened();
  host.fake.edit(reply, 'a');
  await host.emit('MESSAGE_UPDATED', 2);
  await rest(100);
  const before = engine.requests.length;
  expect(engine.listening.at(-1)!.client).toBe(app.session!.memory.client);
  engine.listening.at(-1)!.answer('c8', false);
  await rest(1000);
  expect(engine.requests.length).toBe(before);
});

it('while functions are running the page says so and asks again', async () => {
  const { app, engine, host, reply } = await opened();
  engine.extra = { pending: true };
  const before = engine.requests.length;
  host.fake.edit(reply, 'a');
  await host.emit('MESSAGE_UPDATED', 2);
  await rest(100);
  expect(app.pending).toBe(true);
  engine.extra = {};
  await rest(2000);
  expect(app.pending).toBe(false);
  expect(engine.requests.length).toBeGreaterThan(before + 1);
});

describe('a long chat', () => {
  const long = async (floors: number) => {
    const all = setup();
    all.host.fake.greet('Hello {{user}}');
    for (let floor = 1; floor < floors; floor++) all.host.fake.user(`message ${floor}`);
    const seen: string[] = [];
    all.app.onUpdate(() => seen.push(all.app.progress ? `${all.app.progress.done}/${all.app.progress.total}` : ''));
    return { ...all, seen };
  };

  it('is seen to be read until the engine has answered', async () => {
    const { host, engine, app, seen } = await long(400);
    let release = (): void => {};
    engine.gate = new Promise((resolve) => (release = resolve));
    await host.emit('CHAT_CHANGED', 'chat-1');
    await rest(1000);
    expect(app.progress).toEqual({ done: 400, total: 400 });
    engine.gate = null;
    release();
    await rest(100);
    expect(app.progress).toBeNull();
    expect([seen.includes('0/400'), seen.includes('400/400'), seen.at(-1)]).toEqual([true, true, '']);
    expect(host.fake.violations()).toEqual([]);
    expect(path(host)).toHaveLength(400);
  });

  it('shows no progress when the engine is away or another chat is open', async () => {
    const { host, engine, app } = await long(400);
    engine.failures = ['away'];
    await host.emit('CHAT_CHANGED', 'chat-1');
    await rest(100);
    expect([app.progress, app.trouble === null]).toEqual([null, false]);
  });

  it('gets ids that the engine gives it, however many', async () => {
    const { host, engine, app } = await long(400);
    const id = (floor: number): string => `00000000-0000-4000-8000-${String(floor).padStart(12, '0')}`;
    engine.extra = { adopt: host.fake.chat.map((_, floor) => [floor, id(floor)]) };
    await host.emit('CHAT_CHANGED', 'chat-1');
    await rest(100);
    expect(host.fake.chat.every((_, floor) => host.fake.id(floor) === id(floor))).toBe(true);
    expect(app.session!.memory.acked!.rows.every((row, floor) => row.id === id(floor))).toBe(true);
    engine.extra = {};
    engine.requests.length = 0;
    host.fake.user('on');
    await host.emit('MESSAGE_SENT', 400);
    await rest(100);
    expect(engine.requests[0]).toMatchObject({ keep: { len: 400 }, tail: [{ swipes: [{ id: host.fake.id(400) }] }] });
  });
});
