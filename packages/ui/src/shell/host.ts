// What only the host can do for the screens. The engine's own page has no host.
import type { RefId, Words } from 'storeyline-client';

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
  /** A setting of the shell's own display: `language`, `theme`, `foldCalls`, `statusBar`, `topIcon`; undefined: there is none. */
  setting(name: string): boolean | string | undefined;
  set(name: string, value: boolean | string): void;
  /** Opens the chat of a branch in the host; false if it could not. Null: the shell has no chats. */
  openBranch: ((ref: RefId) => Promise<boolean>) | null;
  /** What the shell has to say about itself: versions, and what is wrong. */
  about(): { label: Words; text: string }[];
}

export const NO_HOST: HostServices = {
  card: () => null,
  files: null,
  setting: () => undefined,
  set: () => {},
  openBranch: null,
  about: () => [],
};
