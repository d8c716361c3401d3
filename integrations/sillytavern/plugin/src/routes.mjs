// What the page may ask: the plugin's own status, and a short list of the engine's routes. Everything else does not exist.
import { ANSWER_MS, forward } from './proxy.mjs';

/** The plugin's version, shown in the panel. */
export const VERSION = '0.1.0';

const ID = '[0-9a-f-]{36}';
const CHANGES_MS = 30_000;

/** `path` is matched whole, without the query. */
export const ALLOWED = [
  { method: 'POST', path: /^\/v1\/chats$/ },
  { method: 'POST', path: /^\/v1\/sync$/ },
  { method: 'GET', path: /^\/v1\/stories$/ },
  { method: 'GET', path: new RegExp(`^/v1/stories/${ID}/refs/${ID}/floors$`) },
  { method: 'GET', path: new RegExp(`^/v1/stories/${ID}/refs/${ID}/floors/\\d{1,9}$`) },
  { method: 'POST', path: new RegExp(`^/v1/stories/${ID}/refs/${ID}/operations$`) },
  { method: 'GET', path: /^\/v1\/changes$/, timeout: CHANGES_MS },
];

/** Finds the rule for a request, or null. */
export function ruleFor(method, path) {
  return ALLOWED.find((rule) => rule.method === method && rule.path.test(path)) ?? null;
}

/** Adds the routes to the host's router, which serves them under `/api/plugins/storeyline`. */
export function addRoutes(router, engine) {
  let version;
  router.get('/status', async (request, response) => {
    await engine.reach(1000);
    version = engine.status().state === 'running' ? (version ?? (await engineVersion(engine))) : undefined;
    const { state, message } = engine.status();
    response.json({ plugin: VERSION, engine: { state, message, ...(version === undefined ? {} : { version }) } });
  });
  router.use((request, response, next) => {
    const rule = ruleFor(request.method, request.path);
    if (!rule) return next();
    const question = request.url.indexOf('?');
    const query = question < 0 ? '' : request.url.slice(question);
    return forward(engine, request, response, `/api${request.path}${query}`, rule.timeout ?? ANSWER_MS);
  });
}

async function engineVersion(engine) {
  try {
    const answer = await fetch(`${engine.address().url}/healthz`, { signal: AbortSignal.timeout(1000) });
    const { version } = await answer.json();
    return typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}
