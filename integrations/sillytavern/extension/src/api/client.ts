// Talks to the engine through the host's server plugin. Knows addresses and errors, not what the answers mean.
import type { ChatAnswer, ChatRequest, FloorAnswer, PluginStatus, SyncAnswer, SyncRequest, Words } from './wire';

const BASE = '/api/plugins/storeyline';

/** A request that got no usable answer. `away` means: nobody answered, try again later. */
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
  sync(request: SyncRequest): Promise<SyncAnswer>;
  floor(story: string, ref: string, floor: number): Promise<FloorAnswer>;
  changes(after: number, wait: number): Promise<{ last: number }>;
  status(): Promise<PluginStatus>;
}

/** Makes a client; `headers` are the host's own request headers (its protection against forged requests). */
export function makeApi(headers: () => Record<string, string>, fetcher: typeof fetch = fetch.bind(globalThis)): Api {
  const get = <T>(path: string, seconds = 60) => send<T>(fetcher, path, { method: 'GET', headers: headers() }, seconds);
  const post = <T>(path: string, body: object) =>
    send<T>(fetcher, path, {
      method: 'POST',
      headers: { ...headers(), 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }, 60);
  const part = encodeURIComponent;
  return {
    declareChat: (request) => post('/v1/chats', request),
    sync: (request) => post('/v1/sync', request),
    floor: (story, ref, floor) => get(`/v1/stories/${part(story)}/refs/${part(ref)}/floors/${floor}`),
    changes: (after, wait) => get(`/v1/changes?after=${after}&wait=${wait}`, wait + 10),
    status: () => get('/status', 10),
  };
}

async function send<T>(fetcher: typeof fetch, path: string, init: RequestInit, seconds: number): Promise<T> {
  let response: Response;
  try {
    response = await fetcher(BASE + path, { ...init, cache: 'no-store', signal: AbortSignal.timeout(seconds * 1000) });
  } catch {
    throw new ApiError('unreachable', 0, null);
  }
  const body: unknown = await response.json().catch(() => null);
  if (response.ok && body !== null) return body as T;
  const error = (body as { error?: { code?: string; message?: Words } } | null)?.error;
  const fallback = response.status === 404 || response.ok ? 'no_plugin' : 'unreadable';
  throw new ApiError(error?.code ?? fallback, response.status, error?.message ?? null);
}
