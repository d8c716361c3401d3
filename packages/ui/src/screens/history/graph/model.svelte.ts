// What the graph shows: the layout of the tree, what is unfolded, what was loaded for it, and how far it is zoomed.
import type { FloorLine } from 'storeyline-client';
import { spotOf, type Spot } from '../logic';
import type { HistoryModel } from '../model.svelte';
import type { HistorySearch } from '../search.svelte';
import { keyOf, layout, listOrder, type Item, type Layout } from './layout';

const CHUNK = 200;
const NOT_LOADED: ReadonlyMap<number, ReadonlyMap<number, FloorLine>> = new Map();
const NOTHING: Layout = { items: [], edges: [], lanes: 1, rows: 0 };

export class GraphModel {
  fold = $state(true);
  pages = $state(false);
  zoom = $state(1);
  unfolded = $state.raw<ReadonlySet<string>>(new Set());
  loaded = $state.raw<ReadonlyMap<number, ReadonlyMap<number, FloorLine>>>(new Map());
  /** The item that the keys are at. */
  focused = $state<string | null>(null);
  #asked = new Set<string>();

  constructor(
    private readonly history: HistoryModel,
    private readonly search: HistorySearch,
  ) {}

  /** Where the user is, in the tree. */
  here = $derived.by((): Spot | null => {
    const { graph, session } = this.history;
    if (!graph || session.place.ref === null || session.target === null) return null;
    return spotOf(graph, session.place.ref, session.target);
  });

  /** The end of the open branch: its whole path is the active one. */
  #end = $derived.by((): Spot | null => {
    const { graph, session } = this.history;
    const end = graph?.refs.find(({ ref }) => ref === session.place.ref);
    return end ? { chain: end.chain, floor: end.floor } : null;
  });

  selected = $derived.by((): Spot | null => {
    const { graph, selected } = this.history;
    return graph && selected ? spotOf(graph, selected.ref, selected.floor) : null;
  });

  #keep = $derived.by((): Spot[] => [...this.search.spots, ...[this.here, this.selected].filter((spot) => spot !== null)]);

  layout = $derived.by((): Layout => {
    const { graph } = this.history;
    if (!graph) return NOTHING;
    const { unfolded, fold, pages } = this;
    // Only pages that are items depend on what is loaded; without them a loaded floor moves nothing.
    const loaded = pages ? this.loaded : NOT_LOADED;
    return layout({ graph, active: this.#end, loaded, unfolded, fold, pages, keep: this.#keep });
  });

  byKey = $derived.by(() => new Map(this.layout.items.map((item) => [item.key, item])));
  byCell = $derived.by(() => new Map(this.layout.items.map((item) => [`${item.lane} ${item.row}`, item])));
  list = $derived.by(() => listOrder(this.layout));
  hits = $derived.by((): ReadonlySet<string> | null => (this.search.active && this.search.hits ? new Set(this.search.spots.map(({ chain, floor }) => keyOf(chain, floor))) : null));
  hereKey = $derived.by(() => this.here && keyOf(this.here.chain, this.here.floor));
  selectedKey = $derived.by(() => this.selected && keyOf(this.selected.chain, this.selected.floor));

  lineOf = (item: Item): FloorLine | null => item.line ?? this.loaded.get(item.chain)?.get(item.floor) ?? null;

  /** The colour of a chain: of the branch that ends on it, else of the one that it was read from. */
  colourOf = (chain: number): number => {
    const { graph } = this.history;
    const own = graph?.refs.find((place) => place.chain === chain && this.history.colours.has(place.ref));
    return this.history.colourOf(own?.ref ?? graph?.chains[chain]?.ref);
  };

  toggle(item: Item): void {
    const next = new Set(this.unfolded);
    if (!next.delete(item.run)) next.add(item.run);
    this.unfolded = next;
  }

  toggleAll(): void {
    this.fold = !this.fold;
    this.unfolded = new Set();
  }

  /** After a change of the tree, what was loaded for it is old. */
  forget(): void {
    this.#asked.clear();
    this.loaded = new Map();
  }

  /** These items are visible: floors that are not loaded are asked for, in chunks. */
  want(items: readonly Item[]): void {
    for (const item of items) if (item.kind === 'floor' && this.lineOf(item) === null) void this.#load(item.chain, Math.floor(item.floor / CHUNK));
  }

  async #load(chain: number, chunk: number): Promise<void> {
    const { graph, session } = this.history;
    const key = `${chain} ${chunk}`;
    const ref = graph?.chains[chain]?.ref;
    const story = session.story?.story;
    if (!ref || !story || this.#asked.has(key)) return;
    this.#asked.add(key);
    const found = await session.attempt((engine) => engine.floors({ story, ref }, chunk * CHUNK, CHUNK));
    if (this.history.graph !== graph) return;
    if (!found) {
      this.#asked.delete(key);
      return;
    }
    const lines = new Map([...(this.loaded.get(chain) ?? []), ...found.floors.map((line) => [line.floor, line] as const)]);
    this.loaded = new Map([...this.loaded, [chain, lines]]);
  }

  /** The next item for a key: up and down along the lane, left and right to the nearest lane. */
  move(from: string | null, key: string): Item | null {
    const at = from === null ? null : (this.byKey.get(from) ?? null);
    if (!at || key === 'Home') return this.byKey.get(this.hereKey ?? '') ?? this.layout.items[0] ?? null;
    if (key === 'ArrowUp' || key === 'ArrowDown') {
      const edges = this.layout.edges.filter(({ from: above, to }) => {
        const end = key === 'ArrowUp' ? to : above;
        return end.lane === at.lane && end.row === at.row;
      });
      const next = edges.map(({ from: above, to }) => (key === 'ArrowUp' ? above : to)).sort((a, b) => Math.abs(a.lane - at.lane) - Math.abs(b.lane - at.lane))[0];
      return next ? (this.byCell.get(`${next.lane} ${next.row}`) ?? null) : null;
    }
    const step = key === 'ArrowRight' ? 1 : -1;
    const beside = this.layout.items.filter(({ lane }) => (lane - at.lane) * step > 0);
    const nearest = beside.sort((a, b) => Math.abs(a.lane - at.lane) * 1000 + Math.abs(a.row - at.row) - (Math.abs(b.lane - at.lane) * 1000 + Math.abs(b.row - at.row)))[0];
    return nearest ?? null;
  }
}
