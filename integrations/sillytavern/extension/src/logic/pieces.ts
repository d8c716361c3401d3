// Splits long work into pieces of a few milliseconds, between which the page can draw and handle events. Work
// that fits into one piece is done at once; after longer work a new piece begins.

const PIECE_MS = 8;

/** Does the work for 0 up to `count`; `between` gets the progress and may stop the work. */
export async function inPieces(count: number, work: (index: number) => void, between: (done: number) => boolean = () => true): Promise<boolean> {
  let since = performance.now();
  let pieces = 1;
  for (let index = 0; index < count; index++) {
    work(index);
    if (performance.now() - since < PIECE_MS) continue;
    await breath();
    if (!between(index + 1)) return false;
    pieces += 1;
    since = performance.now();
  }
  if (pieces > 1) await breath();
  return true;
}

/**
 * Lets the page draw and handle events. A named function, because the browser's record of long frames shows
 * its name.
 */
export function breath(): Promise<void> {
  return new Promise((resolve) => setTimeout(() => resolve()));
}
