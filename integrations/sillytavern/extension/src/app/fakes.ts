// For tests: a host without a page and an engine without a process. The engine's "state" is the list of
// active texts, so that a test can see which path a state belongs to.
import { type Api, ApiError } from '../api/client';
import type { Beginning, ChatAnswer, ChatRequest, FloorLine, NewFile, StoryAnswer, SyncAnswer, SyncRequest } from '../api/wire';
import type { Book, Host, HostCommand, HostEvent, HostMacro, OpenChat, Question } from '../host/host';
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
    cards: [{ index: 0, avatar: 'aria.png', name: 'Aria', identity: {}, field: { enabled: true, templateBody: { gold: 1 } } }],
  };
  busy = { generating: false, swiping: false, editing: false, occupied: false };
  saves = 0;
  reloads = 0;
  rendered: number[] = [];
  toasts: string[] = [];
  macros = new Map<string, HostMacro>();
  commands = new Map<string, HostCommand>();
  prompt: (type: string, chat?: ChatMessage[]) => Promise<void> = async () => {};
  /** Questions that were asked, and their answers: a number, or none (until they close by themselves). */
  questions: Question[] = [];
  answer: number | 'never' = 'never';
  /** Files of the card besides the open one. */
  files = new Map<string, { header: Json; messages: Json[] }>();
  openedFiles: string[] = [];
  notes: string[] = [];
  keepers: string[] = [];
  emitted: { event: string; args: unknown[] }[] = [];
  offered: Record<string, object | null> = {};
  private readonly own: Record<string, unknown> = {};
  foreign: Record<string, unknown> = {};
  oldFileExists = false;
  private readonly listeners: { event: HostEvent; listener: Listener; last: boolean }[] = [];

  async emit(event: string, ...args: unknown[]): Promise<void> {
    this.emitted.push({ event, args });
    const heard = this.listeners.filter((one) => one.event === event);
    for (const { listener } of [...heard.filter(({ last }) => !last), ...heard.filter(({ last }) => last)]) await listener(...args);
  }

  open = (): OpenChat | null => this.current;
  chat = (): ChatMessage[] => this.fake.chat;
  metadata = (): Record<string, unknown> => this.meta;
  fileExists = async (_owner: string, file: string): Promise<boolean> => this.oldFileExists || this.files.has(file);
  generating = (): boolean => this.busy.generating;
  swiping = (): boolean => this.busy.swiping;
  editing = (): boolean => this.busy.editing;
  occupied = (): boolean => this.busy.occupied;
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
  addMacro = (macro: HostMacro): void => void this.macros.set(macro.name, macro);
  removeMacro = (name: string): void => void this.macros.delete(name);
  addCommand = (command: HostCommand): void => void this.commands.set(command.name, command);
  addMenuItem = (): void => {};
  openFile = async (_owner: string, file: string): Promise<boolean> => {
    if (!this.files.has(file)) return false;
    this.openedFiles.push(file);
    return true;
  };
  writeFile = async (_owner: string, file: string, header: Json, messages: Json[]): Promise<boolean> => {
    this.files.set(file, { header, messages });
    return true;
  };
  card = async (): Promise<Json> => ({ data: { name: 'Aria' } });
  books = async (): Promise<Book[]> => [];
  addBookEntry = async (): Promise<string> => 'Aria';
  settings = (): Record<string, unknown> => this.own;
  saveSettings = (): void => {};
  foreignSettings = (name: string): unknown => this.foreign[name];
  otherKeepers = async (): Promise<string[]> => this.keepers;
  note = (text: string): void => void this.notes.push(text);
  emitOwn = async (event: string, ...args: unknown[]): Promise<void> => void this.emitted.push({ event, args });
  onForeign = (): void => {};
  yaml = (value: unknown): string => JSON.stringify(value);
  offer = (name: string, value: object | null): void => void (this.offered[name] = value);
  ask = async (question: Question): Promise<number | null> => {
    this.questions.push(question);
    if (this.answer !== 'never') return this.answer;
    await question.over;
    return null;
  };
  writeCardField = async (): Promise<void> => {};
  on = (event: HostEvent, listener: Listener): void => void this.listeners.push({ event, listener, last: false });
  onLast = (event: HostEvent, listener: Listener): void => void this.listeners.push({ event, listener, last: true });
  beforePrompt = (listener: (type: string, chat: ChatMessage[]) => Promise<void>): void => void (this.prompt = (type, chat = []) => listener(type, chat));
  toast = (_kind: string, text: string): void => void this.toasts.push(text);
  headers = (): Record<string, string> => ({});
  language = (): 'zh' | 'en' => 'en';
  panelPlace = (): null => null;
}

