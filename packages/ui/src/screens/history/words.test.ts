import { expect, test } from 'vitest';
import type { Schemas } from 'storeyline-client';
import { checkWords } from '../../words/check';
import { operationWords } from './operation_words';
import { HISTORY } from './words';

test('the words of the screen follow the rules', () => {
  checkWords(HISTORY, [[7, 3, 'Main'], [1, 1, 'Main'], ['Main', 2, true], ['cli', 'x', false]]);
});

type Operation = Schemas['Operation'];

const operation = (more: Partial<Operation>): Operation => ({ operation: 4, kind: 'edit', client: 'http', time: 0, undone: false, undoes: null, floors: 0, detail: null, ...more });

test('operations are told in plain words', () => {
  const said = (more: Partial<Operation>) => [operationWords(operation(more), 'en'), operationWords(operation(more), 'zh')];
  expect(said({ kind: 'delete', detail: { floor: 43 }, floors: -88 })).toEqual(['Deleted 88 floors from #43 on', '删除了 #43起的 88 层']);
  expect(said({ kind: 'delete_page', detail: { floor: 120, page: 'x' } })).toEqual(['Deleted a page of #120', '删除了 #120的一页']);
  expect(said({ kind: 'sync', floors: 2 })[0]).toBe('SillyTavern added 2 floors');
  expect(said({ kind: 'change', detail: { before: { name: 'a' }, after: { name: 'b' } } })[0]).toBe('Changed name, note or colour of "b"');
  expect(said({ kind: 'undo', undoes: 3 })[0]).toBe('Undid operation 3');
});

test('a detail that is missing or strange leaves a sentence', () => {
  for (const detail of [null, 'x', [1], { floor: 'many' }, { after: 7 }, { floor: { a: 1 } }] as Operation['detail'][]) {
    for (const kind of ['delete', 'edit', 'graft', 'import', 'move', 'rename'] as const) expect(operationWords(operation({ kind, detail }), 'zh')).not.toBe('');
  }
  expect(operationWords(operation({ kind: 'something new' as Operation['kind'] }), 'en')).toBe('something new');
});
