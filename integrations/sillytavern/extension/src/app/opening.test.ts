import { describe, expect, it } from 'vitest';
import { KEY } from '../logic/message';
import { CHAT_NAMESPACE, uuid5 } from '../logic/uuid';
import { VARIABLE } from './injector';
import { generate, opened, path, rest, setup, withFakeTime } from './play';

withFakeTime();

describe('opening a chat', () => {
  it('declares it, syncs it, shows its state and saves the ids', async () => {
    const { host, engine } = setup();
    host.fake.greet('Hello {{user}}');
    await host.emit('CHAT_CHANGED', 'chat-1');
    await rest(1000);
    const chat = uuid5(CHAT_NAMESPACE, 'slug-1');
    expect(engine.declared[0]).toMatchObject({ chat, parent: null, ask_cast: true, title: 'Aria', names: { user: 'You', char: 'Aria' } });
    expect(path(host)).toEqual(['Hello You']);
    expect(host.macros.get('vs_stat_data')!.text('')).toBe('{"path":["Hello You"]}');
    expect(host.macros.get('vs_get')!.text('path[0]')).toBe('Hello You');
    expect(host.meta[KEY]).toMatchObject({ chat, story: 'story', file: 'chat-1', owner: 'aria.png', user: 'You', char: 'Aria' });
    expect((host.meta[KEY] as { base: string }).base).toBeTruthy();
    expect(host.saves).toBe(1);
  });

  it('tells who plays when the engine asks', async () => {
    const { host, engine } = setup();
    engine.declaring = [{ need_cast: true, ref: null, story: null }];
    host.fake.greet('Hello {{user}}');
    await host.emit('CHAT_CHANGED', 'chat-1');
    await rest(1000);
    expect(engine.declared.map(({ cast }) => cast?.cards)).toEqual([undefined, [{ data: { name: 'Aria' } }]]);
    expect(path(host)).toEqual(['Hello You']);
  });

  it('turns a card on by what is found in it and says so once', async () => {
    const { host, engine } = setup();
    host.current!.cards[0]!.field = undefined;
    engine.looked = { ...engine.looked, enabled: true, profile: 'mvu' };
    host.fake.greet('Hello {{user}}');
    for (let times = 0; times < 2; times++) {
      await host.emit('CHAT_CHANGED', 'chat-1');
      await rest(1000);
    }
    expect(path(host)).toEqual(['Hello You']);
    expect(host.toasts.filter((toast) => toast.includes('MVU'))).toHaveLength(1);
  });

  it('asks before functions of a card run, and computes the story again when they are allowed', async () => {
    const { host, engine } = setup();
    engine.looked = { ...engine.looked, held: [{ card: 'Aria', fingerprint: 'f', names: ['HEAL'], refused: false }] };
    host.answer = 1;
    host.fake.greet('Hello {{user}}');
    await host.emit('CHAT_CHANGED', 'chat-1');
    await rest(2000);
    expect(host.questions.map(({ text }) => text.includes('HEAL'))).toEqual([true]);
    expect(engine.declared.some(({ renew }) => renew)).toBe(true);
    expect(engine.called.map(({ name }) => name)).toEqual(['reportCarried', 'decideFunctions', 'reprocess']);
    expect(engine.called[1]!.args).toEqual(['Aria', 'f', true]);
    await host.emit('CHAT_CHANGED', 'chat-1');
    await rest(2000);
    expect(host.questions).toHaveLength(1);
  });

  it('shows names that a card chose on one line of the question', async () => {
    const { host, engine } = setup();
    const forged = 'Aria"\n\nStoreyline: this card is safe.\u2028Allow it.\r\u202e';
    engine.looked = { ...engine.looked, held: [{ card: forged, fingerprint: 'f', names: ['A\nB', 'x'.repeat(500)], refused: false }] };
    host.answer = 0;
    host.fake.greet('Hello {{user}}');
    await host.emit('CHAT_CHANGED', 'chat-1');
    await rest(2000);
    const [question] = host.questions;
    expect(question!.text.split(/[\n\r\u2028\u2029]/)).toHaveLength(2);
    expect(question!.text).toContain('A B');
    expect(question!.text.length).toBeLessThan(400);
    expect(engine.called.some(({ name }) => name === 'decideFunctions')).toBe(false);
  });

  it('leaves a card to another system if the user says so', async () => {
    const { host, engine } = setup();
    host.keepers = ['MVU'];
    host.answer = 1;
    host.fake.greet('Hello {{user}}');
    await host.emit('CHAT_CHANGED', 'chat-1');
    await rest(1000);
    expect(engine.requests).toHaveLength(0);
    expect(host.variable(VARIABLE)).toBeUndefined();
  });

  it('shows the branch that is to be shown: its file, or a new one', async () => {
    const to = { operation: 'c7', story: 'story', ref: 'other', name: 'rain: again?', file: null, owner: null };
    const { host, engine } = setup();
    engine.declaring = [{ switch: to, ref: null, story: null }];
    host.fake.greet('Hello {{user}}');
    await host.emit('CHAT_CHANGED', 'chat-1');
    await rest(1000);
    expect(host.openedFiles).toEqual(['rain again']);
    expect(engine.requests).toHaveLength(0);
    engine.declaring = [{ switch: { ...to, operation: 'c8', file: 'rain again', owner: 'aria.png' }, ref: null, story: null }];
    await host.emit('CHAT_CHANGED', 'chat-1');
    await rest(1000);
    expect(host.openedFiles).toEqual(['rain again', 'rain again']);
    expect(engine.called.map(({ name }) => name).filter((name) => name !== 'reportCarried')).toEqual(['fileOfBranch']);
    expect(host.settings()['handled']).toBe('c8');
  });

  it('does nothing at all for a card that is off, for no chat and for an empty chat', async () => {
    const { host, engine } = setup();
    host.fake.greet('Hello');
    host.current!.cards[0]!.field = { enabled: false, templateBody: {} };
    await host.emit('CHAT_CHANGED', 'chat-1');
    await host.emit('MESSAGE_RECEIVED', 0, 'first_message');
    await generate(host, 'normal');
    await host.prompt('normal');
    await rest(5000);
    expect(host.fake.chat[0]!.extra).toEqual({});
    host.current = null;
    await host.emit('CHAT_CHANGED');
    await rest(5000);
    expect([engine.declared.length, engine.requests.length, host.saves, host.variable(VARIABLE), host.toasts]).toEqual([0, 0, 0, undefined, []]);

    const empty = setup();
    await empty.host.emit('CHAT_CHANGED', 'chat-1');
    await empty.host.emit('MESSAGE_DELETED', 0);
    await rest(5000);
    expect(empty.engine.requests).toEqual([]);
  });

  it('gives a branch its own identity and its own state, not the variables copied from the parent', async () => {
    const { host, engine } = await opened();
    const parent = (host.meta[KEY] as { chat: string }).chat;
    host.meta = { ...structuredClone(host.meta), integrity: 'slug-2', main_chat: 'chat-1' };
    host.current = { ...host.current!, file: 'branch' };
    host.fake.chat.length = 1;
    await host.emit('CHAT_CHANGED', 'branch');
    await rest(1000);
    expect(engine.declared.at(-1)).toMatchObject({ chat: uuid5(CHAT_NAMESPACE, 'slug-2'), parent });
    expect(path(host)).toEqual(['Hello You']);
  });

  it('keeps the uid of a renamed chat and gives a copy a new one', async () => {
    const { host } = await opened();
    const before = (host.meta[KEY] as { chat: string }).chat;
    host.current = { ...host.current!, file: 'renamed' };
    await host.emit('CHAT_CHANGED', 'renamed');
    await rest();
    expect(host.meta[KEY]).toMatchObject({ chat: before, file: 'renamed' });
    await rest(1000);
    expect(host.saves).toBe(1);
    await host.emit('CHAT_CHANGED', 'renamed');
    await rest(1000);
    expect(host.saves).toBe(1);
    host.oldFileExists = true;
    host.current = { ...host.current!, file: 'copied' };
    await host.emit('CHAT_CHANGED', 'copied');
    await rest();
    expect(host.meta[KEY]).toMatchObject({ parent: before, file: 'copied' });
    expect((host.meta[KEY] as { chat: string }).chat).not.toBe(before);
  });
});
