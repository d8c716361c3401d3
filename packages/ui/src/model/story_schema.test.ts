import { expect, test } from 'vitest';
import type { JsonObject } from 'storeyline-client';
import { FakeClient } from './fake_client';
import { StorySchema } from './story_schema.svelte';

function opened(schema: JsonObject | null, from: string) {
  const fake = new FakeClient();
  let stored: { schema?: unknown; from: string } = { ...(schema ? { schema } : {}), from };
  const sent: unknown[] = [];
  fake.answers.set('get stories/{story}/rules', () => ({ rules: 'schema' in stored ? { schema: stored.schema } : {}, from: { schema: stored.from } }));
  fake.answers.set('post stories/{story}/rules', ({ body }) => {
    sent.push(body);
    const change = body as { schema?: unknown };
    stored = 'schema' in change && change.schema !== null ? { schema: change.schema, from: 'you' } : { from: 'default' };
    return {};
  });
  return { model: new StorySchema(fake.client), sent };
}

test('a schema is replaced, and what the card says comes back', async () => {
  const { model, sent } = opened(null, 'default');
  await model.open('s');
  expect(model.schema).toBeNull();
  const back = await model.replace({ type: 'object' });
  expect(model.schema).toEqual({ type: 'object' });
  await back();
  expect(model.schema).toBeNull();
  expect(sent).toEqual([{ schema: { type: 'object' } }, { unset: ['schema'] }]);
});

test('a schema that the user chose comes back as it was', async () => {
  const { model, sent } = opened({ properties: {} }, 'you');
  await model.open('s');
  await (await model.replace({ type: 'object' }))();
  expect(sent[1]).toEqual({ schema: { properties: {} } });
});
