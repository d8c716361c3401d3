// What the status bar under the last reply says. In: what is known about the chat and that floor. Out: a short
// description, without elements and without a language. Values are cut; containers are only counted.
import { type Change, type Floor, type Json, type Path } from 'storeyline-client';
import { isIgnored, type IgnoredPages } from 'storeyline-ui/marks';
import { type ChatMessage, isPending, roleOf } from '../logic/message';

/** One value: `trust 30→35`, `bag +rusty key`, and a pinned one that stayed: `gold 17`. */
export interface Item {
  kind: 'changed' | 'added' | 'removed' | 'same';
  label: string;
  old: string;
  new: string;
}

export type Bar =
  | { kind: 'changes'; floor: number; items: Item[]; failed: number }
  /** Pinned values, changed or not. */
  | { kind: 'pinned'; floor: number; items: Item[]; failed: number }
  | { kind: 'none'; floor: number }
  | { kind: 'waiting'; floor: number }
  | { kind: 'computing'; floor: number }
  | { kind: 'stale'; floor: number }
  | { kind: 'away'; floor: number };

export interface Situation {
  chat: readonly ChatMessage[];
  /** The engine cannot be reached, or refuses. */
  away: boolean;
  /** The engine has acknowledged exactly this chat. */
  inStep: boolean;
  /** The newest reply as the engine has it; null while it is not known. */
  floor: Floor | null;
  /** The values to show instead of the changes; absent: changes are shown. */
  pins?: readonly Path[] | null;
  /** Failures that the user ignores. */
  ignored?: IgnoredPages;
}

const TEXT = 24;
const MOST = 12;

/** Returns the index of the message that the bar belongs to: the last one that can have a state. */
export function barFloor(chat: readonly ChatMessage[]): number | null {
  const floor = chat.findLastIndex((message) => ['assistant', 'narrator'].includes(roleOf(message)));
  return floor < 0 ? null : floor;
}

/** Decides what the bar says; null: there is no bar. */
export function sayBar({ chat, away, inStep, floor: known, pins = null, ignored = new Map() }: Situation): Bar | null {
  const floor = barFloor(chat);
  if (floor === null) return null;
  if (away) return { kind: 'away', floor };
  if (isPending(chat[floor]!)) return { kind: 'waiting', floor: floor - 1 };
  if (!inStep || known?.floor !== floor) return { kind: 'computing', floor };
  if (known.stale) return { kind: 'stale', floor };
  const failed = known.calls.filter((call) => call.verdict === 'failed' && !isIgnored(ignored, known.page, call)).length;
  if (pins) return { kind: 'pinned', floor, items: pinnedOf(known, pins), failed };
  const items = itemsOf(known);
  return items.length === 0 && failed === 0 ? { kind: 'none', floor } : { kind: 'changes', floor, items, failed };
}

/** Returns the pinned values as they are at a floor, with what they were where it changed them. */
export function pinnedOf(floor: Pick<Floor, 'calls' | 'state'>, pins: readonly Path[]): Item[] {
  const twice = doubles(pins.map((path) => label(path, 1)));
  const changed = new Map(netChanges(floor).map((change) => [JSON.stringify(change.path), change]));
  return pins.flatMap((path) => {
    const change = changed.get(JSON.stringify(path));
    if (change) return [item(change, twice)];
    const value = valueAt(floor.state, path);
    const short = label(path, 1);
    return value === undefined ? [] : [{ kind: 'same', label: twice.has(short) ? label(path, 2) : short, old: '', new: valueOf(value) }];
  });
}

function valueAt(state: Json, path: Path): Json | undefined {
  let value: Json | undefined = state;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string | number, Json>)[step];
  }
  return value;
}

/** Returns the values that a floor changed, each once: its first old value and its last new one. */
export function itemsOf(floor: Pick<Floor, 'calls'>): Item[] {
  const changes = netChanges(floor);
  const twice = doubles(changes.map(({ path }) => label(path, 1)));
  return changes.map((change) => item(change, twice));
}

function netChanges(floor: Pick<Floor, 'calls'>): Change[] {
  const net = new Map<string, Change>();
  for (const op of floor.calls.flatMap(({ ops }) => ops)) {
    const key = JSON.stringify(op.path);
    const before = net.get(key);
    net.delete(key);
    const merged = before ? merge(before, op) : op;
    if (merged) net.set(key, merged);
  }
  return [...net.values()];
}

function merge(first: Change, last: Change): Change | null {
  if (first.kind === 'added') return last.kind === 'removed' ? null : { kind: 'added', path: last.path, new: last.new ?? null };
  if (last.kind === 'removed') return { ...last, old: first.old ?? null };
  const merged: Change = { ...last, kind: 'changed', old: first.old ?? null };
  return JSON.stringify(merged.old) === JSON.stringify(merged.new) ? null : merged;
}

function item(change: Change, twice: ReadonlySet<string>): Item {
  const short = label(change.path, 1);
  const kind = change.kind === 'added' || change.kind === 'removed' ? change.kind : 'changed';
  return { kind, label: twice.has(short) ? label(change.path, 2) : short, old: valueOf(change.old), new: valueOf(change.new) };
}

/** The last keys of a path; the place in a list says nothing to a reader. */
function label(path: Path, keys: number): string {
  const names = path.filter((step) => typeof step === 'string');
  return cut(names.slice(-keys).join('.')) || path.join('.') || '·';
}

function doubles(names: string[]): Set<string> {
  return new Set(names.filter((name, index) => names.indexOf(name) !== index));
}

function valueOf(value: Json | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return cut(value.replace(/\s+/gu, ' ').trim());
  if (Array.isArray(value)) return `[${value.length}]`;
  if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) return `{${Object.keys(value).length}}`;
  return cut(JSON.stringify(value));
}

function cut(text: string): string {
  const letters = [...text];
  return letters.length > TEXT ? `${letters.slice(0, TEXT).join('')}…` : text;
}

/** Chooses how many items fit into lines of a width, in widths of a Chinese character; the rest is counted. */
export function fit(items: readonly Item[], width: number, lines: number, reserved: number): number {
  let line = 1;
  let used = 0;
  for (const [index, one] of items.slice(0, MOST).entries()) {
    const size = Math.min(itemWidth(one), width);
    if (used > 0 && used + size > width) {
      line += 1;
      used = 0;
    }
    const room = line === lines ? width - reserved : width;
    if (line > lines || used + size > room) return index;
    used += size;
  }
  return Math.min(items.length, MOST);
}

const GAP = 0.9;

function itemWidth(item: Item): number {
  return textWidth(item.label) + textWidth(item.old) + textWidth(item.new) + 1.2 + GAP;
}

/** Width of a text in widths of a Chinese character; Latin letters take a little more than a half. */
export function textWidth(text: string): number {
  let width = 0;
  for (const letter of text) width += letter.codePointAt(0)! < 0x2e80 ? 0.58 : 1;
  return width;
}
