// Exchanges the code of a one-time link for a token of this browser.
import { httpAsk } from './http';

/** `old` is the token this browser has; the engine replaces it. */
export async function exchange(base: URL, code: string, old: string | null): Promise<string> {
  const ask = httpAsk(base, { token: () => old });
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Storeyline': '1' }, body: JSON.stringify({ code }) };
  return ((await ask('tokens', init)) as { token: string }).token;
}
