// The engine over HTTP, same origin. The token of this browser gives access, in a header; a change carries our own
// header too. Cookies are never sent.
import { Refused, Unreachable, type Engine } from './engine';
import { parseExact } from 'storeyline-client';
import type { Causes, FloorDetail, FloorRange, Message, Story } from './types';

type Fetch = (input: URL, init: RequestInit) => Promise<Response>;

const ANSWER_WITHIN_MS = 20_000;

/** Where the token of this browser is. */
export interface TokenBox {
  token(): string | null;
}

const browserFetch: Fetch = (input, init) => globalThis.fetch(input, init);

/** Returns a function that sends a request and reads its answer. `base` is the address of the page; the API is beside it. */
export function httpAsk(base: URL, access: TokenBox, fetch: Fetch = browserFetch) {
  const api = new URL('api/v1/', base);

  return async (path: string, init: RequestInit = {}, patience = ANSWER_WITHIN_MS): Promise<unknown> => {
    const late = AbortSignal.timeout(patience);
    const signal = init.signal ? AbortSignal.any([init.signal, late]) : late;
    const token = access.token();
    const headers = { ...init.headers, ...(token === null ? {} : { Authorization: `Bearer ${token}` }) };
    let response: Response;
    let text: string;
    try {
      response = await fetch(new URL(path, api), { credentials: 'omit', cache: 'no-store', ...init, headers, signal });
      text = await response.text();
    } catch (cause) {
      if (init.signal?.aborted) throw cause;
      throw new Unreachable('no answer', { cause });
    }
    return response.ok ? readJson(text) : fail(response.status, text);
  };
}

export function httpEngine(base: URL, access: TokenBox, fetch: Fetch = browserFetch): Engine {
  const ask = httpAsk(base, access, fetch);

  const at = (story: string, ref: string): string =>
    `stories/${encodeURIComponent(story)}/refs/${encodeURIComponent(ref)}`;

  return {
    async stories() {
      return ((await ask('stories')) as { stories: Story[] }).stories;
    },
    async floors(story, ref, from, limit) {
      return (await ask(`${at(story, ref)}/floors?from=${from}&limit=${limit}`)) as FloorRange;
    },
    async floor(story, ref, floor, page) {
      const query = page === null ? '' : `?page=${encodeURIComponent(page)}`;
      return (await ask(`${at(story, ref)}/floors/${floor}${query}`)) as FloorDetail;
    },
    async causes(story, ref, floor, paths) {
      const query = paths.map((path) => `path=${encodeURIComponent(JSON.stringify(path))}`).join('&');
      return (await ask(`${at(story, ref)}/floors/${floor}/causes?${query}`)) as Causes;
    },
    async select(story, ref, page) {
      await ask(`${at(story, ref)}/operations`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Storeyline': '1' },
        body: JSON.stringify({ kind: 'select', page }),
      });
    },
    async changes(after, waitSeconds, signal) {
      const patience = waitSeconds * 1000 + ANSWER_WITHIN_MS;
      const known = after === null ? '' : `after=${after}&`;
      return ((await ask(`changes?${known}wait=${waitSeconds}`, { signal }, patience)) as { last: string }).last;
    },
  };
}

function readJson(text: string): unknown {
  try {
    return parseExact(text);
  } catch (cause) {
    // Something else answers at this address, for example a proxy with its own page.
    throw new Unreachable('the answer is not JSON', { cause });
  }
}

function fail(status: number, text: string): never {
  const error = errorIn(text);
  if (error === null && status >= 502 && status <= 504) throw new Unreachable(`status ${status}`);
  const words = error?.message ?? { zh: `引擎的回答是 ${status}。`, en: `The engine answered ${status}.` };
  throw new Refused(status, error?.code ?? `http_${status}`, words, error?.hint ?? null);
}

interface WireError {
  code: string;
  message: Message;
  hint?: Message | null;
}

function errorIn(text: string): WireError | null {
  try {
    const error = (JSON.parse(text) as { error?: Partial<WireError> } | null)?.error;
    return error && typeof error.code === 'string' && error.message ? (error as WireError) : null;
  } catch {
    return null;
  }
}
