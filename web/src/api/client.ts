// Every operation of the API by its name, typed by the description: `client(base)('GET /api/v1/stories',
// {})`. For our own page, and for other front ends; nothing here knows the page.
import { parseExact } from 'storeyline-client';
import type { Operations } from './generated';

type Nothing = Record<never, never>;
type Part<Name extends string, Type> = Nothing extends Type ? { [key in Name]?: Type } : { [key in Name]: Type };

/** The input of an operation; empty parts can be left out. */
export type Given<Name extends keyof Operations> = Part<'path', Operations[Name]['path']> &
  Part<'query', Operations[Name]['query']> &
  (Operations[Name]['body'] extends undefined ? unknown : { body: Operations[Name]['body'] });

type Fetch = (input: URL, init: RequestInit) => Promise<Response>;
type Values = Record<string, unknown>;

/** An error response; `code` is stable. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly answer: unknown,
  ) {
    super(`${status} ${code}`);
  }
}

/** `headers` contain the token: `{ Authorization: 'Bearer …' }`. */
export function client(base: URL, headers: Record<string, string> = {}, fetch: Fetch = (input, init) => globalThis.fetch(input, init)) {
  return async <Name extends keyof Operations>(
    operation: Name,
    given: Given<Name>,
    signal?: AbortSignal,
  ): Promise<Operations[Name]['answer']> => {
    const [method = 'GET', pattern = ''] = operation.split(' ');
    const { path = {}, query = {}, body } = given as { path?: Values; query?: Values; body?: unknown };
    const target = pattern.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])));
    const url = new URL(`.${target}`, base);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
    }
    const changing = method === 'GET' ? {} : { 'X-Storeyline': '1', 'Content-Type': 'application/json' };
    const init: RequestInit = { method, headers: { ...headers, ...changing }, credentials: 'omit', cache: 'no-store' };
    if (method !== 'GET') init.body = JSON.stringify(body ?? {});
    if (signal) init.signal = signal;
    const response = await fetch(url, init);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    const answer: unknown = text === '' ? undefined : isJson ? parseExact(text) : text;
    if (!response.ok) throw new ApiError(response.status, codeOf(answer), answer);
    return answer as Operations[Name]['answer'];
  };
}

function codeOf(answer: unknown): string {
  const error = (answer as { error?: { code?: unknown } } | undefined)?.error;
  return typeof error?.code === 'string' ? error.code : 'unknown';
}
