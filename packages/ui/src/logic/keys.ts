// Key bindings. Single keys do nothing in fields, with a modifier, or while an input method is composing.

export type Command = 'previous' | 'next' | 'previousPage' | 'nextPage' | 'goTo' | 'find' | 'onlyChanges' | 'edit' | 'help';

/** Chinese keyboards produce full-width marks for the same keys. */
const COMMANDS: Record<string, Command> = {
  '[': 'previous',
  '【': 'previous',
  ']': 'next',
  '】': 'next',
  ',': 'previousPage',
  '，': 'previousPage',
  '.': 'nextPage',
  '。': 'nextPage',
  g: 'goTo',
  G: 'goTo',
  '/': 'find',
  '、': 'find',
  c: 'onlyChanges',
  C: 'onlyChanges',
  e: 'edit',
  E: 'edit',
  '?': 'help',
  '？': 'help',
};

export interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  isComposing: boolean;
  /** The event target accepts text. */
  inField: boolean;
}

export function commandOf(press: KeyPress): Command | null {
  if (press.inField || press.isComposing || press.ctrlKey || press.metaKey || press.altKey) return null;
  return Object.hasOwn(COMMANDS, press.key) ? (COMMANDS[press.key] ?? null) : null;
}
