import { ExactNumber } from 'storeyline-client';
import { expect, test } from 'vitest';
import { makeApi } from './client';

const at = { story: 's', ref: 'r' };

function recorded(answer: string) {
  const sent: { type: string; body: string }[] = [];
  const api = makeApi(() => ({}), async (_path, init) => {
    sent.push({ type: new Headers(init?.headers).get('Content-Type') ?? '', body: String(init?.body) });
    return new Response(answer);
  });
  return { api, sent };
}

test('answers keep every digit', async () => {
  const { api } = recorded('{"state":{"gold":12345678901234567890}}');
  expect(JSON.stringify(await api.evaluate({}, '', 'native'))).toBe('{"state":{"gold":12345678901234567890}}');
});

test('exact numbers pass the host unread, everything else as plain JSON', async () => {
  const { api, sent } = recorded('{"operation":1}');
  await api.change(at, { kind: 'set', page: 'p', path: 'gold', value: new ExactNumber('12345678901234567890') });
  await api.change(at, { kind: 'set', page: 'p', path: 'gold', value: 5 });
  expect(sent.map(({ type }) => type)).toEqual(['application/x-storeyline+json', 'application/json']);
  expect(sent[0]!.body).toContain('"value":12345678901234567890');
});
