// A small express-like router and a temporary folder, so that the plugin runs without the host.
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { makeEngine } from '../src/engine.mjs';
import { addRoutes } from '../src/routes.mjs';

const fake = path.join(path.dirname(fileURLToPath(import.meta.url)), 'fake-engine.mjs');

/** Makes an engine that runs the fake binary in a mode. */
export function fakeEngine(mode = 'good') {
  const data = fs.mkdtempSync(path.join(os.tmpdir(), 'storeyline-plugin-'));
  const children = [];
  const engine = makeEngine(
    () => ({ binary: mode === 'missing' ? null : fake, data }),
    (binary, options, more) => {
      const child = spawn(process.execPath, [binary, ...options], { ...more, env: { ...process.env, FAKE_ENGINE: mode } });
      children.push(child);
      return child;
    },
  );
  return { engine, children, data };
}

/** Serves the plugin's routes as the host does: bodies parsed, `status` and `json` on the response. */
export async function serve(engine, user = { profile: { handle: 'default-user' } }, add = addRoutes) {
  const handlers = [];
  const on = (method) => (route, handler) => handlers.push((q, s, next) => (q.method === method && q.path === route ? handler(q, s) : next()));
  add({ get: on('GET'), post: on('POST'), use: (handler) => handlers.push(handler) }, engine);
  const server = http.createServer(async (request, response) => {
    request.path = request.url.split('?')[0];
    request.user = user;
    // The host parses bodies of this type only and leaves others in the stream.
    if (request.headers['content-type'] === 'application/json') {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      if (chunks.length > 0) request.body = JSON.parse(Buffer.concat(chunks).toString());
    }
    response.status = (code) => Object.assign(response, { statusCode: code });
    response.json = (value) => response.end(JSON.stringify(value));
    const run = (at) => (handlers[at] ? handlers[at](request, response, () => run(at + 1)) : response.status(404).end('Not Found'));
    await run(0);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${server.address().port}`;
  return {
    get: (route, options) => fetch(base + route, options),
    send: (route, type, body) => fetch(base + route, { method: 'POST', headers: { 'Content-Type': type }, body }),
    post: (route, body) => fetch(base + route, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export async function until(condition, milliseconds = 5000) {
  const end = Date.now() + milliseconds;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
