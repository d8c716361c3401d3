// The engine beside this page: of the same origin, opened by the token of this browser. Cookies are never sent.
import { makeClient, makeEngine, type Engine } from 'storeyline-client';

/** What the page asks of the engine. */
export type PageEngine = Pick<Engine, 'stories' | 'floors' | 'floor' | 'causes' | 'change' | 'changes'>;

const PATIENCE_SECONDS = 20;

/** `base` is the address of the page; the API is beside it. */
export function engineBeside(base: URL, token: () => string | null): Engine {
  const headers = (): Record<string, string> => {
    const known = token();
    return known === null ? {} : { Authorization: `Bearer ${known}` };
  };
  return makeEngine(makeClient({ api: new URL('api', base).href, headers, patience: PATIENCE_SECONDS }));
}
