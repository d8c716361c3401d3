// Saves the open chat as it is at this moment. The host's own function (`context.saveChat`) waits a tenth of
// a second and only then checks which chat is open. A chat that is being opened in that time is still empty,
// and the host would overwrite its file with nothing. So this uses the host's inner function for a card's
// chat, and the same request as the host's for a group's.
import type { HostContext } from './sillytavern';

/** Functions exported by the host's main script. */
export interface HostScript {
  isChatSaving?: boolean;
  saveChat?: () => Promise<void>;
}

const LOOK_AGAIN_MS = 50;
const TRIES = 40;

/**
 * Saves, unless another chat is opened while the host itself is saving. `script` is null if the host exports
 * nothing.
 *
 * `openedAs` is the name of the file from which the host read this chat. Within a second of a deletion the
 * host reads the card again, and with it the name of the chat that was open then: a save would write one chat
 * to the file of another.
 */
export async function saveOpenChat(context: () => HostContext, script: HostScript | null, openedAs?: string): Promise<void> {
  if (openedAs !== undefined && context().chatId !== openedAs) return;
  if (!script?.saveChat) return context().saveChat();
  const meant = context().chatMetadata;
  for (let tries = 0; script.isChatSaving === true; tries++) {
    if (tries === TRIES) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
  const now = context();
  // The host makes a new metadata object for every chat it opens, and empties the messages first.
  if (now.chatMetadata !== meant || now.chat.length === 0 || (openedAs !== undefined && now.chatId !== openedAs)) return;
  await (now.groupId ? saveGroup(now) : script.saveChat());
}

async function saveGroup(context: HostContext): Promise<void> {
  const header = { chat_metadata: context.chatMetadata, user_name: 'unused', character_name: 'unused' };
  const response = await fetch('/api/chats/group/save', {
    method: 'POST',
    headers: context.getRequestHeaders(),
    body: JSON.stringify({ id: context.chatId, chat: [header, ...context.chat], force: false }),
  });
  // Refused, because the file belongs to another chat by now: the host asks the player.
  if (!response.ok) await context.saveChat();
}
