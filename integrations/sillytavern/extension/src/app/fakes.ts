// For tests: a host without a page and an engine without a process. The engine's "state" is the list of active texts, so a
// test can read off which path a state belongs to.
import { type Api, ApiError } from '../api/client';
import type { ChatRequest, SyncAnswer, SyncRequest } from '../api/wire';
import type { Host, HostEvent, OpenChat } from '../host/host';
import type { Step } from '../logic/apply';
import { FakeChat } from '../logic/fake-chat';
import { digest128, textHash } from '../logic/hash';
import type { Json } from '../logic/json';
import { type ChatMessage, pageCount, pageText } from '../logic/message';
import { type Row, digestChain, rowText } from '../logic/rows';

type Listener = (...args: unknown[]) => unknown;

export class FakeHost implements Host {
  readonly fake = new FakeChat();
  meta: Record<string, unknown> = { integrity: 'slug-1' };
  current: OpenChat | null = {
    file: 'chat-1', owner: 'aria.png', group: false, title: 'Aria', firstMessage: 'Hello {{user}}', names: { user: 'You', char: 'Aria' },
    cards: [{ index: 0, avatar: 'aria.png', name: 'Aria', field: { enabled: true, templateBody: { gold: 1 } } }],
  };
  busy = { generating: false, swiping: false, editing: false };
  saves = 0;
  reloads = 0;
  rendered: number[] = [];
  toasts: string[] = [];
  macro: { whole: () => string; path: (path: string) => string } | null = null;
  prompt: (type: string) => Promise<void> = async () => {};
  oldFileExists = false;
  private readonly listeners: { event: HostEvent; listener: Listener; last: boolean }[] = [];

  async emit(event: HostEvent, ...args: unknown[]): Promise<void> {
    const heard = this.listeners.filter((one) => one.event === event);
    for (const { listener } of [...heard.filter(({ last }) => !last), ...heard.filter(({ last }) => last)]) await listener(...args);
  }

  open = (): OpenChat | null => this.current;
  chat = (): ChatMessage[] => this.fake.chat;
  metadata = (): Record<string, unknown> => this.meta;
  fileExists = async (): Promise<boolean> => this.oldFileExists;
  generating = (): boolean => this.busy.generating;
  swiping = (): boolean => this.busy.swiping;
  editing = (): boolean => this.busy.editing;
  saveChat = async (): Promise<void> => void this.saves++;
  reloadChat = async (): Promise<void> => {
    this.reloads++;
    await this.emit('CHAT_CHANGED', this.current?.file);
  };
  renderMessage = (floor: number): void => void this.rendered.push(floor);
  swipeTo = async (floor: number, index: number): Promise<boolean> => {
    this.fake.swipeTo(this.fake.chat[floor]!, index);
    await this.emit('MESSAGE_SWIPED', floor);
    return true;
  };
  setVariable = (name: string, value: Json): void => {
    (this.meta['variables'] ??= {}) as object;
    (this.meta['variables'] as Record<string, Json>)[name] = value;
  };
  variable = (name: string): unknown => (this.meta['variables'] as Record<string, unknown> | undefined)?.[name];
  registerMacros = (whole: () => string, path: (path: string) => string): void => void (this.macro = { whole, path });
  writeCardField = async (): Promise<void> => {};
  on = (event: HostEvent, listener: Listener): void => void this.listeners.push({ event, listener, last: false });
  onLast = (event: HostEvent, listener: Listener): void => void this.listeners.push({ event, listener, last: true });
  beforePrompt = (listener: (type: string) => Promise<void>): void => void (this.prompt = listener);
  toast = (_kind: string, text: string): void => void this.toasts.push(text);
  headers = (): Record<string, string> => ({});
  language = (): 'zh' | 'en' => 'en';
  panelPlace = (): null => null;
}

export class FakeEngine implements Api {
  declared: ChatRequest[] = [];
  requests: SyncRequest[] = [];
  /** Answers are held back while this is set. */
  gate: Promise<void> | null = null;
  /** The next syncs fail with these codes; `away` is an engine that does not answer. */
  failures: string[] = [];
  steps: Step[] = [];
  extra: Partial<SyncAnswer> = {};
  private readonly nodes = new Map<string, Row[]>();
  private readonly texts = new Map<string, string>();
  /** Page id → the row it was last taken with; any other row needs its message. */
  private readonly taken = new Map<string, string>();
  private heads = new Map<string, string>();

  declareChat = async (request: ChatRequest) => {
    if (this.failures[0] === 'away') throw new ApiError('engine_away', 503, null);
    this.declared.push(request);
    return { story: 'story', ref: 'ref', node: this.heads.get(request.chat) ?? null, created: true };
  };

  sync = async (request: SyncRequest): Promise<SyncAnswer> => {
    const copy = structuredClone(request);
    this.requests.push(copy);
    if (this.gate) await this.gate;
    const failure = this.failures.shift();
    if (failure === 'away') throw new ApiError('engine_away', 503, null);
    if (failure) throw new ApiError(failure, 409, null);
    return this.answer(copy);
  };

  floor = async (): Promise<never> => Promise.reject(new ApiError('not_found', 404, null));
  changes = (): Promise<never> => new Promise(() => {});
  status = async () => ({ plugin: '0', engine: { state: 'running' as const, message: null } });

  private answer(request: SyncRequest): SyncAnswer {
    const base = request.base ? this.nodes.get(request.base) : [];
    const chained = base?.slice(0, request.keep.len).map((row) => ({ text: rowText(row) }));
    if (!base || !chained || digestChain(chained).at(-1) !== request.keep.digest) throw new ApiError('keep_mismatch', 409, null);
    const rows = [...base.slice(0, request.keep.len), ...request.tail];
    for (const message of Object.values(request.messages)) {
      for (let page = 0; page < pageCount(message); page++) this.texts.set(textHash(pageText(message, page)), pageText(message, page));
    }
    const fits = (row: Row): boolean => request.messages[row.id] !== undefined || this.taken.get(row.id) === rowText(row);
    const need = rows.filter((row) => !fits(row)).map(({ id }) => id);
    const node = digest128(JSON.stringify(rows));
    if (need.length > 0) return { story: 'story', ref: 'ref', node: '', need };
    for (const row of rows) this.taken.set(row.id, rowText(row));
    this.nodes.set(node, rows);
    this.heads.set(request.chat, node);
    const apply = this.steps;
    this.steps = [];
    return { story: 'story', ref: 'ref', node, apply, state: this.state(rows), parent: this.state(rows.slice(0, -1)), ...this.extra };
  }

  private state(rows: Row[]): { hash: string; value: Json } {
    const value = { path: rows.map(({ h }) => this.texts.get(h)!) };
    return { hash: digest128(JSON.stringify(value)), value };
  }
}
