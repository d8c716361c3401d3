// Forwards one request to the engine. The host has parsed the body already, so it is serialized again; status
// and body of the answer pass through. The host turns keep-alive off for the global agent, hence our own
// agents.
import fs from 'node:fs';
import http from 'node:http';
import { pipeline, Readable } from 'node:stream';

import { makeLanes } from './lanes.mjs';
import { words } from './words.mjs';

const enter = makeLanes();

/**
 * The host parses `application/json` and rounds its numbers; a body of this type is still in the stream, with
 * all its digits.
 */
const UNREAD = 'application/x-storeyline+json';

/** Timeout of one answer in milliseconds. */
export const ANSWER_MS = 60_000;
/** Of one that works through a whole file. */
export const FILE_MS = 600_000;

/**
 * Sends the request on to `path` at the engine and its answer to `response`. With `file` the body is that file.
 *
 * @param {ReturnType<import('./engine.mjs').makeEngine>} engine
 * @param {{ owner?: string|null, kind?: 'request'|'poll', timeout?: number, file?: { path: string, size: number } }} options
 */
export async function forward(engine, request, response, path, options = {}) {
  const address = await reached(engine, response);
  if (!address) return;
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
  const unread = hasBody && !options.file && request.headers['content-type'] === UNREAD;
  const lane = take(response, options.owner ?? null, options.kind ?? 'request');
  if (!lane) return;
  const body = hasBody && !options.file && !unread ? Buffer.from(JSON.stringify(request.body ?? {})) : null;
  const headers = headersFor(address, options.owner ?? null);
  if (body) Object.assign(headers, { 'Content-Type': 'application/json', 'Content-Length': body.length });
  if (unread) headers['Content-Type'] = 'application/json';
  // The engine reserves memory for a body by its length; without one it must reserve the most.
  if (unread && request.headers['content-length']) headers['Content-Length'] = request.headers['content-length'];
  if (options.file) Object.assign(headers, { 'Content-Type': 'application/x-ndjson', 'Content-Length': options.file.size });
  const upstream = ask(address, path, { method: request.method, agent: lane.agent, headers });
  let answered = false;
  const fail = (message) => {
    upstream.destroy();
    if (!answered) away(response, message, words.awayHint);
    else response.destroy();
    answered = true;
  };
  const clock = setTimeout(() => fail(words.late), options.timeout ?? (options.file ? FILE_MS : ANSWER_MS));
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
  // The page was closed: the engine need not continue.
  response.on('close', () => {
    lane.leave();
    clearTimeout(clock);
    if (!response.writableFinished) upstream.destroy();
  });
  if (options.file) pipeline(contentOf(options.file), upstream, () => {});
  else if (unread) pipeline(request, upstream, () => {});
  else upstream.end(body);
}

/** Passes a stream of events on as it comes; the host's compression would buffer it otherwise. */
export async function stream(engine, request, response, path, owner) {
  const address = await reached(engine, response);
  if (!address) return;
  const headers = { ...headersFor(address, owner), Accept: 'text/event-stream' };
  const last = request.headers['last-event-id'];
  if (typeof last === 'string') headers['Last-Event-ID'] = last;
  const lane = take(response, owner, 'stream');
  if (!lane) return;
  const upstream = ask(address, path, { method: 'GET', agent: lane.agent, headers });
  upstream.on('response', (answer) => {
    response.status(answer.statusCode ?? 502);
    response.setHeader('Content-Type', answer.headers['content-type'] ?? 'text/event-stream');
    response.setHeader('Cache-Control', 'no-store, no-transform');
    response.setHeader('X-Accel-Buffering', 'no');
    response.flushHeaders?.();
    answer.on('data', (chunk) => {
      response.write(chunk);
      response.flush?.();
    });
    answer.on('end', () => response.end());
    answer.on('error', () => response.destroy());
  });
  upstream.on('error', () => (response.headersSent ? response.destroy() : away(response, words.broken, words.awayHint)));
  response.on('close', () => {
    lane.leave();
    upstream.destroy();
  });
  upstream.end();
}

/** Sends exactly this path: as part of a URL, dots in it would be resolved. */
function ask(address, path, options) {
  const { hostname, port } = new URL(address.url);
  return http.request({ ...options, hostname: hostname.replace(/^\[|\]$/g, ''), port, path });
}

/** Reads a file to the length it had when the request began; it may grow meanwhile. */
function contentOf({ path, size }) {
  return size === 0 ? Readable.from([]) : fs.createReadStream(path, { end: size - 1 });
}

/** Takes a place among the requests of the account; if it has too many, answers so and returns null. */
function take(response, owner, kind) {
  const lane = enter(owner, kind);
  if (!lane) response.status(429).json({ error: { code: 'too_many', message: words.tooMany, hint: words.tooManyHint } });
  return lane;
}

/** Returns the address of the engine; if there is none, answers with an error and returns null. */
async function reached(engine, response) {
  const address = await engine.reach(5000);
  if (response.destroyed || response.writableEnded) return null;
  if (address) return address;
  const { message, state } = engine.status();
  away(response, message ?? words.stopped, state === 'missing' ? words.missingHint : words.awayHint);
  return null;
}

/** Answers that the engine cannot be reached. */
export function away(response, message, hint) {
  if (response.headersSent || response.destroyed) return;
  response.status(503).json({ error: { code: 'engine_away', message, hint } });
}

function headersFor(address, owner) {
  const headers = { Authorization: `Bearer ${address.token}`, 'X-Storeyline': '1', Accept: 'application/json' };
  return owner === null ? headers : { ...headers, 'X-Storeyline-Owner': encodeURIComponent(owner) };
}
