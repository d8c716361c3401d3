// Requests to the engine, typed by the description of the API: `client('get', '/api/v1/stories')`. Answers
// keep every digit; failures are `Refused` or `Away`. It knows addresses and headers, not what answers mean.
import createClient from 'openapi-fetch';
import { ApiError, Away, errorOf } from './errors.ts';
import { parseExact, writeExact } from './exact_json.ts';
import type { paths } from './generated.ts';

type Method = 'get' | 'post' | 'put' | 'delete';
/** The paths of the API; others are for checks and for another front end. */
type ApiPath = Extract<keyof paths, `/api/v1/${string}`>;
type PathWith<M extends Method> = { [P in ApiPath]: paths[P] extends Record<M, object> ? P : never }[ApiPath];

/** The parameters that an operation has: of its path and of its query. */
type Params<O> = O extends { parameters: infer P } ? { [K in keyof P as [P[K]] extends [undefined] ? never : K]: P[K] } : never;
type Body<O> = O extends { requestBody: { content: infer C } } ? C[keyof C] : never;
type Answer<O> = O extends { responses: { 200: { content: infer C } } } ? C[keyof C] : undefined;

type Given<O> = (Partial<Params<O>> extends Params<O> ? { params?: Params<O> } : { params: Params<O> }) &
  ([Body<O>] extends [never] ? unknown : { body: Body<O> });
type Rest<G> = Partial<G> extends G ? [given?: G & Manner] : [given: G & Manner];

/** What a request may have besides its parameters and its body. */
export interface Manner {
  signal?: AbortSignal | undefined;
  patience?: number | undefined;
}

export type Client = <M extends Method, P extends PathWith<M>>(
  method: M,
  path: P,
  ...rest: Rest<Given<paths[P][M]>>
) => Promise<Answer<paths[P][M]>>;

export interface Place {
  /** The address that stands for `/api`: of the engine itself, or of the host's plugin. */
  api: string;
  /** What gives access: the token of this browser, or the host's own protection. */
  headers?: () => Record<string, string>;
  /** Cookies are sent only where the host needs its own. */
  credentials?: RequestCredentials;
  /** Whether a server between here and the engine reads JSON, and would round numbers; see `UNREAD`. */
  rounds?: boolean;
  /** How long an answer is waited for, in seconds. */
  patience?: number;
  fetch?: (request: Request) => Promise<Response>;
}

/** The host's server parses `application/json`; the plugin passes this type on unread. */
const UNREAD = 'application/x-storeyline+json';

const PATIENCE = 60;

/** Returns a function that asks for any path below the address; a host's plugin has answers of its own there. */
export function makeAsk(place: Place) {
  const { api, headers = () => ({}), credentials = 'omit', rounds = false, fetch = (request) => globalThis.fetch(request) } = place;
  const http = createClient<Record<string, never>>({
    baseUrl: api,
    fetch,
    credentials,
    cache: 'no-store',
    bodySerializer: (text) => text,
  }).request as unknown as (method: Method, path: string, init: object) => Promise<{ error?: unknown; response: Response }>;

  return async (method: Method, path: string, given: { params?: object; body?: unknown } & Manner = {}): Promise<unknown> => {
    const { params, body, signal, patience = place.patience ?? PATIENCE } = given;
    const { text, type } = written(body, rounds);
    const sent = { ...headers(), ...(method === 'get' ? {} : { 'X-Storeyline': '1' }), ...(type === undefined ? {} : { 'Content-Type': type }) };
    const late = AbortSignal.timeout(patience * 1000);
    try {
      const init = { params, body: text, headers: sent, signal: signal ? AbortSignal.any([signal, late]) : late, parseAs: 'stream' };
      return await read(await http(method, path, init));
    } catch (cause) {
      if (cause instanceof ApiError || signal?.aborted) throw cause;
      throw new Away('unreachable', null, null, { cause });
    }
  };
}

export function makeClient(place: Place): Client {
  const ask = makeAsk(place);
  return ((method: Method, path: string, given?: object) => ask(method, path.slice('/api'.length), given)) as Client;
}

function written(body: unknown, rounds: boolean): { text?: string; type?: string } {
  if (body === undefined) return {};
  if (typeof body === 'string') return { text: body, type: 'application/x-ndjson' };
  const { text, exact } = writeExact(body);
  return { text, type: exact && rounds ? UNREAD : 'application/json' };
}

async function read({ error, response }: { error?: unknown; response: Response }): Promise<unknown> {
  if (!response.ok) throw errorOf(response.status, error);
  const text = await response.text();
  if (text === '') return undefined;
  if (response.headers.get('Content-Type')?.startsWith('application/x-ndjson')) return text;
  try {
    return parseExact(text);
  } catch {
    throw errorOf(response.status, text);
  }
}
