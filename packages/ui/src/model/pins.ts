// Where pinned values are kept, and which of what is kept can be used. Storage can hold anything.
import type { Path } from 'storeyline-client';

export const pinsPlace = (story: string): string => `pins ${story}`;

export function isPath(kept: unknown): kept is Path {
  return Array.isArray(kept) && kept.length > 0 && kept.every((step) => typeof step === 'string' || Number.isInteger(step));
}
