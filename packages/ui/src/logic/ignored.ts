// Failed calls that the user chose to ignore. A failure is known by its page, its place in the text and its text: an
// edit of the text brings back what is wrong in it.
import type { Call, FloorLine, PageId } from 'storeyline-client';
import type { Rows } from './floors';

/** The ignored failures of one page. */
export interface IgnoredPage {
  keys: readonly string[];
  /** How many calls of the page failed then; with another number the page has changed. */
  failed: number;
}

export type IgnoredPages = ReadonlyMap<PageId, IgnoredPage>;

export function failureKey({ span: [start = 0], source }: Pick<Call, 'span' | 'source'>): string {
  return `${start} ${hashOf(source)}`;
}

/** Which calls count as failed, and which are ignored. */
export function isIgnored(pages: IgnoredPages, page: PageId, call: Call): boolean {
  return call.verdict === 'failed' && (pages.get(page)?.keys.includes(failureKey(call)) ?? false);
}

/** The rows of a list without the failures that are ignored; unchanged rows stay the same objects. */
export function withoutIgnored(rows: Rows, pages: IgnoredPages): Rows {
  return pages.size === 0 ? rows : rows.map((row) => row && rowWithout(row, pages.get(row.page)));
}

function rowWithout(row: FloorLine, ignored: IgnoredPage | undefined): FloorLine {
  if (!ignored || ignored.failed !== row.changes.failed) return row;
  return { ...row, changes: { ...row.changes, failed: Math.max(0, row.changes.failed - ignored.keys.length) } };
}

/** What is still to be ignored on a page whose calls are these. */
export function stillIgnored(ignored: IgnoredPage, calls: readonly Call[]): IgnoredPage | null {
  const failed = calls.filter(({ verdict }) => verdict === 'failed');
  const keys = ignored.keys.filter((key) => failed.some((call) => failureKey(call) === key));
  return keys.length > 0 ? { keys, failed: failed.length } : null;
}

/** FNV-1a: tells texts apart, protects nothing. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}
