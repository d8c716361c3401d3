// The requests that the page may make: the plugin's own status, the engine's resources for stories, what the
// settings ask for, and importing a whole chat file. Everything else does not exist. The owner is taken from the host's own
// account, never from the page.
import { ANSWER_MS, FILE_MS, forward, stream } from './proxy.mjs';
import { chatFile } from './files.mjs';
import { plainPath } from './paths.mjs';
import { words } from './words.mjs';

/** The plugin's version, shown in the panel. */
export const VERSION = '0.1.0';

const CHANGES_MS = 30_000;
const METHODS = new Set(['GET', 'POST', 'PUT', 'DELETE']);
const RESOURCES = 'chats|sync|cards|stories|changes|evaluate|functions|library|libraries|templates|snapshots|search|status|stats';
const PATH = new RegExp(`^/v1/(?:${RESOURCES})(?:/[^/]+)*$`);
/** What only the settings ask for, by method: nothing here makes or exchanges a link. */
const SETTINGS = {
  GET: /^\/v1\/tokens$/,
  POST: /^\/v1\/(?:schema\/infer|strip-mvu|import|replay|backup|gc)$/,
  DELETE: /^\/v1\/tokens\/[^/]+$/,
};
/** These work through whole files. */
const LONG = /^\/v1\/(?:import|replay|backup|gc|chats\/unused|search\/index)$/;
const EVENTS = '/v1/events';
const CHANGES = '/v1/changes';

/**
 * Returns how a request is answered and the path in its plain form, or null. `stream` is without an end, `poll` waits.
 * `path` is without the query.
 */
export function ruleFor(method, path) {
  const plain = plainPath(path);
  if (!METHODS.has(method) || plain === null) return null;
  if (method === 'GET' && plain === EVENTS) return { kind: 'stream', path: plain };
  if (!PATH.test(plain) && !SETTINGS[method]?.test(plain)) return null;
  if (plain === CHANGES) return { kind: 'poll', path: plain, timeout: CHANGES_MS };
  return { kind: 'request', path: plain, timeout: LONG.test(plain) ? FILE_MS : ANSWER_MS };
}

/**
 * Returns the owner of a request. The user of a host without accounts is the owner of the machine, as on the
 * command line. Others are named after their accounts, with a prefix, so that no account can have the name of
 * the machine's owner.
 */
export function ownerOf(request) {
  const handle = request.user?.profile?.handle;
  return typeof handle === 'string' && handle !== '' && handle !== 'default-user' ? `host-${handle}` : null;
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
  router.post('/import-file', async (request, response) => {
    const file = chatFile(request.user?.directories, request.body);
    if (!file) return response.status(404).json({ error: { code: 'no_file', message: words.noFile, hint: words.awayHint } });
    const query = new URLSearchParams({ file: file.name, title: file.name });
    return forward(engine, request, response, `/api/v1/import?${query}`, { owner: ownerOf(request), file });
  });
  router.use((request, response, next) => {
    const rule = ruleFor(request.method, request.path);
    if (!rule) return next();
    const question = request.url.indexOf('?');
    const query = question < 0 ? '' : `?${new URLSearchParams(request.url.slice(question))}`;
    const path = `/api${rule.path}${query}`;
    const owner = ownerOf(request);
    const { kind, timeout } = rule;
    return kind === 'stream' ? stream(engine, request, response, path, owner) : forward(engine, request, response, path, { owner, kind, timeout });
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
