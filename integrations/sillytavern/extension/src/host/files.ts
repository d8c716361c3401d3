// Asks the host whether a chat file still exists: the only thing that tells a copied chat from a renamed one.
import type { HostContext } from './sillytavern';

/** Says whether `file` (without ending) exists under that card or group; when it cannot be known, yes. */
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
    return list.some((entry: { file_id?: string; file_name?: string }) => entry.file_id === file || entry.file_name === `${file}.jsonl`);
  } catch {
    // Taking a rename for a copy costs nothing but a second branch; the other way round two files would write one branch.
    return true;
  }
}
