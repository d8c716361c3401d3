// What the Template screen finds out about a template.
import type { Call, Json, JsonObject, Path, Story } from 'storeyline-client';
import { countValues, valueAt } from '../../logic/json_edit';
import { findMvu, type MvuFindings } from '../../logic/mvu';
import { isObject, pathText, valueText } from '../../logic/value_text';

/** The card's name as people know it: without the ending of its file. */
export function cardLabel(card: string): string {
  return card.replace(/\.(png|webp|json)$/i, '');
}

/** All cards that can be chosen: the open one first, then those of stories and of templates. */
export function cardsOf(open: string | null, stories: readonly Story[], withTemplate: readonly string[]): string[] {
  const all = [open ?? '', ...stories.map((story) => story.card), ...withTemplate];
  return [...new Set(all)].filter((card) => card !== '');
}

export function runningStories(stories: readonly Story[], card: string): number {
  return stories.filter((story) => story.card === card).length;
}

/** A value that replies count with although the template does not have it. */
export interface Missing {
  path: Path;
  /** The call as written, without its prefix. */
  by: string;
}

/** Calls that need a number to begin with. */
const COUNTING = /^(?:[@_]\.)?(add|sub|inc|dec|mul|div|增加|减少)$/i;

export function missingValues(calls: readonly Call[], template: JsonObject): Missing[] {
  const found = new Map<string, Missing>();
  for (const call of calls) {
    if (!COUNTING.test(call.name)) continue;
    for (const op of call.ops) {
      if (op.kind !== 'added') continue;
      for (const path of numbersIn(op.path, op.new)) {
        if (valueAt(template, path) === undefined) found.set(pathText(path), { path, by: call.name.replace(/^[@_]\./, '') });
      }
    }
  }
  return [...found.values()];
}

/** A call that counts creates the objects on its way; the number is inside. */
function numbersIn(path: Path, value: Json | undefined): Path[] {
  if (!isObject(value)) return [path];
  return Object.entries(value).flatMap(([key, inner]) => numbersIn([...path, key], inner));
}

export interface Facts {
  values: number;
  mvu: MvuFindings;
  missing: Missing[];
}

export function factsOf(template: JsonObject, calls: readonly Call[]): Facts {
  const values = Object.keys(template).length === 0 ? 0 : countValues(template);
  return { values, mvu: findMvu(template), missing: missingValues(calls, template) };
}

export function hintCount({ mvu, missing }: Facts): number {
  return missing.length + Number(mvu.metadata > 0 || mvu.record) + Number(mvu.pairs > 0);
}

/** What a greeting sets: `SET 世界.地点 = "酒馆"`, shortened. */
export function greetingEffects(calls: readonly Call[]): string[] {
  return calls.flatMap((call) => call.ops.map((op) => `${call.name.replace(/^[@_]\./, '')} ${pathText(op.path)}${op.kind === 'removed' ? '' : ` = ${valueText(op.new)}`}`));
}
