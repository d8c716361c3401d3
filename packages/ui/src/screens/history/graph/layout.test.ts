import type { FloorLine } from 'storeyline-client';
import { expect, test } from 'vitest';
import type { Graph } from '../logic';
import { layout, listOrder, LONGEST_RUN, type Layout, type LayoutInput } from './layout';

function line(floor: number, pages = 1): FloorLine {
  const changes = { changed: 0, added: 0, removed: 0, failed: 0 };
  return { floor, page: `p${floor}`, role: 'assistant', name: 'A', hidden: false, valid: true, preview: 't', pages, active: 0, changes, overridden: false, stale: false };
}

/** Chains as `[parent, from, to]`; a branch ends at every chain. */
function tree(chains: [number | null, number, number][], pages = 1): Graph {
  return {
    chains: chains.map(([parent, from, to], index) => ({ parent, from, to, ref: `r${index}`, lines: Array.from({ length: to - from + 1 }, (_, at) => line(from + at, pages)) })),
    refs: chains.map(([, , to], index) => ({ ref: `r${index}`, chain: index, floor: to, made: index })),
    left_out: 0,
  };
}

const input = (graph: Graph, more: Partial<LayoutInput> = {}): LayoutInput => ({
  graph,
  active: graph.chains[0] ? { chain: 0, floor: graph.chains[0].to } : null,
  loaded: new Map(),
  unfolded: new Set(),
  fold: true,
  pages: false,
  keep: [],
  ...more,
});

