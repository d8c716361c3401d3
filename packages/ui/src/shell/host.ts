// What only the host can do for the screens. The engine's own page has no host.
import type { Json, RefId, Words } from 'storeyline-client';

/** The card that is open in the host. */
export interface HostCard {
  /** The name of its file, under which the engine keeps what belongs to it. */
  file: string;
  name: string;
  greetings: readonly string[];
}

/** The chat files that exist for a card or a group; null: they could not be listed. */
export interface HostFiles {
  owner: string;
  files: readonly string[] | null;
}

export interface HostServices {
  /** Null outside of a host, or while no chat is open. */
  card(): HostCard | null;
  /** Lists all chat files of all cards and groups; null outside of a host. */
  files: (() => Promise<HostFiles[]> | null) | null;
  /** Lets the host write the saved functions of a card into the card; absent outside of a host. */
  libraryChanged?: (card: string) => Promise<void>;
  /** Writes a constant entry into the world book of the open card; null: it could not. */
  insertIntoBook?: (title: string, text: string) => Promise<string | null>;
  /** Functions of another extension that are offered once. */
  foreignFunctions?: { list: () => Json[]; done: () => void };
  /** Counts the tokens of a text as the host does. */
  countTokens?: (text: string) => Promise<number>;
  /** A setting of the shell's own display: `language`, `theme`, `foldCalls`, `statusBar`, `topIcon`, `schemaMacro`; undefined: there is none. */
  setting(name: string): boolean | string | undefined;
  set(name: string, value: boolean | string): void;
  /** Opens the chat of a branch in the host; false if it could not. Null: the shell has no chats. */
  openBranch: ((ref: RefId) => Promise<boolean>) | null;
  /** The user pinned a value or ignored a failure, or took it back. */
  marksChanged(): void;
  /** The rules of the open story were changed in a screen. */
  rulesChanged(): void;
  /** What the shell has to say about itself: versions, and what is wrong. */
  about(): { label: Words; text: string }[];
}

export const NO_HOST: HostServices = {
  card: () => null,
  files: null,
  setting: () => undefined,
  set: () => {},
  openBranch: null,
  marksChanged: () => {},
  rulesChanged: () => {},
  about: () => [],
};
