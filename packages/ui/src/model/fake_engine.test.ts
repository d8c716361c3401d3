import { differences } from 'storeyline-client/testing';
import { expect, test } from 'vitest';
import { FakeEngine, MAIN, STORY, pageId, recorded } from './fake_engine';

test('the recording is as the description says', () => {
  expect(recorded.stories.flatMap((story) => differences('Story', story))).toEqual([]);
  expect(differences('Floors', recorded.floors)).toEqual([]);
  expect(recorded.details.flatMap((floor) => differences('Floor', floor))).toEqual([]);
});

test('every answer of the fake engine is as the description says', async () => {
  const engine = new FakeEngine('aua3');
  const branch = { story: STORY, ref: MAIN };
  expect(differences('Stories', { stories: await engine.stories() })).toEqual([]);
  expect(differences('Floors', await engine.floors(branch, 0, 200))).toEqual([]);
  expect(differences('Floor', await engine.floor(branch, 1))).toEqual([]);
  expect(differences('Floor', await engine.floor(branch, 2, pageId(2, 1)))).toEqual([]);
  expect(differences('Causes', await engine.causes(branch, 2, [['7'], ['a', 0]]))).toEqual([]);
  expect(differences('Edited', await engine.change(branch, { kind: 'select', page: pageId(2, 1) }))).toEqual([]);
  expect(differences('LastOperation', await engine.changes(null, null, 0))).toEqual([]);
});
