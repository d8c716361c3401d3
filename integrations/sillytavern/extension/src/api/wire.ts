// Types of the engine's HTTP interface as in docs/api.md.
import type { Step } from '../logic/apply';
import type { Json } from '../logic/json';
import type { ChatMessage } from '../logic/message';
import type { Op } from '../logic/ops';
import type { Row } from '../logic/rows';

export interface Words {
  zh: string;
  en: string;
}

export interface Names {
  user: string;
  char: string;
}

export interface ChatRequest {
  chat: string;
  parent: string | null;
  file: string;
  owner: string;
  title: string;
  names: Names;
  /** Left out until the engine asks for it. */
  cast?: Cast;
  ask_cast: boolean;
  /** The last branch switch that this host carried out. */
  handled: string | null;
  /** New pages take the rules of the current cards. */
  renew?: boolean;
}

export interface Cast {
  cards: Json[];
  books: { name: string; book: Json }[];
  group: boolean;
}

/** How a story of a cast begins. */
export interface Beginning {
  /** Whether the story has a state at all. */
  enabled: boolean;
  profile: string;
  reason: Words;
  template: Json | null;
  functions: string[];
  held: Held[];
  remarks: { code: string; severity: string; place: Words; message: Words }[];
}

/** Functions that wait for the user's permission. */
export interface Held {
  card: string;
  fingerprint: string;
  names: string[];
  /** Whether the user does not want to be asked again. */
  refused: boolean;
  /** Set here once the user has allowed them; the engine then leaves them out. */
  allowed?: boolean;
}

/** Another branch is to be shown. */
export interface SwitchTo {
  operation: string;
  story: string;
  ref: string;
  name: string;
  file: string | null;
  owner: string | null;
}

export interface ChatAnswer {
  story: string | null;
  ref: string | null;
  node: string | null;
  created: boolean;
  profile: string | null;
  need_cast: boolean;
  switch: SwitchTo | null;
  beginning: Beginning | null;
}

/** A branch as a new file of the host. */
export interface NewFile {
  chat: string;
  header: Json;
  messages: Json[];
}

export interface RefLine {
  ref: string;
  name: string;
  kind: 'branch' | 'tag';
  floors: number;
  chat: string | null;
  file: string | null;
}

export interface StoryAnswer {
  story: string;
  title: string;
  profile: string;
  refs: RefLine[];
}

export interface FloorLine {
  floor: number;
  page: string;
  role: string;
  name: string;
  hidden: boolean;
  preview: string;
  pages: number;
  active: number;
  changes: { changed: number; added: number; removed: number; failed: number };
}

export interface SyncRequest {
  chat: string;
  client: string;
  seq: number;
  base: string | null;
  file: { name: string; owner: string };
  keep: { len: number; digest: string };
  tail: Row[];
  messages: Record<string, ChatMessage>;
  have: string | null;
  names: Names;
}

export interface Diagnostic {
  floor?: number;
  page?: string;
  code: string;
  severity: 'error' | 'warning' | 'info';
  message: Words;
  source?: string;
}

export interface Notice {
  code: string;
  message: Words;
}

export interface SyncAnswer {
  story: string;
  ref: string;
  node: string;
  /** Head of the branch: our base once the steps of `apply` are carried out. */
  head?: string | null;
  /** The position in the changes that the engine had seen. */
  seen?: string;
  need?: string[];
  adopt?: [number, string][];
  apply?: Step[];
  state?: { hash: string; value?: Json; ops?: Op[] };
  parent?: { hash: string; value?: Json };
  diagnostics?: Diagnostic[];
  notices?: Notice[];
  /** Functions of the card are still running: ask again. */
  pending?: boolean;
  evaluated?: number;
}

export interface CallOp {
  path: (string | number)[];
  kind: 'changed' | 'added' | 'removed';
  old?: Json;
  new?: Json;
}

export interface FloorCall {
  name: string;
  source: string;
  verdict: 'done' | 'repaired' | 'failed';
  reason: string | null;
  ops: CallOp[];
  diagnostics: Diagnostic[];
}

export interface FloorAnswer {
  floor: number;
  page: string;
  role: string;
  text: string;
  pages: { page: string; preview: string }[];
  calls: FloorCall[];
  diagnostics: Diagnostic[];
  state: Json;
  hash: string;
}

export interface PluginStatus {
  plugin: string;
  engine: { state: 'running' | 'starting' | 'stopped' | 'missing'; message: Words | null; version?: string };
}
