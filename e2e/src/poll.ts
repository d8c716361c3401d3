// Waits for a condition: a probe is repeated until it stops throwing. No test waits for a fixed time.

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Returns what `probe` returns as soon as it does not throw; after `limit` milliseconds throws its last
 * error.
 */
export async function until<T>(what: string, probe: () => Promise<T> | T, limit = 20_000): Promise<T> {
  const end = Date.now() + limit;
  for (;;) {
    try {
      return await probe();
    } catch (error) {
      if (Date.now() > end) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(`${what}: not so after ${limit} ms\n${reason}`, { cause: error });
      }
    }
    await pause(100);
  }
}
