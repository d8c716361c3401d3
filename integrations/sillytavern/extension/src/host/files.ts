// Chat files of the host: whether one exists (the only way to tell a copied chat from a renamed one), all that
// exist, opening one, writing a new one.
import type { Json } from '../logic/json';
import type { HostContext } from './sillytavern';

type Entry = { file_id?: string; file_name?: string };

/** Lists the chat files of every card and group, one card after the other: the host reads all of them. */
export async function allFiles(context: HostContext): Promise<{ owner: string; files: string[] | null }[]> {
  const lists = context.groups.map((group) => ({ owner: String(group.id), files: group.chats ?? null }));
  for (const { avatar } of context.characters) {
    if (avatar) lists.push({ owner: avatar, files: await filesOf(context, avatar) });
  }
  return lists;
}

async function filesOf(context: HostContext, avatar: string): Promise<string[] | null> {
  try {
    const response = await fetch('/api/characters/chats', {
      method: 'POST',
      headers: context.getRequestHeaders(),
      body: JSON.stringify({ avatar_url: avatar, simple: true }),
    });
    const list: unknown = response.ok ? await response.json() : null;
    if (!Array.isArray(list)) return null;
    return list.map((entry: Entry) => entry.file_id ?? String(entry.file_name ?? '').replace(/\.jsonl$/, ''));
  } catch {
    return null;
  }
}

/** Tells whether `file` (without extension) exists under that card or group; true if it cannot be known. */
export async function chatFileExists(context: HostContext, owner: string, file: string): Promise<boolean> {
  const group = context.groups.find((one) => String(one.id) === owner);
  if (group) return (group.chats ?? []).includes(file);
  try {
    const response = await fetch('/api/characters/chats', {
      method: 'POST',
      headers: context.getRequestHeaders(),
      body: JSON.stringify({ avatar_url: owner, simple: true }),
      signal: AbortSignal.timeout(3000),
    });
    // Refused means that this card or group is gone, and its chats with it.
    if (response.status >= 400 && response.status < 500) return false;
    const list: unknown = await response.json();
    if (!Array.isArray(list)) return false;
    return list.some((entry: Entry) => entry.file_id === file || entry.file_name === `${file}.jsonl`);
  } catch {
    // Taking a rename for a copy costs only a second branch; the reverse would make two files write one
    // branch.
    return true;
  }
}

/** Opens a chat file of the card or group that is open. */
export async function openFile(context: HostContext, owner: string, file: string): Promise<boolean> {
  const group = context.groups.find((one) => String(one.id) === owner);
  if (group) {
    if (!(group.chats ?? []).includes(file)) return false;
    await context.openGroupChat(group.id, file);
    return true;
  }
  const open = context.characters[Number(context.characterId)];
  if (open?.avatar !== owner || !(await chatFileExists(context, owner, file))) return false;
  await context.openCharacterChat(file);
  return true;
}

/** Writes a new chat file; an existing file is never overwritten. */
export async function writeFile(context: HostContext, owner: string, file: string, header: Json, messages: Json[]): Promise<boolean> {
  const group = context.groups.find((one) => String(one.id) === owner);
  if (await chatFileExists(context, owner, file)) return false;
  const chat = [header, ...messages];
  const request = group ? { id: file, chat } : { avatar_url: owner, file_name: file, chat, force: false };
  const response = await fetch(group ? '/api/chats/group/save' : '/api/chats/save', {
    method: 'POST',
    headers: context.getRequestHeaders(),
    body: JSON.stringify(request),
  });
  if (response.ok && group) {
    group.chats = [...(group.chats ?? []), file];
    await fetch('/api/groups/edit', { method: 'POST', headers: context.getRequestHeaders(), body: JSON.stringify(group) });
  }
  return response.ok;
}
