// UUIDs: version 5 for ids that must be the same on every machine, version 4 for new ones.
// `crypto.randomUUID` does not exist on plain http; `crypto.getRandomValues` does.
import { sha1 } from './sha1';
import { utf8 } from './text';

/** Namespace of chat uids. */
export const CHAT_NAMESPACE = '6f1f5a2e-5d0b-5c5e-9a57-1f0d3a6c7b10';

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Returns the UUID version 5 of a name in a namespace, which is a UUID itself. */
export function uuid5(namespace: string, name: string): string {
  const nameBytes = utf8(name);
  const bytes = new Uint8Array(16 + nameBytes.length);
  bytes.set(uuidBytes(namespace));
  bytes.set(nameBytes, 16);
  return formatUuid(sha1(bytes).subarray(0, 16), 5);
}

export function uuid4(): string {
  return formatUuid(crypto.getRandomValues(new Uint8Array(16)), 4);
}

/** Tells whether a value is a UUID in lower case. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);
}

function formatUuid(bytes: Uint8Array, version: number): string {
  bytes[6] = (bytes[6]! & 0x0f) | (version << 4);
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  let hex = '';
  for (const byte of bytes) hex += HEX[byte];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

function uuidBytes(uuid: string): Uint8Array {
  const hex = uuid.replaceAll('-', '');
  return Uint8Array.from({ length: 16 }, (_, i) => Number.parseInt(hex.slice(i * 2, i * 2 + 2), 16));
}
