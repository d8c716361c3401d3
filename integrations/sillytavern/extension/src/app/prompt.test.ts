import { describe, expect, it } from 'vitest';
import type { FakeHost } from './fakes';
import { VARIABLE } from './injector';
import { ended, generate, opened, path, rest, withFakeTime } from './play';

withFakeTime();

describe('a prompt', () => {
  it('for a normal reply waits for the newest state', async () => {
    const { host } = await opened();
    await generate(host, 'normal');
    host.fake.user('more');
    await host.emit('MESSAGE_SENT', 3);
    await host.emit('USER_MESSAGE_RENDERED', 3);
    expect(path(host)).toEqual(['Hello You', 'hi', 'one', 'more']);
    await host.prompt('normal');
    expect(path(host)).toEqual(['Hello You', 'hi', 'one', 'more']);
    expect(host.toasts).toEqual([]);
  });

  it('holds its card fields back until the user message is counted in', async () => {
    const { host, engine } = await opened();
    await generate(host, 'normal');
    engine.gate = new Promise((resolve) => setTimeout(resolve, 200));
    host.fake.user('more');
    await host.emit('MESSAGE_SENT', 3);
    const rendered = host.emit('USER_MESSAGE_RENDERED', 3).then(() => path(host));
    await rest(300);
    expect(await rendered).toEqual(['Hello You', 'hi', 'one', 'more']);
  });

  it('for a swipe sees the state before the reply, and the new page is evaluated on it', async () => {
    const { host, reply } = await opened();
    host.fake.overSwipe(reply);
    await host.emit('MESSAGE_SWIPED', 2);
    expect(path(host)).toEqual(['Hello You', 'hi']);
    await generate(host, 'swipe');
    await host.prompt('swipe');
    expect(path(host)).toEqual(['Hello You', 'hi']);
    host.fake.finishSwipe(reply, 'second', true);
    await host.emit('GENERATION_ENDED');
    host.busy.generating = false;
    await host.emit('MESSAGE_RECEIVED', 2, 'swipe');
    await rest(10);
    expect(path(host)).toEqual(['Hello You', 'hi', 'second']);
    expect(host.toasts).toEqual([]);
  });

  it('for a swipe is right even if an early floor was changed without an event', async () => {
    const { host, reply } = await opened();
    host.fake.chat[1]!.mes = 'moved in silence';
    host.fake.overSwipe(reply);
    await host.emit('MESSAGE_SWIPED', 2);
    await generate(host, 'swipe');
    await host.prompt('swipe');
    expect(path(host)).toEqual(['Hello You', 'moved in silence']);
  });

  it('comes back to the page when a swipe fails and the host says nothing', async () => {
    const { host, reply } = await opened();
    host.fake.overSwipe(reply);
    await host.emit('MESSAGE_SWIPED', 2);
    await generate(host, 'swipe');
    await host.prompt('swipe');
    host.busy.swiping = true;
    host.busy.generating = false;
    await host.emit('GENERATION_ENDED');
    expect(path(host)).toEqual(['Hello You', 'hi']);
    host.fake.swipeTo(reply, 0);
    host.busy.swiping = false;
    await rest(500);
    expect(path(host)).toEqual(['Hello You', 'hi', 'one']);
  });

  it('for continue sees the state before the message, then the whole', async () => {
    const { host, reply } = await opened();
    await generate(host, 'continue');
    await host.prompt('continue');
    expect(path(host)).toEqual(['Hello You', 'hi']);
    host.fake.continue(reply, ' more');
    await host.emit('MESSAGE_RECEIVED', 2, 'continue');
    await ended(host);
    expect(path(host)).toEqual(['Hello You', 'hi', 'one more']);
  });

  it('for regenerate sees the state before the reply, before and after the host removes it', async () => {
    const { host } = await opened();
    await generate(host, 'regenerate');
    expect(path(host)).toEqual(['Hello You', 'hi']);
    host.fake.chat.pop();
    await host.emit('MESSAGE_DELETED', 2);
    expect(path(host)).toEqual(['Hello You', 'hi']);
    await host.prompt('regenerate');
    expect(path(host)).toEqual(['Hello You', 'hi']);
    host.fake.reply('again');
    await host.emit('MESSAGE_RECEIVED', 2, 'regenerate');
    await ended(host);
    expect(path(host)).toEqual(['Hello You', 'hi', 'again']);
  });

  it('for quiet and impersonate sees the state at the last floor', async () => {
    const { host } = await opened();
    for (const type of ['quiet', 'impersonate']) {
      await generate(host, type);
      await host.prompt(type);
      expect(path(host)).toEqual(['Hello You', 'hi', 'one']);
      await ended(host);
    }
  });

  it('ignores dry runs', async () => {
    const { host } = await opened();
    await host.emit('GENERATION_STARTED', 'continue', {}, true);
    await host.emit('GENERATION_AFTER_COMMANDS', 'continue', {}, true);
    expect(path(host)).toEqual(['Hello You', 'hi', 'one']);
  });

  it('goes on after three seconds with the last state and says whose it is', async () => {
    const { host, engine } = await opened();
    engine.gate = new Promise(() => {});
    host.fake.user('more');
    await host.emit('MESSAGE_SENT', 3);
    let done = false;
    const waiting = host.prompt('normal').then(() => (done = true));
    await rest(2900);
    expect(done).toBe(false);
    await rest(200);
    await waiting;
    expect(path(host)).toEqual(['Hello You', 'hi', 'one']);
    expect(host.toasts.at(-1)).toContain('#2');
  });

  // Begins a generation whose state does not arrive; the promise resolves when the prompt is sent.
  const lateGeneration = (host: FakeHost): { done: boolean; over: Promise<void> } => {
    const run = { done: false, over: Promise.resolve() };
    host.fake.chat[1]!.mes = 'changed in silence';
    run.over = (async () => {
      await generate(host, 'normal');
      host.fake.user('more');
      await host.emit('MESSAGE_SENT', 3);
      await host.emit('USER_MESSAGE_RENDERED', 3);
      await host.prompt('normal');
      run.done = true;
    })();
    return run;
  };

  it('that is late asks once, and waits as long as nobody chooses', async () => {
    const { host, engine } = await opened();
    let release = (): void => {};
    engine.gate = new Promise((resolve) => (release = resolve));
    const run = lateGeneration(host);
    await rest(20_000);
    expect(run.done).toBe(false);
    expect(host.questions.map(({ buttons }) => buttons.length)).toEqual([2]);
    release();
    engine.gate = null;
    await rest(500);
    expect(run.done).toBe(true);
    expect(path(host)).toEqual(['Hello You', 'changed in silence', 'one', 'more']);
    expect(host.questions).toHaveLength(1);
    expect(host.toasts).toEqual([]);
  });

  it('can be sent without the state, which is back afterwards', async () => {
    const { host, engine } = await opened();
    engine.gate = new Promise(() => {});
    host.answer = 1;
    const run = lateGeneration(host);
    await rest(3500);
    expect(run.done).toBe(true);
    expect(host.macros.get('vs_stat_data')!.text('')).toBe('');
    expect(host.variable(VARIABLE)).toEqual({});
    await ended(host);
    expect(path(host)).toEqual(['Hello You', 'hi', 'one']);
    expect(host.toasts).toEqual([]);
  });

  it('can be sent with the old state, named as old', async () => {
    const { host, engine } = await opened();
    engine.gate = new Promise(() => {});
    host.answer = 2;
    const waiting = (async () => {
      await generate(host, 'normal');
      host.fake.user('more');
      await host.emit('MESSAGE_SENT', 3);
      await host.emit('USER_MESSAGE_RENDERED', 3);
      await host.prompt('normal');
    })();
    await rest(3500);
    await waiting;
    expect(path(host)).toEqual(['Hello You', 'hi', 'one']);
    expect(host.notes.at(-1)).toContain('old one of floor 2');
    await ended(host);
    expect(host.notes.at(-1)).toBe('');
  });

  it('of an engine that is away keeps the choice until it is back', async () => {
    const { host, engine } = await opened();
    engine.failures = Array<string>(40).fill('away');
    host.answer = 2;
    for (const text of ['more', 'and more']) {
      await generate(host, 'normal');
      host.fake.user(text);
      await host.emit('MESSAGE_SENT', host.fake.chat.length - 1);
      const prompt = host.prompt('normal');
      await rest(3500);
      await prompt;
      await ended(host);
    }
    expect(host.questions).toHaveLength(1);
  });

  it('is not held up by a generation that ended without a word', async () => {
    const { host } = await opened();
    await host.emit('GENERATION_AFTER_COMMANDS', 'continue', {}, false);
    expect(path(host)).toEqual(['Hello You', 'hi']);
    await rest(15_000);
    await host.emit('CHAT_LOADED');
    expect(path(host)).toEqual(['Hello You', 'hi', 'one']);
  });

  it('puts the state back when a script has changed the variable', async () => {
    const { host } = await opened();
    (host.variable(VARIABLE) as { path: string[] }).path.push('meddled');
    expect(host.macros.get('vs_get')!.text('path.length')).toBe('3');
    host.setVariable(VARIABLE, 'replaced');
    await host.emit('MESSAGE_UPDATED', 2);
    expect(path(host)).toEqual(['Hello You', 'hi', 'one']);
  });
});
