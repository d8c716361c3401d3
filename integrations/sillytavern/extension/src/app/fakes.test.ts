/// <reference types="node" />
import { type Schemas } from 'storeyline-client';
import { differences } from 'storeyline-client/testing';
import { expect, test } from 'vitest';
import { chatRows } from '../logic/rows';
import { buildRequest, newMemory } from '../logic/plan';
import { FakeChat } from '../logic/fake-chat';
import { FakeEngine } from './fakes';

function request() {
  const fake = new FakeChat();
  fake.greet('hello');
  fake.bind(true);
  const options = { chat: 'c', names: { user: 'u', char: 'c' }, needed: new Set<string>(), whole: false, freshState: false };
  return buildRequest(newMemory(null), chatRows(fake.chat)!, fake.chat, options);
}

test('what the extension declares has the fields that the engine reads, and no other', () => {
  expect(differences('Sync', request())).toEqual([]);
});

test('every answer of the fake engine is as the description says', async () => {
  const engine = new FakeEngine();
  const said: [keyof Schemas, unknown][] = [
    ['OpenedChat', await engine.declareChat({ chat: 'c' })],
    ['SyncAnswer', await engine.sync({ ...request(), messages: {} })],
    ['SyncAnswer', await engine.sync(request())],
    ['CastBeginning', await engine.lookAtCards()],
    ['Consents', await engine.decideFunctions()],
    ['Imported', await engine.importFile()],
    ['Forgotten', await engine.forgetFiles()],
    ['NewHostFile', await engine.fileOfBranch()],
    ['StoryDetail', await engine.story()],
    ['Floors', await engine.floors()],
    ['Edited', await engine.change()],
    ['Reprocessed', await engine.reprocess()],
    ['MadeRef', await engine.createBranch()],
    ['Done', await engine.switchBranch()],
    ['Evaluation', await engine.evaluate()],
    ['ReportedCarried', await engine.reportCarried()],
  ];
  for (const [schema, answer] of said) expect(differences(schema, answer)).toEqual([]);
});
