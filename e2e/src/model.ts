// A naive model of the product: what the state must be after each floor. Small enough to be verified by
// reading, and written independently of the engine. It knows two calls and nothing of memos, ids or branches.

import type { Role } from "storeyline-client";

export type State = Record<string, unknown>;

export interface Turn {
  role: Role;
  text: string;
  /** Corrections by the player, oldest first. */
  byHand?: Correction[];
}

export interface Correction {
  path: string;
  value: unknown;
}

const thought = /<think>[\s\S]*?<\/think>/g;
// A reply that was cut off right before its semicolon has the complete call.
const call = /@\.(SET|ADD)\("([^"]+)",\s*(.+?)\)(?:;|$)/g;

/**
 * The state after each turn, starting from the template. User messages and pages that are no part of the
 * story change nothing.
 */
export function statesAlong(template: State, turns: Turn[]): State[] {
  let state = template;
  return turns.map(({ role, text, byHand = [] }) => {
    if (role === "assistant" || role === "narrator") state = after(state, text);
    for (const { path, value } of byHand) {
      state = structuredClone(state);
      put(state, path, () => value);
    }
    return state;
  });
}

function after(before: State, text: string): State {
  const state = structuredClone(before);
  for (const [, name, path, value] of text.replace(thought, "").matchAll(call)) {
    const given: unknown = JSON.parse(value);
    put(state, path, (present) => (name === "SET" ? given : sum(present, given)));
  }
  return state;
}

function put(state: State, path: string, change: (present: unknown) => unknown): void {
  const keys = path.split(".");
  const last = keys.pop() as string;
  const holder = keys.reduce((at, key) => (at[key] ??= {}) as State, state);
  holder[last] = change(holder[last]);
}

/** On a list, adding is appending; a value that is no number is refused. */
function sum(present: unknown, given: unknown): unknown {
  if (Array.isArray(present)) return [...(present as unknown[]), given];
  return typeof given === "number" ? ((present ?? 0) as number) + given : present;
}
