// Shows what happened at a floor: its calls with their verdicts, and each value before and after.
import type { Change, Floor, Call } from 'storeyline-client';
import { type Language, WORDS, say } from '../logic/words';
import { cut, make } from './dom';
import { inline } from './tree';

const CALLS = 50;
const OPS = 30;
const SIGN: Record<Call['verdict'], string> = { done: '✓', repaired: '✓', failed: '✕' };
const OP_SIGN: Record<Change['kind'], string> = { changed: '~', added: '+', removed: '−' };

export function floorChanges(floor: Floor, language: Language): HTMLElement {
  const list = make('div', 'sl-changes');
  for (const call of floor.calls.slice(0, CALLS)) list.append(callLine(call, language));
  if (floor.calls.length > CALLS) list.append(make('div', 'sl-dim', say(WORDS.more(floor.calls.length - CALLS), language)));
  if (floor.calls.length === 0) list.append(make('div', 'sl-dim', say(WORDS.noChange, language)));
  return list;
}

function callLine(call: Call, language: Language): HTMLElement {
  const source = make('code', 'sl-source', cut(call.source || call.name, 200));
  const line = make('div', `sl-call sl-${call.verdict}`, make('span', 'sl-sign', SIGN[call.verdict] ?? ''), ' ', source);
  const why = say(call.reason, language) || call.diagnostics.map(({ message }) => say(message, language)).join(' ');
  if (why) line.append(make('div', 'sl-reason', cut(why, 300)));
  for (const op of call.ops.slice(0, OPS)) line.append(opLine(op));
  return line;
}

function opLine(op: Change): HTMLElement {
  const kind = Object.hasOwn(OP_SIGN, op.kind) ? op.kind : 'changed';
  const path = op.path.map(String).join('.');
  const values = kind === 'added' ? inline(op.new) : kind === 'removed' ? inline(op.old) : `${inline(op.old)} → ${inline(op.new)}`;
  return make('div', `sl-op sl-${kind}`, `${OP_SIGN[kind]} `, make('span', 'sl-key', cut(path, 200)), ' ', make('span', 'sl-value', values));
}
