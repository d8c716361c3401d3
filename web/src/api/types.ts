// The types of docs/api.md, field by field. Nothing here knows how they are sent or shown.

import { ExactNumber } from 'storeyline-client';

declare const brand: unique symbol;
type Id<Name extends string> = string & { readonly [brand]: Name };
export type StoryId = Id<'story'>;
export type RefId = Id<'ref'>;
export type PageId = Id<'page'>;

export { ExactNumber };

export type JsonObject = { [key: string]: Json };
export type Json = null | boolean | number | string | ExactNumber | Json[] | JsonObject;

/** A key of an object, or an index of a list. */
export type Key = string | number;
export type Path = readonly Key[];

/** UTF-16 offsets in the page's text, end excluded. */
export type Span = readonly [number, number];
export type Message = { readonly zh: string; readonly en: string };
export type Role = 'assistant' | 'narrator' | 'user' | 'summary' | 'other';

export interface Story {
  story: StoryId;
  title: string;
  profile: string;
  refs: Ref[];
}

export interface Ref {
  ref: RefId;
  name: string;
  kind: 'branch' | 'tag';
  floors: number;
  head: string | null;
  chat: string | null;
  file: string | null;
  updated: number;
}

export interface Counts {
  changed: number;
  added: number;
  removed: number;
  failed: number;
}

export interface FloorSummary {
  floor: number;
  page: PageId;
  role: Role;
  name: string;
  time: number | null;
  hidden: boolean;
  preview: string;
  pages: number;
  active: number;
  changes: Counts;
}

export interface FloorRange {
  total: number;
  floors: FloorSummary[];
}

export interface FloorDetail {
  floor: number;
  page: PageId;
  role: Role;
  name: string;
  time: number | null;
  hidden: boolean;
  text: string;
  pages: { page: PageId; preview: string }[];
  active: number;
  /** The nearest earlier floor that has its own state; null: the template. */
  from: number | null;
  state: Json;
  hash: string;
  calls: Call[];
  /** Those that belong to no call. */
  diagnostics: Diagnostic[];
}

/** Which floor last set each path. */
export interface Causes {
  /** In the order of the paths; null: none of the floors that were searched. */
  floors: (number | null)[];
  /** The first floor that was searched; above 0 the search continues at the floor before. */
  searched_from: number;
}

export type Verdict = 'done' | 'repaired' | 'failed';

export interface Call {
  name: string;
  source: string;
  /** Empty for a passive function or a rule, which have no text. */
  span: Span;
  verdict: Verdict;
  reason: string | null;
  ops: Op[];
  diagnostics: Diagnostic[];
}

export interface Op {
  path: Path;
  kind: 'changed' | 'added' | 'removed';
  old?: Json;
  new?: Json;
}

export interface Diagnostic {
  code: string;
  severity: 'error' | 'warning' | 'info';
  message: Message;
  span: Span;
}
