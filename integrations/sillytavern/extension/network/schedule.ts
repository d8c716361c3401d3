// One schedule: two tabs (sometimes one) on one chat, a bad network, random gestures, some of them at the
// same time. Then the network recovers, and both tabs, the file and the engine must have the same chat, with
// the states that a replay of the file gives, and every page that nobody deleted must still be on some
// branch.
import { isDeepStrictEqual } from 'node:util';
import { uuid4 } from '../src/logic/uuid';
import { Clock } from './clock';
import { Disk } from './disk';
import type { Engine } from './engine';
import { Journal } from './journal';
import { Proxy } from './proxy';
import { Random } from './random';
import { Ledger, Tab } from './tab';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const gold = (amount: number): string => `Coins. @.ADD("gold", ${amount});`;

export interface Outcome {
  problems: string[];
  gestures: number;
  forks: number;
  /** The events, in order. */
  journal: string[];
}

/** Number of gestures. */
export const STEPS = 14;

/** Plays a seed; when it is played `again`, `left` tells which of its steps are made. */
export async function play(seed: number, engine: Engine, again = 0, left: (step: number) => boolean = () => true): Promise<Outcome> {
  const clock = new Clock();
  // The engine remembers every chat, so a repeated one gets other ids.
  const ids = new Random(seed * 1000 + again);
  const { getRandomValues } = crypto;
  clock.start();
  crypto.getRandomValues = ((bytes: Uint8Array) => fill(bytes, ids)) as typeof crypto.getRandomValues;
  const schedule = new Schedule(seed, engine, clock);
  try {
    return await clock.until(schedule.play(left));
  } finally {
    schedule.close();
    clock.stop();
    crypto.getRandomValues = getRandomValues;
  }
}

function fill(bytes: Uint8Array, random: Random): Uint8Array {
  for (let index = 0; index < bytes.length; index++) bytes[index] = random.below(256);
  return bytes;
}

class Schedule {
  private readonly journal: Journal;
  private readonly disk: Disk;
  private readonly proxy: Proxy;
  private readonly ledger = new Ledger();
  private readonly file: string;
  private readonly windows: number;
  private tabs: Tab[] = [];
  /**
   * A page was closed while its requests were in flight. They may arrive after those of the next page: then
   * there are two writers, as with two tabs.
   */
  private cutOff = false;
  private gestures = 0;
  private opened = 0;

  constructor(
    private readonly seed: number,
    private readonly engine: Engine,
    private readonly clock: Clock,
  ) {
    this.journal = new Journal(clock);
    this.disk = new Disk(this.journal);
    this.proxy = new Proxy(engine, clock, this.journal, (request, answer) => this.ledger.heard(request, answer));
    // A single tab has no other writer to conflict with.
    this.windows = seed % 4 === 0 ? 1 : 2;
    this.file = `chat-${seed}`;
  }

  async play(left: (step: number) => boolean): Promise<Outcome> {
    this.disk.write('host', this.newFile());
    for (let index = 0; index < this.windows; index++) await this.openTab(index);
    for (let step = 0; step < STEPS; step++) {
      const random = new Random(this.seed * 1000 + step);
      if (left(step)) await this.step(step, random);
    }
    const problems = await this.clearUp();
    const forks = (await this.outside(this.engine.refs(this.story()))).length - 1;
    if (this.windows === 1 && !this.cutOff && forks > 0) problems.push(`one tab, and ${forks} forks`);
    return { problems, gestures: this.gestures, forks, journal: this.journal.lines };
  }

  close(): void {
    for (const tab of this.tabs) tab.close();
  }

  private newFile(): string {
    const header = { chat_metadata: { integrity: uuid4(), tainted: true }, user_name: 'unused', character_name: 'unused' };
    const greeting = { name: 'Aria', is_user: false, is_system: false, mes: 'Hello You', extra: {} };
    return [header, greeting].map((line) => JSON.stringify(line)).join('\n');
  }

  private async openTab(index: number): Promise<void> {
    this.tabs[index]?.close();
    const random = new Random(this.seed * 31 + index + this.opened++);
    const weather = { random, bad: 0.3, delay: random.pick([100, 400, 2000]), file: random.pick([2, 40, 400]) };
    const tab = new Tab(`tab ${index}`, this.disk, this.file, this.ledger, weather, this.proxy);
    this.tabs[index] = tab;
    await tab.load();
  }

  private async step(step: number, random: Random): Promise<void> {
    const both = this.windows > 1 && random.chance(0.3);
    const chosen = both ? [0, 1] : [random.below(this.windows)];
    await Promise.all(chosen.map((index) => this.gesture(index, step * 2 + index, random)));
    if (random.chance(0.6)) await pause(random.next() * random.pick([200, 3000]));
  }

