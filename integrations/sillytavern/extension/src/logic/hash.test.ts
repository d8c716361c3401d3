/// <reference types="node" />
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { base64url, digest128, textHash } from './hash';
import { sha1 } from './sha1';
import { sha256 } from './sha256';
import { canonicalText, utf8 } from './text';
import { CHAT_NAMESPACE, isUuid, uuid4, uuid5 } from './uuid';

// A seeded generator: the same inputs in every run.
function generator(seed: number): () => number {
  let x = seed;
  return () => {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
    return x / 2 ** 32;
  };
}

function randomText(random: () => number): string {
  const pieces = ['a', '金币', '😀', '\r', '\n', '\r\n', '\uD83D', '\uDE00', ' ', '{{user}}', '\0', 'é', '\uFFFD'];
  return Array.from({ length: Math.floor(random() * 80) }, () => pieces[Math.floor(random() * pieces.length)]).join('');
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('digests', () => {
  it('are those of node:crypto for every length around the block size', () => {
    const random = generator(7);
    for (let length = 0; length < 200; length++) {
      const bytes = Uint8Array.from({ length }, () => Math.floor(random() * 256));
      expect(hex(sha256(bytes))).toBe(createHash('sha256').update(bytes).digest('hex'));
      expect(hex(sha1(bytes))).toBe(createHash('sha1').update(bytes).digest('hex'));
    }
  });

  it('agree for a text of a megabyte', () => {
    const bytes = utf8('金币😀'.repeat(100_000));
    expect(hex(sha256(bytes))).toBe(createHash('sha256').update(bytes).digest('hex'));
  });

  it('of texts are taken over the canonical form', () => {
    const random = generator(11);
    for (let i = 0; i < 300; i++) {
      const text = randomText(random);
      const canonical = text.replace(/\r\n?/g, '\n').toWellFormed();
      expect(canonicalText(text)).toBe(canonical);
      const expected = createHash('sha256').update(canonical, 'utf8').digest().subarray(0, 16).toString('base64url');
      expect(textHash(text)).toBe(expected);
      expect(textHash(text)).toHaveLength(22);
    }
  });

  it('do not trim and do not normalise Unicode', () => {
    expect(textHash(' a')).not.toBe(textHash('a'));
    expect(textHash('\u00e9')).not.toBe(textHash('e\u0301'));
    expect(textHash('a\r\nb\rc')).toBe(textHash('a\nb\nc'));
    expect(textHash('\uD83D')).toBe(textHash('\uFFFD'));
  });

  it('are written as base64url like node does', () => {
    const random = generator(3);
    for (let length = 0; length < 40; length++) {
      const bytes = Uint8Array.from({ length }, () => Math.floor(random() * 256));
      expect(base64url(bytes)).toBe(Buffer.from(bytes).toString('base64url'));
    }
    expect(digest128('')).toBe(createHash('sha256').update('').digest().subarray(0, 16).toString('base64url'));
  });
});

describe('uuids', () => {
  it('of version 5 follow RFC 9562', () => {
    expect(uuid5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
    const name = Buffer.concat([Buffer.from(CHAT_NAMESPACE.replaceAll('-', ''), 'hex'), Buffer.from('金币😀')]);
    const bytes = createHash('sha1').update(name).digest().subarray(0, 16);
    expect(uuid5(CHAT_NAMESPACE, '金币😀').slice(0, 8)).toBe(bytes.subarray(0, 4).toString('hex'));
    expect(isUuid(uuid5(CHAT_NAMESPACE, '金币😀'))).toBe(true);
  });

  it('of version 4 are random and well formed', () => {
    const some = new Set(Array.from({ length: 200 }, uuid4));
    expect(some.size).toBe(200);
    for (const id of some) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});
