import { expect, test } from 'vitest';
import type { JsonObject } from 'storeyline-client';
import { Drafts, type DraftStore } from '../../model/drafts';
import { FakeClient } from '../../model/fake_client';
import { readObject } from '../../logic/json_problem';
import { TemplateModel, type Version } from './model.svelte';

const VERSIONS = 'get templates/{card}/versions';
const PUT = 'put templates/{card}';

/** An engine with the versions of one template. */
function stage(...states: (JsonObject | null)[]) {
  const fake = new FakeClient();
  let versions: Version[] = [];
  const save = (value: JsonObject | null): { version: number } => {
    versions = [{ version: versions.length + 1, time: 100, value: value as JsonObject }, ...versions];
    return { version: versions.length };
  };
  states.forEach(save);
  fake.answers.set(VERSIONS, () => ({ versions }));
  fake.answers.set(PUT, ({ body }) => save((body as { template: JsonObject }).template));
  fake.answers.set('delete templates/{card}', () => save(null));
  const items = new Map<string, string>();
  const store: DraftStore = { getItem: (key) => items.get(key) ?? null, setItem: (key, text) => void items.set(key, text), removeItem: (key) => void items.delete(key) };
  const open = async (): Promise<TemplateModel> => {
    const model = new TemplateModel(fake.client, new Drafts('local', store), 'Aria.png');
    await model.load();
    return model;
  };
  return { fake, items, open, save, newest: () => versions[0]?.value, count: () => versions.length };
}

test('a card without a template has none; beginning one is not yet saving one', async () => {
  const { open, newest } = stage();
  const model = await open();
  expect([model.exists, model.dirty]).toEqual([false, false]);
  model.fill({});
  expect([model.exists, model.dirty, model.canSave, newest()]).toEqual([true, true, true, undefined]);
  await model.save();
  expect([model.exists, model.dirty, model.done, newest()]).toEqual([true, false, true, {}]);
});

test('edits are saved as a new version', async () => {
  const { open, newest, count, items } = stage({ gold: 1 });
  const model = await open();
  model.change({ gold: 2, hp: 3 });
  expect([model.edited.edits, model.canSave, items.size]).toEqual([2, true, 1]);
  await model.save();
  expect([newest(), count(), model.dirty, items.size]).toEqual([{ gold: 2, hp: 3 }, 2, false, 0]);
  await model.save();
  expect(count()).toBe(2);
});

test('a text that is no JSON is not saved', async () => {
  const { open, count } = stage({ gold: 1 });
  const model = await open();
  const read = readObject('{"gold": ');
  model.edited.tell('problem' in read ? read.problem : null);
  await model.save();
  expect([model.canSave, model.dirty, count()]).toEqual([false, true, 1]);
});

test('a template changed elsewhere is told before saving, and both sides stay', async () => {
  const { open, save, newest, count } = stage({ gold: 1 });
  const model = await open();
  model.change({ gold: 2 });
  save({ gold: 7 });
  await model.save();
  expect([model.conflict?.value, model.edited.value, newest()]).toEqual([{ gold: 7 }, { gold: 2 }, { gold: 7 }]);
  await model.keepMine();
  expect([model.conflict, newest(), count(), model.dirty]).toEqual([null, { gold: 2 }, 3, false]);
});

test('theirs can be taken, and mine is gone then', async () => {
  const { open, save, items, count } = stage({ gold: 1 });
  const model = await open();
  model.change({ gold: 2 });
  save({ gold: 7 });
  await model.load();
  expect(model.conflict).not.toBeNull();
  model.takeTheirs();
  expect([model.edited.value, model.dirty, items.size, count()]).toEqual([{ gold: 7 }, false, 0, 2]);
});

test('without edits the change of another window is shown', async () => {
  const { open, save } = stage({ gold: 1 });
  const model = await open();
  save({ gold: 7 });
  await model.load();
  expect([model.edited.value, model.conflict]).toEqual([{ gold: 7 }, null]);
});

test('a draft survives a reload; on an older version it is a conflict', async () => {
  const { open, save } = stage({ gold: 1 });
  (await open()).change({ gold: 2 });
  const again = await open();
  expect([again.edited.value, again.dirty, again.conflict]).toEqual([{ gold: 2 }, true, null]);
  save({ gold: 7 });
  const third = await open();
  expect([third.edited.value, third.conflict?.value]).toEqual([{ gold: 2 }, { gold: 7 }]);
});

test('an engine that is away keeps the edits and gets them once when it is back', async () => {
  const { fake, open, count, newest } = stage({ gold: 1 });
  const model = await open();
  model.change({ gold: 2 });
  fake.trouble = 'away';
  await model.save();
  expect([model.trouble?.away, model.waiting, model.edited.value, model.saving]).toEqual([true, true, { gold: 2 }, false]);
  fake.trouble = 'none';
  await model.back();
  await model.back();
  expect([model.trouble, count(), newest()]).toEqual([null, 2, { gold: 2 }]);
});

test('a save whose answer was lost is not saved twice', async () => {
  const { open, save, count } = stage({ gold: 1 });
  const model = await open();
  model.change({ gold: 2 });
  save({ gold: 2 });
  await model.save();
  expect([count(), model.conflict, model.done, model.dirty]).toEqual([2, null, true, false]);
});

test('a refusal keeps the edits and says why', async () => {
  const { fake, open } = stage({ gold: 1 });
  const model = await open();
  model.change({ gold: 2 });
  fake.trouble = 'refused';
  await model.save();
  expect([model.trouble?.message.en, model.trouble?.hint?.en, model.waiting, model.edited.value]).toEqual(['too large', 'smaller', false, { gold: 2 }]);
});

test('a removed template can be brought back', async () => {
  const { open, newest } = stage({ gold: 1 });
  const model = await open();
  const before = await model.remove();
  expect([before, model.exists, newest()]).toEqual([{ gold: 1 }, false, null]);
  await model.bringBack(before!);
  expect([model.exists, newest(), model.edited.value, model.dirty]).toEqual([true, { gold: 1 }, { gold: 1 }, false]);
});
