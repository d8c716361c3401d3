// Moving along the floors of a branch: which have their own state, which comes next, what the user typed.
// Rows may be missing while the list is loading; then the result is the row to wait for.
import type { Counts, FloorLine } from 'storeyline-client';

export type Rows = readonly (FloorLine | undefined)[];

export function hasOwnState(role: FloorLine['role']): boolean {
  return role === 'assistant' || role === 'narrator';
}

export function changeCount(counts: Counts): number {
  return counts.changed + counts.added + counts.removed;
}

/** The next floor with a state in that direction; `missing` names a row that has to be loaded first. */
export function nextFloor(rows: Rows, from: number, step: 1 | -1): { floor: number } | { missing: number } | null {
  for (let floor = from + step; floor >= 0 && floor < rows.length; floor += step) {
    const row = rows[floor];
    if (!row) return { missing: floor };
    if (hasOwnState(row.role)) return { floor };
  }
  return null;
}

/** The newest floor with a state, as far as the end of the list is loaded. */
export function newestFloor(rows: Rows): number | null {
  for (let floor = rows.length - 1; floor >= 0; floor--) {
    const row = rows[floor];
    if (row && hasOwnState(row.role)) return floor;
  }
  return rows.length > 0 ? rows.length - 1 : null;
}

/** The nearest floor with a state; of two equally near the later one. */
export function nearestFloor(rows: Rows, floor: number): number {
  for (let distance = 0; distance < rows.length; distance++) {
    for (const at of [floor + distance, floor - distance]) {
      const row = rows[at];
      if (row && hasOwnState(row.role)) return at;
    }
  }
  return Math.min(Math.max(floor, 0), Math.max(rows.length - 1, 0));
}

/** Parses `128`, `#128`, `第128层` and full-width digits. */
export function readFloorNumber(text: string): number | null {
  const digits = /^[#＃第\s]*(\d{1,9})[层\s]*$/u.exec(text.normalize('NFKC').trim())?.[1];
  return digits === undefined ? null : Number(digits);
}
