// Draws the graph on a canvas, where there is too much of it for elements: only what is in the window.
import { CARD, detailAt, placeOf, pointsOf, visibleEdges, visibleItems, type View } from './geometry';
import type { Item, Layout } from './layout';

export interface Palette {
  text: string;
  dim: string;
  background: string;
  line: string;
  failed: string;
  /** Colours of branches. */
  lanes: readonly string[];
}

export const LANES: Record<'dark' | 'light', readonly string[]> = {
  dark: ['#e69f38', '#5ab4e8', '#3fbf94', '#dd94c3', '#7ba6ff', '#f08a5d', '#f2e05c', '#b8c0cc'],
  light: ['#8f5a00', '#0b6fa4', '#00704f', '#a03a80', '#2f56c8', '#b0410e', '#7a6a00', '#56606e'],
};

export interface Drawing {
  layout: Layout;
  view: View;
  zoom: number;
  palette: Palette;
  /** Index of the colour of a chain. */
  colourOf: (chain: number) => number;
  nameOf: (item: Item) => string;
  /** Null: nothing is dimmed. */
  hits: ReadonlySet<string> | null;
  selected: string | null;
  here: string | null;
}

export function draw(context: CanvasRenderingContext2D, drawing: Drawing, ratio: number): void {
  const { layout, view, zoom, palette, hits } = drawing;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, view.width, view.height);
  context.setTransform(ratio * zoom, 0, 0, ratio * zoom, -view.left * ratio, -view.top * ratio);
  const colour = (chain: number): string => palette.lanes[drawing.colourOf(chain)] ?? palette.dim;
  for (const level of [false, true]) {
    for (const edge of visibleEdges(layout.edges, view, zoom)) {
      if ((edge.from.lane !== edge.to.lane) !== level) continue;
      const points = pointsOf(edge);
      const stroke = (style: string, width: number): void => {
        context.beginPath();
        points.forEach(({ x, y }, index) => (index === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
        context.strokeStyle = style;
        context.lineWidth = width / zoom;
        context.stroke();
      };
      // The line below is interrupted where this one crosses it.
      if (level) stroke(palette.background, 5);
      stroke(hits ? palette.line : colour(edge.chain), edge.active ? 2.5 : 1.5);
    }
  }
  for (const item of visibleItems(layout.items, view, zoom)) drawItem(context, drawing, item, colour(item.chain));
}

function drawItem(context: CanvasRenderingContext2D, { zoom, palette, hits, selected, here, nameOf }: Drawing, item: Item, colour: string): void {
  const { x, y } = placeOf(item);
  const isHit = hits?.has(item.key) ?? false;
  const dimmed = hits !== null && !isHit;
  const detail = detailAt(zoom);
  const marked = item.refs.length > 0 || isHit || item.key === here || item.key === selected;
  const middle = { x: x + CARD.width / 2, y: y + CARD.height / 2 };
  if (detail === 'lines' && !marked) {
    context.strokeStyle = dimmed ? palette.line : colour;
    context.lineWidth = 1.5 / zoom;
    context.setLineDash(item.kind === 'fold' ? [3 / zoom, 3 / zoom] : []);
    context.beginPath();
    context.moveTo(middle.x, y);
    context.lineTo(middle.x, y + CARD.height);
    context.stroke();
    context.setLineDash([]);
    return;
  }
  context.beginPath();
  const half = detail === 'lines' ? 5 / zoom : CARD.height / 2;
  const wide = detail === 'lines' ? half : CARD.width / 2;
  context.roundRect(middle.x - wide, middle.y - half, wide * 2, half * 2, 6);
  context.fillStyle = detail === 'lines' ? (dimmed ? palette.line : colour) : palette.background;
  context.fill();
  context.strokeStyle = item.key === selected ? palette.text : isHit ? palette.text : dimmed ? palette.line : colour;
  context.lineWidth = (item.key === selected || item.key === here ? 3 : 1) / zoom;
  context.setLineDash(item.kind === 'fold' ? [4, 3] : []);
  context.stroke();
  context.setLineDash([]);
  const words = nameOf(item);
  if (words === '') return;
  const size = detail === 'cards' ? 14 : Math.min(12 / zoom, 40);
  context.font = `${item.refs.length > 0 ? 700 : 400} ${size}px system-ui, sans-serif`;
  context.fillStyle = dimmed ? palette.dim : palette.text;
  context.textBaseline = 'middle';
  context.fillText(words, detail === 'lines' ? middle.x + half + 4 / zoom : x + 8, middle.y, detail === 'lines' ? 600 : CARD.width - 16);
}
