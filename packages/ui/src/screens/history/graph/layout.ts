// Where everything of the graph stands. In: the tree as the engine sends it, which path is active, what is unfolded. Out:
// items and lines on a grid of lanes (columns) and rows. Pure, and linear in the number of items except for finding a
// free lane. Down is later. The active path is lane 0 and straight; a branch takes the leftmost lane that is free from
// the row of its fork to its last row, those with the latest fork first. A fork line runs in the gap under its parent's
// row, so that it never crosses an item.
import type { FloorLine, RefId } from 'storeyline-client';
import type { Graph, Spot } from '../logic';

/** A run of more floors than this is folded; so many stay at each end. */
export const LONGEST_RUN = 5;
const STAY = 2;
/** Pages of one floor that are shown as items of their own. */
const MAX_PAGES = 8;

export interface LayoutInput {
  graph: Graph;
  /** The spot that the user is at: its path is lane 0. */
  active: Spot | null;
  /** Floors that were loaded beyond those that the tree has, by chain. */
  loaded: ReadonlyMap<number, ReadonlyMap<number, FloorLine>>;
  /** Runs that the user unfolded: `chain:first floor`. */
  unfolded: ReadonlySet<string>;
  fold: boolean;
  pages: boolean;
  /** Floors that stay visible: hits, the selection. */
  keep: readonly Spot[];
}

export interface Item {
  key: string;
  kind: 'floor' | 'fold' | 'page';
  lane: number;
  row: number;
  chain: number;
  floor: number;
  /** Last floor of a fold. */
  to: number;
  /** Index of a page that is an item of its own. */
  page: number;
  /** Absent while the floor is not loaded. */
  line: FloorLine | null;
  refs: RefId[];
  /** On the path to where the user is. */
  active: boolean;
  track: number;
  /** The run that it belongs to, as it is unfolded. */
  run: string;
}

/** A line from an item down to the next one of its lane, or through the gap to another lane. */
export interface Edge {
  from: { lane: number; row: number };
  to: { lane: number; row: number };
  chain: number;
  /** Which of several lines in the same gap. */
  slot: number;
  active: boolean;
}

export interface Layout {
  items: Item[];
  edges: Edge[];
  lanes: number;
  rows: number;
}

/** Floors of one chain without a fork between them. */
interface Run {
  chain: number;
  from: number;
  to: number;
  parent: number | null;
  children: number[];
  active: boolean;
}

/** Runs below each other on one lane. */
interface Track {
  runs: number[];
  /** The item that it leaves; null: it begins the story. */
  fork: Item | null;
  items: Item[];
  lane: number;
  /** Rows that it occupies, with room to grow. */
  top: number;
  bottom: number;
}

export const keyOf = (chain: number, floor: number): string => `${chain}:${floor}`;

export function layout(input: LayoutInput): Layout {
  const runs = runsOf(input.graph, input.active);
  const tracks = tracksOf(input, runs);
  placeLanes(tracks);
  const items = tracks.flatMap((track) => track.items);
  const edges = edgesOf(tracks);
  if (input.pages) addPages(tracks, items, edges);
  slotsOf(edges);
  return {
    items,
    edges,
    lanes: 1 + items.reduce((most, { lane }) => Math.max(most, lane), 0),
    rows: 1 + items.reduce((most, { row }) => Math.max(most, row), 0),
  };
}

/** Splits the chains at their forks. */
function runsOf(graph: Graph, active: Spot | null): Run[] {
  const forks = graph.chains.map(() => new Set<number>());
  for (const { parent, from } of graph.chains) if (parent != null) forks[parent]?.add(from - 1);
  const runs: Run[] = [];
  /** The run of each chain that ends with a floor. */
  const ending = new Map<string, number>();
  for (const [index, chain] of graph.chains.entries()) {
    let above = chain.parent == null ? null : (ending.get(keyOf(chain.parent, chain.from - 1)) ?? null);
    const ends = [...(forks[index] ?? [])].filter((floor) => floor >= chain.from && floor < chain.to).sort((a, b) => a - b);
    let from = chain.from;
    for (const to of [...ends, chain.to]) {
      const run: Run = { chain: index, from, to, parent: above, children: [], active: false };
      if (above !== null) runs[above]?.children.push(runs.length);
      ending.set(keyOf(index, to), runs.length);
      above = runs.length;
      runs.push(run);
      from = to + 1;
    }
  }
  const last = active === null ? -1 : runs.findIndex(({ chain, from, to }) => chain === active.chain && active.floor >= from && active.floor <= to);
  for (let at: number | null = last >= 0 ? last : null; at !== null; at = runs[at]?.parent ?? null) {
    const run = runs[at];
    if (run) run.active = true;
  }
  // Below the place of the user its chain goes on, and the active path with it.
  for (let at = last; at >= 0; ) {
    const next: number | undefined = runs[at]?.children.find((child) => runs[child]?.chain === runs[at]?.chain);
    if (next === undefined) break;
    const run = runs[next];
    if (run) run.active = true;
    at = next;
  }
  return runs;
}

