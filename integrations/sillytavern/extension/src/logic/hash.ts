// Short digests as the engine writes them: the first 128 bits of SHA-256, base64url without padding (22
// characters). Digests of texts are cached, so that a pass over thousands of messages hashes only what is
// new.
import { sha256 } from './sha256';
import { canonicalText, utf8 } from './text';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const CACHE_ENTRIES = 20_000;

let young = new Map<string, string>();
let old = new Map<string, string>();

/** Returns `h` of a page's text. */
export function textHash(text: string): string {
  const known = young.get(text) ?? old.get(text);
  const hash = known ?? digest128(canonicalText(text));
  if (!young.has(text)) remember(text, hash);
  return hash;
}

/** Returns the 128-bit digest of a text without canonicalizing it. */
export function digest128(text: string): string {
  return base64url(sha256(utf8(text)).subarray(0, 16));
}

/** Returns bytes as base64url without padding. */
export function base64url(bytes: Uint8Array): string {
  let out = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const group = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    const chars = Math.min(bytes.length - i, 3) + 1;
    for (let k = 0; k < chars; k++) out += ALPHABET[(group >>> (18 - 6 * k)) & 63];
  }
  return out;
}

// Cache with two generations: what was not used during a whole generation is dropped.
function remember(text: string, hash: string): void {
  if (young.size >= CACHE_ENTRIES) {
    old = young;
    young = new Map();
  }
  young.set(text, hash);
}
