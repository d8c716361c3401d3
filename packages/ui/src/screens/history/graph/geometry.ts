// From the grid of the layout to pixels, and back. All lengths are at a zoom of 1.
import type { Edge, Item, Layout } from './layout';

export const CARD = { width: 164, height: 32 };
export const PITCH = { x: 180, y: 47 };
export const PAD = { x: 22, y: 20 };

export interface View {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Cards with text, pills with a number, or only lines and heads. */
export type Detail = 'cards' | 'pills' | 'lines';

export function detailAt(zoom: number): Detail {
  return zoom >= 0.7 ? 'cards' : zoom >= 0.35 ? 'pills' : 'lines';
}

export const ZOOMS = { least: 0.08, most: 1.6 };

export function clampZoom(zoom: number): number {
  return Math.min(ZOOMS.most, Math.max(ZOOMS.least, zoom));
}

export function sizeOf(found: Layout): { width: number; height: number } {
  return { width: PAD.x * 2 + (found.lanes - 1) * PITCH.x + CARD.width, height: PAD.y * 2 + (found.rows - 1) * PITCH.y + CARD.height };
}

export function placeOf({ lane, row }: { lane: number; row: number }): { x: number; y: number } {
  return { x: PAD.x + lane * PITCH.x, y: PAD.y + row * PITCH.y };
}

export function centreOf(place: { lane: number; row: number }): { x: number; y: number } {
  const { x, y } = placeOf(place);
  return { x: x + CARD.width / 2, y: y + CARD.height / 2 };
}

/** The cell of the grid under a point. */
export function cellAt(x: number, y: number): { lane: number; row: number } {
  return { lane: Math.floor((x - PAD.x + (PITCH.x - CARD.width) / 2) / PITCH.x), row: Math.floor((y - PAD.y + (PITCH.y - CARD.height) / 2) / PITCH.y) };
}

/** Rows and lanes that a window shows, at a zoom. */
export function cellsIn(view: View, zoom: number): { firstRow: number; lastRow: number; firstLane: number; lastLane: number } {
  const from = cellAt(view.left / zoom, view.top / zoom);
  const to = cellAt((view.left + view.width) / zoom, (view.top + view.height) / zoom);
  return { firstRow: from.row - 1, lastRow: to.row + 1, firstLane: from.lane - 1, lastLane: to.lane + 1 };
}

export function visibleItems(items: readonly Item[], view: View, zoom: number): Item[] {
  const { firstRow, lastRow, firstLane, lastLane } = cellsIn(view, zoom);
  return items.filter(({ lane, row }) => row >= firstRow && row <= lastRow && lane >= firstLane && lane <= lastLane);
}

export function visibleEdges(edges: readonly Edge[], view: View, zoom: number): Edge[] {
  const { firstRow, lastRow, firstLane, lastLane } = cellsIn(view, zoom);
  return edges.filter(({ from, to }) => to.row >= firstRow && from.row <= lastRow && Math.max(from.lane, to.lane) >= firstLane && Math.min(from.lane, to.lane) <= lastLane);
}

const GAP = PITCH.y - CARD.height;
const SLOTS = 4;

/** The points of a line: straight down, or down into the gap, level, and down again. */
export function pointsOf({ from, to, slot }: Edge): { x: number; y: number }[] {
  const [start, end] = [centreOf(from), centreOf(to)];
  const [bottom, top] = [start.y + CARD.height / 2, end.y - CARD.height / 2];
  if (from.lane === to.lane) return [{ x: start.x, y: bottom }, { x: end.x, y: top }];
  const y = bottom + GAP / 2 + ((slot % SLOTS) - (SLOTS - 1) / 2) * (GAP / (SLOTS + 1));
  return [{ x: start.x, y: bottom }, { x: start.x, y }, { x: end.x, y }, { x: end.x, y: top }];
}

const CORNER = 7;

export function pathOf(edge: Edge): string {
  const [start, ...rest] = pointsOf(edge);
  const [, corner, end] = rest;
  if (!start) return '';
  if (!corner || !end) return `M${start.x} ${start.y}L${rest[0]?.x} ${rest[0]?.y}`;
  const side = Math.sign(corner.x - start.x);
  return `M${start.x} ${corner.y}H${corner.x - side * CORNER}Q${corner.x} ${corner.y} ${corner.x} ${Math.min(end.y, corner.y + CORNER)}V${end.y}`;
}

/** Where a fork line leaves the lane of its parent: the way down to it, and the point itself. */
export function forkOf(edge: Edge): { stub: string; x: number; y: number; over: string } {
  const [start, bend, corner] = pointsOf(edge);
  if (!start || !bend || !corner) return { stub: '', x: 0, y: 0, over: '' };
  const side = Math.sign(corner.x - start.x);
  // What it crosses begins beside the lane that it leaves and ends before its own.
  return { stub: `M${start.x} ${start.y}V${bend.y}`, x: bend.x, y: bend.y, over: `M${start.x + side * 12} ${bend.y}H${corner.x - side * 12}` };
}