function tracksOf(input: LayoutInput, runs: Run[]): Track[] {
  const tracks: Track[] = [];
  const marked = input.graph.chains.map(() => new Set<number>());
  for (const { chain, floor } of [...input.keep, ...input.graph.refs]) marked[chain]?.add(floor);
  const marks = marked.map((floors) => [...floors].sort((a, b) => a - b));
  const refs = new Map<string, RefId[]>();
  for (const { ref, chain, floor } of input.graph.refs) {
    const key = keyOf(chain, floor);
    refs.set(key, [...(refs.get(key) ?? []), ref]);
  }
  const roots = runs.map((_, index) => index).filter((index) => runs[index]?.parent === null);
  roots.sort((a, b) => Number(runs[b]?.active) - Number(runs[a]?.active));
  const waiting: { run: number; fork: Item | null }[] = roots.map((run) => ({ run, fork: null }));
  for (let next = 0; next < waiting.length; next++) {
    const { run: first, fork } = waiting[next]!;
    const track: Track = { runs: [], fork, items: [], lane: 0, top: fork?.row ?? 0, bottom: 0 };
    let row = fork === null ? 0 : fork.row + 1;
    for (let at: number | null = first; at !== null; ) {
      const run: Run = runs[at]!;
      track.runs.push(at);
      for (const item of itemsOf(input, run, refs, marks[run.chain] ?? [])) {
        item.row = row++;
        item.track = tracks.length;
        track.items.push(item);
      }
      const end = track.items.at(-1)!;
      const onward: number | null = continuation(runs, run);
      for (const child of run.children) if (child !== onward) waiting.push({ run: child, fork: end });
      at = onward;
    }
    const last = runs[track.runs.at(-1)!]!;
    const tail = track.items.length - track.items.findIndex(({ floor, to, chain }) => chain === last.chain && Math.max(floor, to) >= last.from);
    const lastRow = track.items.at(-1)!.row;
    // A run that grows folds, so it never needs more rows than this, and no other branch has to move.
    track.bottom = last.children.length > 0 ? lastRow + LONGEST_RUN : Math.max(lastRow, lastRow - tail + LONGEST_RUN);
    tracks.push(track);
  }
  return tracks;
}

/** The run that goes on in the same lane: the active one, else that of the same chain. */
function continuation(runs: Run[], run: Run): number | null {
  const active = run.children.find((child) => runs[child]?.active);
  if (active !== undefined) return active;
  return run.children.find((child) => runs[child]?.chain === run.chain) ?? null;
}

function itemsOf(input: LayoutInput, run: Run, refs: ReadonlyMap<string, RefId[]>, marks: readonly number[]): Item[] {
  const { chain, from, to, active } = run;
  const lines = input.graph.chains[chain]?.lines ?? [];
  const first = lines.findIndex(({ floor }) => floor >= from);
  const known = new Map(first < 0 ? [] : lines.slice(first).map((line) => [line.floor, line]));
  const loaded = input.loaded.get(chain);
  const name = keyOf(chain, from);
  const floorItem = (floor: number): Item => {
    const key = keyOf(chain, floor);
    const line = loaded?.get(floor) ?? known.get(floor) ?? null;
    return { key, kind: 'floor', lane: 0, row: 0, chain, floor, to: floor, page: -1, line, refs: refs.get(key) ?? [], active, track: 0, run: name };
  };
  const all = !input.fold || input.unfolded.has(name) || to - from + 1 <= LONGEST_RUN;
  if (all) return Array.from({ length: to - from + 1 }, (_, at) => floorItem(from + at));
  const inside = marks.filter((floor) => floor >= from + STAY && floor <= to - STAY);
  const items: Item[] = [];
  let next = from;
  for (const floor of [from, from + 1, ...inside, to - 1, to]) {
    // What is left out between two floors is one item, however many floors it has; a single one is shown.
    if (floor - next === 1) items.push(floorItem(next));
    else if (floor > next) items.push({ ...floorItem(next), key: `${keyOf(chain, next)}…`, kind: 'fold', to: floor - 1, line: null, refs: [] });
    items.push(floorItem(floor));
    next = floor + 1;
  }
  return items;
}

