import { expect, test } from 'vitest';
import { exportText, matches, readImport, readTags, searchText, tagsOf, type Line } from './logic';

const line = (name: string, ...tags: string[]): Line => ({ snapshot: name, name, description: '', tags, values: 1, changed: 1 });

test('tags are counted, the most used first', () => {
  expect(tagsOf([line('a', 'town', 'boss'), line('b', 'town', 'town')])).toEqual([{ tag: 'town', count: 2 }, { tag: 'boss', count: 1 }]);
});

test('every word is searched in label, tag and content', () => {
  const city = line('Before the city', 'town');
  expect(matches(city, '', undefined)).toBe(true);
  expect(matches(city, 'CITY town', undefined)).toBe(true);
  expect(matches(city, 'city gate', undefined)).toBe(false);
  expect(matches(city, 'city gate', searchText({ world: { place: 'Gate' } }))).toBe(true);
  expect(matches(city, '世界', searchText({ 世界: 1 }))).toBe(true);
});

test('tags are read from one line, each once', () => {
  expect(readTags(' town, boss，酒馆 、town;; ')).toEqual(['town', 'boss', '酒馆']);
  expect(readTags('')).toEqual([]);
});

test('what was exported is imported as it was, with every digit', () => {
  const text = '{"snapshots":[{"name":"a","description":"d","tags":["t"],"state":{"n":12345678901234567890}}]}';
  const read = readImport(text, 'x.json');
  expect('contents' in read && JSON.stringify(JSON.parse(exportText(read.contents)))).toBe(JSON.stringify(JSON.parse(text)));
  expect('contents' in read && exportText(read.contents)).toContain('12345678901234567890');
});

test('a bare state is labelled like its file; a state with such keys is still a state', () => {
  expect(readImport('{"hp": 1}', '城门.json')).toEqual({ contents: [{ name: '城门', description: '', tags: [], state: { hp: 1 } }], bare: true });
  expect(readImport('{"name": "Aria", "hp": 1}', 'f.json')).toMatchObject({ bare: true });
  expect(readImport('{"snapshots": [1]}', 'f.json')).toMatchObject({ bare: true });
  expect(readImport('{"name": "n", "state": {"hp": 1}}', 'f.json')).toEqual({ contents: [{ name: 'n', description: '', tags: [], state: { hp: 1 } }], bare: false });
});

test('a file that is no JSON object tells where', () => {
  expect(readImport('[1]', 'f.json')).toMatchObject({ problem: { kind: 'shape', line: 1, column: 1 } });
  expect(readImport('{"a":', 'f.json')).toMatchObject({ problem: { kind: 'syntax', column: 6 } });
});
