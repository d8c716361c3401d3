import { expect, test } from 'vitest';
import { Refused, Unreachable } from './engine';
import { httpEngine } from './http';
import type { PageId, RefId, StoryId } from './types';

const base = new URL('http://127.0.0.1:4000/');
const story = 's' as StoryId;
const ref = 'r' as RefId;

function engineThatAnswers(status: number, body: string) {
  const seen: { url: string; init: RequestInit }[] = [];
  const engine = httpEngine(base, { token: () => 'secret' }, (url, init) => {
    seen.push({ url: url.href, init });
    return Promise.resolve(new Response(body, { status }));
  });
  return { engine, seen };
}

test('a page of floors is asked for by position', async () => {
  const { engine, seen } = engineThatAnswers(200, '{"total":0,"floors":[]}');
  await engine.floors(story, ref, 200, 200);
  expect(seen[0]?.url).toBe('http://127.0.0.1:4000/api/v1/stories/s/refs/r/floors?from=200&limit=200');
});

test('selecting a page is a POST with the header that changes need', async () => {
  const { engine, seen } = engineThatAnswers(200, '{"operation":1,"node":"00"}');
  await engine.select(story, ref, 'p' as PageId);
  expect(seen[0]?.init.method).toBe('POST');
  expect(seen[0]?.init.headers).toEqual({ 'Content-Type': 'application/json', 'X-Storeyline': '1', Authorization: 'Bearer secret' });
  expect(seen[0]?.init.credentials).toBe('omit');
  expect(seen[0]?.init.body).toBe('{"kind":"select","page":"p"}');
});

test('an error of the engine keeps its code, words and hint', async () => {
  const body = '{"error":{"code":"ref_moved","message":{"zh":"甲","en":"a"},"hint":{"zh":"乙","en":"b"}}}';
  const { engine } = engineThatAnswers(409, body);
  const error = await engine.stories().catch((e: unknown) => e);
  expect(error).toBeInstanceOf(Refused);
  expect(error).toMatchObject({ status: 409, code: 'ref_moved', words: { zh: '甲' }, hint: { en: 'b' } });
});

test('a refusal without our error shape is still a refusal', async () => {
  const error = await engineThatAnswers(401, 'no').engine.stories().catch((e: unknown) => e);
  expect(error).toMatchObject({ status: 401, code: 'http_401' });
});

test('a gateway error, a foreign page and a dead port all mean: not reachable', async () => {
  await expect(engineThatAnswers(502, '<html>').engine.stories()).rejects.toBeInstanceOf(Unreachable);
  await expect(engineThatAnswers(200, '<html>').engine.stories()).rejects.toBeInstanceOf(Unreachable);
  const dead = httpEngine(base, { token: () => null }, () => Promise.reject(new TypeError('fetch failed')));
  await expect(dead.stories()).rejects.toBeInstanceOf(Unreachable);
});

test('a request that the page itself gave up is not a lost engine', async () => {
  const stop = new AbortController();
  stop.abort();
  const engine = httpEngine(base, { token: () => null }, (_url, init) => Promise.reject(init.signal?.reason as Error));
  await expect(engine.changes(null, 1, stop.signal)).rejects.not.toBeInstanceOf(Unreachable);
});
