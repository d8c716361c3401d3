// The drafts of the account that the engine answers for. They are asked for once per client.
import type { Client } from 'storeyline-client';
import { Drafts } from './drafts';

const known = new WeakMap<Client, Promise<Drafts>>();

export function draftsOf(client: Client): Promise<Drafts> {
  const asked = known.get(client) ?? client('get', '/api/v1/status').then(({ owner }) => new Drafts(owner));
  known.set(client, asked);
  // Without an answer the next visit asks again.
  asked.catch(() => known.delete(client));
  return asked;
}
