// Plans one sync request and interprets its answer. Pure: memory in, request or outcome out; `app/syncer.ts`
// sends it. The path is sent as the beginning that the engine has acknowledged (`keep`) and the rest
// (`tail`), so the size of a request follows what changed. A message is sent, under the id of its active
// page, only if the engine does not have this row yet.
import type { JsonObject, SyncAnswer, SyncRequest, SyncState } from 'storeyline-client';
import type { Json } from './json';
import { type ChatMessage, activePage, boundIn, isPending, pageCount, pageText } from './message';
import { textHash } from './hash';
import { applyOps } from './ops';
import { inPieces } from './pieces';
import { type TextRow, commonLength, digestChainInPieces, textRow } from './rows';
import { uuid4 } from './uuid';

/** A request with all its parts. */
export type WholeRequest = Required<SyncRequest>;

/** A state with its hash. */
export interface StateAt {
  hash: string;
  value: Json;
}

/** What the engine last acknowledged. */
export interface Acked {
  node: string;
  rows: TextRow[];
  digests: string[];
  state: StateAt;
  parent: StateAt;
}

/** What is remembered about one open chat between requests. */
export interface SyncMemory {
  client: string;
  seq: number;
  base: string | null;
  acked: Acked | null;
  /** Page id → the row, as text, that the engine last took for it. */
  known: Map<string, string>;
  /**
   * The engine may have this chat from an earlier page load: ask what it needs instead of sending everything.
   */
  askFirst: boolean;
}

export function newMemory(base: string | null): SyncMemory {
  return { client: uuid4(), seq: 0, base, acked: null, known: new Map(), askFirst: base !== null };
}

export interface RequestOptions {
  chat: string;
  names: { user: string; char: string };
  /** Pages whose message the engine asked for. */
  needed: ReadonlySet<string>;
  /** Declare the whole path: the engine did not agree with `keep`. */
  whole: boolean;
  /** Do not trust the cached state: ask for all of it. */
  freshState: boolean;
}

/** Builds the next request. Increments `seq`. */
export function buildRequest(memory: SyncMemory, rows: TextRow[], messages: ChatMessage[], options: RequestOptions): WholeRequest {
  const acked = options.whole ? null : memory.acked;
  const len = acked ? commonLength(acked.rows, rows) : 0;
  memory.seq += 1;
  return {
    chat: options.chat,
    client: memory.client,
    seq: memory.seq,
    base: memory.base,
    keep: { len, digest: acked?.digests[len] ?? '' },
    tail: rows.slice(len).map(({ row }) => row),
    messages: messagesToSend(memory, rows, messages, len, options.needed),
    have: options.freshState ? null : (memory.acked?.state.hash ?? null),
    names: options.names,
  };
}

export type Outcome =
  | { kind: 'need'; pages: string[] }
  | { kind: 'lost-state' }
  | { kind: 'acked'; acked: Acked; adopted: { from: string; to: string }[] };

/** Interprets an answer to the request that declared `rows`; changes nothing. */
export async function readAnswer(memory: SyncMemory, rows: TextRow[], answer: SyncAnswer): Promise<Outcome> {
  if (answer.need.length > 0) return { kind: 'need', pages: answer.need };
  const have = memory.acked?.state ?? null;
  const parentBefore = memory.acked?.parent ?? null;
  const state = readState(answer.state, [have]);
  const parent = readState(answer.parent, [state, have, parentBefore]);
  if (!state || !parent || !answer.node) return { kind: 'lost-state' };
  const { rows: acceptedRows, adopted } = await adoptIds(rows, answer.adopt);
  const shared = memory.acked ? commonLength(memory.acked.rows, acceptedRows) : 0;
  const digests = await digestChainInPieces(acceptedRows, memory.acked?.digests.slice(0, shared + 1));
  return { kind: 'acked', acked: { node: answer.node, rows: acceptedRows, digests, state, parent }, adopted };
}

/**
 * Stores an outcome in memory: first, in pieces, what the engine knows, then at once what it acknowledged.
 */
export async function remember(memory: SyncMemory, acked: Acked, wanted: () => boolean): Promise<boolean> {
  await inPieces(acked.rows.length, (floor) => {
    const { id, text } = acked.rows[floor]!;
    memory.known.set(id, text);
  });
  if (!wanted()) return false;
  memory.acked = acked;
  memory.base = acked.node;
  memory.askFirst = false;
  return true;
}

function readState(sent: SyncState | null | undefined, candidates: (StateAt | null)[]): StateAt | null {
  if (!sent) return null;
  if (sent.value !== undefined) return { hash: sent.hash, value: sent.value };
  if (sent.ops) {
    const value = candidates[0] ? applyOps(candidates[0].value, sent.ops) : null;
    return value === null ? null : { hash: sent.hash, value };
  }
  return candidates.find((candidate) => candidate?.hash === sent.hash) ?? null;
}

type Adoption = { rows: TextRow[]; adopted: { from: string; to: string }[] };

async function adoptIds(rows: TextRow[], adopt: [number, string][]): Promise<Adoption> {
  if (adopt.length === 0) return { rows, adopted: [] };
  const changed = [...rows];
  const adopted: { from: string; to: string }[] = [];
  await inPieces(adopt.length, (index) => {
    const [floor, id] = adopt[index]!;
    const before = changed[floor];
    if (!before || before.id === id) return;
    adopted.push({ from: before.id, to: id });
    const { row } = before;
    const swipes = row.swipes.map((bound, page) => (page === row.active ? { ...bound, id } : bound));
    changed[floor] = textRow({ ...row, swipes });
  });
  return { rows: changed, adopted };
}

function messagesToSend(
  memory: SyncMemory, rows: TextRow[], messages: ChatMessage[], from: number, needed: ReadonlySet<string>,
): Record<string, JsonObject> {
  const sent: Record<string, JsonObject> = {};
  rows.forEach(({ id, text }, floor) => {
    const message = messages[floor];
    const unknown = floor >= from && !memory.askFirst && memory.known.get(id) !== text;
    // The host keeps its messages as JSON.
    if (message && (unknown || needed.has(id))) sent[id] = sendable(message) as JsonObject;
  });
  return sent;
}

// A pending message still shows the old text under the new page's number; its last stored page is sent.
function sendable(message: ChatMessage): ChatMessage {
  if (!isPending(message)) return message;
  const last = pageCount(message) - 1;
  return { ...message, swipe_id: last, mes: message.swipes?.[last] ?? '', extra: message.swipe_info?.[last]?.extra ?? {} };
}

/**
 * Gives adopted ids to the messages that still carry the declared one, in pieces. Tells whether anything was
 * written.
 */
export async function writeAdopted(chat: readonly ChatMessage[], key: string, adopted: { from: string; to: string }[]): Promise<boolean> {
  if (adopted.length === 0) return false;
  const ids = new Map(adopted.map(({ from, to }) => [from, to]));
  const messages = [...chat];
  let written = false;
  await inPieces(messages.length, (floor) => {
    const message = messages[floor]!;
    const to = ids.get(boundIn(message.extra)?.id ?? '');
    if (to === undefined) return;
    const page = activePage(message);
    const value = { id: to, h: textHash(pageText(message, page)) };
    message.extra![key] = value;
    const mirror = message.swipe_info?.[page]?.extra;
    if (mirror) mirror[key] = { ...value };
    written = true;
  });
  return written;
}
