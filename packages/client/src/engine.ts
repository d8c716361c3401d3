// The requests that our front ends make, by name. Tests replace them one by one; whatever is not here is asked
// for with the client itself.
import type { Client } from './client.ts';
import type { Json, JsonObject } from './exact_json.ts';
import type { Branch, BranchEdit, Cast, Cursor, Language, OpenChat, PageId, Path, Schemas, SyncRequest } from './types.ts';

export type Engine = ReturnType<typeof makeEngine>;

/** A request for changes is answered after this time at the latest, besides the time that it shall wait. */
const CHANGES_PATIENCE = 10;

const BRANCH = '/api/v1/stories/{story}/refs/{ref}';

export function makeEngine(client: Client) {
  const at = ({ story, ref }: Branch) => ({ params: { path: { story, ref } } });
  const onFloor = ({ story, ref }: Branch, floor: number) => ({ path: { story, ref, floor } });
  return {
    stories: async () => (await client('get', '/api/v1/stories')).stories,
    story: (story: string) => client('get', '/api/v1/stories/{story}', { params: { path: { story } } }),
    /** What new pages of a story follow, and where each setting comes from. */
    rules: (story: string) => client('get', '/api/v1/stories/{story}/rules', { params: { path: { story } } }),
    /** The example story in a language; the engine creates it if there is none. */
    example: (language: Language) => client('post', '/api/v1/example', { body: { language } }),
    floors: ({ story, ref }: Branch, from: number, limit: number) =>
      client('get', `${BRANCH}/floors`, { params: { path: { story, ref }, query: { from, limit } } }),
    /** Without `page` the active page of the floor. */
    floor: (branch: Branch, floor: number, page: PageId | null = null) =>
      client('get', `${BRANCH}/floors/{floor}`, { params: { ...onFloor(branch, floor), query: page === null ? {} : { page } } }),
    /** Which floor last set each path, up to and including `floor`. */
    causes: (branch: Branch, floor: number, paths: Path[]) =>
      client('get', `${BRANCH}/floors/{floor}/causes`, { params: { ...onFloor(branch, floor), query: { path: paths.map((path) => JSON.stringify(path)) } } }),
    /** Waits until there is a change after the position `after`, or the time is over. `client` is not told of its own changes. */
    changes: (after: Cursor | null, name: string | null, wait: number, signal?: AbortSignal) => {
      const query = { ...(after === null ? {} : { after }), ...(name === null ? {} : { client: name }), wait };
      return client('get', '/api/v1/changes', { params: { query }, signal, patience: wait + CHANGES_PATIENCE });
    },
    /** Changes the branch; an open chat of the host follows with its next sync. */
    change: ({ story, ref }: Branch, body: BranchEdit, head: string | null = null) =>
      client('post', `${BRANCH}/operations`, { params: { path: { story, ref }, query: head === null ? {} : { head } }, body }),
    undo: (branch: Branch, operation: number | null = null) => client('post', `${BRANCH}/undo`, { ...at(branch), body: { operation } }),
    redo: (branch: Branch, operation: number | null = null) => client('post', `${BRANCH}/redo`, { ...at(branch), body: { operation } }),
    reprocess: (branch: Branch, from: number, to: number | null = null) =>
      client('post', `${BRANCH}/reprocess`, { ...at(branch), body: { from, to } }),
    /** Which later floors a change would change; ends with the signal. */
    previewChange: (branch: Branch, body: BranchEdit, signal?: AbortSignal) =>
      client('post', `${BRANCH}/preview`, { ...at(branch), body, signal }),
    previewReprocess: (branch: Branch, from: number, to: number | null, signal?: AbortSignal) =>
      client('post', `${BRANCH}/reprocess/preview`, { ...at(branch), body: { from, to }, signal }),
    /** All changes of the value at a path. */
    history: async ({ story, ref }: Branch, path: string) =>
      (await client('get', `${BRANCH}/history`, { params: { path: { story, ref }, query: { path } } })).changes,
    /** The branches, tags and floors on which a page is. */
    pagePlaces: async (story: string, page: PageId) =>
      (await client('get', '/api/v1/stories/{story}/pages/{page}', { params: { path: { story, page } } })).places,
    /** Keeps the state of a floor outside of its story. */
    keepFloor: ({ story, ref }: Branch, floor: number, name: string, tags: string[]) =>
      client('post', '/api/v1/snapshots/from-floor', { body: { story, ref, floor, name, tags } }),
    putTemplate: (card: string, template: JsonObject) =>
      client('put', '/api/v1/templates/{card}', { params: { path: { card } }, body: { template } }),
    stripMvu: (state: JsonObject) => client('post', '/api/v1/strip-mvu', { body: { state } }),
    createBranch: ({ story, ref }: Branch, name: string, floor: number | null, switchTo: boolean) =>
      client('post', '/api/v1/stories/{story}/refs', { params: { path: { story } }, body: { kind: 'branch', from: ref, name, floor, switch: switchTo } }),
    switchBranch: (branch: Branch) => client('post', `${BRANCH}/switch`, at(branch)),
    /** Evaluates a text on a state; nothing is stored. */
    evaluate: (state: Json, message: string, profile: string) => client('post', '/api/v1/evaluate', { body: { state, message, rules: { profile } } }),
    /** Tells what functions a card carries now. */
    reportCarried: (body: Schemas['ReportCarried']) => client('post', '/api/v1/library/carried', { body }),
    /** Exchanges the code of a one-time link for a token of this browser. */
    exchange: async (code: string) => (await client('post', '/api/v1/tokens', { body: { code } })).token,

    declareChat: (body: OpenChat) => client('post', '/api/v1/chats', { body }),
    sync: (body: SyncRequest) => client('post', '/api/v1/sync', { body }),
    lookAtCards: (body: Cast) => client('post', '/api/v1/cards/look', { body }),
    /** Stores whether functions of a card may run. */
    decideFunctions: (card: string, fingerprint: string, allow: boolean) => client('post', '/api/v1/cards/consents', { body: { card, fingerprint, allow } }),
    /** Reports that a file of the host was deleted, or all files of a card. */
    forgetFiles: (owner: string, file: string | null) => client('post', '/api/v1/chats/forget', { body: { owner, file } }),
    fileOfBranch: (branch: Branch, file: string, owner: string) => client('post', `${BRANCH}/file`, { ...at(branch), body: { file, owner } }),
  };
}