/** Gives every track the leftmost lane that is free in its rows; the latest fork first, so that it is nearest. */
function placeLanes(tracks: Track[]): void {
  const [first, ...rest] = tracks;
  if (!first) return;
  const order = rest
    .map((track, index) => ({ track, index }))
    .sort((a, b) => b.track.top - a.track.top || a.index - b.index)
    .map(({ track }) => track);
  /** What each lane holds, as rows from and to. */
  const lanes: { top: number; bottom: number }[][] = [];
  for (const track of order) {
    let lane = 0;
    while (lanes[lane]?.some(({ top, bottom }) => track.top <= bottom && top <= track.bottom)) lane++;
    (lanes[lane] ??= []).push({ top: track.top, bottom: track.bottom });
    track.lane = lane + 1;
    for (const item of track.items) item.lane = track.lane;
  }
}

function edgesOf(tracks: readonly Track[]): Edge[] {
  const edges: Edge[] = [];
  for (const { fork, items } of tracks) {
    let above = fork;
    for (const item of items) {
      if (above) edges.push(edge(above, item));
      above = item;
    }
  }
  return edges;
}

function edge(from: Item, to: Item): Edge {
  return { from: { lane: from.lane, row: from.row }, to: { lane: to.lane, row: to.row }, chain: to.chain, slot: 0, active: from.active && to.active };
}

/** Pages that nobody continued, beside their floor. They take what is free after the branches. */
function addPages(tracks: readonly Track[], items: Item[], edges: Edge[]): void {
  const taken = new Set(items.map(({ lane, row }) => `${lane} ${row}`));
  for (const track of tracks) {
    track.items.forEach((item, index) => {
      const { line } = item;
      if (item.kind !== 'floor' || !line || line.pages < 2) return;
      const above = track.items[index - 1] ?? track.fork;
      for (let page = 0; page < Math.min(line.pages, MAX_PAGES); page++) {
        if (page === line.active) continue;
        let lane = item.lane + 1;
        while (taken.has(`${lane} ${item.row}`) || taken.has(`${lane} ${item.row - 1}`)) lane++;
        taken.add(`${lane} ${item.row}`);
        const own: Item = { ...item, key: `${item.key}/${page}`, kind: 'page', lane, page, refs: [], active: false };
        items.push(own);
        if (above) edges.push(edge(above, own));
      }
    });
  }
}

/** Lines in one gap that would lie on each other get heights of their own. */
function slotsOf(edges: Edge[]): void {
  const gaps = new Map<number, Edge[]>();
  for (const one of edges) {
    if (one.from.lane === one.to.lane) continue;
    const gap = gaps.get(one.from.row);
    if (gap) gap.push(one);
    else gaps.set(one.from.row, [one]);
  }
  for (const gap of gaps.values()) {
    const spans: { from: number; left: number; right: number; slot: number }[] = [];
    for (const one of gap) {
      const [left, right] = [Math.min(one.from.lane, one.to.lane), Math.max(one.from.lane, one.to.lane)];
      // Lines of one parent leave together.
      const used = new Set(spans.filter((span) => span.from !== one.from.lane && span.left <= right && left <= span.right).map(({ slot }) => slot));
      while (used.has(one.slot)) one.slot++;
      spans.push({ from: one.from.lane, left, right, slot: one.slot });
    }
  }
}

/** The items as a list: what leaves an item comes right after it, then its own lane goes on. */
export function listOrder(found: Layout): { item: Item; depth: number }[] {
  const byTrack = new Map<number, Item[]>();
  const pages = new Map<string, Item[]>();
  for (const item of found.items) {
    if (item.kind === 'page') {
      const of = item.key.slice(0, item.key.lastIndexOf('/'));
      pages.set(of, [...(pages.get(of) ?? []), item]);
    } else byTrack.set(item.track, [...(byTrack.get(item.track) ?? []), item]);
  }
  const starts = new Map<string, number[]>();
  const parentOf = new Map(found.edges.map(({ from, to }) => [`${to.lane} ${to.row}`, `${from.lane} ${from.row}`]));
  const roots: number[] = [];
  for (const [track, [first]] of byTrack) {
    const parent = first && parentOf.get(`${first.lane} ${first.row}`);
    if (parent === undefined) roots.push(track);
    else starts.set(parent, [...(starts.get(parent) ?? []), track]);
  }
  const order: { item: Item; depth: number }[] = [];
  const stack = roots.reverse().map((track) => ({ track, at: 0, depth: 0 }));
  while (stack.length > 0) {
    const top = stack.at(-1)!;
    const item = byTrack.get(top.track)?.[top.at];
    if (!item) {
      stack.pop();
      continue;
    }
    top.at++;
    order.push({ item, depth: top.depth });
    for (const page of pages.get(item.key) ?? []) order.push({ item: page, depth: top.depth + 1 });
    const next = starts.get(`${item.lane} ${item.row}`) ?? [];
    for (const track of [...next].reverse()) stack.push({ track, at: 0, depth: top.depth + 1 });
  }
  return order;
}
