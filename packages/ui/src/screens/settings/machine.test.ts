import { expect, test } from 'vitest';
import { FakeClient } from './fake';
import { Settings } from './model.svelte';

/** What is answered only to the owner who runs the engine. */
const LOCAL_ONLY = ['post backup', 'post search/index', 'post links', 'post verify'];

function machineOf(owner: string) {
  const fake = new FakeClient();
  const local = owner === 'local';
  const search = { on: false, texts: 0, bytes: 0 };
  let tokens = [{ token: 't1', owner, made: 1, used: 2, expires: 3, current: true }];
  const counts = { stories: 3, refs: 1, floors: 1, nodes: 1, pages: 1, states: 1, operations: 1 };
  fake.answers = {
    'get status': () => ['Status', { version: '0.1.0', layout: 1, wal: true, owner, last: '1', search, ...(local ? { data: '/data', file_bytes: 5_000_000 } : {}) }],
    'get stats': () => ['Stats', counts],
    'get tokens': () => ['Tokens', { tokens }],
    'get cards/consents': () => ['Consents', { consents: [] }],
    'post backup': () => ['BackedUp', { file: 'storeyline.db', bytes: 10 }],
    'post search/index': () => ['SearchIndex', { on: true, texts: 7, bytes: 100 }],
    'delete tokens/{token}': () => {
      tokens = [];
      return ['Withdrawn', { withdrawn: 't1' }];
    },
  };
  return { fake, settings: new Settings(fake.client) };
}

test('the owner of the machine sees its folder and size, makes backups and switches the index', async () => {
  const { settings, fake } = machineOf('local');
  await settings.open();
  const { machine } = settings;
  expect([machine.local, machine.status?.data, machine.status?.file_bytes, machine.stories]).toEqual([true, '/data', 5_000_000, 3]);
  expect(machine.latency).toBeGreaterThan(0);
  await machine.backUp();
  expect(machine.backup?.file).toBe('storeyline.db');
  await machine.switchSearch(true);
  expect(machine.status?.search).toEqual({ on: true, texts: 7, bytes: 100 });
  expect(fake.asked.filter((name) => LOCAL_ONLY.includes(name))).toEqual(['post backup', 'post search/index']);
});

test('another owner causes no request that is for the owner of the machine only', async () => {
  const { settings, fake } = machineOf('host-bert');
  await settings.open();
  const { machine } = settings;
  expect([machine.local, machine.status?.data, machine.tokens.length]).toEqual([false, undefined, 1]);
  await machine.backUp();
  await machine.switchSearch(true);
  await machine.open();
  expect(fake.asked.filter((name) => LOCAL_ONLY.includes(name))).toEqual([]);
  expect([machine.backup, machine.trouble]).toEqual([null, null]);
});

test('an owner who is not known yet is not taken for the owner of the machine', async () => {
  const { settings, fake } = machineOf('local');
  fake.trouble = 'away';
  await settings.open();
  await settings.machine.backUp();
  expect(fake.asked).not.toContain('post backup');
  expect(settings.machine.trouble?.message.zh).toContain('引擎未连接');
});

test('a token is withdrawn and the list read again', async () => {
  const { settings } = machineOf('host-bert');
  await settings.open();
  await settings.machine.withdraw('t1');
  expect(settings.machine.tokens).toEqual([]);
});
