// For tests: a host without a page and an engine without a process. The engine's "state" is the list of
// active texts, so that a test can see which path a state belongs to.
import {
  Away, type CastBeginning, type Edited, type Floors, type HostChange, type LastOperation, type NewHostFile, type OpenChat as ChatRequest,
  type OpenedChat, Refused, type Schemas, type StoryDetail, type SyncAnswer,
} from 'storeyline-client';
import type { Book, Host, HostCommand, HostEvent, HostMacro, OpenChat, Question } from '../host/host';
import { FakeChat } from '../logic/fake-chat';
import { digest128, textHash } from '../logic/hash';
import type { Json, JsonObject } from '../logic/json';
import { type ChatMessage, pageCount, pageText } from '../logic/message';
import type { WholeRequest } from '../logic/plan';
import { type TextRow, digestChain, textRow } from '../logic/rows';
import type { Api } from './api';

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
  card = async (): Promise<JsonObject> => ({ data: { name: 'Aria' } });
  greetings = (): string[] => [];
  allFiles = async (): Promise<[]> => [];
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
  countTokens = async (text: string): Promise<number> => text.length;
  on = (event: HostEvent, listener: Listener): void => void this.listeners.push({ event, listener, last: false });
  onLast = (event: HostEvent, listener: Listener): void => void this.listeners.push({ event, listener, last: true });
  beforePrompt = (listener: (type: string, chat: ChatMessage[]) => Promise<void>): void => void (this.prompt = (type, chat = []) => listener(type, chat));
  toast = (_kind: string, text: string): void => void this.toasts.push(text);
  headers = (): Record<string, string> => ({});
  language = (): 'zh' | 'en' => 'en';
}

const WORDS = { zh: '不行', en: 'no' };

const DONE: Edited = { operation: 1, ref: 'ref', node: 'node', evaluated: [], late: false };

const NOTHING: SyncAnswer = {
  story: 'story', ref: 'ref', node: null, head: null, seen: 'c1', need: [], adopt: [], apply: [], state: null, parent: null,
  diagnostics: [], notices: [], pending: false, evaluated: 0,
};

/** The engine answered with this error. */
export const refusal = (status: number, code: string): Refused => new Refused(status, code, WORDS);

export class FakeEngine implements Api {
  declared: ChatRequest[] = [];
  profile = 'native';
  /** Additions to the next answers to declarations. */
  declaring: Partial<OpenedChat>[] = [];
  looked: CastBeginning = { enabled: false, profile: 'native', reason: { zh: '', en: '' }, template: null, functions: [], held: [], remarks: [] };
  /** Calls of everything else, by name. */
  called: { name: string; args: unknown[] }[] = [];
  requests: WholeRequest[] = [];
  /** Answers are held back while this is set. */
  gate: Promise<void> | null = null;
  /**
   * The next syncs fail with these codes; `away` is an engine that does not answer, `lost` an answer that
   * gets lost.
   */
  failures: string[] = [];
  steps: HostChange[] = [];
  extra: Partial<SyncAnswer> = {};
  private readonly nodes = new Map<string, TextRow[]>();
  private readonly texts = new Map<string, string>();
  /** Page id → the row it was last taken with; any other row needs its message. */
  private readonly taken = new Map<string, string>();
  private heads = new Map<string, string>();

  declareChat = async (request: ChatRequest): Promise<OpenedChat> => {
    if (this.failures[0] === 'away') throw new Away('engine_away');
    this.declared.push(request);
    const answer = { story: 'story', ref: 'ref', node: this.heads.get(request.chat) ?? null, created: true, need_cast: false, switch: null };
    return { ...answer, profile: this.profile, beginning: null, ...this.declaring.shift() };
  };

  sync: Api['sync'] = async (request) => {
    const copy = structuredClone(request) as WholeRequest;
    this.requests.push(copy);
    if (this.gate) await this.gate;
    const failure = this.failures.shift();
    if (failure === 'away') throw new Away('engine_away');
    if (failure === 'lost') {
      this.answer(copy);
      throw new Away();
    }
    if (failure) throw refusal(409, failure);
    return this.answer(copy);
  };

