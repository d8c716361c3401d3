// The engine through the host's server plugin, which answers one request by itself.
import { type Client, type Engine, type Place, type Schemas, makeAsk, makeClient, makeEngine } from 'storeyline-client';

const BASE = '/api/plugins/storeyline';

type Asked =
  | 'story' | 'rules' | 'floors' | 'floor' | 'changes' | 'change' | 'undo' | 'redo' | 'reprocess' | 'createBranch' | 'switchBranch' | 'evaluate'
  | 'reportCarried' | 'declareChat' | 'sync' | 'lookAtCards' | 'decideFunctions' | 'forgetFiles' | 'fileOfBranch';

/** What the extension asks itself; the rest is for the screens. */
export interface Api extends Pick<Engine, Asked> {
  /** Lets the engine read the chat file itself; the host's server passes it on. */
  importFile(place: { owner: string; file: string; group: boolean }): Promise<Schemas['Imported']>;
}

type Headers = () => Record<string, string>;

const placeOf = (origin: string, headers: Headers): Place => ({ api: origin + BASE, headers, credentials: 'same-origin', rounds: true });

/** The whole client, for the screens of the drawer. */
export function hostClient(origin: string, headers: Headers): Client {
  return makeClient(placeOf(origin, headers));
}

/** `origin` is the address of the host, and `headers` its own for requests: its protection against other pages. */
export function makeApi(origin: string, headers: Headers, fetch?: NonNullable<Place['fetch']>): Api {
  const place: Place = { ...placeOf(origin, headers), ...(fetch && { fetch }) };
  const ask = makeAsk(place);
  return {
    ...makeEngine(makeClient(place)),
    importFile: (body) => ask('post', '/import-file', { body }) as Promise<Schemas['Imported']>,
  };
}
