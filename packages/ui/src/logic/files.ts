// Files that the user gives and takes: nothing is sent anywhere.
import type { JsonObject } from 'storeyline-client';
import { readObject, type JsonProblem } from './json_problem';

/** Larger states are refused by the engine in any case. */
export const MAX_FILE = 16 * 1024 * 1024;

export type ReadFile = { name: string; value: JsonObject } | { name: string; problem: JsonProblem } | { name: string; tooLarge: true };

export async function readJsonFile(file: Pick<File, 'name' | 'size' | 'text'>): Promise<ReadFile> {
  if (file.size > MAX_FILE) return { name: file.name, tooLarge: true };
  // A byte order mark, as some editors write, is no part of the JSON.
  const text = (await file.text()).replace(/^\ufeff/, '');
  return { name: file.name, ...readObject(text) };
}

/** A name without what file systems refuse. */
export function fileName(wish: string, ending: string): string {
  const name = wish.replace(/[\s\u0000-\u001f\u007f<>:"/\\|?*]+/g, ' ').trim().slice(0, 80).replace(/[. ]+$/, '');
  return `${name || 'storeyline'}.${ending}`;
}

/** Gives the user a file. */
export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Asks the user for files; an empty list: none was chosen. */
export function chooseFiles(multiple: boolean, accept = '.json,application/json'): Promise<File[]> {
  return new Promise((resolve) => {
    const input = document.createElement('input');
    input.type = 'file';
    input.accept = accept;
    input.multiple = multiple;
    input.addEventListener('change', () => resolve([...(input.files ?? [])]));
    input.addEventListener('cancel', () => resolve([]));
    input.click();
  });
}
