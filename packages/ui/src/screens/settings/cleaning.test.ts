import { expect, test } from 'vitest';
import { Cleaning } from './cleaning.svelte';
import { Consents } from './consents.svelte';
import { FakeClient } from './fake';

const branch = { story: 's', title: '雨夜', ref: 'r', name: 'main', file: 'gone', owner: 'aria.png', floors: 12 };
const counted = { operations: 0, nodes: 1, turns: 1, pages: 2, texts: 2, states: 1, values: 1, unfinished: false };

function cleaning() {
  const fake = new FakeClient();
  fake.answers = {
    'post chats/unused': ({ body }) => ['UnusedBranches', { trashed: !(body as { dry_run: boolean }).dry_run, branches: [branch] }],
    'post stories/{story}/refs/{ref}/restore': () => ['Done', { operation: 9 }],
    'post gc': ({ body }) => ['Collected', { dry_run: (body as { dry_run: boolean }).dry_run, refs: 1, ...counted }],
  };
  return { fake, cleaning: new Cleaning(fake.client) };
}

const files = () => Promise.resolve([{ owner: 'aria.png', files: ['a', 'b'] }, { owner: 'locked.png', files: null }]);

test('looking changes nothing; cards that could not be listed are named and not sent', async () => {
  const { cleaning: model, fake } = cleaning();
  await model.look(files);
  expect(fake.bodies).toEqual([{ existing: [{ owner: 'aria.png', files: ['a', 'b'] }], dry_run: true }]);
  expect([model.found?.branches, model.found?.unlisted]).toEqual([[branch], ['locked.png']]);
});

test('removing moves to the trash, and undo restores every branch', async () => {
  const { cleaning: model, fake } = cleaning();
  expect(await model.remove()).toEqual([]);
  await model.look(files);
  const moved = await model.remove();
  expect([moved, model.found?.branches]).toEqual([[branch], []]);
  expect(fake.bodies.at(-1)).toEqual({ existing: [{ owner: 'aria.png', files: ['a', 'b'] }], dry_run: false });
  await model.restore(moved);
  expect(fake.asked.at(-1)).toBe('post stories/{story}/refs/{ref}/restore');
});

test('a list that fails is told, and nothing is asked of the engine', async () => {
  const { cleaning: model, fake } = cleaning();
  await model.look(() => Promise.reject(new Error('the host is gone')));
  expect([fake.asked, model.found, model.trouble?.message.en]).toEqual([[], null, 'The chat files could not be listed.']);
});

test('the trash is counted before it is emptied', async () => {
  const { cleaning: model, fake } = cleaning();
  await model.countTrash();
  expect([model.trash?.refs, model.trash?.dry_run]).toEqual([1, true]);
  await model.emptyTrash();
  expect([model.trash, model.emptied?.dry_run]).toEqual([null, false]);
  expect(fake.bodies).toEqual([true, false].map((dry_run) => ({ dry_run, trash_days: 0, undo_days: 90 })));
});

test('a permission is taken back and given again', async () => {
  const fake = new FakeClient();
  const consent = { card: 'Aria', fingerprint: 'f', allow: true };
  let list = [consent];
  fake.answers = {
    'get cards/consents': () => ['Consents', { consents: list }],
    'post cards/consents': ({ body }) => {
      list = (body as { allow: boolean | null }).allow === null ? [] : [consent];
      return ['Consents', { consents: list }];
    },
  };
  const consents = new Consents(fake.client);
  await consents.open();
  expect(consents.list).toEqual([consent]);
  expect(await consents.decide(consent, null)).toBe(true);
  expect(consents.list).toEqual([]);
  await consents.decide(consent, true);
  expect([consents.list, fake.bodies.at(-1)]).toEqual([[consent], consent]);
});
