// Where a card or a menu opens beside the thing that it belongs to, so that it stays inside of the screen.

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface Size {
  width: number;
  height: number;
}

const GAP = 2;
const EDGE = 6;

/**
 * Returns the upper left corner: below the anchor, or above it where only there is room, else where most of it can
 * be seen. All boxes have the same origin.
 */
export function placeBeside(anchor: Box, size: Size, around: Box): { left: number; top: number } {
  const bottom = around.top + around.height;
  const below = anchor.top + anchor.height + GAP;
  const above = anchor.top - GAP - size.height;
  const fitsBelow = below + size.height + EDGE <= bottom;
  const fitsAbove = above >= around.top + EDGE;
  const roomBelow = bottom - below;
  const top = fitsBelow || (!fitsAbove && roomBelow >= anchor.top - around.top) ? below : above;
  const most = around.left + around.width - size.width - EDGE;
  return {
    left: clamp(anchor.left, around.left + EDGE, most),
    top: clamp(top, around.top + EDGE, bottom - size.height - EDGE),
  };
}

/** The lower bound wins: the beginning of what is too large is seen. */
function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}
