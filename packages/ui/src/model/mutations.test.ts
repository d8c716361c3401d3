import { Away, Refused, type BranchEdit, type Edited, type Floor } from 'storeyline-client';
import { expect, test } from 'vitest';
import { recorded } from './fake_engine';
import { Mutations, type Mutation } from './mutations.svelte';
import { Toasts } from './toasts.svelte';

const branch = { story: 's', ref: 'r' };
const DONE: Edited = { operation: 7, ref: 'r', node: 'n', evaluated: [], late: false };

function made(answers: (Edited | Error)[], theirs: Partial<Floor> = {}) {
  const asked: string[] = [];
  const engine = {
    change: (_: unknown, edit: BranchEdit, head: string | null = null) => {
      asked.push(`${edit.kind} on ${head}`);
      const answer = answers.shift() ?? DONE;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
    undo: (_: unknown, operation: number | null = null) => Promise.resolve(void asked.push(`undo ${operation}`)).then(() => DONE),
    floor: () => Promise.resolve({ ...recorded.details[2], page: 'p', ...theirs }),
  };
  const toasts = new Toasts();
  const mutations = new Mutations(engine, toasts, () => Promise.resolve(void asked.push('refresh')));
  return { asked, toasts, mutations };
}

const edit: BranchEdit = { kind: 'set', page: 'p', path: ['gold'], value: 6 };
const mutation: Mutation = { branch, head: 'h', floor: 3, edit, said: (count) => `${count} saved` };
const MOVED = new Refused(409, 'ref_moved', { zh: '动了', en: 'moved' });

test('a change is sent with the head that the user saw, and can be taken back', async () => {
  const { asked, toasts, mutations } = made([]);
  expect(await mutations.apply(mutation)).toBe('saved');
  expect(toasts.shown.map(({ text }) => text)).toEqual(['1 saved']);
  await toasts.undo(toasts.shown[0]!.id);
  expect(asked).toEqual(['set on h', 'refresh', 'undo 7', 'refresh']);
});

test('a branch that moved asks the user, and either side can be kept', async () => {
  const { asked, mutations, toasts } = made([MOVED]);
  expect(await mutations.apply(mutation)).toBe('conflict');
  expect(mutations.conflict?.mutation).toBe(mutation);
  expect(toasts.shown).toEqual([]);
  expect(await mutations.keepMine()).toBe('saved');
  expect(asked).toEqual(['set on h', 'set on null', 'refresh']);
  expect(mutations.conflict).toBeNull();
});

test('an edit of a whole state asks the user if the floor changed since it began, also if this window knows', async () => {
  const whole: Mutation = { ...mutation, edit: { kind: 'override', page: 'p', state: { gold: 6 } }, seen: { gold: 1 } };
  const { asked, mutations } = made([], { state: { gold: 2 } });
  expect(await mutations.apply(whole)).toBe('conflict');
  expect(asked).toEqual([]);
  expect(await mutations.keepMine()).toBe('saved');
  expect(asked).toEqual(['override on null', 'refresh']);
  const unchanged = made([], { state: { gold: 1 } });
  expect(await unchanged.mutations.apply(whole)).toBe('saved');
  expect(unchanged.asked).toEqual(['override on h', 'refresh']);
});

test('without the engine a change waits and is sent once when it is back', async () => {
  const { asked, mutations } = made([new Away('dead')]);
  expect(await mutations.apply(mutation)).toBe('waiting');
  await mutations.resume();
  await mutations.resume();
  expect(asked).toEqual(['set on h', 'set on h', 'refresh']);
  expect(mutations.waiting).toBeNull();
});

test('a change whose answer was lost is not taken for a conflict', async () => {
  const { asked, mutations } = made([new Away('dead'), MOVED], { state: { gold: 6 } });
  await mutations.apply(mutation);
  await mutations.resume();
  expect([mutations.conflict, mutations.waiting]).toEqual([null, null]);
  expect(asked).toEqual(['set on h', 'set on h', 'refresh']);
});

test('another refusal is the caller\'s', async () => {
  const { mutations } = made([new Refused(413, 'too_large', { zh: '大', en: 'large' })]);
  await expect(mutations.apply(mutation)).rejects.toThrow();
  expect(mutations.busy).toBe(false);
});
