// Cards and world books as the host has them. Only reads, except for the entry that `/vs-worldbook` makes.
import type { JsonObject } from '../logic/json';
import type { Book, OpenChat } from './host';
import type { HostContext } from './sillytavern';

/** The parts of the host's world book module that its context does not offer. */
interface WorldModule {
  selected_world_info?: string[];
  world_info?: { charLore?: { name: string; extraBooks?: string[] }[] };
  createWorldInfoEntry?(name: string, data: object): { uid: number } | undefined;
  createNewWorldInfo?(name: string): Promise<boolean>;
  charUpdatePrimaryWorld?(name: string): Promise<void>;
}

const MODULE = '/scripts/world-info.js';

/** Returns a complete card; group members may be partially loaded, so the host is asked to load the rest. */
export async function wholeCard(context: HostContext, index: number): Promise<JsonObject | null> {
  await context.unshallowCharacter?.(index);
  const character = context.characters[index];
  if (!character) return null;
  const data = (character.data ?? character) as object;
  return { spec: 'chara_card_v2', data: { name: character.name ?? '', first_mes: character.first_mes ?? '', ...data } } as unknown as JsonObject;
}

/** Returns the active books of a chat, each once. */
export async function booksOf(context: HostContext, open: OpenChat): Promise<Book[]> {
  const world = await worldModule();
  const names = new Set<string>();
  for (const card of open.cards) {
    const character = context.characters[card.index];
    const linked = (character?.data?.extensions?.['world'] ?? '') as string;
    const stem = (character?.avatar ?? '').replace(/\.[^.]*$/, '');
    const extra = world?.world_info?.charLore?.find((one) => one.name === stem)?.extraBooks ?? [];
    for (const name of [linked, ...extra]) names.add(name);
  }
  const ofChat = context.chatMetadata['world_info'];
  if (typeof ofChat === 'string') names.add(ofChat);
  for (const name of world?.selected_world_info ?? []) names.add(name);
  const books: Book[] = [];
  for (const name of names) {
    const book = name ? await context.loadWorldInfo(name).catch(() => null) : null;
    if (book) books.push({ name, book: book as JsonObject });
  }
  return books;
}

/** Writes a constant entry into the card's own book; creates a book if the card has none. */
export async function addEntry(context: HostContext, index: number, title: string, content: string): Promise<string | null> {
  const world = await worldModule();
  const character = context.characters[index];
  if (!world?.createWorldInfoEntry || !character) return null;
  let name = (character.data?.extensions?.['world'] ?? '') as string;
  if (!name) {
    name = `${character.name ?? 'Storeyline'} Storeyline`;
    if (!context.getWorldInfoNames().includes(name) && !(await world.createNewWorldInfo?.(name))) return null;
    await world.charUpdatePrimaryWorld?.(name);
  }
  const book = (await context.loadWorldInfo(name)) as { entries?: Record<string, Record<string, unknown>> } | null;
  if (!book?.entries) return null;
  const present = Object.values(book.entries).find((entry) => entry['comment'] === title);
  const made = present ?? (world.createWorldInfoEntry(name, book) as unknown as Record<string, unknown> | undefined);
  if (!made) return null;
  Object.assign(made, { comment: title, content, constant: true, disable: false });
  await context.saveWorldInfo(name, book, true);
  context.reloadWorldInfoEditor?.(name);
  return name;
}

// The module is the page's own, loaded already; an older host without it has no extra books.
async function worldModule(): Promise<WorldModule | null> {
  try {
    return (await import(/* @vite-ignore */ MODULE)) as WorldModule;
  } catch {
    return null;
  }
}
