import { expect, test } from 'vitest';
import { Changes, type Heard, type Rhythm } from './changes.ts';
import { Away, Refused } from './errors.ts';
import type { Cursor, LastOperation } from './types.ts';

const FAST: Rhythm = { waitSeconds: 25, idleMs: 1, firstRetryMs: 10, lastRetryMs: 40 };
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

class Feed {
  last = 1;
  others = true;
  trouble: Error | null = null;
  asked: { after: Cursor | null; client: string | null; wait: number }[] = [];
  #waiting: (() => void)[] = [];

  moved(others = true): void {
    this.last++;
    this.others = others;
    for (const answer of this.#waiting.splice(0)) answer();
  }

  async changes(after: Cursor | null, client: string | null, wait: number, signal?: AbortSignal): Promise<LastOperation> {
    this.asked.push({ after, client, wait });
    if (this.trouble) throw this.trouble;
    if (`c${this.last}` === after && wait > 0) {
      await new Promise<void>((resolve, reject) => {
        this.#waiting.push(resolve);
        signal?.addEventListener('abort', () => reject(new Error('aborted')));
      });
    }
    return { last: `c${this.last}`, others: this.others };
  }
}

function listening(feed: Feed, more: Partial<Heard> = {}, seen: Cursor | null = null) {
  const heard: string[] = [];
  const failed = (error: unknown): void => void heard.push(error instanceof Away ? 'lost' : 'refused');
  const changes = new Changes(feed, { changed: () => void heard.push('changed'), failed, ...more }, FAST);
  changes.start(seen);
  return { changes, heard };
}

test('the first contact counts as a change, then each operation', async () => {
  const feed = new Feed();
  const { changes, heard } = listening(feed);
  await sleep(5);
  expect(heard).toEqual(['changed']);
  feed.moved();
  await sleep(5);
  expect(heard).toEqual(['changed', 'changed']);
  changes.stop();
});

test('what happened up to the given position is no change, and what was done here is none either', async () => {
  const feed = new Feed();
  const { changes, heard } = listening(feed, { client: () => 'me' }, 'c1');
  await sleep(5);
  feed.moved(false);
  await sleep(5);
  expect(heard).toEqual([]);
  feed.moved();
  await sleep(5);
  expect(heard).toEqual(['changed']);
  expect(feed.asked.map(({ after, client, wait }) => `${after} ${client} ${wait}`)).toEqual(['c1 me 25', 'c2 me 25', 'c3 me 25']);
  changes.stop();
});

test('a lost engine is asked again, each time later, and then read anew', async () => {
  const feed = new Feed();
  feed.trouble = new Away();
  const { changes, heard } = listening(feed);
  await sleep(60);
  expect(heard.length).toBeGreaterThanOrEqual(2);
  expect(heard.length).toBeLessThan(5);
  feed.trouble = null;
  await sleep(60);
  expect(heard.at(-1)).toBe('changed');
  changes.stop();
});

test('without access nothing is asked until someone wakes it', async () => {
  const feed = new Feed();
  feed.trouble = new Refused(401, 'no_token', { zh: '', en: '' });
  const { changes, heard } = listening(feed);
  await sleep(60);
  expect(heard).toEqual(['refused']);
  feed.trouble = null;
  changes.wake();
  await sleep(5);
  expect(heard).toEqual(['refused', 'changed']);
  changes.stop();
});

test('while it is paused nothing is asked; it goes on from there, or from a newer position', async () => {
  const feed = new Feed();
  const { changes, heard } = listening(feed);
  await sleep(5);
  changes.pause(true);
  await sleep(5);
  feed.asked = [];
  feed.moved();
  await sleep(10);
  expect(feed.asked).toEqual([]);
  changes.pause(false);
  await sleep(5);
  expect(heard).toEqual(['changed', 'changed']);
  changes.pause(true);
  feed.moved();
  changes.start('c3');
  await sleep(5);
  expect(heard).toEqual(['changed', 'changed']);
  changes.stop();
});

test('an engine that answers at once without news is not asked in a tight loop', async () => {
  let asked = 0;
  const feed = { changes: async () => ({ last: 'c7', others: true, asked: asked++ }) };
  const changes = new Changes(feed, { changed: () => {} }, { ...FAST, idleMs: 20 });
  changes.start();
  await sleep(50);
  expect(asked).toBeLessThan(6);
  changes.stop();
});