/** A seeded random generator. */
function random(seed: number): (below: number) => number {
  let state = seed * 2654435761 + 1;
  return (below) => {
    state = Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

function randomTree(seed: number, chains: number): Graph {
  const next = random(seed);
  const made: [number | null, number, number][] = [[null, 0, 1 + next(60)]];
  while (made.length < chains) {
    const parent = next(made.length);
    const [, from, to] = made[parent]!;
    // Sometimes a chain begins anew, sometimes it goes on behind the end of its parent.
    if (next(25) === 0) made.push([null, 0, next(20)]);
    else {
      const start = from + next(to - from + 1) + 1;
      made.push([parent, start, start + next(40)]);
    }
  }
  return tree(made);
}

const lanesOf = (found: Layout): Map<string, number> => new Map(found.items.map(({ chain, floor, kind, lane }) => [`${kind === 'fold' ? 'fold' : floor} of ${chain}`, lane]));

test('one straight line folds in the middle', () => {
  const found = layout(input(tree([[null, 0, 131]])));
  expect(found.items.map(({ kind, floor, to }) => (kind === 'fold' ? `${floor}…${to}` : floor))).toEqual([0, 1, '2…129', 130, 131]);
  expect(found.lanes).toBe(1);
  expect(found.rows).toBe(5);
});

test('a run of five floors is not folded, one of six is', () => {
  expect(layout(input(tree([[null, 0, 4]]))).items.map(({ kind }) => kind)).toEqual(['floor', 'floor', 'floor', 'floor', 'floor']);
  expect(layout(input(tree([[null, 0, 5]]))).items.map(({ kind }) => kind)).toEqual(['floor', 'floor', 'fold', 'floor', 'floor']);
});

test('a fork hangs one row below its parent; the latest fork is nearest', () => {
  const found = layout(input(tree([[null, 0, 9], [0, 3, 4], [0, 7, 8]])));
  const at = (chain: number, floor: number) => found.items.find((item) => item.chain === chain && item.floor === floor);
  expect(at(1, 3)?.row).toBe((at(0, 2)?.row ?? 0) + 1);
  expect(at(2, 7)?.lane).toBe(1);
  expect(at(1, 3)?.lane).toBe(2);
});

test('branches share a lane where their rows do not meet', () => {
  const found = layout(input(tree([[null, 0, 60], [0, 3, 3], [0, 50, 51]]), { fold: false }));
  expect(found.lanes).toBe(2);
});

test('the active path is lane 0 wherever it leads', () => {
  const graph = tree([[null, 0, 30], [0, 10, 20], [1, 15, 16]]);
  const found = layout(input(graph, { active: { chain: 2, floor: 15 } }));
  const active = found.items.filter((item) => item.active);
  expect(active.every(({ lane }) => lane === 0)).toBe(true);
  expect(active.map(({ chain }) => chain)).toEqual([...active.map(({ chain }) => chain)].sort());
  expect(new Set(active.map(({ chain }) => chain))).toEqual(new Set([0, 1, 2]));
  expect(found.items.filter(({ chain, floor }) => chain === 0 && floor > 9).every(({ lane }) => lane > 0)).toBe(true);
});

test('what is kept, unfolded or named stays visible', () => {
  const graph = tree([[null, 0, 100]]);
  graph.refs.push({ ref: 'tag', chain: 0, floor: 40, made: 1 });
  const shown = (more: Partial<LayoutInput>) => layout(input(graph, more)).items.filter(({ kind }) => kind === 'floor').map(({ floor }) => floor);
  expect(shown({ keep: [{ chain: 0, floor: 70 }] })).toEqual([0, 1, 40, 70, 99, 100]);
  expect(shown({ unfolded: new Set(['0:0']) })).toHaveLength(101);
  expect(shown({ fold: false })).toHaveLength(101);
});

test('pages are items of their own beside their floor, and move no branch', () => {
  const graph = tree([[null, 0, 4], [0, 2, 3]], 3);
  const [plain, withPages] = [layout(input(graph)), layout(input(graph, { pages: true }))];
  expect(withPages.items.filter(({ kind }) => kind === 'page')).toHaveLength(14);
  const branches = (found: Layout) => found.items.filter(({ kind }) => kind !== 'page');
  expect(branches(withPages)).toEqual(plain.items);
});

test('the list has every item once, a branch right after its fork', () => {
  const graph = tree([[null, 0, 9], [0, 3, 4]]);
  const found = layout(input(graph, { fold: false }));
  expect(listOrder(found).map(({ item, depth }) => `${'-'.repeat(depth)}${item.chain}:${item.floor}`)).toEqual(
    ['0:0', '0:1', '0:2', '-1:3', '-1:4', '0:3', '0:4', '0:5', '0:6', '0:7', '0:8', '0:9'],
  );
});

/** Whether a line meets an item that it does not join. */
function crossesAnItem(found: Layout): boolean {
  const taken = new Set(found.items.map(({ lane, row }) => `${lane} ${row}`));
  return found.edges.some(({ from, to }) => {
    // Level in the gap under `from`, then down on the lane of `to`: rows between are passed.
    for (let row = from.row + 1; row < to.row; row++) if (taken.has(`${to.lane} ${row}`)) return true;
    return from.lane === to.lane && to.row <= from.row;
  });
}

test.each(Array.from({ length: 300 }, (_, seed) => seed))('random tree %i: the layout rules hold', (seed) => {
  const next = random(seed + 1000);
  const graph = randomTree(seed, 1 + next(40));
  const chain = next(graph.chains.length);
  const { from, to } = graph.chains[chain]!;
  const active = { chain, floor: from + next(to - from + 1) };
  const found = layout(input(graph, { active, fold: seed % 3 !== 0, pages: seed % 4 === 0 }));

  // Every item has a place of its own, and every floor is shown or folded exactly once.
  expect(new Set(found.items.map(({ lane, row }) => `${lane} ${row}`)).size).toBe(found.items.length);
  const floors = found.items.filter(({ kind }) => kind !== 'page').reduce((sum, item) => sum + item.to - item.floor + 1, 0);
  expect(floors).toBe(graph.chains.reduce((sum, one) => sum + one.to - one.from + 1, 0));
  expect(listOrder(found)).toHaveLength(found.items.length);

  // The active path is straight: lane 0, one row after the other, and nothing else is there.
  const path = found.items.filter((item) => item.active);
  expect(path.length).toBeGreaterThan(0);
  expect(path.every((item, index) => item.lane === 0 && item.row === index)).toBe(true);
  expect(found.items.filter(({ lane, active: own }) => lane === 0 && !own)).toEqual([]);

  // No line crosses an item, and a fork hangs directly below its parent.
  expect(crossesAnItem(found)).toBe(false);
  expect(found.edges.every(({ from: above, to: below }) => below.row === above.row + 1)).toBe(true);

  // Two lines of different parents never lie on each other in a gap.
  const level = found.edges.filter((one) => one.from.lane !== one.to.lane);
  const clash = level.some((one) =>
    level.some((other) => {
      if (one === other || one.from.row !== other.from.row || one.slot !== other.slot || one.from.lane === other.from.lane) return false;
      const [a, b, c, d] = [Math.min(one.from.lane, one.to.lane), Math.max(one.from.lane, one.to.lane), Math.min(other.from.lane, other.to.lane), Math.max(other.from.lane, other.to.lane)];
      return a <= d && c <= b;
    }),
  );
  expect(clash).toBe(false);
});

test.each(Array.from({ length: 150 }, (_, seed) => seed))('random tree %i: a new floor at the end moves no lane', (seed) => {
  const next = random(seed + 5000);
  const graph = randomTree(seed, 2 + next(30));
  const grown = structuredClone(graph);
  const at = next(graph.chains.length);
  const chain = grown.chains[at]!;
  chain.to++;
  chain.lines.push(line(chain.to));
  for (const place of grown.refs) if (place.chain === at && place.floor === chain.to - 1) place.floor++;
  const active = { chain: 0, floor: graph.chains[0]!.to };
  const [before, after] = [lanesOf(layout(input(graph, { active }))), lanesOf(layout(input(grown, { active })))];
  for (const [what, lane] of before) if (after.has(what)) expect([what, after.get(what)]).toEqual([what, lane]);
});

test.each(Array.from({ length: 60 }, (_, seed) => seed))('random tree %i: every branch takes the leftmost free lane', (seed) => {
  const found = layout(input(randomTree(seed, 25), { fold: seed % 2 === 0 }));
  const rows = new Map<number, Set<number>>();
  for (const { lane, row } of found.items) rows.set(lane, (rows.get(lane) ?? new Set()).add(row));
  // No lane is empty: a lane is opened only if those before it were taken.
  expect([...rows.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: found.lanes }, (_, lane) => lane));
});

test('16,000 floors on 60 branches are laid out at once', () => {
  const chains: [number | null, number, number][] = [[null, 0, 9999]];
  for (let index = 1; index < 60; index++) chains.push([0, index * 150, index * 150 + 100]);
  const folded = layout(input(tree(chains)));
  expect(folded.items.length).toBeLessThan(60 * 4 * LONGEST_RUN);
  expect(layout(input(tree(chains), { fold: false })).items).toHaveLength(10_000 + 59 * 101);
});
