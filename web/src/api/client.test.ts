import { expect, test } from 'vitest';
import { ApiError, client } from './client';

function engine(status: number, answer: unknown, type = 'application/json') {
  const asked: { url: string; init: RequestInit }[] = [];
  const call = client(new URL('http://127.0.0.1:7878/'), { Authorization: 'Bearer t' }, async (url, init) => {
    asked.push({ url: url.href, init });
    return new Response(typeof answer === 'string' ? answer : JSON.stringify(answer), { status, headers: { 'content-type': type } });
  });
  return { asked, call };
}

test('parts of the address are encoded, and what is absent is left out', async () => {
  const { asked, call } = engine(200, { card: 'a/b', template: {} });
  await call('GET /api/v1/templates/{card}', { path: { card: 'a/b 雨' } });
  await call('GET /api/v1/stories', {});
  await call('GET /api/v1/stories', { query: { trash: true } });
  expect(asked.map(({ url }) => url)).toEqual([
    'http://127.0.0.1:7878/api/v1/templates/a%2Fb%20%E9%9B%A8',
    'http://127.0.0.1:7878/api/v1/stories',
    'http://127.0.0.1:7878/api/v1/stories?trash=true',
  ]);
});

test('a change carries our header, and a refusal its code', async () => {
  const { asked, call } = engine(409, { error: { code: 'ref_moved' } });
  const path = { story: 's', ref: 'r' };
  const failed = call('POST /api/v1/stories/{story}/refs/{ref}/operations', { path, body: { kind: 'cut', floor: 3 } });
  await expect(failed).rejects.toEqual(new ApiError(409, 'ref_moved', { error: { code: 'ref_moved' } }));
  expect(asked[0]?.init).toMatchObject({ method: 'POST', body: '{"kind":"cut","floor":3}', headers: { 'X-Storeyline': '1', Authorization: 'Bearer t' } });
});

test('what is no JSON comes as text', async () => {
  const { call } = engine(200, '{"a":1}\n{"b":2}', 'application/x-ndjson');
  expect(await call('GET /api/v1/stories/{story}/refs/{ref}/export', { path: { story: 's', ref: 'r' } })).toBe('{"a":1}\n{"b":2}');
});
