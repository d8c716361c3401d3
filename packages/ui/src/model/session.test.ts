import { afterEach, expect, test } from 'vitest';
import { NOWHERE, type Route } from './route';
import type { Address } from './address';
import { FakeEngine, MAIN, pageId, SIDE, STORY } from './fake_engine';
import { Session } from './session.svelte';

class FakeAddress implements Address {
  entries: Route[];
  #moved: (place: Route) => void = () => {};

  constructor(start: Route) {
    this.entries = [start];
  }

  read(): Route {
    return this.entries.at(-1) ?? NOWHERE;
  }

  write(place: Route, replace: boolean): void {
    if (replace) this.entries.pop();
    this.entries.push(place);
  }

  listen(moved: (place: Route) => void): () => void {
    this.#moved = moved;
    return () => {};
  }

  back(): void {
    this.entries.pop();
    this.#moved(this.read());
  }
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
const stops: (() => void)[] = [];
afterEach(() => stops.splice(0).forEach((stop) => stop()));

async function opened(letters: string, start: Partial<Route> = {}) {
  const engine = new FakeEngine(letters);
  const address = new FakeAddress({ ...NOWHERE, ...start });
  const session = new Session(engine, address);
  stops.push(session.start());
  await settle();
  return { engine, address, session };
}

const at = (floor: number | null, page: number | null = null): Route => ({ ...NOWHERE, story: STORY, ref: MAIN, floor, page });

test('without an address the newest story opens at its newest reply, and follows', async () => {
  const { session, address } = await opened('auauau');
  expect(session.shown?.floor).toBe(4);
  expect(session.following).toBe(true);
  expect(address.entries).toEqual([at(null)]);
  expect(session.health).toBe('ok');
});

test('the example story is created and opened where there was none; twice pressed is once asked', async () => {
  const { engine, session, address } = await opened('');
  expect(session.shown).toBeNull();
  engine.append(MAIN, 'aua');
  await Promise.all([session.openExample('zh'), session.openExample('zh')]);
  await settle();
  expect(engine.asked.filter((asked) => asked.startsWith('example'))).toEqual(['example zh']);
  expect(session.shown?.floor).toBe(2);
  expect(address.read()).toEqual(at(null));
});

test('if the example story cannot be created the reason is shown', async () => {
  const { engine, session } = await opened('');
  engine.trouble = 'refused';
  await session.openExample('en');
  expect(session.problem?.message.en).toBe('no');
  expect(session.busy).toBe(false);
});

test('a user who moves while new floors are being loaded stays there', async () => {
  const { engine, session } = await opened('aua');
  const floors = engine.floors.bind(engine);
  engine.floors = (...asked) => {
    session.go(0);
    return floors(...asked);
  };
  engine.append(MAIN, 'ua');
  await settle();
  expect(session.shown?.floor).toBe(0);
});

test('a new reply is shown and read out while following', async () => {
  const { engine, session } = await opened('aua');
  engine.append(MAIN, 'ua');
  await settle();
  expect(session.shown?.floor).toBe(4);
  expect(session.arrival).toEqual({ floor: 4, changes: 4, failed: 1 });
});

test('who moved away stays there when a reply comes, and can follow again', async () => {
  const { engine, session } = await opened('auaua');
  session.go(2);
  await settle();
  engine.append(MAIN, 'ua');
  await settle();
  expect(session.shown?.floor).toBe(2);
  expect(session.following).toBe(false);
  expect(session.newest).toBe(6);
  session.follow();
  await settle();
  expect(session.shown?.floor).toBe(6);
});

test('who stepped to the newest floor by hand follows from there', async () => {
  const { engine, session } = await opened('auaua', at(2));
  await session.step(1);
  await settle();
  expect(session.following).toBe(true);
  engine.append(MAIN, 'ua');
  await settle();
  expect(session.shown?.floor).toBe(6);
});

test('stepping passes over messages without a state, and Back returns', async () => {
  const { address, session } = await opened('auaua', at(4));
  await session.step(-1);
  await settle();
  expect(session.shown?.floor).toBe(2);
  address.back();
  await settle();
  expect(session.shown?.floor).toBe(4);
});

test('live moves leave no entry until they settle', async () => {
  const { address, session } = await opened('auaua', at(4));
  session.go(2, 'live');
  session.go(0, 'live');
  expect(address.entries).toEqual([at(4)]);
  session.settleHere();
  expect(address.entries).toEqual([at(4), at(0)]);
  await settle();
  expect(session.shown?.floor).toBe(0);
});

test('an address with a page looks at that page, by its id', async () => {
  const { engine, session } = await opened('aua3', at(2, 3));
  expect(session.shown?.page).toBe(pageId(2, 2));
  expect(engine.asked).toContain('floor 2 p2-2');
  expect(session.following).toBe(false);
  session.turn(-1);
  await settle();
  expect(session.shown?.page).toBe(pageId(2, 1));
  session.turn(-1);
  await settle();
  expect(session.place).toEqual(at(2));
});

test('a page that does not exist shows the active one', async () => {
  const { session } = await opened('aua2', at(2, 9));
  expect(session.shown?.page).toBe(pageId(2, 0));
});

test('using a page selects it and shows it as the active one', async () => {
  const { engine, session } = await opened('aua2', at(2, 2));
  await session.usePage();
  await settle();
  expect(engine.asked).toContain('select p2-1');
  expect(session.shown).toMatchObject({ page: pageId(2, 1), active: 1 });
  expect(session.place.page).toBeNull();
});

test('a refused change says why and changes nothing', async () => {
  const { engine, session } = await opened('aua2', at(2, 2));
  engine.trouble = 'refused';
  await session.usePage();
  expect(session.problem?.message.zh).toBe('不行');
  expect(session.busy).toBe(false);
  expect(session.place).toEqual(at(2, 2));
});

test('a floor that was read before is shown without asking again', async () => {
  const { engine, session } = await opened('auaua', at(4));
  session.go(2);
  await settle();
  engine.asked = [];
  session.go(4);
  expect(session.shown?.floor).toBe(4);
  expect(engine.asked).toEqual([]);
});

test('after a change nothing old is shown from memory', async () => {
  const { engine, session } = await opened('aua2ua', at(2));
  engine.branches.get(MAIN)![2]!.active = 1;
  engine.moved(MAIN);
  await settle();
  expect(session.shown?.active).toBe(1);
});

test('an answer from before a change is not remembered', async () => {
  const { engine, session } = await opened('aua2ua', at(0));
  const real = engine.floor.bind(engine);
  let release = (): void => {};
  engine.floor = async (...args) => {
    const early = await real(...args);
    await new Promise<void>((resolve) => (release = resolve));
    return early;
  };
  session.go(2);
  await settle();
  engine.floor = real;
  engine.branches.get(MAIN)![2]!.active = 1;
  engine.moved(MAIN);
  await settle();
  release();
  await settle();
  session.go(0);
  await settle();
  session.go(2);
  await settle();
  expect(session.shown?.active).toBe(1);
});

test('a list that broke off is read to its end when the engine is back', async () => {
  const engine = new FakeEngine('au'.repeat(500));
  const real = engine.floors.bind(engine);
  engine.floors = (branch, from, limit) => {
    if (from === 400) engine.trouble = 'dead';
    return real(branch, from, limit);
  };
  const session = new Session(engine, new FakeAddress(NOWHERE));
  stops.push(session.start());
  await settle();
  expect(session.health).toBe('lost');
  expect(session.book.rows.includes(undefined)).toBe(true);
  engine.floors = real;
  engine.trouble = 'none';
  session.retry();
  await settle();
  expect(session.book.rows.includes(undefined)).toBe(false);
});

test('a change in another branch reads no floors', async () => {
  const { engine } = await opened('aua');
  engine.asked = [];
  engine.moved(SIDE);
  await settle();
  expect(engine.asked.filter((what) => what.startsWith('floor'))).toEqual([]);
});

test('when the engine goes away the last state stays, and all is read again when it is back', async () => {
  const { engine, session } = await opened('auaua');
  engine.trouble = 'dead';
  session.go(2);
  await settle();
  expect(session.health).toBe('lost');
  expect(session.shown?.floor).toBe(4);
  engine.trouble = 'none';
  session.retry();
  await settle();
  expect(session.health).toBe('ok');
  expect(session.shown?.floor).toBe(2);
});

test('without access the page says so and does not ask on and on', async () => {
  const engine = new FakeEngine('aua');
  engine.trouble = 'locked';
  const session = new Session(engine, new FakeAddress(NOWHERE));
  stops.push(session.start());
  await settle();
  expect(session.health).toBe('locked');
  expect(engine.asked).toEqual(['changes']);
  engine.trouble = 'none';
  session.retry();
  await settle();
  expect(session.shown?.floor).toBe(2);
});

test('an address behind the end shows the newest floor and says so', async () => {
  const { session } = await opened('aua', at(99));
  expect(session.shown?.floor).toBe(2);
  expect(session.pastEnd).toBe(true);
});

test('an address that leads nowhere is known as such', async () => {
  const gone = '00000000-0000-4000-8000-00000000dead' as typeof MAIN;
  const { session } = await opened('aua', { ...at(2), ref: gone });
  expect(session.missing).toBe(true);
  expect(session.shown).toBeNull();
  session.openNewest();
  await settle();
  expect(session.missing).toBe(false);
  expect(session.shown?.floor).toBe(2);
});

test('another branch opens at its own newest floor', async () => {
  const { session } = await opened('auaua');
  session.openStory(STORY, SIDE);
  await settle();
  expect(session.shown?.floor).toBe(0);
  expect(session.book.total).toBe(2);
});

test('a long branch is read from its end, then what is looked at, then the rest', async () => {
  const { engine, session } = await opened('au'.repeat(500));
  expect(engine.asked.filter((what) => what.startsWith('floors'))).toEqual([800, 600, 400, 200, 0].map((n) => `floors ${n}`));
  expect(session.book.rows.every((row) => row !== undefined)).toBe(true);
});

test('a branch that became shorter loses its rows', async () => {
  const { engine, session } = await opened('auaua');
  engine.branches.get(MAIN)!.length = 3;
  engine.moved(MAIN);
  await settle();
  expect(session.book.total).toBe(3);
  expect(session.shown?.floor).toBe(2);
});

test('a shell that names its story itself opens none by itself, and closes the one it named', async () => {
  const engine = new FakeEngine('aua');
  const address = new FakeAddress(NOWHERE);
  const session = new Session(engine, address, { settles: false });
  stops.push(session.start());
  await settle();
  expect([session.story, session.shown, session.health]).toEqual([null, null, 'ok']);
  session.openStory(STORY, MAIN);
  await settle();
  expect(session.shown?.floor).toBe(2);
  address.entries.push(NOWHERE, NOWHERE);
  address.back();
  await settle();
  expect([session.story, session.shown]).toEqual([null, null]);
});
