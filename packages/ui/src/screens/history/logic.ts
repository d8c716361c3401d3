// What the History screen derives from branches, floors and the tree: names, colours, where a floor is in the tree,
// how far a page goes on. Pure.
import type { Ref, RefId, Schemas } from 'storeyline-client';

export type Graph = Schemas['Graph'];
export type SiblingPage = Schemas['SiblingPage'];

export const COLOURS = 8;

/** The branches and tags in the order in which they were made; those that the tree does not have come last. */
export function inOrder(refs: readonly Ref[], graph: Graph | null): Ref[] {
  const made = new Map(graph?.refs.map((place) => [place.ref, place.made]));
  const last = Number.MAX_SAFE_INTEGER;
  return [...refs].sort((a, b) => (made.get(a.ref) ?? last) - (made.get(b.ref) ?? last));
}

/** The colour of each branch: one that the user chose, else by the order in which they were made, which never changes. */
export function coloursOf(refs: readonly Ref[], graph: Graph | null): Map<RefId, number> {
  const made = new Map(graph?.refs.map((place) => [place.ref, place.made]));
  const colours = new Map<RefId, number>();
  for (const { ref, kind, colour } of refs) {
    if (kind !== 'branch') continue;
    colours.set(ref, /^[0-7]$/.test(colour) ? Number(colour) : (made.get(ref) ?? COLOURS - 1) % COLOURS);
  }
  return colours;
}

/** `Main · 2` for a branch of `Main`; the number grows until the name is free. */
export function branchName(from: string, refs: readonly Pick<Ref, 'name'>[]): string {
  const base = from.replace(/ · \d+$/, '') || 'Branch';
  const taken = new Set(refs.map(({ name }) => name));
  for (let number = 2; ; number++) {
    const name = `${base} · ${number}`;
    if (!taken.has(name)) return name;
  }
}

/** A floor of the tree: the chain that it belongs to, and its number. */
export interface Spot {
  chain: number;
  floor: number;
}

/** Which chain has a floor of a branch or tag; null if the branch is not in the tree or shorter. */
export function spotOf(graph: Graph, ref: RefId, floor: number): Spot | null {
  const end = graph.refs.find((place) => place.ref === ref);
  if (!end || floor > end.floor || floor < 0) return null;
  let chain = end.chain;
  for (;;) {
    const at = graph.chains[chain];
    if (!at) return null;
    if (floor >= at.from) return { chain, floor };
    if (at.parent == null) return null;
    chain = at.parent;
  }
}

/** The branches that go through a spot, those that end nearest first. */
export function refsThrough(graph: Graph, spot: Spot): RefId[] {
  const through = graph.refs.filter(({ ref }) => {
    const there = spotOf(graph, ref, spot.floor);
    return there?.chain === spot.chain;
  });
  return through.sort((a, b) => Number(b.chain === spot.chain) - Number(a.chain === spot.chain)).map(({ ref }) => ref);
}

/** What stands on the floors of a branch: tags by floor, and how many chains leave after a floor. */
export interface FloorMarks {
  tags: Map<number, RefId[]>;
  forks: Map<number, number>;
}

export function marksOf(graph: Graph, refs: readonly Ref[], branch: RefId): FloorMarks {
  const tags = new Map<number, RefId[]>();
  const forks = new Map<number, number>();
  const onPath = (spot: Spot): boolean => spotOf(graph, branch, spot.floor)?.chain === spot.chain;
  const kinds = new Map(refs.map(({ ref, kind }) => [ref, kind]));
  for (const { ref, chain, floor } of graph.refs) {
    if (kinds.get(ref) === 'tag' && onPath({ chain, floor })) tags.set(floor, [...(tags.get(floor) ?? []), ref]);
  }
  for (const [index, chain] of graph.chains.entries()) {
    const start = chain.from - 1;
    if (chain.parent == null || start < 0 || !onPath({ chain: chain.parent, floor: start })) continue;
    // The chain that the branch itself takes does not leave it.
    if (!onPath({ chain: index, floor: chain.from })) forks.set(start, (forks.get(start) ?? 0) + 1);
  }
  return { tags, forks };
}

/** Where a page goes on: what comes back below it on this branch, and the longest other branch that reads it. */
export function goesOn(page: SiblingPage, refs: readonly Ref[], floor: number): { floors: number; on: Ref | null }[] {
  const found: { floors: number; on: Ref | null }[] = [];
  if (page.continues != null && page.continues > 0) found.push({ floors: page.continues, on: null });
  const others = page.branches.map((id) => refs.find(({ ref }) => ref === id)).filter((ref) => ref !== undefined);
  const [longest] = others.sort((a, b) => b.floors - a.floors);
  if (longest && longest.floors > floor + 1) found.push({ floors: longest.floors - floor - 1, on: longest });
  return found;
}

/** How many floors can be shown as ticks beside a list of this height: the most important mark of each pixel row. */
export type Tick = 'failed' | 'hand' | 'tag';

export function ticks(rows: readonly ({ changes: { failed: number }; overridden: boolean } | undefined)[], tags: ReadonlySet<number>, buckets: number): (Tick | null)[] {
  const found: (Tick | null)[] = Array.from({ length: Math.max(1, buckets) }, () => null);
  const rank = { failed: 3, hand: 2, tag: 1 };
  for (let floor = 0; floor < rows.length; floor++) {
    const row = rows[floor];
    const tick: Tick | null = row && row.changes.failed > 0 ? 'failed' : row?.overridden ? 'hand' : tags.has(floor) ? 'tag' : null;
    if (!tick) continue;
    const at = Math.min(found.length - 1, Math.floor((floor / rows.length) * found.length));
    const before = found[at];
    if (!before || rank[tick] > rank[before]) found[at] = tick;
  }
  return found;
}

/** The last floor that the paths to two spots share; -1: none. */
export function lastShared(graph: Graph, a: Spot, b: Spot): number {
  const limits = new Map<number, number>();
  for (let at: Spot | null = a; at; at = above(graph, at)) limits.set(at.chain, at.floor);
  for (let at: Spot | null = b; at; at = above(graph, at)) {
    const limit = limits.get(at.chain);
    if (limit !== undefined) return Math.min(limit, at.floor);
  }
  return -1;
}

/** Where the chain of a spot leaves its parent. */
function above(graph: Graph, { chain }: Spot): Spot | null {
  const { parent, from } = graph.chains[chain] ?? {};
  return parent == null || from === undefined ? null : { chain: parent, floor: from - 1 };
}
