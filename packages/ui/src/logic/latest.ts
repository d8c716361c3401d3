// One request at a time, and the newest one wins: requests made in between are never sent.

export interface Latest<Wish> {
  ask(wish: Wish): void;
}

export function latest<Wish, Answer>(
  load: (wish: Wish) => Promise<Answer>,
  done: (answer: Answer, wish: Wish) => void,
  failed: (error: unknown, wish: Wish) => void,
  /** What the next request waits for after an answer; the newest wish at the end of it is sent. */
  rest: () => Promise<void> | null = () => null,
): Latest<Wish> {
  let busy = false;
  let next: { wish: Wish } | null = null;

  async function run(wish: Wish): Promise<void> {
    busy = true;
    try {
      const answer = await load(wish);
      done(answer, wish);
      await rest();
    } catch (error) {
      if (next === null) failed(error, wish);
    }
    busy = false;
    const waiting = next;
    next = null;
    if (waiting) void run(waiting.wish);
  }

  return {
    ask(wish) {
      if (busy) next = { wish };
      else void run(wish);
    },
  };
}
