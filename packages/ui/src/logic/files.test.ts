import { expect, test } from 'vitest';
import { fileName, MAX_FILE, readJsonFile } from './files';

const file = (text: string, size = text.length) => ({ name: 'a.json', size, text: async () => text });

test('a file is read as an object, or says where it is none', async () => {
  expect(await readJsonFile(file('\ufeff{"a":1}'))).toEqual({ name: 'a.json', value: { a: 1 } });
  expect(await readJsonFile(file('{"a":\n x}'))).toMatchObject({ problem: { kind: 'syntax', line: 2, column: 2 } });
  expect(await readJsonFile(file('[1]'))).toMatchObject({ problem: { kind: 'shape' } });
});

test('a file that is too large is not read', async () => {
  const large = { ...file('{}', MAX_FILE + 1), text: () => Promise.reject(new Error('read')) };
  expect(await readJsonFile(large)).toEqual({ name: 'a.json', tooLarge: true });
});

test('a name is fit for every file system', () => {
  expect(fileName('Aria: the "gate" / 2?', 'json')).toBe('Aria the gate 2.json');
  expect(fileName('..', 'json')).toBe('storeyline.json');
  expect(fileName('雨夜酒馆', 'json')).toBe('雨夜酒馆.json');
});
