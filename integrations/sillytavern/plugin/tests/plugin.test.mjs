// The plugin against a fake engine: starting, forwarding, dying, ending.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, test } from 'node:test';

import { readConfig } from '../src/config.mjs';
import { ruleFor } from '../src/routes.mjs';
import { info } from '../index.mjs';
import { fakeEngine, serve, until } from './harness.mjs';

const UUID = '11111111-2222-4333-8444-555555555555';
let cleanUp = [];

afterEach(async () => {
  for (const step of cleanUp.reverse()) await step();
  cleanUp = [];
});

async function running(mode, user) {
  const setup = fakeEngine(mode);
  const host = await serve(setup.engine, user);
  cleanUp.push(() => fs.rmSync(setup.data, { recursive: true, force: true }), () => host.close(), () => setup.engine.stop());
  setup.engine.start();
  return { ...setup, host };
}

test('the plugin has the id the extension asks for', () => assert.equal(info.id, 'storeyline'));

test('a request reaches the engine with its token, our header and the body written anew', async () => {
  const { host } = await running('good');
  const answer = await host.post('/v1/sync', { text: '金币 😀', nested: { a: [1] } });
  assert.equal(answer.status, 200);
  const seen = await answer.json();
  assert.equal(seen.url, '/api/v1/sync');
  assert.equal(seen.header, '1');
  assert.deepEqual(JSON.parse(seen.body), { text: '金币 😀', nested: { a: [1] } });
  assert.deepEqual(seen.arguments.slice(0, 5), ['serve', '--port', '0', '--json', '--exit-with-stdin']);
});

test('a body with exact numbers reaches the engine byte for byte', async () => {
  const { host } = await running('good');
  const body = '{"value": 12345678901234567890}';
  const answer = await host.send('/v1/sync', 'application/x-storeyline+json', body);
  const seen = await answer.json();
  assert.equal(seen.body, body);
  assert.equal(seen.type, 'application/json');
});

test('errors of the engine pass through with status and body', async () => {
  const { host } = await running('good');
  const answer = await host.post('/v1/sync', { old: true });
  assert.equal(answer.status, 409);
  const { error } = await answer.json();
  assert.deepEqual([error.code, error.message, error.request], ['old_seq', { zh: '不行', en: 'no' }, 'r']);
});

test('queries are passed on and only listed routes exist', async () => {
  const { host } = await running('good');
  const floors = `/v1/stories/${UUID}/refs/${UUID}/floors`;
  assert.equal((await (await host.get(`${floors}?from=0&limit=2`)).json()).url, `/api${floors}?from=0&limit=2`);
  for (const [method, route] of [['PATCH', '/v1/sync'], ['GET', '/v1/gc'], ['PUT', '/v1/import'], ['POST', '/v1/verify'], ['POST', '/v1/tokens'], ['POST', '/v1/links'], ['POST', '/v1/import/folder'], ['GET', '/v1/secrets'], ['GET', '/healthz'], ['GET', '/v1/stories/../secrets'], ['POST', '/v1/events']]) {
    assert.equal(ruleFor(method, route), null, `${method} ${route}`);
  }
  assert.equal((await host.get('/v1/secrets')).status, 404);
});

test('what the settings ask for is passed on, and what takes long is waited for', () => {
  const asked = [['GET', '/v1/tokens'], ['DELETE', '/v1/tokens/abc'], ['POST', '/v1/schema/infer'], ['POST', '/v1/strip-mvu']];
  for (const [method, route] of asked) assert.equal(ruleFor(method, route)?.timeout, 60_000, `${method} ${route}`);
  for (const route of ['/v1/import', '/v1/replay', '/v1/backup', '/v1/gc', '/v1/chats/unused', '/v1/search/index']) {
    assert.equal(ruleFor('POST', route)?.timeout, 600_000, route);
  }
});

test('a path that leads elsewhere is refused, however it is written', () => {
  const dots = ['..', '%2e%2e', '%2E%2E', '.%2e', '%252e%252e', '%25252e%25252e', '.', '%2e', '..%2fgc', '%2e%2e%5cgc', '..%5cgc', 'a%2fb', 'a%5cb', '%00', '%0a', '', '%', '%zz', '%ff'];
  for (const name of dots) {
    for (const route of [`/v1/stories/${name}/gc`, `/v1/stories/${name}`, `/v1/templates/x/${name}/${name}/tokens`]) {
      assert.equal(ruleFor('POST', route), null, route);
    }
  }
  for (const route of ['//v1/sync', '/v1//sync', '/v1/sync/', '\\v1\\sync', '/v1\\sync', 'v1/sync', '', '/v1/tokens', '/v1/links', '/v1/%73ync/../gc']) {
    assert.equal(ruleFor('POST', route), null, route);
  }
  assert.equal(ruleFor('GET', '/v1/templates/100%25%20%E9%9B%A8...png').path, '/v1/templates/100%25%20%E9%9B%A8...png');
  assert.equal(ruleFor('GET', '/v1/%73tories').path, '/v1/stories', 'the engine gets what was compared');
});

