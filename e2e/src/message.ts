// A host message, as far as the tests read it. The page's memory and the chat file have the same shape.

import type { Role } from "storeyline-client";

export interface Binding {
  id?: string;
  h?: string;
}

export interface Extra {
  storeyline?: Binding;
  [key: string]: unknown;
}

export interface HostMessage {
  name: string;
  is_user: boolean;
  is_system: boolean;
  mes: string;
  extra?: Extra;
  swipe_id?: number;
  swipes?: string[];
  swipe_info?: { extra?: Extra; [key: string]: unknown }[];
  [key: string]: unknown;
}

export interface ChatMetadata {
  integrity?: string;
  main_chat?: string;
  variables?: Record<string, unknown>;
  storeyline?: { chat?: string; story?: string; [key: string]: unknown };
  [key: string]: unknown;
}

/** An open chat in the page. */
export interface OpenChat {
  file: string | undefined;
  metadata: ChatMetadata;
  messages: HostMessage[];
}

/** Who speaks, as in docs/api.md. */
export function roleOf({ is_user, extra }: HostMessage): Role {
  if (is_user) return "user";
  if (extra?.type === "narrator") return "narrator";
  const named = typeof extra?.type === "string" && extra.type !== "";
  return named || extra?.tool_invocations !== undefined ? "other" : "assistant";
}

/** One alternative of a message: its text and our data on it. */
export interface Slot {
  text: string;
  active: boolean;
  binding: Binding | undefined;
}

/** The alternatives of a message in order; a message without swipes has one. */
export function slots(message: HostMessage): Slot[] {
  const swipes = message.swipes;
  if (swipes === undefined || swipes.length === 0) {
    return [{ text: message.mes, active: true, binding: message.extra?.storeyline }];
  }
  return swipes.map((text, index) => {
    const active = index === message.swipe_id;
    return {
      text: active ? message.mes : text,
      active,
      binding: active ? message.extra?.storeyline : message.swipe_info?.[index]?.extra?.storeyline,
    };
  });
}
