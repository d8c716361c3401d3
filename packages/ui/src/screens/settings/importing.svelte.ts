// Import of chat files that the user chose: first every floor is evaluated and nothing is stored, then the files
// are imported one by one. A card among the files counts for all chats.
import type { Client, JsonObject, Schemas, Words } from 'storeyline-client';
import { readJsonFile } from '../../logic/files';
import type { Trouble } from '../../model/trouble';
import { Asking, settingsTrouble } from './asking.svelte';

type Card = Schemas['CardContent'];
type Replayed = Schemas['Replayed'];
type ImportedRef = Schemas['ImportedRef'];

/** The engine takes no larger chat. */
const MAX_CHAT = 120 * 1024 * 1024;
const MAX_CARD = 10 * 1024 * 1024;
const PATIENCE = 600;

/** The field in which ST-VarSystem names a state of its database. */
const VARSYSTEM = '"st_var_system_snapshot_id"';

export type GivenFile = Pick<File, 'name' | 'size' | 'text' | 'arrayBuffer'>;

/** What a chat would become. */
export interface Outlook {
  floors: number;
  calls: number;
  failed: number;
  profile: string;
  reason: Words;
  /** How many states MVU or SAM stored in the file, and the floors where they differ from what is computed. */
  stored: number;
  differing: number[];
}

export interface Chat {
  name: string;
  text: string;
  /** States of its pages are in the database of ST-VarSystem, not in the file. */
  varsystem: boolean;
  outlook: Outlook | null;
  done: ImportedRef[] | null;
  trouble: Trouble | null;
}

export class Importing extends Asking {
  chats = $state.raw<Chat[]>([]);
  card = $state.raw<{ name: string; content: Card } | null>(null);
  trust = $state(false);
  /** Files that are neither a chat nor a card. */
  wrong = $state.raw<string[]>([]);

  constructor(private readonly client: Client) {
    super();
  }

  /** Chats that can still be imported. */
  ready = $derived.by(() => this.chats.filter((chat) => chat.outlook !== null && chat.done === null));

  forget(): void {
    this.chats = [];
    this.card = null;
    this.wrong = [];
    this.trouble = null;
  }

  /** Reads the files and evaluates them; nothing is stored. */
  async look(files: readonly GivenFile[]): Promise<void> {
    this.forget();
    await this.ask('look', async () => {
      for (const file of files) await this.#take(file);
      for (const chat of this.chats) this.#put(chat, await this.#outlook(chat));
    });
  }

  /** Imports what was looked at; returns the stories that began with it. */
  async importAll(): Promise<string[]> {
    const begun = new Set<string>();
    await this.ask('import', async () => {
      for (const chat of this.ready) {
        const result = await this.#import(chat);
        this.#put(chat, result);
        for (const { story, initial } of result.done ?? []) if (initial) begun.add(story);
      }
    });
    return [...begun];
  }

  /** Moves stories that an import began to the trash. */
  async takeBack(stories: readonly string[]): Promise<void> {
    await this.ask('back', async () => {
      for (const story of stories) await this.client('delete', '/api/v1/stories/{story}', { params: { path: { story } } });
      this.forget();
    });
  }

  async #take(file: GivenFile): Promise<void> {
    const name = file.name.replace(/\.[^.]*$/, '');
    const ending = file.name.slice(name.length + 1).toLowerCase();
    if (ending === 'jsonl' && file.size <= MAX_CHAT) {
      const text = (await file.text()).replace(/^\ufeff/, '');
      this.chats = [...this.chats, { name, text, varsystem: text.includes(VARSYSTEM), outlook: null, done: null, trouble: null }];
      return;
    }
    const content = file.size > MAX_CARD ? null : await readCard(file, ending);
    if (content) this.card = { name: file.name, content };
    else this.wrong = [...this.wrong, file.name];
  }

  async #outlook(chat: Chat): Promise<Partial<Chat>> {
    return this.#careful(async () => {
      const { name: file, text } = chat;
      const body = { text, file, card: this.card?.content ?? null };
      return { outlook: outlookOf(await this.client('post', '/api/v1/replay', { body, patience: PATIENCE })) };
    });
  }

  async #import(chat: Chat): Promise<Partial<Chat>> {
    return this.#careful(async () => {
      const { name: file, text } = chat;
      const body = { text, file, card: this.card?.content ?? null, trust_stored: this.trust };
      const { stories, broken } = await this.client('post', '/api/v1/import', { body, patience: PATIENCE });
      const [first] = broken;
      if (first) return { trouble: { away: false, message: first.message, hint: null } };
      return { done: stories.flatMap((story) => story.refs) };
    });
  }

  /** One bad file does not keep the others from being read. */
  async #careful(work: () => Promise<Partial<Chat>>): Promise<Partial<Chat>> {
    try {
      return { trouble: null, ...(await work()) };
    } catch (error) {
      return { trouble: settingsTrouble(error) };
    }
  }

  #put(chat: Chat, change: Partial<Chat>): void {
    this.chats = this.chats.map((other) => (other.name === chat.name ? { ...other, ...change } : other));
  }
}

function outlookOf({ initial, floors, stored }: Replayed): Outlook {
  const calls = floors.flatMap((floor) => floor.calls);
  const failed = calls.filter((call) => call.verdict === 'failed').length;
  const { profile, reason } = initial;
  return { floors: floors.length, calls: calls.length, failed, profile, reason, stored: stored.found, differing: stored.differing };
}

async function readCard(file: GivenFile, ending: string): Promise<Card | null> {
  if (ending === 'png') return { png: base64(new Uint8Array(await file.arrayBuffer())) };
  if (ending !== 'json') return null;
  const read = await readJsonFile(file);
  return 'value' in read ? { json: read.value as JsonObject } : null;
}

function base64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 0x8000) parts.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)));
  return btoa(parts.join(''));
}