test('the engine gets exactly the path that was allowed', async () => {
  const { host } = await running('good');
  const seen = await (await host.get('/v1/templates/a%20b%7Ec?x=1&y=%2e%2e')).json();
  assert.equal(seen.url, '/api/v1/templates/a%20b~c?x=1&y=..');
});

test('an account that keeps many requests waiting does not keep another waiting', async () => {
  const { engine, host } = await running('good', { profile: { handle: 'anna' } });
  const other = await serve(engine, { profile: { handle: 'bert' } });
  cleanUp.push(() => other.close());
  await host.post('/v1/sync', {});
  const leave = new AbortController();
  const kept = []; // An answer that nothing refers to is closed by the garbage collector.
  const open = (route) => host.get(route, { signal: leave.signal }).then((answer) => (kept.push(answer), answer.status), () => 'left');
  const polls = Array.from({ length: 40 }, () => open('/v1/changes?after=1&wait=25'));
  const streams = Array.from({ length: 80 }, () => open('/v1/events'));
  const opened = await Promise.all(streams);
  assert.equal(opened.filter((status) => status === 429).length, 80 - 16, 'too many are refused at once');
  for (const account of [host, other]) {
    const began = Date.now();
    assert.equal((await account.post('/v1/sync', {})).status, 200);
    assert.ok(Date.now() - began < 2000, `${Date.now() - began} ms`);
  }
  const theirs = await other.get('/v1/events');
  assert.equal(theirs.status, 200);
  await theirs.body.cancel();
  leave.abort();
  const statuses = await Promise.all(polls);
  assert.equal(statuses.filter((status) => status === 429).length, 40 - 16);
  await until(async () => {
    const again = await host.get('/v1/events');
    await again.body.cancel();
    return again.status === 200;
  });
});

test('an account of the host is told as owner, whatever the page says', async () => {
  const { host } = await running('good', { profile: { handle: 'anna' } });
  assert.equal((await (await host.post('/v1/sync', { owner: 'local' })).json()).owner, 'host-anna');
  const alone = await running('good');
  assert.equal((await (await alone.host.post('/v1/sync', {})).json()).owner, null);
});

test('events are passed on as they come', async () => {
  const { host } = await running('good');
  const answer = await host.get('/v1/events?after=3');
  assert.equal(answer.headers.get('content-type'), 'text/event-stream');
  assert.ok(answer.headers.get('cache-control').includes('no-transform'));
  const reader = answer.body.getReader();
  const { value } = await reader.read();
  assert.equal(Buffer.from(value).toString(), 'id: 4\n\n', 'the first event is there although the stream goes on');
  await reader.cancel();
});

test('a chat file of the user is handed over whole, and no other file', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'storeyline-chats-'));
  cleanUp.push(() => fs.rmSync(folder, { recursive: true, force: true }));
  fs.mkdirSync(path.join(folder, 'chats', 'Aria'), { recursive: true });
  fs.writeFileSync(path.join(folder, 'chats', 'Aria', '雨 夜.jsonl'), '{"a":1}\n{"b":2}');
  fs.writeFileSync(path.join(folder, 'secret.jsonl'), 'no');
  fs.symlinkSync(path.join(folder, 'secret.jsonl'), path.join(folder, 'chats', 'Aria', 'link.jsonl'));
  const directories = { chats: path.join(folder, 'chats'), groupChats: path.join(folder, 'group chats') };
  const { host } = await running('good', { profile: { handle: 'anna' }, directories });
  const seen = await (await host.post('/import-file', { owner: 'Aria.png', file: '雨 夜' })).json();
  assert.equal(seen.body, '{"a":1}\n{"b":2}');
  assert.equal(new URL(seen.url, 'http://x').searchParams.get('file'), '雨 夜');
  fs.mkdirSync(path.join(folder, 'elsewhere'));
  fs.writeFileSync(path.join(folder, 'elsewhere', 'chat.jsonl'), 'no');
  fs.symlinkSync(path.join(folder, 'elsewhere'), path.join(folder, 'chats', 'Linked'));
  fs.mkdirSync(path.join(folder, 'chats', 'Aria', 'folder.jsonl'));
  fs.writeFileSync(path.join(folder, 'chats', 'Aria', 'empty.jsonl'), '');
  assert.equal((await (await host.post('/import-file', { owner: 'Aria.png', file: 'empty' })).json()).body, '');
  const odd = ['...png', '..', '.', '.png', '..png', '../..', '..\\..', 'Linked.png', 'Aria/..', '', 5, null, ['..']];
  const bad = [...odd.flatMap((owner) => [{ owner, file: 'secret' }, { owner, file: 'chat' }]), { owner: 'Aria.png', file: 'folder' }, { owner: 'Aria.png', file: '..' }, { owner: 'Aria.png', file: 'link' }, { owner: '..', file: 'secret' }, { owner: 'Aria.png', file: '../../secret' }, { owner: 'Aria.png', file: 'none' }, { file: 'secret', group: true }, null];
  for (const place of bad) assert.equal((await host.post('/import-file', place)).status, 404, JSON.stringify(place));
});

