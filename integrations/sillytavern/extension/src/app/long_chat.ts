// The first pass over a long chat, in small pieces, so that the page stays responsive. Hashes are cached, so
// the pass that follows only looks them up.
import { textHash } from '../logic/hash';
import { type ChatMessage, pageCount, pageText } from '../logic/message';
import { inPieces } from '../logic/pieces';

/** In characters; shorter chats are processed at once. */
const LONG = 200_000;
/** Chats with more floors than this are sent to the engine as a file. */
export const LONG_FLOORS = 300;

/** Tells whether a chat takes so long that the progress of its first pass is shown. */
export function isLong(chat: readonly ChatMessage[]): boolean {
  return chat.length > LONG_FLOORS || chat.reduce((sum, message) => sum + (message.mes?.length ?? 0) * pageCount(message), 0) >= LONG;
}

/** Hashes every page. Reports the number of floors done; stops when it is no longer wanted. */
export async function readThrough(chat: readonly ChatMessage[], wanted: () => boolean, progress: (done: number, total: number) => void): Promise<void> {
  await inPieces(chat.length, (floor) => readMessage(chat[floor]), (done) => {
    progress(done, chat.length);
    return wanted();
  });
}

// The host may have removed messages meanwhile.
function readMessage(message: ChatMessage | undefined): void {
  if (!message) return;
  for (let page = 0; page < pageCount(message); page++) textHash(pageText(message, page));
}
