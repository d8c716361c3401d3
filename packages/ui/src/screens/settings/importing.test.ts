import { Refused } from 'storeyline-client';
import { expect, test } from 'vitest';
import { FakeClient } from './fake';
import { Importing, type GivenFile } from './importing.svelte';

const STORY = '00000000-0000-4000-8000-000000000001';
const initial = { enabled: true, profile: 'mvu', reason: { zh: '有 [initvar]', en: '[initvar] found' }, state: {}, locked: false, functions: [], sources: [], diagnostics: [] };
const done = { story: STORY, ref: 'r', file: 'a', floors: 3, pages: 4, new_pages: 4, evaluated: 4, stored: { found: 2, overridden: [], differing: [2] }, diagnostics: [], notices: [], initial };

function file(name: string, text: string, size = text.length): GivenFile {
  return { name, size, text: () => Promise.resolve(text), arrayBuffer: () => Promise.resolve(new TextEncoder().encode(text).buffer as ArrayBuffer) };
}

function importing() {
  const fake = new FakeClient();
  fake.answers = {
    'post replay': () => ['Replayed', { initial, floors: [], state: {}, stored: { found: 26, overridden: [], differing: [40, 42] } }],
    'post import': () => ['Imported', { stories: [{ story: STORY, refs: [done] }], broken: [] }],
    'delete stories/{story}': () => ['Done', { operation: 1 }],
  };
  return { fake, model: new Importing(fake.client) };
}

test('files are tried before anything is written; a card counts for all chats', async () => {
  const { model, fake } = importing();
  await model.look([file('a.jsonl', '\ufeff{"x":1}\n'), file('Aria.png', '\u0001\u0002'), file('note.txt', 'x')]);
  expect(fake.asked).toEqual(['post replay']);
  expect(fake.bodies).toEqual([{ text: '{"x":1}\n', file: 'a', card: { png: 'AQI=' } }]);
  expect([model.wrong, model.card?.name, model.ready.length]).toEqual([['note.txt'], 'Aria.png', 1]);
  expect(model.chats[0]?.outlook).toEqual({ floors: 0, calls: 0, failed: 0, profile: 'mvu', reason: initial.reason, stored: 26, differing: [40, 42] });
});

test('the report names the floors that differ, and undo takes new stories back', async () => {
  const { model, fake } = importing();
  await model.look([file('a.jsonl', '{"swipe_info":[{"st_var_system_snapshot_id":"1"}]}')]);
  expect(model.chats[0]?.varsystem).toBe(true);
  model.trust = true;
  expect(await model.importAll()).toEqual([STORY]);
  expect((fake.bodies.at(-1) as { trust_stored: boolean }).trust_stored).toBe(true);
  expect([model.chats[0]?.done?.[0]?.stored.differing, model.ready]).toEqual([[2], []]);
  await model.takeBack([STORY]);
  expect([fake.asked.at(-1), model.chats]).toEqual(['delete stories/{story}', []]);
});

test('one bad file is told and does not stop the others', async () => {
  const { model, fake } = importing();
  const replay = fake.answers['post replay']!;
  fake.answers['post replay'] = (given) => {
    if ((given.body as { file: string }).file === 'bad') throw new Refused(400, 'bad_request', { zh: '不是聊天', en: 'no chat' });
    return replay(given);
  };
  await model.look([file('bad.jsonl', 'x'), file('a.jsonl', '{}')]);
  expect(model.chats.map((chat) => [chat.name, chat.trouble?.message.en ?? null])).toEqual([['bad', 'no chat'], ['a', null]]);
  expect(model.ready.map((chat) => chat.name)).toEqual(['a']);
});

test('a broken card or one that is too large is no card', async () => {
  const { model, fake } = importing();
  await model.look([file('card.json', '{"a":'), file('huge.png', '', 1e9), file('huge.jsonl', '', 1e9)]);
  expect([model.wrong, model.card, fake.asked]).toEqual([['card.json', 'huge.png', 'huge.jsonl'], null, []]);
});
