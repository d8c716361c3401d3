// Computes which rows of a long list are visible.

export interface Range {
  from: number;
  to: number;
}

export function visibleRange(top: number, height: number, rowHeight: number, count: number, extra = 10): Range {
  const first = Math.floor(Math.max(0, top) / rowHeight);
  const last = Math.ceil((Math.max(0, top) + height) / rowHeight);
  const from = Math.min(Math.max(0, first - extra), Math.max(0, count - 1));
  return { from, to: Math.max(from, Math.min(count, last + extra)) };
}

/** Returns the scroll position that brings a row into view with the least movement. */
export function scrollFor(index: number, rowHeight: number, top: number, height: number): number {
  const start = index * rowHeight;
  if (start < top) return start;
  return start + rowHeight > top + height ? start + rowHeight - height : top;
}

/** Rows that exist, and the number that is subtracted from an index to name its element. */
export interface Elements {
  range: Range;
  shift: number;
}

/**
 * Which elements show a new range. Rows that stay keep their elements; after a jump far away the elements of the
 * old rows are filled with the new ones, which costs less than making others.
 */
export function reuse(before: Elements, range: Range): Elements {
  const overlap = range.from < before.range.to && before.range.from < range.to;
  return { range, shift: overlap ? before.shift : before.shift + range.from - before.range.from };
}
