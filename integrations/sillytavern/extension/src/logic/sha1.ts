// SHA-1, used only for UUID version 5; nothing here depends on collision resistance. In: bytes. Out: 20
// bytes.
import { paddedTail } from './sha256';

export function sha1(bytes: Uint8Array): Uint8Array {
  const state = new Int32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0]);
  const schedule = new Int32Array(80);
  const whole = bytes.length & ~63;
  for (let at = 0; at < whole; at += 64) compress(state, schedule, bytes, at);
  const tail = paddedTail(bytes, whole);
  for (let at = 0; at < tail.length; at += 64) compress(state, schedule, tail, at);
  const digest = new Uint8Array(20);
  const view = new DataView(digest.buffer);
  state.forEach((word, i) => view.setInt32(i * 4, word));
  return digest;
}

function compress(state: Int32Array, w: Int32Array, block: Uint8Array, at: number): void {
  for (let i = 0, p = at; i < 16; i++, p += 4) {
    w[i] = (block[p]! << 24) | (block[p + 1]! << 16) | (block[p + 2]! << 8) | block[p + 3]!;
  }
  for (let i = 16; i < 80; i++) {
    const x = w[i - 3]! ^ w[i - 8]! ^ w[i - 14]! ^ w[i - 16]!;
    w[i] = (x << 1) | (x >>> 31);
  }
  let a = state[0]!, b = state[1]!, c = state[2]!, d = state[3]!, e = state[4]!;
  for (let i = 0; i < 80; i++) {
    const [mix, k] = round(i, b, c, d);
    const next = (((a << 5) | (a >>> 27)) + mix + e + k + w[i]!) | 0;
    e = d; d = c; c = (b << 30) | (b >>> 2); b = a; a = next;
  }
  state[0] = state[0]! + a; state[1] = state[1]! + b; state[2] = state[2]! + c; state[3] = state[3]! + d; state[4] = state[4]! + e;
}

function round(i: number, b: number, c: number, d: number): [number, number] {
  if (i < 20) return [(b & c) | (~b & d), 0x5a827999];
  if (i < 40) return [b ^ c ^ d, 0x6ed9eba1];
  if (i < 60) return [(b & c) | (b & d) | (c & d), 0x8f1bbcdc];
  return [b ^ c ^ d, 0xca62c1d6];
}
