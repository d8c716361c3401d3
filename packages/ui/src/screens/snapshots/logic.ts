// Lists, filters and files of global snapshots.
import type { Json, JsonObject, Schemas } from 'storeyline-client';
import { readObject, type JsonProblem } from '../../logic/json_problem';
import { isList, isObject, wholeText } from '../../logic/value_text';

export type Line = Schemas['SnapshotLine'];
/** A snapshot as it is saved, with all its labels. */
export type Content = Omit<Required<Schemas['PutSnapshot']>, 'state'> & { state: JsonObject };

/** All tags with how often they are used, the most used first. */
export function tagsOf(lines: readonly Line[]): { tag: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const line of lines) for (const tag of new Set(line.tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].map(([tag, count]) => ({ tag, count })).sort((a, b) => b.count - a.count || a.tag.localeCompare(b.tag));
}

/** Every word must occur in the label, a tag, the description or (where it is known) the content. */
export function matches(line: Line, query: string, content: string | undefined): boolean {
  const hay = [line.name, line.description, ...line.tags].join('\n').toLowerCase();
  return wordsOf(query).every((word) => hay.includes(word) || (content?.includes(word) ?? false));
}

export function wordsOf(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter((word) => word !== '');
}

/** Keys and values as one text to search in. */
export function searchText(state: Json): string {
  return wholeText(state).toLowerCase();
}

/** `town, boss` or `town，boss`; each tag once. */
export function readTags(text: string): string[] {
  return [...new Set(text.split(/[,，;；、\n]/u).map((tag) => tag.trim()).filter((tag) => tag !== ''))];
}

/** One file for one or many, with labels. */
export function exportText(all: readonly Content[]): string {
  const list = all.map(({ name, description, tags, state }): JsonObject => ({ name, description, tags, state }));
  return `${wholeText({ snapshots: list })}\n`;
}

export type Imported = { contents: Content[]; bare: boolean } | { problem: JsonProblem };

/** Reads what `exportText` wrote; any other object is a state that is labelled like its file. */
export function readImport(text: string, file: string): Imported {
  const read = readObject(text);
  if ('problem' in read) return read;
  const list = read.value['snapshots'];
  const contents = isList(list) && list.length > 0 ? list.map(contentOf) : [contentOf(read.value)];
  if (contents.every((one) => one !== null)) return { contents, bare: false };
  return { contents: [{ name: file.replace(/\.json$/i, ''), description: '', tags: [], state: read.value }], bare: true };
}

function contentOf(value: Json): Content | null {
  if (!isObject(value)) return null;
  const { name, state, tags = [], description = '' } = value;
  if (typeof name !== 'string' || name.trim() === '' || !isObject(state)) return null;
  const own = ['name', 'state', 'tags', 'description'];
  if (Object.keys(value).some((key) => !own.includes(key)) || !isList(tags) || typeof description !== 'string') return null;
  return { name, description, tags: tags.filter((tag): tag is string => typeof tag === 'string'), state };
}
