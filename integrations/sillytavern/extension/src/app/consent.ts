// Questions to the user, each asked once: functions of a card, functions of another extension, and which
// system keeps the state if there are two.
import type { HeldFunctions } from 'storeyline-client';
import type { Host, OpenChat } from '../host/host';
import { type Json, isObject } from '../logic/json';
import { WORDS, say } from '../logic/words';
import type { Api } from './api';
import type { Report } from './report';
import type { Settings } from './settings';

const NAMES = 8;

/** Maximum length of a name in a question, in characters. */
const NAME = 60;

/**
 * Asks whether functions may run, and lets the engine store the answer. Returns those that the user allowed.
 */
export async function askFunctions(host: Host, api: Api, held: readonly HeldFunctions[]): Promise<HeldFunctions[]> {
  const allowed: HeldFunctions[] = [];
  for (const one of held) {
    const language = host.language();
    const names = one.names.slice(0, NAMES).map(nameInQuestion).join('、') + (one.names.length > NAMES ? ' …' : '');
    const answer = await host.ask({
      text: say(WORDS.cardFunctions(nameInQuestion(one.card), one.names.length, names), language),
      buttons: [WORDS.notNow, WORDS.allow, WORDS.never].map((words) => say(words, language)),
    });
    if (answer !== 1 && answer !== 2) continue;
    await api.decideFunctions(one.card, one.fingerprint, answer === 1);
    one.refused = answer === 2;
    if (answer === 1) allowed.push(one);
  }
  return allowed;
}

/**
 * Returns a name that a card chose, as it may stand in a question: on one line and short, so that it cannot
 * pretend to be a part of the question.
 */
export function nameInQuestion(name: string): string {
  const line = name.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return [...line].length > NAME ? `${[...line].slice(0, NAME).join('')}…` : line;
}

/** Asks which system keeps the state of a card. Returns whether it is ours. */
export async function askKeeper(host: Host, settings: Settings, open: OpenChat): Promise<boolean> {
  const others = await host.otherKeepers();
  if (others.length === 0) return true;
  const chosen = settings.keeper(open.owner);
  if (chosen) return chosen === 'ours';
  const language = host.language();
  const answer = await host.ask({
    text: say(WORDS.otherKeeper(others.join(', ')), language),
    buttons: [say(WORDS.keepOurs, language), say(WORDS.keepTheirs(others.join(', ')), language)],
  });
  // A closed question changes nothing; the other system was there first.
  if (answer !== null) settings.chooseKeeper(open.owner, answer === 0 ? 'ours' : 'theirs');
  return answer === 0;
}

const FOREIGN = 'foreign functions';

/** Returns the global functions that ST-VarSystem stores in the host's settings, unless they were taken over or declined. */
export function foreignFunctions(host: Host, settings: Settings): Json[] {
  if (settings.has(FOREIGN)) return [];
  const field = host.foreignSettings('st_var_system');
  const list = isObject(field) ? field['functions'] : null;
  return (Array.isArray(list) ? list : isObject(list) ? Object.values(list) : []) as Json[];
}

/** They were taken over or declined, and are not offered again. */
export function settleForeignFunctions(settings: Settings): void {
  settings.firstTime(FOREIGN);
}

/** Tells the user once where they can be taken over. */
export function tellForeignFunctions(host: Host, settings: Settings, report: Report): void {
  const { length } = foreignFunctions(host, settings);
  if (length === 0 || !settings.firstTime(`functions of st_var_system ${length}`)) return;
  report.notices([{ code: 'foreign_functions', message: WORDS.foreignFunctions(length) }]);
}
