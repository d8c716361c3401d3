// Which floors a filter of the list shows, and what a re-process changes in the rules.
import type { Ripple } from 'storeyline-client';
import { timeText } from '../../logic/time';
import type { Words } from '../../words/zh';
import { changeCount, hasOwnState, type Rows } from '../../logic/floors';
import type { Filter, FLOORS } from './words';

export const FILTERS: readonly Filter[] = ['all', 'ai', 'changed', 'failed', 'overridden', 'stale'];

/** The floors that fit, in order; floors that are not loaded yet are left out until they are. */
export function filtered(rows: Rows, filter: Filter): number[] {
  const found: number[] = [];
  for (const row of rows) {
    if (!row) continue;
    const { changes, overridden, stale } = row;
    const fits = { all: true, ai: hasOwnState(row.role), changed: changeCount(changes) > 0, failed: changes.failed > 0, overridden, stale }[filter];
    if (fits) found.push(row.floor);
  }
  return found;
}

/** From which rules to which a re-process goes, as far as the engine knows it. */
export function rulesText(rules: Ripple['rules'], now: number, own: (typeof FLOORS)['zh'], words: Words): string {
  if (!rules) return own.rulesSame;
  const since = rules.since == null ? '' : timeText(rules.since, now, words);
  const names = rules.settings.map((name) => own.ruleNames[name] ?? name);
  return own.rulesStep(rules.floors, since, rules.functions.length, names.join(', '));
}
