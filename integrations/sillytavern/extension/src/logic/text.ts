// Canonical text: the input of a page's hash, the same on both sides (docs/api.md, "Terms"). In: any
// JavaScript string. Out: LF line ends, no lone surrogates, nothing trimmed.

export function canonicalText(text: string): string {
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  return wellFormed(lines);
}

/** Replaces lone surrogates by U+FFFD. */
export function wellFormed(text: string): string {
  return text.replace(/[\uD800-\uDBFF][\uDC00-\uDFFF]|[\uD800-\uDFFF]/g, (unit) => (unit.length === 2 ? unit : '\uFFFD'));
}

const encoder = new TextEncoder();

/** Returns the UTF-8 bytes of a text; lone surrogates become U+FFFD. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}
