import { expect, test } from 'vitest';
import { FakeClient } from './fake';
import { StoryRules } from './rules.svelte';

const STORY = '00000000-0000-4000-8000-000000000001';
const OTHER = '00000000-0000-4000-8000-000000000002';

function opened() {
  const fake = new FakeClient();
  const server = { rules: { profile: 'mvu', user_calls: false, skip_reasoning: true } as Record<string, unknown>, from: { profile: 'card' } as Record<string, string>, policy: 'auto' };
  const detail = { title: 'a', profile: 'mvu', card: '', created: 1, refs: [], trashed: false };
  fake.answers = {
    'get stories/{story}/rules': () => ['Rules', { rules: server.rules, from: server.from }],
    'get stories/{story}': (given) => ['StoryDetail', { ...detail, story: given.params?.path?.['story'], edit_policy: server.policy }],
    'post stories/{story}/rules': (given) => {
      const { unset = [], ...set } = given.body as { unset?: string[] };
      for (const name of unset) [delete server.rules[name], delete server.from[name]];
      for (const [name, value] of Object.entries(set)) [server.rules[name], server.from[name]] = [value, 'you'];
      return ['Done', { operation: 1 }];
    },
    'post stories/{story}': (given) => {
      server.policy = (given.body as { edit_policy: string }).edit_policy;
      return ['Done', { operation: 2 }];
    },
    'post schema/infer': () => ['InferredSchema', { schema: { type: 'object' } }],
  };
  return { fake, server, rules: new StoryRules(fake.client) };
}

test('each setting tells its value and where it comes from; absent ones are as usual', async () => {
  const { rules, server } = opened();
  await rules.open(STORY);
  expect([rules.profile, rules.from('profile'), rules.policy]).toEqual(['mvu', 'card', 'auto']);
  expect([rules.on('enabled'), rules.on('user_calls'), rules.on('skip_reasoning'), rules.on('json_calls')]).toEqual([true, false, true, false]);
  expect([rules.timePath, rules.schema, rules.from('tag_calls')]).toEqual(['', null, 'default']);
  server.rules['enabled'] = 'off';
  await rules.open(STORY);
  expect(rules.on('enabled')).toBe(false);
});

test('a choice has a way back, and older floors are mentioned', async () => {
  const { rules, fake } = opened();
  await rules.open(STORY);
  expect(rules.touched).toBe(false);
  expect(await rules.choose('user_calls', true)).toBe(true);
  expect([rules.on('user_calls'), rules.chosen('user_calls'), rules.touched]).toEqual([true, true, true]);
  await rules.reset('user_calls');
  expect([rules.on('user_calls'), rules.chosen('user_calls')]).toEqual([false, false]);
  expect(fake.bodies).toEqual([{ user_calls: true }, { unset: ['user_calls'] }]);
  await rules.open(OTHER);
  expect(rules.touched).toBe(false);
});

test('the edit policy is set for the story', async () => {
  const { rules, fake } = opened();
  await rules.open(STORY);
  await rules.setPolicy('manual');
  expect([rules.policy, rules.touched]).toEqual(['manual', false]);
  expect(fake.bodies).toEqual([{ edit_policy: 'manual' }]);
});

test('what the engine refuses is told at its setting, and nothing counts as changed', async () => {
  const { rules, fake } = opened();
  await rules.open(STORY);
  fake.trouble = 'refused';
  expect(await rules.choose('time_path', '__proto__')).toBe(false);
  expect([rules.failed, rules.trouble?.message.en, rules.touched, rules.timePath]).toEqual(['time_path', 'no', false, '']);
  fake.trouble = 'away';
  expect(await rules.infer({})).toBeNull();
  expect([rules.failed, rules.trouble?.message.en]).toEqual(['infer', 'Engine not reachable. Nothing was changed.']);
  fake.trouble = 'none';
  expect(await rules.infer({})).toEqual({ type: 'object' });
  expect(rules.trouble).toBeNull();
});

test('a late answer about another story is dropped', async () => {
  const { rules, fake } = opened();
  fake.hold();
  const late = rules.open(STORY);
  const none = rules.open(null);
  fake.release();
  await Promise.all([late, none]);
  expect(rules.loaded).toBe(false);
});
