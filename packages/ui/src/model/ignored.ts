// What is kept about ignored failures. Storage can hold anything.
import type { IgnoredPage } from '../logic/ignored';

export const IGNORED_PLACE = 'ignored failures';

export function readIgnored(kept: unknown): Map<string, IgnoredPage> {
  return new Map(Array.isArray(kept) ? kept.filter(isEntry) : []);
}

function isEntry(entry: unknown): entry is [string, IgnoredPage] {
  if (!Array.isArray(entry) || typeof entry[0] !== 'string') return false;
  const { keys, failed } = (entry[1] ?? {}) as Partial<IgnoredPage>;
  return Array.isArray(keys) && keys.every((key) => typeof key === 'string') && typeof failed === 'number';
}
