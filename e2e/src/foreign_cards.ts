// Cards of other systems as their authors write them: MVU, every version of SAM, ST-VarSystem. Each shows its
// state to the model under the names of its own system, and comes with replies in that system's language.

import { writeFileSync } from "node:fs";
import { join } from "node:path";

export interface ForeignCard {
  /** Name of the card, and of the test. */
  name: string;
  profile: string;
  description: string;
  greeting: string;
  entries?: { comment: string; content: string }[];
  extensions?: Record<string, unknown>;
  /** The model's replies, and what the description must show before each reply and after the last. */
  replies: string[];
  shows: string[];
  /** The names that a page offers while such a story is open. */
  offers?: string[];
}

const ship = { ship: { hull: 90, crew: ["Ada", "Bo"] }, credits: 12 };
const sam = { static: ship, time: "", volatile: [], responseSummary: { L1: [], L2: [], L3: [] }, func: [], events: [], event_counter: 0 };
const samDescription = "HULL={{vs_get::static.ship.hull}};DB={{SAM_serialized_db}};#END";
const samShows = (...hulls: number[]): string[] =>
  hulls.map((hull) => `HULL=${hull};DB=${JSON.stringify({ ...ship, ship: { ...ship.ship, hull } }, null, 2)};#END`);
const base = (state: unknown): { comment: string; content: string } => ({ comment: "__SAM_base_data__", content: JSON.stringify(state) });
const identifier = { comment: "__SAM_IDENTIFIER__", content: "[]" };

export const foreignCards: ForeignCard[] = [
  {
    name: "Mvu",
    profile: "mvu",
    description: "GOLD={{get_message_variable::stat_data.主角.金币}};HERO={{format_message_variable::stat_data.主角}};#END",
    greeting: "开始。",
    entries: [{ comment: "[initvar]变量初始化勿开", content: "主角:\n  姓名: 林舟\n  金币: 10\n  $秘密: 1\n" }],
    replies: ["他捡到钱。\n<UpdateVariable>\n_.set('主角.金币', 10, 15);//捡到\n</UpdateVariable>", "又捡到。_.add('主角.金币', 5);"],
    shows: [10, 15, 20].map((gold) => `GOLD=${gold};HERO=姓名: 林舟\n金币: ${gold};#END`),
    offers: ["Mvu"],
  },
  {
    name: "Sam35",
    profile: "sam-3.5",
    description: samDescription,
    greeting: `The ship wakes.\n<!--<|state|>\n${JSON.stringify({ static: ship, time: "", volatile: [], responseSummary: [], func: [] })}\n</|state|>-->`,
    replies: ['A hit.\n@.ADD("ship.hull", -1)', 'Again.\n@.ADD("ship.hull", -2)'],
    shows: samShows(90, 89, 87),
  },
  {
    name: "Sam40",
    profile: "sam-4.0",
    description: samDescription,
    greeting: "The ship wakes.",
    entries: [base({ ...sam, responseSummary: [] })],
    replies: ['A hit. @.ADD("ship.hull", -1);', 'Again @.SET("ship.hull", 80); and on.'],
    shows: samShows(90, 89, 80),
  },
  {
    name: "Sam42",
    profile: "sam-4.2",
    description: samDescription,
    greeting: "The ship wakes.",
    entries: [identifier, base(sam)],
    replies: ['A hit. @.ADD("ship.hull", -1);', 'Again. @.ADD("ship.hull", -2);'],
    shows: samShows(90, 89, 87),
  },
  {
    name: "Sam5",
    profile: "sam-5",
    description: samDescription,
    greeting: "The ship wakes.",
    entries: [identifier, base(sam), { comment: "rules", content: 'Write @.DB({ "$inc": { "ship.hull": -1 } });' }],
    replies: ['A hit. @.DB({ "$inc": { "ship.hull": -1 } });', 'Again. @.DB({ "$set": { "ship.hull": 80 } });'],
    shows: samShows(90, 89, 80),
  },
  {
    name: "Sam6",
    profile: "sam-6",
    description: samDescription,
    greeting: "The ship wakes.",
    entries: [identifier, base(ship)],
    replies: [
      'A hit.\n<JSONPatch>[{"op":"replace","path":"/ship/hull","value":89}]</JSONPatch>',
      'Again.\n<JSONPatch>[{"op":"replace","path":"/ship/hull","value":80}]</JSONPatch>',
    ],
    shows: samShows(90, 89, 80),
  },
  {
    name: "Varsystem",
    profile: "varsystem",
    description: "GOLD={{vs_get::金币}};ALL={{getvar::vs_stat_data}};#END",
    greeting: '开始。例：#set("金币", 10)',
    extensions: { st_var_system: { enabled: true, templateBody: { 金币: 3, 背包: [] } } },
    replies: ['捡到钱。#add("金币", 5)', '买刀。#push_unique("背包", "刀")'],
    shows: [
      'GOLD=10;ALL={"金币":10,"背包":[]};#END',
      'GOLD=15;ALL={"金币":15,"背包":[]};#END',
      'GOLD=15;ALL={"金币":15,"背包":["刀"]};#END',
    ],
  },
];

/** Writes the card as a file that the host can import. */
export function writeForeignCard(card: ForeignCard, folder: string): string {
  const file = join(folder, `${card.name}.json`);
  const entries = (card.entries ?? []).map(({ comment, content }, id) => ({
    id, keys: [], secondary_keys: [], comment, content, constant: true, selective: false, insertion_order: 100, enabled: false, position: "before_char", extensions: {},
  }));
  const data = {
    name: card.name, description: card.description, personality: "", scenario: "", first_mes: card.greeting, alternate_greetings: [], mes_example: "",
    creator_notes: "", system_prompt: "", post_history_instructions: "", tags: [], creator: "", character_version: "",
    extensions: card.extensions ?? {},
    ...(entries.length > 0 ? { character_book: { name: `${card.name} book`, extensions: {}, entries } } : {}),
  };
  writeFileSync(file, JSON.stringify({ spec: "chara_card_v2", spec_version: "2.0", data }));
  return file;
}
