// Everything we ask of the host, as an interface. `sillytavern.ts` answers it in the page; unit tests answer it with a fake.
import type { Card } from '../logic/card';
import type { Json } from '../logic/json';
import type { ChatMessage } from '../logic/message';

export type HostEvent =
  | 'CHAT_CHANGED' | 'CHAT_LOADED' | 'MESSAGE_SENT' | 'MESSAGE_RECEIVED' | 'MESSAGE_SWIPED' | 'MESSAGE_SWIPE_DELETED'
  | 'MESSAGE_DELETED' | 'MESSAGE_EDITED' | 'MESSAGE_UPDATED' | 'USER_MESSAGE_RENDERED' | 'CHARACTER_MESSAGE_RENDERED'
  | 'GENERATION_STARTED' | 'GENERATION_AFTER_COMMANDS' | 'GENERATION_ENDED' | 'GENERATION_STOPPED' | 'CHARACTER_EDITED' | 'GROUP_UPDATED';

export type ChatMetadata = Record<string, unknown>;
export type ToastKind = 'info' | 'warning' | 'error' | 'success';

/** The chat that is open. */
export interface OpenChat {
  file: string;
  /** The card's avatar, or the group's id. */
  owner: string;
  group: boolean;
  title: string;
  cards: Card[];
  names: { user: string; char: string };
  /** The card's greeting; empty in groups. */
  firstMessage: string;
}

export interface Host {
  /** The chat that is open, or null on the welcome screen. */
  open(): OpenChat | null;
  /** The live message array. */
  chat(): ChatMessage[];
  /** The live metadata; the host makes a new object for each chat. */
  metadata(): ChatMetadata;
  fileExists(owner: string, file: string): Promise<boolean>;

  generating(): boolean;
  /** The host is in the middle of a swipe. */
  swiping(): boolean;
  /** The user is editing a message. */
  editing(): boolean;

  saveChat(): Promise<void>;
  reloadChat(): Promise<void>;
  renderMessage(floor: number): void;
  /** Switches to a stored page through the host; false if the host cannot (the message is not on screen). */
  swipeTo(floor: number, index: number): Promise<boolean>;

  /**
   * Sets a chat variable without saving the chat.
   *
   * The host's own setter saves a second later whatever goes on; in the middle of a swipe that would write a page number
   * that does not exist.
   */
  setVariable(name: string, value: Json): void;
  /** Returns the chat variable as it is stored. */
  variable(name: string): unknown;
  registerMacros(whole: () => string, path: (path: string) => string): void;
  writeCardField(index: number, name: string, value: object): Promise<void>;

  on(event: HostEvent, listener: (...args: unknown[]) => unknown): void;
  /** Registers a listener that runs after all others. */
  onLast(event: HostEvent, listener: (...args: unknown[]) => unknown): void;
  /** Registers the awaited hook that runs before every prompt. */
  beforePrompt(listener: (type: string) => Promise<void>): void;

  toast(kind: ToastKind, text: string, title: string): void;
  headers(): Record<string, string>;
  language(): 'zh' | 'en';
  /** The element into which the panel goes, or null if this page has none. */
  panelPlace(): HTMLElement | null;
}
