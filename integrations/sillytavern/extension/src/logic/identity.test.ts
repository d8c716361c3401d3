import { describe, expect, it } from 'vitest';
import { type ChatRecord, chatRecord, decideMoved, readIdentity, readRecord } from './identity';
import { CHAT_NAMESPACE, isUuid, uuid5 } from './uuid';

const NAMES = { user: 'You', char: 'Aria' };
const place = { integrity: 'slug-1', file: 'Aria - 1', owner: 'aria.png' };
const stored: ChatRecord = {
  ...chatRecord('new', null, place, NAMES), story: '11111111-1111-4111-8111-111111111111', base: 'abc',
};

describe('chat identity', () => {
  it('of a new chat comes from the integrity slug', () => {
    expect(readIdentity(null, place)).toBe('new');
    expect(stored.chat).toBe(uuid5(CHAT_NAMESPACE, 'slug-1'));
    expect(stored).toMatchObject({ parent: null, user: 'You', char: 'Aria', file: 'Aria - 1', owner: 'aria.png' });
  });

  it('stays on reload', () => {
    expect(readIdentity(stored, place)).toBe('same');
    expect(chatRecord('same', stored, place, { user: 'Other', char: 'Other' })).toEqual(stored);
  });

  it('changes for a branch, which knows its parent and starts without a base', () => {
    const branch = { ...place, integrity: 'slug-2', file: 'Branch #1' };
    expect(readIdentity(stored, branch)).toBe('branch');
    expect(chatRecord('branch', stored, branch, NAMES)).toMatchObject({
      chat: uuid5(CHAT_NAMESPACE, 'slug-2'), parent: stored.chat, base: null, story: stored.story,
    });
  });

  it('of a moved chat depends on whether the old file still exists', () => {
    for (const moved of [{ ...place, file: 'renamed' }, { ...place, owner: 'group-1' }]) {
      expect(readIdentity(stored, moved)).toBe('moved');
    }
    const renamed = { ...place, file: 'renamed' };
    expect(decideMoved(false)).toBe('renamed');
    expect(chatRecord('renamed', stored, renamed, NAMES)).toEqual({ ...stored, file: 'renamed' });
    expect(decideMoved(true)).toBe('copy');
    const copy = chatRecord('copy', stored, renamed, NAMES);
    expect(copy.chat).not.toBe(stored.chat);
    expect(isUuid(copy.chat)).toBe(true);
    expect(copy).toMatchObject({ parent: stored.chat, file: 'renamed', base: null });
  });

  it('is not read from nonsense', () => {
    for (const value of [null, 5, 'x', {}, { chat: 'no uuid' }, []]) expect(readRecord(value)).toBeNull();
    expect(readRecord(JSON.parse(JSON.stringify(stored)))).toEqual(stored);
  });
});
