// The first reading of a long chat, in pieces small enough that nobody notices: texts are hashed a few milliseconds at a
// time. What is hashed stays in the cache, so the pass that follows only looks it up.
import { textHash } from '../logic/hash';
import { type ChatMessage, pageCount, pageText } from '../logic/message';

const PIECE_MS = 8;
/** Chats below this many characters are read at once. */
const LONG = 200_000;
/** Chats with more floors than this are told to the engine by their file. */
export const LONG_FLOORS = 300;

/** Hashes every page. Tells how many floors are done; stops when it is no longer wanted. */
export async function readThrough(chat: readonly ChatMessage[], wanted: () => boolean, progress: (done: number, total: number) => void): Promise<void> {
  const length = chat.reduce((sum, message) => sum + (message.mes?.length ?? 0) * pageCount(message), 0);
  if (length < LONG) return;
  let since = performance.now();
  for (let floor = 0; floor < chat.length; floor++) {
    const message = chat[floor]!;
    for (let page = 0; page < pageCount(message); page++) {
      textHash(pageText(message, page));
      if (performance.now() - since < PIECE_MS) continue;
      progress(floor, chat.length);
      await new Promise((resolve) => setTimeout(resolve));
      if (!wanted()) return;
      since = performance.now();
    }
  }
}
