import { expect, test } from 'vitest';
import type { JsonObject } from 'storeyline-client';
import { FakeClient } from '../../model/fake_client';
import type { Content } from './logic';
import { SnapshotsModel } from './model.svelte';

const content = (name: string, state: JsonObject, ...tags: string[]): Content => ({ name, description: '', tags, state });

/** An engine with these snapshots, by id. */
function stage(all: Record<string, Content>) {
  const fake = new FakeClient();
  const kept = new Map(Object.entries(all));
  let templates: { version: number; time: number; value: unknown }[] = [];
  const line = ([snapshot, { name, description, tags }]: [string, Content]) => ({ snapshot, name, description, tags, values: 1, changed: 1, from: null });
  fake.answers.set('get snapshots', () => ({ snapshots: [...kept].map(line) }));
  fake.answers.set('get snapshots/{snapshot}', ({ path }) => ({ snapshot: path['snapshot'], ...kept.get(path['snapshot']!)! }));
  fake.answers.set('put snapshots/{snapshot}', ({ path, body }) => (kept.set(path['snapshot']!, body as Content), { snapshot: path['snapshot'] }));
  fake.answers.set('delete snapshots/{snapshot}', ({ path }) => (kept.delete(path['snapshot']!), { snapshot: path['snapshot'] }));
  fake.answers.set('post snapshots', ({ body }) => (kept.set('new', body as Content), { snapshot: 'new' }));
  fake.answers.set('get templates/{card}/versions', () => ({ versions: templates }));
  fake.answers.set('post snapshots/{snapshot}/template', ({ path }) => {
    templates = [{ version: templates.length + 1, time: 1, value: kept.get(path['snapshot']!)?.state }, ...templates];
    return { version: templates.length };
  });
  fake.answers.set('put templates/{card}', ({ body }) => ((templates = [{ version: 9, time: 1, value: (body as { template: unknown }).template }, ...templates]), { version: 9 }));
  fake.answers.set('delete templates/{card}', () => ((templates = [{ version: 9, time: 1, value: null }, ...templates]), { version: 9 }));
  return { fake, kept, model: new SnapshotsModel(fake.client), template: () => templates[0]?.value };
}

const TWO = { a: content('Before the city', { place: 'gate' }, 'town'), b: content('New game', { place: 'inn', gold: 5 }, 'start') };

test('the list is filtered by tag, label and content', async () => {
  const { model, fake } = stage(TWO);
  await model.load();
  expect(model.shown.map((line) => line.snapshot)).toEqual(['a', 'b']);
  model.tag = 'town';
  expect(model.shown.map((line) => line.snapshot)).toEqual(['a']);
  model.tag = null;
  model.query = 'inn';
  expect(model.shown).toEqual([]);
  await model.search();
  expect([model.shown.map((line) => line.snapshot), model.unread]).toEqual([['b'], 0]);
  const asked = fake.asked.length;
  await model.search();
  expect(fake.asked.length).toBe(asked);
});

test('deleted ones come back under their own ids', async () => {
  const { model, kept } = stage({ ...TWO });
  await model.load();
  await model.choose('a');
  model.mark('a', true);
  const undo = await model.remove(['a', 'b']);
  expect([kept.size, model.shown, model.chosen, model.marked.size]).toEqual([0, [], null, 0]);
  await undo();
  expect([...kept.keys()].sort()).toEqual(['a', 'b']);
  expect(kept.get('a')).toEqual(TWO.a);
});

test('a tag is added to several and taken away again', async () => {
  const { model, kept } = stage({ ...TWO });
  await model.load();
  const undo = await model.addTag(['a', 'b'], 'town');
  expect([kept.get('a')?.tags, kept.get('b')?.tags]).toEqual([['town'], ['start', 'town']]);
  await undo();
  expect(kept.get('b')?.tags).toEqual(['start']);
});

test('a save sees what somebody else saved before', async () => {
  const { model, kept } = stage({ ...TWO });
  await model.load();
  expect(await model.changedElsewhere('a', TWO.a)).toBeNull();
  kept.set('a', content('Before the city', { place: 'market' }, 'town'));
  expect(await model.changedElsewhere('a', TWO.a)).toMatchObject({ state: { place: 'market' } });
});

test('it becomes a template, and the one before comes back', async () => {
  const { model, template } = stage({ ...TWO });
  await model.load();
  const first = await model.toTemplate('a', 'Aria.png');
  const second = await model.toTemplate('b', 'Aria.png');
  expect(template()).toEqual({ place: 'inn', gold: 5 });
  await second();
  expect(template()).toEqual({ place: 'gate' });
  await first();
  expect(template()).toBeNull();
});

test('a failure is told and what is shown stays', async () => {
  const { model, fake } = stage(TWO);
  await model.load();
  fake.trouble = 'refused';
  expect(await model.attempt(async () => void (await model.create(TWO.a)))).toBe(false);
  expect([model.trouble?.message.en, model.shown.length]).toEqual(['too large', 2]);
  fake.trouble = 'away';
  await model.load();
  expect([model.trouble?.away, model.shown.length]).toEqual([true, 2]);
});

test('an entry changed elsewhere is read anew', async () => {
  const { model, kept } = stage({ ...TWO });
  await model.load();
  await model.choose('a');
  kept.set('a', content('Before the city, later', { place: 'market' }, 'town'));
  await model.load();
  expect(model.content).toMatchObject({ name: 'Before the city, later', state: { place: 'market' } });
});
