// The checker of the binding rule, independent of the extension: its own hashes, its own file parser. It
// requires, of the page's memory and of the file on disk, that every page has an id of its own permanently,
// and that the chat has the layout given by the test. Everything here returns a list of problems as
// sentences.

import { canonical, textHash } from "./hash.ts";
import { type Floor, roleOfLabel } from "./layout.ts";
import { type HostMessage, roleOf, slots } from "./message.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[45][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * Checks what holds for every chat at rest: ids everywhere, hashes correct, the mirror equal, no id twice.
 */
export function bindingProblems(messages: HostMessage[]): string[] {
  const problems: string[] = [];
  const seen = new Map<string, string>();
  for (const [floor, message] of messages.entries()) {
    for (const [page, slot] of slots(message).entries()) {
      const where = `floor ${floor} page ${page}`;
      const { id, h } = slot.binding ?? {};
      if (id === undefined || !uuid.test(id)) {
        problems.push(`${where}: no id (${JSON.stringify(slot.binding)})`);
        continue;
      }
      if (h !== textHash(slot.text)) problems.push(`${where}: h ${h} is not the hash of ${JSON.stringify(slot.text)}`);
      const other = seen.get(id);
      if (other !== undefined) problems.push(`${where}: has the id of ${other}`);
      seen.set(id, where);
    }
    problems.push(...mirrorProblems(floor, message));
  }
  return problems;
}

function mirrorProblems(floor: number, message: HostMessage): string[] {
  if (message.swipes === undefined || message.swipe_id === undefined) return [];
  if (message.swipe_id >= message.swipes.length) return [`floor ${floor}: a page is still being made`];
  const own = message.extra?.storeyline;
  const mirror = message.swipe_info?.[message.swipe_id]?.extra?.storeyline;
  if (own?.id === mirror?.id && own?.h === mirror?.h) return [];
  return [`floor ${floor}: extra has ${JSON.stringify(own)}, the shown swipe_info has ${JSON.stringify(mirror)}`];
}

/** Checks that the messages are the same, field by field, on disk and in memory. */
export function fileProblems(memory: HostMessage[], file: HostMessage[]): string[] {
  if (memory.length !== file.length) return [`the file has ${file.length} messages, the page ${memory.length}`];
  return memory.flatMap((message, floor) => {
    const keys = new Set([...Object.keys(message), ...Object.keys(file[floor])]);
    const differs = [...keys].filter((key) => !same(withoutFilling(message[key]), withoutFilling(file[floor][key])));
    return differs.map((key) => `floor ${floor}: ${key} on disk ${short(file[floor][key])}, in memory ${short(message[key])}`);
  });
}

/** Remembers id and text of each label, and reports where a chat differs from a layout. */
export class Labels {
  private readonly ids = new Map<string, string>();
  private readonly texts = new Map<string, string>();

  constructor(private readonly names: { user: string; char: string }) {}

  /** Sets the texts of pages: new ones, and those that the step changes. */
  say(texts: Record<string, string>): void {
    for (const [label, text] of Object.entries(texts)) this.texts.set(label, text);
  }

  /** The text of a page as evaluation and the model see it. */
  text(label: string): string {
    const text = this.texts.get(label);
    if (text === undefined) throw new Error(`the test does not say what page ${label} says`);
    return text.replaceAll("{{user}}", this.names.user).replaceAll("{{char}}", this.names.char);
  }

  id(label: string): string {
    const id = this.ids.get(label);
    if (id === undefined) throw new Error(`page ${label} was never seen`);
    return id;
  }

  /** Tells whether some label has, or once had, this id. */
  knows(id: string): boolean {
    return [...this.ids.values()].includes(id);
  }

  /** Learns the ids of labels that are new in this layout. Call only for a chat without binding problems. */
  learn(messages: HostMessage[], floors: Floor[]): void {
    for (const { label, id } of this.pairs(messages, floors)) if (!this.ids.has(label)) this.ids.set(label, id);
  }

  problems(messages: HostMessage[], floors: Floor[]): string[] {
    const shape = this.shapeProblems(messages, floors);
    return shape.length > 0 ? shape : [...this.idProblems(messages, floors), ...this.textProblems(messages, floors)];
  }

  private shapeProblems(messages: HostMessage[], floors: Floor[]): string[] {
    if (messages.length !== floors.length) return [`${messages.length} floors instead of ${floors.length}`];
    return floors.flatMap(({ labels, active }, floor) => {
      const pages = slots(messages[floor]);
      const problems: string[] = [];
      if (pages.length !== labels.length) problems.push(`floor ${floor}: ${pages.length} pages instead of ${labels.join(" ")}`);
      const shown = pages.findIndex((page) => page.active);
      if (shown !== active) problems.push(`floor ${floor}: page ${shown} is shown instead of ${active}`);
      const role = roleOf(messages[floor]);
      if (role !== roleOfLabel(labels[0])) problems.push(`floor ${floor}: is ${role}, and ${labels[0]} is not`);
      return problems;
    });
  }

  private idProblems(messages: HostMessage[], floors: Floor[]): string[] {
    const owners = new Map([...this.ids].map(([label, id]) => [id, label]));
    return this.pairs(messages, floors).flatMap(({ label, id }) => {
      const known = this.ids.get(label);
      if (known !== undefined && known !== id) return [`${label} lost its id ${known}, it has ${id}`];
      const owner = owners.get(id);
      if (owner !== undefined && owner !== label) return [`${label} has the id of ${owner}`];
      return [];
    });
  }

  private textProblems(messages: HostMessage[], floors: Floor[]): string[] {
    return floors.flatMap(({ labels }, floor) =>
      slots(messages[floor]).flatMap(({ text }, page) => {
        const label = labels[page];
        // The host resolves macros of greetings at any time; both texts are that page.
        if (same(text, this.text(label)) || same(text, this.texts.get(label))) return [];
        return [`${label} says ${JSON.stringify(text)} instead of ${JSON.stringify(this.texts.get(label))}`];
      }),
    );
  }

  private pairs(messages: HostMessage[], floors: Floor[]): { label: string; id: string }[] {
    return floors.flatMap(({ labels }, floor) =>
      slots(messages[floor]).map(({ binding }, page) => ({ label: labels[page], id: binding?.id ?? "" })),
    );
  }
}

/**
 * Compares JSON values: texts by their canonical form, absent and undefined fields as the same, keys in any
 * order.
 */
export function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (typeof value === "string") return canonical(value);
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, sorted(inner)]));
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

/**
 * Drops what the host adds without a meaning in the one tab that acts: an empty reasoning to the message
 * before a reply, an empty bias to an edited message. The other tab may have saved the file last.
 */
function withoutFilling(value: unknown): unknown {
  if (value === undefined) return undefined;
  const filling = (key: string, inner: unknown): boolean => (key === "reasoning" && inner === "") || (key === "bias" && inner === null);
  return JSON.parse(JSON.stringify(value, (key, inner: unknown) => (filling(key, inner) ? undefined : inner)));
}
