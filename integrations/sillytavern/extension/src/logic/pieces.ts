// Long work in pieces of a few milliseconds, between which the page can draw and hear. Work that is done within one piece is
// done at once; after longer work what follows begins a piece of its own.

const PIECE_MS = 8;

/** Does the work for 0 up to `count`; `between` is told how much is done, and may say that no more is wanted. */
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

/** Lets the page draw and hear. A function of our own is called: the browser's record of long frames names whose it is. */
export function breath(): Promise<void> {
  return new Promise((resolve) => setTimeout(() => resolve()));
}
