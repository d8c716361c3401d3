/// <reference types="node" />
// `corpus/binding`: rules that the engine has too, in Rust; both read the same cases.
import { readFileSync } from 'node:fs';
import type { Role } from 'storeyline-client';
import { describe, expect, it } from 'vitest';
import { bindChat } from './binding';
import { textHash } from './hash';
import { chatRecord, readIdentity, readRecord } from './identity';
import { type ChatMessage, KEY, activePage, boundOn, isHidden, isPending, nameOf, pageCount, pageText, roleOf } from './message';
import { digestChain, rowText } from './rows';
import { canonicalText } from './text';

const cases = <T>(file: string): T[] =>
  JSON.parse(readFileSync(new URL(`../../../../../corpus/binding/${file}`, import.meta.url), 'utf8')) as T[];

describe('texts', () => {
  it.each(cases<{ text: string; canonical: string; h: string }>('texts.json'))('$text', ({ text, canonical, h }) => {
    expect([canonicalText(text), textHash(text)]).toEqual([canonical, h]);
  });
});

describe('messages', () => {
  it.each(cases<{ name: string; message: ChatMessage; row: unknown }>('messages.json'))('$name', ({ message, row }) => {
    const count = pageCount(message);
    const pages = Array.from({ length: count }, (_, page) => [canonicalText(pageText(message, page)), boundOn(message, page)?.id ?? null]);
    const active = isPending(message) ? count - 1 : activePage(message);
    expect({ role: roleOf(message), name: nameOf(message), hidden: isHidden(message), active, pages }).toEqual(row);
  });
});

describe('chats', () => {
  it.each(cases<{ name: string; chat: ChatMessage[]; kept: (string | null)[][] }>('chats.json'))('$name', ({ chat, kept }) => {
    const minted = new Set<string>();
    const newId = (): string => {
      const id = `ffffffff-0000-4000-8000-${String(minted.size).padStart(12, '0')}`;
      minted.add(id);
      return id;
    };
    bindChat(chat, { chatUid: null, group: true, tainted: true, firstMessage: '', chatChanged: true, newId });
    const idOf = (message: ChatMessage, page: number): string | null => {
      const id = boundOn(message, page)!.id;
      return minted.has(id) ? null : id;
    };
    expect(chat.map((message) => Array.from({ length: pageCount(message) }, (_, page) => idOf(message, page)))).toEqual(kept);
  });
});

interface RowCase {
  role: Role;
  name: string;
  hidden: boolean;
  active: number;
  pages: [string, string][];
  text: string;
  digest: string;
}

describe('rows', () => {
  const rows = cases<RowCase>('rows.json');
  const written = rows.map(({ pages, ...row }) => {
    const swipes = pages.map(([id, h]) => ({ id, h }));
    return { text: rowText({ ...row, swipes }) };
  });
  it('are written as text', () => expect(written.map(({ text }) => text)).toEqual(rows.map(({ text }) => text)));
  it('are chained by digests', () => expect(digestChain(written).slice(1)).toEqual(rows.map(({ digest }) => digest)));
});

interface IdentityCase {
  name: string;
  metadata: Record<string, unknown>;
  chat: string;
  parent: string | null;
}

describe('files', () => {
  it.each(cases<IdentityCase>('identities.json'))('$name', ({ metadata, chat, parent }) => {
    const stored = readRecord(metadata[KEY]);
    const integrity = typeof metadata['integrity'] === 'string' ? metadata['integrity'] : null;
    const place = { integrity, file: stored?.file ?? 'new', owner: stored?.owner ?? 'card' };
    const verdict = readIdentity(stored, place);
    expect(verdict).not.toBe('moved');
    const record = chatRecord(verdict as 'same', stored, place, { user: '', char: '' });
    expect([record.chat, record.parent]).toEqual([chat, parent]);
  });
});
