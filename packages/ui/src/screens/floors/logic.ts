// Which floors a filter of the list shows.
import { changeCount, type Rows } from '../../logic/floors';
import type { Filter } from './words';

export const FILTERS: readonly Filter[] = ['all', 'changed', 'failed', 'overridden', 'stale'];

/** The floors that fit, in order; floors that are not loaded yet are left out until they are. */
export function filtered(rows: Rows, filter: Filter): number[] {
  const found: number[] = [];
  for (const row of rows) {
    if (!row) continue;
    const { changes, overridden, stale } = row;
    const fits = { all: true, changed: changeCount(changes) > 0, failed: changes.failed > 0, overridden, stale }[filter];
    if (fits) found.push(row.floor);
  }
  return found;
}
