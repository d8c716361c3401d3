// The engine beside this page: of the same origin, opened by the token of this browser. Cookies are never sent.
import { makeClient, type Client } from 'storeyline-client';

const PATIENCE_SECONDS = 20;

/** `base` is the address of the page; the API is beside it. */
export function clientBeside(base: URL, token: () => string | null): Client {
  const headers = (): Record<string, string> => {
    const known = token();
    return known === null ? {} : { Authorization: `Bearer ${known}` };
  };
  return makeClient({ api: new URL('api', base).href, headers, patience: PATIENCE_SECONDS });
}
