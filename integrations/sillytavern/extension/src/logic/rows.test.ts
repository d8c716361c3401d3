/// <reference types="node" />
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { FakeChat } from './fake-chat';
import { roleOf } from './message';
import { chatRows, commonLength, digestChain } from './rows';

function chat(): FakeChat {
  const fake = new FakeChat();
  fake.greet('hello', 'hi there');
  fake.user('hi');
  fake.reply('reply');
  fake.bind(true);
  return fake;
}

describe('rows', () => {
  it('list every page and say which is active', () => {
    const fake = chat();
    const rows = chatRows(fake.chat)!;
    expect(rows.map(({ row }) => [row.role, row.hidden, row.active, row.swipes.length])).toEqual([
      ['assistant', false, 0, 2], ['user', false, 0, 1], ['assistant', false, 0, 1],
    ]);
    expect(rows.map(({ id }) => id)).toEqual([fake.id(0), fake.id(1), fake.id(2)]);
  });

  it('are chained as docs/api.md says', () => {
    const fake = chat();
    fake.chat[1]!.name = 'lone \uD83D';
    const rows = chatRows(fake.chat)!;
    let expected = '';
    for (const { row } of rows) {
      const name = row.name.replace('\uD83D', '\uFFFD');
      const { id, h } = row.swipes[row.active]!;
      const text = JSON.stringify([id, h, row.role, name, row.hidden, row.active, row.swipes.map(({ id, h }) => [id, h])]);
      expected = createHash('sha256').update(expected + text).digest().subarray(0, 16).toString('base64url');
    }
    const chain = digestChain(rows);
    expect(chain).toHaveLength(4);
    expect(chain[0]).toBe('');
    expect(chain.at(-1)).toBe(expected);
    expect(digestChain(rows, chain.slice(0, 2))).toEqual(chain);
  });

  it('differ where anything the engine is told differs', () => {
    const before = chatRows(chat().chat)!;
    const changes: ((fake: FakeChat) => void)[] = [
      (fake) => (fake.chat[1]!.is_system = true),
      (fake) => (fake.chat[1]!.name = 'Else'),
      (fake) => (fake.chat[1]!.extra!['type'] = 'narrator'),
      (fake) => fake.edit(fake.chat[1]!, 'edited'),
    ];
    const base = chat();
    for (const change of changes) {
      const copy = new FakeChat();
      copy.chat = structuredClone(base.chat);
      copy.facts = base.facts;
      change(copy);
      copy.bind();
      const [left, right] = [chatRows(base.chat)!, chatRows(copy.chat)!];
      expect(commonLength(left, right)).toBe(change === changes[2] ? 3 : 1);
    }
    expect(before).toHaveLength(3);
  });

  it('do not exist while a message is between two steps or has no id', () => {
    const fake = chat();
    fake.chat.push({ mes: 'streaming', extra: {} });
    expect(chatRows(fake.chat)).toBeNull();
    fake.bind();
    expect(chatRows(fake.chat)).not.toBeNull();
    fake.chat[2]!.swipes!.push('reply');
    fake.chat[2]!.swipe_info!.push({ extra: structuredClone(fake.chat[2]!.extra!) });
    expect(chatRows(fake.chat)).toBeNull();
  });

  it('do not exist while a message is being written', () => {
    const fake = chat();
    fake.continue(fake.chat[2]!, ' and so');
    expect(chatRows(fake.chat)).toBeNull();
    fake.bind();
    expect(chatRows(fake.chat)).not.toBeNull();
  });

  it('declare a pending message with its last stored page', () => {
    const fake = chat();
    const before = chatRows(fake.chat)!;
    fake.overSwipe(fake.chat[2]!);
    fake.bind();
    const pending = chatRows(fake.chat)!;
    expect(commonLength(before, pending)).toBe(3);
  });
});

describe('roles', () => {
  it('follow docs/api.md', () => {
    expect(roleOf({ is_user: true, extra: { type: 'narrator' } })).toBe('user');
    expect(roleOf({ extra: { type: 'narrator' } })).toBe('narrator');
    expect(roleOf({ extra: { type: 'summary' } })).toBe('summary');
    expect(roleOf({ extra: { type: 'comment' } })).toBe('other');
    expect(roleOf({ extra: { tool_invocations: [] } })).toBe('other');
    expect(roleOf({ extra: { type: '' } })).toBe('assistant');
    expect(roleOf({ is_system: true })).toBe('assistant');
    expect(roleOf({ extra: null })).toBe('assistant');
  });
});