test('the status never tells the address or the token', async () => {
  const { host, engine } = await running('good');
  await until(() => engine.status().state === 'running');
  const text = await (await host.get('/status')).text();
  assert.deepEqual(JSON.parse(text), { plugin: '0.1.0', engine: { state: 'running', message: null, version: '9.9.9' } });
  assert.ok(!text.includes('secret') && !text.includes('127.0.0.1'));
});

test('without a binary the status says so and requests get 503', async () => {
  const { host } = await running('missing');
  assert.equal((await (await host.get('/status')).json()).engine.state, 'missing');
  const answer = await host.post('/v1/sync', {});
  assert.equal(answer.status, 503);
  const { error } = await answer.json();
  assert.equal(error.code, 'engine_away');
  assert.ok(error.message.zh && error.message.en && error.hint.zh && error.hint.en);
});

test('an engine that was killed is started again, with its new token', async () => {
  const { host, engine, children } = await running('good');
  const first = await (await host.post('/v1/sync', {})).json();
  children[0].kill('SIGKILL');
  await until(() => engine.status().state !== 'running');
  const second = await (await host.post('/v1/sync', {})).json();
  assert.notEqual(second.pid, first.pid);
});

test('a request does not wait for the back-off', async () => {
  const { host, children } = await running('dies');
  await until(() => children.length >= 4, 8000);
  const started = children.length;
  await until(() => children.at(-1).exitCode !== null);
  await host.get('/status');
  assert.ok(children.length > started);
});

test('an engine that dies at once is not started in a tight loop', async () => {
  const { children } = await running('silent');
  await new Promise((resolve) => setTimeout(resolve, 1200));
  assert.ok(children.length >= 2 && children.length <= 4, `${children.length} starts`);
});

test('stop closes the input and the engine goes by itself', async () => {
  const { engine, children } = await running('good');
  await until(() => engine.status().state === 'running');
  await engine.stop();
  assert.equal(children[0].exitCode, 0);
  engine.start();
  assert.equal(children.length, 1);
});

test('stop ends a stubborn engine by force', async () => {
  const { engine, children } = await running('stubborn');
  await until(() => engine.status().state === 'running');
  await engine.stop();
  assert.equal(children[0].signalCode, 'SIGKILL');
});

test('when the page goes away the engine is let go', async () => {
  const { host, data } = await running('good');
  await host.post('/v1/sync', {});
  const leave = new AbortController();
  const waiting = host.get('/v1/changes?after=1&wait=25', { signal: leave.signal }).catch(() => 'left');
  await new Promise((resolve) => setTimeout(resolve, 200));
  leave.abort();
  assert.equal(await waiting, 'left');
  await until(() => fs.existsSync(path.join(data, 'left')));
});

test('the config is read beside the plugin; paths may be relative, nonsense counts as missing', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'storeyline-config-'));
  cleanUp.push(() => fs.rmSync(folder, { recursive: true, force: true }));
  assert.deepEqual(readConfig(folder), { binary: null, data: null });
  fs.writeFileSync(path.join(folder, 'config.json'), '{"binary": 5');
  assert.deepEqual(readConfig(folder), { binary: null, data: null });
  fs.writeFileSync(path.join(folder, 'engine'), '');
  fs.writeFileSync(path.join(folder, 'config.json'), JSON.stringify({ binary: 'engine', data: 'd' }));
  assert.deepEqual(readConfig(folder), { binary: path.join(folder, 'engine'), data: path.join(folder, 'd') });
});