export class FakeEngine implements Api {
  declared: ChatRequest[] = [];
  profile = 'native';
  /** Additions to the next answers to declarations. */
  declaring: Partial<ChatAnswer>[] = [];
  looked: Beginning = { enabled: false, profile: 'native', reason: { zh: '', en: '' }, template: null, functions: [], held: [], remarks: [] };
  /** Calls of everything else, by name. */
  called: { name: string; args: unknown[] }[] = [];
  requests: SyncRequest[] = [];
  /** Answers are held back while this is set. */
  gate: Promise<void> | null = null;
  /**
   * The next syncs fail with these codes; `away` is an engine that does not answer, `lost` an answer that
   * gets lost.
   */
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
    const answer = { story: 'story', ref: 'ref', node: this.heads.get(request.chat) ?? null, created: true, need_cast: false, switch: null };
    return { ...answer, profile: this.profile, beginning: null, ...this.declaring.shift() };
  };

  sync = async (request: SyncRequest): Promise<SyncAnswer> => {
    const copy = structuredClone(request);
    this.requests.push(copy);
    if (this.gate) await this.gate;
    const failure = this.failures.shift();
    if (failure === 'away') throw new ApiError('engine_away', 503, null);
    if (failure === 'lost') {
      this.answer(copy);
      throw new ApiError('unreachable', 0, null);
    }
    if (failure) throw new ApiError(failure, 409, null);
    return this.answer(copy);
  };

  lookAtCards = async (): Promise<Beginning> => this.looked;
  decideFunctions = (...args: unknown[]): Promise<unknown> => this.note('decideFunctions', args, {});
  importFile = (...args: unknown[]): Promise<unknown> => this.note('importFile', args, {});
  forgetFiles = (...args: unknown[]): Promise<unknown> => this.note('forgetFiles', args, {});
  fileOfBranch = (...args: unknown[]): Promise<NewFile> => this.note('fileOfBranch', args, { chat: 'new', header: {}, messages: [] });
  story = (...args: unknown[]): Promise<StoryAnswer> => this.note('story', args, { story: 'story', title: '', profile: 'native', refs: [] });
  floors = (...args: unknown[]): Promise<{ total: number; floors: FloorLine[] }> => this.note('floors', args, { total: 0, floors: [] });
  change = (...args: unknown[]): Promise<{ operation: number }> => this.note('change', args, { operation: 1 });
  undo = (...args: unknown[]): Promise<{ operation: number }> => this.note('undo', args, { operation: 1 });
  redo = (...args: unknown[]): Promise<{ operation: number }> => this.note('redo', args, { operation: 1 });
  reprocess = (...args: unknown[]): Promise<{ floors: number; changed: unknown[] }> => this.note('reprocess', args, { floors: 1, changed: [] });
  createBranch = (...args: unknown[]): Promise<{ ref: string }> => this.note('createBranch', args, { ref: 'other' });
  switchBranch = (...args: unknown[]): Promise<unknown> => this.note('switchBranch', args, {});
  evaluate = (...args: unknown[]): Promise<{ state: Json }> => this.note('evaluate', args, { state: { evaluated: true } });
  addToLibrary = (...args: unknown[]): Promise<unknown> => this.note('addToLibrary', args, {});

  private async note<T>(name: string, args: unknown[], answer: T): Promise<T> {
    this.called.push({ name, args });
    return answer;
  }

  floor = async (): Promise<never> => Promise.reject(new ApiError('not_found', 404, null));
  /** The feed: who listens, from which change on, and how to answer. */
  listening: { after: string | null; client: string; answer: (last: string, others?: boolean) => void }[] = [];
  changes = (after: string | null, client: string): Promise<{ last: string; others: boolean }> =>
    new Promise((resolve) => this.listening.push({ after, client, answer: (last, others = true) => resolve({ last, others }) }));
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
