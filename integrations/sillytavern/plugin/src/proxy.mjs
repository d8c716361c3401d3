// Forwards one request to the engine. The host has parsed the body already, so it is written anew; status and body of the
// answer pass through. The host turns keep-alive off for the global agent, hence an agent of our own.
import http from 'node:http';

import { words } from './words.mjs';

const agent = new http.Agent({ keepAlive: true, maxSockets: 32 });

/** How long one answer may take. */
export const ANSWER_MS = 60_000;

/**
 * Sends the request on to `path` at the engine and its answer to `response`.
 *
 * @param {ReturnType<import('./engine.mjs').makeEngine>} engine
 */
export async function forward(engine, request, response, path, timeout = ANSWER_MS) {
  const address = await engine.reach(5000);
  if (response.destroyed || response.writableEnded) return;
  if (!address) {
    away(response, engine.status().message ?? words.stopped, engine.status().state === 'missing' ? words.missingHint : words.awayHint);
    return;
  }
  const body = request.method === 'GET' ? null : Buffer.from(JSON.stringify(request.body ?? {}));
  const upstream = http.request(`${address.url}${path}`, { method: request.method, agent, headers: headersFor(address, body) });
  let answered = false;
  const fail = (message) => {
    upstream.destroy();
    if (!answered) away(response, message, words.awayHint);
    else response.destroy();
    answered = true;
  };
  const clock = setTimeout(() => fail(words.late), timeout);
  upstream.on('response', (answer) => {
    answered = true;
    response.status(answer.statusCode ?? 502);
    response.setHeader('Content-Type', answer.headers['content-type'] ?? 'application/json');
    response.setHeader('Cache-Control', 'no-store');
    answer.on('error', () => response.destroy());
    answer.on('end', () => clearTimeout(clock));
    answer.pipe(response);
  });
  upstream.on('error', () => {
    clearTimeout(clock);
    fail(words.broken);
  });
  // The page left: the engine need not go on.
  response.on('close', () => {
    clearTimeout(clock);
    if (!response.writableFinished) upstream.destroy();
  });
  upstream.end(body);
}

/** Answers that the engine cannot be reached. */
export function away(response, message, hint) {
  if (response.headersSent || response.destroyed) return;
  response.status(503).json({ error: { code: 'engine_away', message, hint } });
}

function headersFor(address, body) {
  const headers = { Authorization: `Bearer ${address.token}`, 'X-Storeyline': '1', Accept: 'application/json' };
  return body === null ? headers : { ...headers, 'Content-Type': 'application/json', 'Content-Length': body.length };
}
