// Shapes of the engine's HTTP interface as docs/api.md writes them. Types only.
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
  template: Json;
}

export interface ChatAnswer {
  story: string;
  ref: string;
  node: string | null;
  created: boolean;
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
  need?: string[];
  adopt?: [number, string][];
  apply?: Step[];
  state?: { hash: string; value?: Json; ops?: Op[] };
  parent?: { hash: string; value?: Json };
  diagnostics?: Diagnostic[];
  notices?: Notice[];
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
  verdict: 'done' | 'repaired' | 'failed' | 'skipped';
  reason: string | Words | null;
  ops: CallOp[];
  diagnostics: Diagnostic[];
}

export interface FloorAnswer {
  floor: number;
  page: string;
  role: string;
  calls: FloorCall[];
  diagnostics: Diagnostic[];
  state: Json;
  hash: string;
}

export interface PluginStatus {
  plugin: string;
  engine: { state: 'running' | 'starting' | 'stopped' | 'missing'; message: Words | null; version?: string };
}
