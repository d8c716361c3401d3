// The strip over the whole story: one bar per AI floor; with more floors than fit, one bar per bucket.
import { changeCount, hasOwnState, type Rows } from './floors';

export interface Bar {
  /** The floor that the bar represents: a failed one before the one with most changes. */
  floor: number;
  changes: number;
  failed: number;
  /** Edited by hand. */
  overridden: boolean;
  /** The state is from before a change further up. */
  stale: boolean;
}

export function barsOf(rows: Rows, room: number): Bar[] {
  const bars: Bar[] = [];
  for (const row of rows) {
    if (row && hasOwnState(row.role)) {
      const { floor, overridden, stale } = row;
      bars.push({ floor, changes: changeCount(row.changes), failed: row.changes.failed, overridden, stale });
    }
  }
  return bars.length <= room ? bars : bucket(bars, rows.length, Math.max(1, Math.floor(room)));
}

function bucket(bars: readonly Bar[], total: number, room: number): Bar[] {
  const buckets = new Map<number, Bar>();
  for (const bar of bars) {
    const at = Math.floor((bar.floor * room) / total);
    const best = buckets.get(at);
    buckets.set(at, best ? stronger(best, bar) : bar);
  }
  return [...buckets.values()];
}

/** The combined bar has the most changes of both, and the floor of a failed one. */
function stronger(a: Bar, b: Bar): Bar {
  const winner = rank(b) > rank(a) ? b : a;
  const [overridden, stale] = [a.overridden || b.overridden, a.stale || b.stale];
  return { ...winner, changes: Math.max(a.changes, b.changes), overridden, stale };
}

const rank = (bar: Bar): number => (bar.failed > 0 ? 1e9 : 0) + bar.changes;

/** Height between 0 and 1 on a log scale, so that one reply with 400 changes leaves the others visible. */
export function barHeight(changes: number, most: number): number {
  return most === 0 ? 0 : Math.log2(1 + changes) / Math.log2(1 + most);
}

/** Numbers under the strip: first, last, and round ones between with enough distance. */
export function ticksOf(total: number, room: number): number[] {
  const last = total - 1;
  if (last <= 0) return total === 1 ? [0] : [];
  const step = roundStep(last / Math.max(1, room));
  const ticks: number[] = [];
  for (let tick = 0; tick <= last - step / 2; tick += step) ticks.push(tick);
  return [...ticks, last];
}

function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10);
}

/** The x position of a floor on a strip of that width, with a margin of half a bar at both ends. */
export function floorX(floor: number, total: number, width: number, margin: number): number {
  return total <= 1 ? width / 2 : margin + (floor / (total - 1)) * (width - 2 * margin);
}

export function floorAtX(x: number, total: number, width: number, margin: number): number {
  if (total <= 1) return 0;
  const part = (x - margin) / Math.max(1, width - 2 * margin);
  return Math.round(Math.min(1, Math.max(0, part)) * (total - 1));
}