  lookAtCards = async (): Promise<CastBeginning> => this.looked;
  decideFunctions = (...args: unknown[]): Promise<Schemas['Consents']> => this.note('decideFunctions', args, { consents: [] });
  importFile = (...args: unknown[]): Promise<Schemas['Imported']> => this.note('importFile', args, { broken: [], stories: [] });
  forgetFiles = (...args: unknown[]): Promise<Schemas['Forgotten']> => this.note('forgetFiles', args, { trashed: 1 });
  fileOfBranch = (...args: unknown[]): Promise<NewHostFile> => this.note('fileOfBranch', args, { chat: 'new', header: {}, messages: [] });
  story = (...args: unknown[]): Promise<StoryDetail> =>
    this.note('story', args, { story: 'story', title: '', created: 0, card: '', profile: 'native', edit_policy: 'auto', trashed: false, current: null, refs: [] });
  floors = (...args: unknown[]): Promise<Floors> => this.note('floors', args, { total: 0, floors: [] });
  change = (...args: unknown[]): Promise<Edited> => this.note('change', args, DONE);
  undo = (...args: unknown[]): Promise<Edited> => this.note('undo', args, DONE);
  redo = (...args: unknown[]): Promise<Edited> => this.note('redo', args, DONE);
  reprocess = (...args: unknown[]): Promise<Schemas['Reprocessed']> => this.note('reprocess', args, { floors: 1, changed: [], operation: null });
  createBranch = (...args: unknown[]): Promise<Schemas['MadeRef']> => this.note('createBranch', args, { ref: 'other', operation: 1 });
  switchBranch = (...args: unknown[]): Promise<Schemas['Done']> => this.note('switchBranch', args, { operation: 1 });
  rules = (...args: unknown[]): Promise<Schemas['Rules']> => this.note('rules', args, { rules: {}, from: {} });
  evaluate = (...args: unknown[]): Promise<Schemas['Evaluation']> => this.note('evaluate', args, { state: { evaluated: true }, calls: [], diagnostics: [] });
  carried: Schemas['ReportedCarried'] = { changed: false, library: { version: '1.0', functions: [] }, version: 0, carried: { library: null, status: 'same', fingerprint: null, allow: null, allowed_before: null } };
  reportCarried = (...args: unknown[]): Promise<Schemas['ReportedCarried']> => this.note('reportCarried', args, this.carried);

  private async note<T>(name: string, args: unknown[], answer: T): Promise<T> {
    this.called.push({ name, args });
    return answer;
  }

  floor = async (): Promise<never> => Promise.reject(refusal(404, 'not_found'));
  /** The feed: who listens, from which change on, and how to answer. */
  listening: { after: string | null; client: string | null; answer: (last: string, others?: boolean) => void }[] = [];
  changes: Api['changes'] = (after, client, _wait, signal) =>
    new Promise<LastOperation>((resolve, reject) => {
      this.listening.push({ after, client, answer: (last, others = true) => resolve({ last, others }) });
      signal?.addEventListener('abort', () => reject(new Error('aborted')));
    });

  private answer(request: WholeRequest): SyncAnswer {
    const base = request.base ? this.nodes.get(request.base) : [];
    const kept = base?.slice(0, request.keep.len);
    if (!kept || digestChain(kept).at(-1) !== request.keep.digest) throw refusal(409, 'keep_mismatch');
    const rows = [...kept, ...request.tail.map(textRow)];
    for (const message of Object.values(request.messages) as ChatMessage[]) {
      for (let page = 0; page < pageCount(message); page++) this.texts.set(textHash(pageText(message, page)), pageText(message, page));
    }
    const fits = ({ id, text }: TextRow): boolean => request.messages[id] !== undefined || this.taken.get(id) === text;
    const need = rows.filter((row) => !fits(row)).map(({ id }) => id);
    const node = digest128(JSON.stringify(rows));
    if (need.length > 0) return { ...NOTHING, need };
    for (const { id, text } of rows) this.taken.set(id, text);
    this.nodes.set(node, rows);
    this.heads.set(request.chat, node);
    const apply = this.steps;
    this.steps = [];
    return { ...NOTHING, node, head: node, apply, state: this.state(rows), parent: this.state(rows.slice(0, -1)), ...this.extra };
  }

  private state(rows: TextRow[]): { hash: string; value: Json } {
    const value = { path: rows.map(({ row }) => this.texts.get(row.swipes[row.active]!.h)!) };
    return { hash: digest128(JSON.stringify(value)), value };
  }
}
