import { expect, test } from 'vitest';
import { type Place, makeClient } from './client.ts';
import { Away, Refused } from './errors.ts';
import { ExactNumber } from './exact_json.ts';

const STORY = { story: 's', ref: 'r' };

/** A client whose requests are noted and answered with the same text. */
function answering(answer: string, { status = 200, type = 'application/json', ...place }: Partial<Place> & { status?: number; type?: string } = {}) {
  const asked: { method: string; url: string; headers: Headers; body: string; credentials: string }[] = [];
  const client = makeClient({
    api: 'http://127.0.0.1:7878/api',
    ...place,
    fetch: async (request) => {
      const { method, url, headers, credentials } = request;
      asked.push({ method, url, headers, credentials, body: await request.text() });
      return new Response(answer, { status, headers: { 'Content-Type': type } });
    },
  });
  return { asked, client };
}

test('parts of the address are encoded, and what is absent is left out', async () => {
  const { asked, client } = answering('{}');
  await client('get', '/api/v1/templates/{card}', { params: { path: { card: 'a/b 雨?' } } });
  await client('get', '/api/v1/stories');
  await client('get', '/api/v1/stories', { params: { query: { trash: true } } });
  await client('get', '/api/v1/stories/{story}/refs/{ref}/floors/{floor}/causes', { params: { path: { ...STORY, floor: 3 }, query: { path: ['["a"]', '["b&",0]'] } } });
  expect(asked.map(({ url }) => url.replace('http://127.0.0.1:7878/api/v1', ''))).toEqual([
    '/templates/a%2Fb%20%E9%9B%A8%3F',
    '/stories',
    '/stories?trash=true',
    '/stories/s/refs/r/floors/3/causes?path=%5B%22a%22%5D&path=%5B%22b%26%22%2C0%5D',
  ]);
});

test('the address of the host stands for /api', async () => {
  const { asked, client } = answering('{}', { api: 'http://host/api/plugins/storeyline/', credentials: 'same-origin' });
  await client('get', '/api/v1/stories');
  expect(asked[0]).toMatchObject({ url: 'http://host/api/plugins/storeyline/v1/stories', credentials: 'same-origin' });
});

test('a change carries our header, a question does not; no cookies are sent', async () => {
  const { asked, client } = answering('{}', { headers: () => ({ Authorization: 'Bearer t' }) });
  await client('get', '/api/v1/stories');
  await client('post', '/api/v1/stories/{story}/refs/{ref}/operations', { params: { path: STORY }, body: { kind: 'cut', floor: 3 } });
  await client('post', '/api/v1/stories/{story}/refs/{ref}/switch', { params: { path: STORY } });
  const sent = ['authorization', 'x-storeyline', 'content-type'];
  expect(asked.map(({ method, headers, body, credentials }) => [method, ...sent.map((name) => headers.get(name)), body, credentials])).toEqual([
    ['GET', 'Bearer t', null, null, '', 'omit'],
    ['POST', 'Bearer t', '1', 'application/json', '{"kind":"cut","floor":3}', 'omit'],
    ['POST', 'Bearer t', '1', null, '', 'omit'],
  ]);
});

test('answers keep every digit', async () => {
  const { client } = answering('{"card":"c","template":{"gold":12345678901234567890}}');
  const answer = await client('get', '/api/v1/templates/{card}', { params: { path: { card: 'c' } } });
  expect(JSON.stringify(answer)).toBe('{"card":"c","template":{"gold":12345678901234567890}}');
});

test('exact numbers pass a host that rounds unread, everything else as plain JSON', async () => {
  const set = async (rounds: boolean, value: number | ExactNumber) => {
    const { asked, client } = answering('{}', { rounds });
    const body = { kind: 'set', page: 'p', path: 'gold', value } as const;
    await client('post', '/api/v1/stories/{story}/refs/{ref}/operations', { params: { path: STORY }, body });
    return `${asked[0]!.headers.get('content-type')} ${asked[0]!.body.slice(-30)}`;
  };
  const exact = new ExactNumber('12345678901234567890');
  expect(await set(true, exact)).toBe('application/x-storeyline+json ,"value":12345678901234567890}');
  expect(await set(true, 5)).toMatch(/^application\/json .*5}$/);
  expect(await set(false, exact)).toMatch(/^application\/json .*12345678901234567890}$/);
});

test('what is no JSON goes and comes as text', async () => {
  const lines = '{"a":1}\n{"b":2}';
  const { asked, client } = answering(lines, { type: 'application/x-ndjson; charset=utf-8' });
  expect(await client('get', '/api/v1/stories/{story}/refs/{ref}/export', { params: { path: STORY } })).toBe(lines);
  await client('post', '/api/v1/archives', { body: lines });
  expect([asked[1]!.headers.get('content-type'), asked[1]!.body]).toEqual(['application/x-ndjson', lines]);
});

test('an error is told as it is', async () => {
  const refusal = answering('{"error":{"code":"ref_moved","message":{"zh":"甲","en":"a"}}}', { status: 409 }).client('get', '/api/v1/stories');
  await expect(refusal).rejects.toEqual(new Refused(409, 'ref_moved', { zh: '甲', en: 'a' }));
  await expect(answering('<html>').client('get', '/api/v1/stories')).rejects.toBeInstanceOf(Away);
  const dead = makeClient({ api: 'http://x', fetch: () => Promise.reject(new TypeError('fetch failed')) });
  await expect(dead('get', '/api/v1/stories')).rejects.toBeInstanceOf(Away);
});

test('an answer that breaks off, or does not come in time, is no answer', async () => {
  const broken = new ReadableStream({ pull: (stream) => stream.error(new Error('gone')) });
  const half = makeClient({ api: 'http://x', fetch: async () => new Response(broken) });
  await expect(half('get', '/api/v1/stories')).rejects.toBeInstanceOf(Away);
  const silent = makeClient({ api: 'http://x', fetch: untilAborted });
  await expect(silent('get', '/api/v1/stories', { patience: 0.001 })).rejects.toBeInstanceOf(Away);
});

test('a request that was given up here is not a lost engine', async () => {
  const stop = new AbortController();
  const silent = makeClient({ api: 'http://x', fetch: untilAborted });
  const asked = silent('get', '/api/v1/stories', { signal: stop.signal });
  stop.abort();
  await expect(asked).rejects.not.toBeInstanceOf(Away);
});

function untilAborted({ signal }: Request): Promise<Response> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
}
