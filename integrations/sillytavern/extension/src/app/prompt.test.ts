import { describe, expect, it } from 'vitest';
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

  it('does not wait three seconds at each of its parts', async () => {
    const { host, engine } = await opened();
    engine.gate = new Promise(() => {});
    host.fake.chat[1]!.mes = 'changed in silence';
    let done = false;
    const waiting = (async () => {
      await generate(host, 'normal');
      host.fake.user('more');
      await host.emit('MESSAGE_SENT', 3);
      await host.emit('USER_MESSAGE_RENDERED', 3);
      await host.prompt('normal');
      done = true;
    })();
    await rest(3300);
    expect(done).toBe(true);
    await waiting;
    expect(host.toasts).toHaveLength(1);
  });

  it('says so when only its early parts were late', async () => {
    const { host, engine } = await opened();
    let release = (): void => {};
    engine.gate = new Promise((resolve) => (release = resolve));
    host.fake.chat[1]!.mes = 'changed in silence';
    const started = generate(host, 'normal');
    await rest(3100);
    await started;
    release();
    await rest(10);
    await host.prompt('normal');
    expect(path(host)).toEqual(['Hello You', 'changed in silence', 'one']);
    expect(host.toasts).toHaveLength(1);
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
    expect(host.macro!.path('path.length')).toBe('3');
    host.setVariable(VARIABLE, 'replaced');
    await host.emit('MESSAGE_UPDATED', 2);
    expect(path(host)).toEqual(['Hello You', 'hi', 'one']);
  });
});
