// Test helpers: the whole app on a fake host and a fake engine, with a fake clock.
import { afterEach, beforeEach, vi } from 'vitest';
import { App } from './app';
import { connect } from './events';
import { FakeEngine, FakeHost } from './fakes';
import { VARIABLE } from './injector';

/** Uses a fake clock in every test of a file. */
export function withFakeTime(): void {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(console, 'error').mockImplementation(() => {});
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
}

export const rest = (milliseconds = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(milliseconds);

export function setup(): { host: FakeHost; engine: FakeEngine; app: App } {
  const host = new FakeHost();
  const engine = new FakeEngine();
  const app = new App(host, engine);
  connect(host, app);
  return { host, engine, app };
}

/** Opens a chat with greeting, user message and reply, synced with the engine. */
export async function opened() {
  const all = setup();
  const { host } = all;
  host.fake.greet('Hello {{user}}');
  host.fake.user('hi');
  const reply = host.fake.reply('one');
  await host.emit('CHAT_CHANGED', 'chat-1');
  await rest(2000);
  host.saves = 0;
  all.engine.requests.length = 0;
  return { ...all, reply };
}

export const path = (host: FakeHost): string[] | undefined => (host.variable(VARIABLE) as { path: string[] } | undefined)?.path;

export async function generate(host: FakeHost, type: string): Promise<void> {
  await host.emit('GENERATION_STARTED', type, {}, false);
  await host.emit('GENERATION_AFTER_COMMANDS', type, {}, false);
  host.busy.generating = true;
}

export async function ended(host: FakeHost): Promise<void> {
  host.busy.generating = false;
  await host.emit('GENERATION_ENDED');
  await rest(1000);
}
