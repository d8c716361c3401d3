// The checker's own hashes. Written from docs/api.md, not taken from the extension, so that both can be
// compared.

import { createHash } from "node:crypto";

/** The text as both sides hash it: one kind of line end, no lone surrogates, nothing trimmed. */
export function canonical(text: string): string {
  return text.replace(/\r\n?/g, "\n").toWellFormed();
}

/** First 128 bits of SHA-256 over the canonical text, base64url without padding. */
export function textHash(text: string): string {
  return createHash("sha256").update(canonical(text), "utf8").digest().subarray(0, 16).toString("base64url");
}

/** The name-based UUID (version 5) of RFC 9562. */
export function uuid5(namespace: string, name: string): string {
  const space = Buffer.from(namespace.replaceAll("-", ""), "hex");
  const bytes = createHash("sha1").update(space).update(name, "utf8").digest().subarray(0, 16);
  bytes[6] = (bytes[6] & 0x0f) | 0x50;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
