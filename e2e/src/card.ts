// Cards for the tests: a template, greetings, and a description that shows the state to the model in every
// way there is.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { State } from "./model.ts";

export interface Card {
  name: string;
  template: State;
  /** The first one is `first_mes`. */
  greetings: string[];
}

/** Shows the state to the model as macro, as one value and as chat variable. */
export const description = "STATE={{vs_stat_data}}#GOLD={{vs_get::角色.金币}}#VARIABLE={{getvar::vs_stat_data}}#END";

/** The description for a state (without braces that must be escaped). */
export function shownState(state: State): string {
  const json = JSON.stringify(state);
  const gold = (state["角色"] as State | undefined)?.["金币"];
  return `STATE=${json}#GOLD=${gold === undefined ? "" : String(gold)}#VARIABLE=${json}#END`;
}

/** The part of a prompt that shows the state. */
export function stateIn(prompt: string): string {
  return /STATE=[\s\S]*#END/.exec(prompt)?.[0] ?? "(no state in the prompt)";
}

/** Writes the card as a file that the host can import. */
export function writeCard(card: Card, folder: string): string {
  const file = join(folder, `${card.name}.json`);
  const [first, ...others] = card.greetings;
  const data = {
    name: card.name,
    description,
    personality: "",
    scenario: "",
    first_mes: first,
    alternate_greetings: others,
    mes_example: "",
    creator_notes: "",
    system_prompt: "",
    post_history_instructions: "",
    tags: [],
    creator: "",
    character_version: "",
    extensions: { st_var_system: { enabled: true, templateBody: card.template } },
  };
  writeFileSync(file, JSON.stringify({ spec: "chara_card_v2", spec_version: "2.0", data }));
  return file;
}