  private async gesture(index: number, number: number, random: Random): Promise<void> {
    const tab = this.tabs[index]!;
    const kind = random.pick(['send', 'send', 'send', 'page', 'page', 'turn', 'edit', 'edit', 'remove', 'remove page', 'hide', 'reload'] as const);
    const floor = random.next();
    const page = random.below(3);
    for (let tries = 0; !tab.idle && tries < 400; tries++) await pause(50);
    const at = Math.floor(floor * tab.host.chat().length);
    this.gestures++;
    this.journal.note(tab.name, `${kind} (step ${number >> 1}, ${number}) at ${at} of ${this.journal.chat(tab.host.chat())}`);
    if (kind === 'send') await tab.send(`Say ${number}`, gold(number));
    else if (kind === 'page') await tab.newPage(gold(number));
    else if (kind === 'turn') await tab.turn(page);
    else if (kind === 'edit') await tab.edit(at, gold(number));
    else if (kind === 'remove') await tab.remove(at);
    else if (kind === 'remove page') await tab.removePage();
    else if (kind === 'hide') await tab.hide(at);
    // What is neither synced nor saved is lost with the page: that is the host's own risk, with one tab as
    // with two.
    else if (tab.settled() && tab.saved()) {
      this.cutOff ||= tab.speaking > 0 || tab.unheard;
      await this.openTab(index);
    }
  }

  private async clearUp(): Promise<string[]> {
    for (const tab of this.tabs) {
      Object.assign(tab.weather, { bad: 0, delay: 1, file: 1 });
      tab.app.reconcile();
      tab.app.retry();
    }
    let problems: string[] = ['never looked'];
    for (let tries = 0; tries < 60 && problems.length > 0; tries++) {
      await pause(2000);
      problems = await this.disagreements().catch((error: unknown) => [String(error)]);
    }
    return problems.length > 0 ? problems : this.lost();
  }

  private outside<T>(work: Promise<T>): Promise<T> {
    return this.clock.outside(work);
  }

  private story(): string {
    return this.tabs[0]!.app.session!.record.story!;
  }

  private async disagreements(): Promise<string[]> {
    const [one, two = one] = this.tabs as [Tab, Tab?];
    for (const tab of this.tabs) if (!tab.settled()) return [`tab ${this.tabs.indexOf(tab)} is not settled`];
    const rows = one.rows();
    if (!isDeepStrictEqual(rows, two.rows())) return [`tab 0 shows ${String(rows)}`, `tab 1 shows ${String(two.rows())}`];
    const { messages } = this.disk.parsed();
    const shown = JSON.parse(JSON.stringify(one.host.chat())) as typeof messages;
    const texts = (list: typeof messages): unknown[] => list.map(({ mes, swipes, extra, is_system }) => [mes, swipes, extra, is_system]);
    if (!isDeepStrictEqual(texts(messages), texts(shown))) return ['the file is not what the tabs show', JSON.stringify(texts(messages)), JSON.stringify(texts(shown))];
    const ref = (await this.outside(this.engine.refs(this.story()))).find((one) => one.chat === this.tabs[0]!.app.session!.record.chat);
    if (!ref) return ['the engine knows no such chat'];
    const floors = await this.outside(this.engine.floors(this.story(), ref));
    const engineTexts = floors.map(({ page, text }) => [page, text]);
    const tabTexts = one.host.chat().map((message) => [(message.extra!['storeyline'] as { id: string }).id, message.mes]);
    if (!isDeepStrictEqual(engineTexts, tabTexts)) return ['the engine has another path', JSON.stringify(engineTexts), JSON.stringify(tabTexts)];
    const replayed = await this.outside(this.engine.replay(this.file, this.disk.text));
    const states = floors.map(({ state }) => state);
    return isDeepStrictEqual(states, replayed) ? [] : ['the states are not the replay', JSON.stringify(states), JSON.stringify(replayed)];
  }

  /** Returns pages that are on no branch any more although nobody deleted them. */
  private async lost(): Promise<string[]> {
    const present = new Set<string>();
    for (const ref of await this.outside(this.engine.refs(this.story()))) {
      for (const { pages } of await this.outside(this.engine.floors(this.story(), ref))) for (const { page } of pages) present.add(page);
    }
    const { made, removed } = this.ledger;
    const taken = new Set([...removed].map((id) => this.ledger.id(id)));
    const missing = [...made].filter(([id]) => !present.has(this.ledger.id(id)) && !taken.has(this.ledger.id(id)));
    return missing.map(([id, text]) => `lost: ${this.journal.name('p', id)} ${text}`);
  }
}
