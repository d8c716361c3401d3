// Waits for something that no event tells of.
const LOOK_AGAIN_MS = 50;

/** Waits until the condition no longer holds, or the time is over. */
export async function waitWhile(holds: () => boolean, milliseconds: number): Promise<void> {
  const end = Date.now() + milliseconds;
  while (holds() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
}
