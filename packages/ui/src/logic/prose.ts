// Splits the text of a page at its call spans, so that calls can be marked in place.
import type { Call } from 'storeyline-client';

export interface Segment {
  text: string;
  /** Index in the list of calls, or null for plain text. */
  call: number | null;
}

/** Spans that overlap an earlier one or are outside the text are clipped; no text is lost. */
export function segmentsOf(text: string, calls: readonly Pick<Call, 'span'>[]): Segment[] {
  const spans = calls
    .map(({ span: [start = 0, end = 0] }, call) => ({ call, start, end: Math.min(end, text.length) }))
    .sort((a, b) => a.start - b.start);
  const segments: Segment[] = [];
  let at = 0;
  for (const { call, start, end } of spans) {
    const from = Math.max(start, at);
    if (end <= from) continue;
    if (from > at) segments.push({ text: text.slice(at, from), call: null });
    segments.push({ text: text.slice(from, end), call });
    at = end;
  }
  if (at < text.length) segments.push({ text: text.slice(at), call: null });
  return segments;
}
