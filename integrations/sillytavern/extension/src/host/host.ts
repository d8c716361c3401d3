// The interface to the host. `sillytavern.ts` implements it in the page; unit tests use a fake.
import type { Words } from 'storeyline-client';
import type { Card } from '../logic/card';
import type { Json, JsonObject } from '../logic/json';
import type { ChatMessage } from '../logic/message';

export type HostEvent =
  | 'CHAT_CHANGED' | 'CHAT_LOADED' | 'MESSAGE_SENT' | 'MESSAGE_RECEIVED' | 'MESSAGE_SWIPED' | 'MESSAGE_SWIPE_DELETED'
  | 'MESSAGE_DELETED' | 'MESSAGE_EDITED' | 'MESSAGE_UPDATED' | 'USER_MESSAGE_RENDERED' | 'CHARACTER_MESSAGE_RENDERED'
  | 'GENERATION_STARTED' | 'GENERATION_AFTER_COMMANDS' | 'GENERATION_ENDED' | 'GENERATION_STOPPED' | 'CHARACTER_EDITED' | 'GROUP_UPDATED'
  | 'CHAT_DELETED' | 'GROUP_CHAT_DELETED' | 'CHARACTER_DELETED';

export type ChatMetadata = Record<string, unknown>;
export type ToastKind = 'info' | 'warning' | 'error' | 'success';

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

export interface Book {
  name: string;
  book: JsonObject;
}

/** A slash command; `run` gets its text and returns what the command pipes on. */
export interface HostCommand {
  name: string;
  help: Words;
  argument?: { help: Words; required: boolean };
  named?: { name: string; help: Words }[];
  run(text: string, named: Record<string, string>): Promise<string> | string;
}

/** A macro for prompts: `{{name}}`, or `{{name::argument}}` if it has an argument. Answers synchronously. */
export interface HostMacro {
  name: string;
  help: string;
  argument?: { name: string; help: string; optional?: boolean };
  text(argument: string): string;
}

/** A question with buttons that closes by itself when `over` resolves. */
export interface Question {
  text: string;
  buttons: string[];
  over?: Promise<unknown>;
}

export interface Host {
  /** The chat that is open, or null on the welcome screen. */
  open(): OpenChat | null;
  /** The live message array. */
  chat(): ChatMessage[];
  /** The live metadata; the host makes a new object for each chat. */
  metadata(): ChatMetadata;
  fileExists(owner: string, file: string): Promise<boolean>;
  /** Opens another chat file of the card or group that is open; false if it does not exist. */
  openFile(owner: string, file: string): Promise<boolean>;
  /** Writes a new chat file of that card or group. */
  writeFile(owner: string, file: string, header: Json, messages: Json[]): Promise<boolean>;

  /** Returns a complete card, as the host would export it. */
  card(index: number): Promise<JsonObject | null>;
  /** Returns the greetings of a card, as far as the host has loaded it. */
  greetings(index: number): string[];
  /** Returns the chat files of all cards and groups; null for those that could not be listed. */
  allFiles(): Promise<{ owner: string; files: string[] | null }[]>;
  /** Returns the active world books of the open chat: of its cards, of the chat, and the global ones. */
  books(open: OpenChat): Promise<Book[]>;
  /** Adds an entry to the world book of the open card (created if there is none). Returns the book's name. */
  addBookEntry(title: string, content: string): Promise<string | null>;

  /** Our part of the user's settings; call `saveSettings` after a change. */
  settings(): Record<string, unknown>;
  saveSettings(): void;
  /** The settings of another extension, or undefined. */
  foreignSettings(name: string): unknown;
  /** Returns the other systems that keep state in this page. */
  otherKeepers(): Promise<string[]>;

  generating(): boolean;
  /** The host is in the middle of a swipe. */
  swiping(): boolean;
  /**
   * The user has a list of chats or a question open, or a command runs: the open file may be renamed any
   * moment.
   */
  occupied(): boolean;
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
   * The host's own setter saves a second later in any case; in the middle of a swipe that would write a page
   * number that does not exist.
   */
  setVariable(name: string, value: Json): void;
  /** Returns the chat variable as it is stored. */
  variable(name: string): unknown;
  addMacro(macro: HostMacro): void;
  removeMacro(name: string): void;
  addCommand(command: HostCommand): void;
  /** Adds an entry to the menu beside the message input. */
  addMenuItem(id: string, icon: string, text: string, run: () => void): void;
  writeCardField(index: number, name: string, value: object): Promise<void>;
  /** Counts as the host does for its prompts. */
  countTokens(text: string): Promise<number>;

  on(event: HostEvent, listener: (...args: unknown[]) => unknown): void;
  /** Registers a listener that runs after all others. */
  onLast(event: HostEvent, listener: (...args: unknown[]) => unknown): void;
  /** Registers the awaited hook that runs before every prompt. */
  beforePrompt(listener: (type: string, chat: ChatMessage[]) => Promise<void>): void;

  /** Adds a sentence to the next prompt, near its end; an empty one removes it. */
  note(text: string): void;
  /** Emits an event of another system, for scripts that listen. */
  emit(event: string, ...args: unknown[]): Promise<void>;
  /** Listens to an event of another system. */
  onForeign(event: string, listener: (...args: unknown[]) => unknown): void;
  /** Same as `emit`, for an event by which we recognise other systems, so that we do not count ourselves. */
  emitOwn(event: string, ...args: unknown[]): Promise<void>;
  yaml(value: unknown): string;
  /** Offers an object to other scripts under a global name. */
  offer(name: string, value: object | null): void;

  toast(kind: ToastKind, text: string, title: string): void;
  /** Asks a question; returns the index of the button, or null when the question was closed. */
  ask(question: Question): Promise<number | null>;
  headers(): Record<string, string>;
  language(): 'zh' | 'en';
}
