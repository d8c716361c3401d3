// The first reading of a long chat, in pieces small enough that nobody notices. What is hashed stays in the cache, so the pass
// that follows only looks it up.
import { textHash } from '../logic/hash';
import { type ChatMessage, pageCount, pageText } from '../logic/message';
import { inPieces } from '../logic/pieces';

/** Chats below this many characters are read at once. */
const LONG = 200_000;
/** Chats with more floors than this are told to the engine by their file. */
export const LONG_FLOORS = 300;

/** Says whether a chat takes so long that its first reading is shown. */
export function isLong(chat: readonly ChatMessage[]): boolean {
  return chat.length > LONG_FLOORS || chat.reduce((sum, message) => sum + (message.mes?.length ?? 0) * pageCount(message), 0) >= LONG;
}

/** Hashes every page. Tells how many floors are done; stops when it is no longer wanted. */
export async function readThrough(chat: readonly ChatMessage[], wanted: () => boolean, progress: (done: number, total: number) => void): Promise<void> {
  await inPieces(chat.length, (floor) => readMessage(chat[floor]), (done) => {
    progress(done, chat.length);
    return wanted();
  });
}

// The host may have taken messages away meanwhile.
function readMessage(message: ChatMessage | undefined): void {
  if (!message) return;
  for (let page = 0; page < pageCount(message); page++) textHash(pageText(message, page));
}
