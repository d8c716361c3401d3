import { expect, it } from 'vitest';
import { opened, rest, withFakeTime } from './play';
import { SchemaMacro } from './schema_macro';

withFakeTime();

async function started(schema: unknown) {
  const all = await opened();
  const asked: string[] = [];
  const answer = { schema };
  Object.assign(all.app.api, { rules: async (story: string) => (asked.push(story), Promise.resolve({ rules: answer.schema === null ? {} : { schema: answer.schema }, from: {} })) });
  const switched = { on: false };
  const macro = new SchemaMacro(all.app, () => switched.on);
  const text = (): string => all.host.macros.get('var_system_schema')!.text('');
  return { ...all, macro, text, asked, answer, switched };
}

it('is empty and asks nothing while it is off, and gives the schema when it is on', async () => {
  const { macro, text, asked, switched } = await started({ type: 'object', properties: { '{{user}}': { enum: ['<USER>'] } } });
  macro.update();
  await rest(10);
  expect([text(), asked]).toEqual(['', []]);
  switched.on = true;
  macro.update();
  await rest(10);
  expect(asked).toEqual(['story']);
  expect(JSON.parse(text())).toEqual({ type: 'object', properties: { '{{user}}': { enum: ['<USER>'] } } });
  expect(text()).not.toMatch(/\{\{[^"]|<user>/i);
  macro.update();
  await rest(10);
  expect(asked.length).toBe(1);
  switched.on = false;
  expect(text()).toBe('');
});

it('a schema that was changed or removed here is read again, and a closed chat has none', async () => {
  const { app, macro, text, answer, switched } = await started({ type: 'object' });
  switched.on = true;
  macro.update();
  await rest(10);
  answer.schema = null;
  macro.update(true);
  await rest(10);
  expect(text()).toBe('');
  answer.schema = { type: 'object' };
  macro.update(true);
  await rest(10);
  expect(text()).toBe('{"type":"object"}');
  app.session = null;
  macro.update();
  expect(text()).toBe('');
});
