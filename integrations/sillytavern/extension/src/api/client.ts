// HTTP client of the engine through the host's server plugin. Knows addresses and errors, not what the
// answers mean.
import { ExactNumber, parseExact } from 'storeyline-client';
import type { Json } from '../logic/json';
import type {
  Beginning, Cast, ChatAnswer, ChatRequest, FloorAnswer, FloorLine, NewFile, PluginStatus, StoryAnswer, SyncAnswer, SyncRequest, Words,
} from './wire';

const BASE = '/api/plugins/storeyline';

/** A request without a usable answer. `away` means: nobody answered, try again later. */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    readonly status: number,
    readonly words: Words | null,
  ) {
    super(`${code} (${status})`);
  }

  get away(): boolean {
    return this.status === 0 || this.code === 'engine_away' || this.code === 'no_plugin' || this.status >= 500;
  }
}

export interface Api {
  declareChat(request: ChatRequest): Promise<ChatAnswer>;
  /** Lets the engine read the chat file itself; the host's server passes it on. */
  importFile(place: { owner: string; file: string; group: boolean }): Promise<unknown>;
  lookAtCards(cast: Cast): Promise<Beginning>;
  /** Stores whether functions of a card may run. */
  decideFunctions(card: string, fingerprint: string, allow: boolean): Promise<unknown>;
  /** Reports that a file of the host was deleted, or all files of a card. */
  forgetFiles(owner: string, file: string | null): Promise<unknown>;
  fileOfBranch(at: Branch, file: string, owner: string): Promise<NewFile>;
  story(story: string): Promise<StoryAnswer>;
  floors(at: Branch, from: number, limit: number): Promise<{ total: number; floors: FloorLine[] }>;
  /** Changes the branch; an open chat applies it with its next sync. */
  change(at: Branch, operation: Operation): Promise<{ operation: number }>;
  undo(at: Branch): Promise<{ operation: number }>;
  redo(at: Branch): Promise<{ operation: number }>;
  reprocess(at: Branch, from: number): Promise<{ floors: number; changed: unknown[] }>;
  createBranch(at: Branch, name: string, floor: number | null, switchTo: boolean): Promise<{ ref: string }>;
  switchBranch(at: Branch): Promise<unknown>;
  /** Evaluates a text on a state; nothing is stored. */
  evaluate(state: Json, message: string, profile: string): Promise<{ state: Json }>;
  /** Adds functions to those of a card, or (empty) to those for all cards. */
  addToLibrary(card: string, functions: Json): Promise<unknown>;
  sync(request: SyncRequest): Promise<SyncAnswer>;
  floor(story: string, ref: string, floor: number): Promise<FloorAnswer>;
  changes(after: string | null, client: string, wait: number): Promise<{ last: string; others: boolean }>;
  status(): Promise<PluginStatus>;
}

export interface Branch {
  story: string;
  ref: string;
}

export type Operation =
  | { kind: 'select'; page: string }
  | { kind: 'swipe'; page: string }
  | { kind: 'edit'; page: string; text: string }
  | { kind: 'delete'; floor: number }
  | { kind: 'set'; page: string; path: string; value: Json }
  | { kind: 'override'; page: string; state: Json };

/** Makes a client; `headers` are the host's own request headers (its CSRF protection). */
export function makeApi(headers: () => Record<string, string>, fetcher: typeof fetch = fetch.bind(globalThis)): Api {
  const get = <T>(path: string, seconds = 60) => send<T>(fetcher, path, { method: 'GET', headers: headers() }, seconds);
  const post = <T>(path: string, body: object) => {
    const { text, type } = written(body);
    return send<T>(fetcher, path, { method: 'POST', headers: { ...headers(), 'Content-Type': type }, body: text }, 60);
  };
  const part = encodeURIComponent;
  const branch = (at: Branch): string => `/v1/stories/${part(at.story)}/refs/${part(at.ref)}`;
  return {
    declareChat: (request) => post('/v1/chats', request),
    importFile: (place) => post('/import-file', place),
    lookAtCards: (cast) => post('/v1/cards/look', cast),
    decideFunctions: (card, fingerprint, allow) => post('/v1/cards/consents', { card, fingerprint, allow }),
    forgetFiles: (owner, file) => post('/v1/chats/forget', { owner, file }),
    fileOfBranch: (at, file, owner) => post(`${branch(at)}/file`, { file, owner }),
    story: (story) => get(`/v1/stories/${part(story)}`),
    floors: (at, from, limit) => get(`${branch(at)}/floors?from=${from}&limit=${limit}`),
    change: (at, operation) => post(`${branch(at)}/operations`, operation),
    undo: (at) => post(`${branch(at)}/undo`, {}),
    redo: (at) => post(`${branch(at)}/redo`, {}),
    reprocess: (at, from) => post(`${branch(at)}/reprocess`, { from }),
    createBranch: (at, name, floor, switchTo) => post(`/v1/stories/${part(at.story)}/refs`, { kind: 'branch', from: at.ref, name, floor, switch: switchTo }),
    switchBranch: (at) => post(`${branch(at)}/switch`, {}),
    evaluate: (state, message, profile) => post('/v1/evaluate', { state, message, rules: { profile } }),
    addToLibrary: (card, functions) => post(`/v1/library/import?card=${part(card)}`, { library: functions }),
    sync: (request) => post('/v1/sync', request),
    floor: (story, ref, floor) => get(`/v1/stories/${part(story)}/refs/${part(ref)}/floors/${floor}`),
    changes: (after, client, wait) =>
      get(`/v1/changes?${after === null ? '' : `after=${after}&`}client=${encodeURIComponent(client)}&wait=${wait}`, wait + 10),
    status: () => get('/status', 10),
  };
}

/**
 * The host's server parses `application/json` itself and would round exact numbers; the plugin passes this
 * type on unread.
 */
const UNREAD = 'application/x-storeyline+json';

function written(body: object): { text: string; type: string } {
  let exact = false;
  // `this`: the replacer receives the result of `toJSON`.
  const text = JSON.stringify(body, function (this: Record<string, unknown>, key, value: unknown) {
    exact ||= this[key] instanceof ExactNumber;
    return value;
  });
  return { text, type: exact ? UNREAD : 'application/json' };
}

async function send<T>(fetcher: typeof fetch, path: string, init: RequestInit, seconds: number): Promise<T> {
  let response: Response;
  try {
    response = await fetcher(BASE + path, { ...init, cache: 'no-store', signal: AbortSignal.timeout(seconds * 1000) });
  } catch {
    throw new ApiError('unreachable', 0, null);
  }
  const body: unknown = await response.text().then(parseExact).catch(() => null);
  if (response.ok && body !== null) return body as T;
  const error = (body as { error?: { code?: string; message?: Words } } | null)?.error;
  const fallback = response.status === 404 || response.ok ? 'no_plugin' : 'unreadable';
  throw new ApiError(error?.code ?? fallback, response.status, error?.message ?? null);
}
