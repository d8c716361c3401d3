import { type OpenChat, type SyncRequest, parseExact } from 'storeyline-client';
import { differences } from 'storeyline-client/testing';
import { expect, test, vi } from 'vitest';
import type { JsonObject } from '../logic/json';
import { makeApi } from './api';
import { App } from './app';
import { connect } from './events';
import { FakeEngine, FakeHost } from './fakes';

const DIGITS = '12345678901234567890';

/** The app on an engine behind HTTP: everything passes as text, as through the host's plugin. */
function behindHttp() {
  const engine = new FakeEngine();
  engine.extra = { state: { hash: 'h', value: parseExact(`{"gold":${DIGITS},"bag":[{"id":${DIGITS}}]}`) as JsonObject } };
  const sent: { path: string; type: string | null; text: string }[] = [];
  const answer = (path: string, body: unknown): Promise<unknown> => {
    if (path === '/v1/chats') return engine.declareChat(body as OpenChat);
    if (path === '/v1/sync') return engine.sync(body as SyncRequest);
    if (path === '/v1/cards/look') return engine.lookAtCards();
    return path.endsWith('/operations') ? engine.change() : new Promise(() => {});
  };
  const api = makeApi('http://host', () => ({}), async (request) => {
    const path = new URL(request.url).pathname.replace('/api/plugins/storeyline', '');
    const text = await request.text();
    sent.push({ path, type: request.headers.get('Content-Type'), text });
    return new Response(JSON.stringify(await answer(path, text === '' ? null : parseExact(text))));
  });
  const host = new FakeHost();
  const app = new App(host, api);
  connect(host, app);
  return { host, app, sent };
}

test('a number of 20 digits comes from the engine into prompts and goes back as a correction, digit by digit', async () => {
  const { host, app, sent } = behindHttp();
  host.fake.greet('Hello {{user}}');
  await host.emit('CHAT_CHANGED', 'chat-1');
  await vi.waitFor(() => expect(app.injector.current()).not.toBeNull());
  expect(host.macros.get('vs_stat_data')!.text('')).toBe(`{"gold":${DIGITS},"bag":[{"id":${DIGITS}}]}`);
  expect(host.macros.get('vs_get')!.text('gold')).toBe(DIGITS);
  expect(JSON.stringify(host.variable('vs_stat_data'))).toContain(`"gold":${DIGITS}`);
  await app.operations.setState(host.fake.id(0)!, app.injector.visible());
  const written = sent.find(({ path }) => path.endsWith('/operations'))!;
  expect(written.text).toBe(`{"kind":"override","page":"${host.fake.id(0)}","state":{"gold":${DIGITS},"bag":[{"id":${DIGITS}}]}}`);
  expect(written.type).toBe('application/x-storeyline+json');
  for (const { path, text } of sent) if (path === '/v1/sync') expect(differences('Sync', JSON.parse(text))).toEqual([]);
  for (const { path, text } of sent) if (path === '/v1/chats') expect(differences('OpenChat', JSON.parse(text))).toEqual([]);
  app.close();
});
