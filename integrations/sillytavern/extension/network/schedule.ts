// One schedule: two tabs (now and then one) on one chat, a bad network, random gestures, some of them at the same time. Then the weather clears, and
// both tabs, the file and the engine must have come to the same chat, with the states that a replay of the file gives, and every
// page that nobody took away must still stand on some branch.
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Disk } from './disk';
import type { Engine } from './engine';
import type { Proxy } from './proxy';
import { Random } from './random';
import { Ledger, Tab } from './tab';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const gold = (amount: number): string => `Coins. @.ADD("gold", ${amount});`;

export interface Outcome {
  problems: string[];
  gestures: string[];
  forks: number;
}

export async function play(seed: number, engine: Engine, proxy: Proxy): Promise<Outcome> {
  const schedule = new Schedule(seed, engine, proxy);
  try {
    return await schedule.play();
  } finally {
    schedule.close();
  }
}

class Schedule {
  private readonly random: Random;
  private readonly disk = new Disk();
  private readonly ledger = new Ledger();
  private readonly gestures: string[] = [];
  private readonly file: string;
  private readonly windows: number;
  private tabs: Tab[] = [];
  private count = 0;

  constructor(
    private readonly seed: number,
    private readonly engine: Engine,
    private readonly proxy: Proxy,
  ) {
    this.random = new Random(seed);
    // A tab that is alone has nobody to disagree with, however bad the network is.
    this.windows = seed % 4 === 0 ? 1 : 2;
    this.file = `chat-${seed}`;
  }

  async play(): Promise<Outcome> {
    this.disk.write(this.newFile());
    for (let index = 0; index < this.windows; index++) await this.openTab(index);
    for (let step = 0; step < 14; step++) await this.step();
    const problems = await this.clearUp();
    const forks = (await this.engine.refs(this.story())).length - 1;
    if (this.windows === 1 && forks > 0) problems.push(`one tab, and ${forks} forks`);
    return { problems, gestures: this.gestures, forks };
  }

  close(): void {
    for (const tab of this.tabs) tab.close();
  }

  private newFile(): string {
    const header = { chat_metadata: { integrity: randomUUID(), tainted: true }, user_name: 'unused', character_name: 'unused' };
    const greeting = { name: 'Aria', is_user: false, is_system: false, mes: 'Hello You', extra: {} };
    return [header, greeting].map((line) => JSON.stringify(line)).join('\n');
  }

  private async openTab(index: number): Promise<void> {
    this.tabs[index]?.close();
    const weather = { random: new Random(this.seed * 31 + index + this.count++), bad: 0.3, delay: 400 };
    const tab = new Tab(this.disk, this.file, this.ledger, weather, this.proxy);
    this.tabs[index] = tab;
    await tab.load();
  }

  private async step(): Promise<void> {
    const both = this.windows > 1 && this.random.chance(0.3);
    const chosen = both ? [0, 1] : [this.random.below(this.windows)];
    await Promise.all(chosen.map((index) => this.gesture(index)));
    if (this.random.chance(0.6)) await pause(this.random.next() * 3000);
  }

  private async gesture(index: number): Promise<void> {
    const tab = this.tabs[index]!;
    const { random } = this;
    const kind = random.pick(['send', 'send', 'send', 'page', 'page', 'turn', 'edit', 'edit', 'remove', 'remove page', 'hide', 'reload'] as const);
    const number = ++this.count;
    const floor = random.next();
    const page = random.below(3);
    for (let tries = 0; !tab.idle && tries < 400; tries++) await pause(50);
    const at = Math.floor(floor * tab.host.chat().length);
    this.gestures.push(`tab ${index}: ${kind} ${number} at ${at}/${tab.host.chat().length}`);
    if (kind === 'send') await tab.send(`Say ${number}`, gold(number));
    else if (kind === 'page') await tab.newPage(gold(number));
    else if (kind === 'turn') await tab.turn(page);
    else if (kind === 'edit') await tab.edit(at, gold(number));
    else if (kind === 'remove') await tab.remove(at);
    else if (kind === 'remove page') await tab.removePage();
    else if (kind === 'hide') await tab.hide(at);
    // What is neither told nor in the file yet dies with the page: that is the host's own risk, with one tab as with two.
    else if (tab.settled() && tab.saved()) await this.openTab(index);
  }

  private async clearUp(): Promise<string[]> {
    for (const tab of this.tabs) {
      Object.assign(tab.weather, { bad: 0, delay: 1 });
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

  private story(): string {
    return this.tabs[0]!.app.session!.record.story!;
  }

  private async disagreements(): Promise<string[]> {
    const [one, two = one] = this.tabs as [Tab, Tab?];
    for (const tab of this.tabs) if (!tab.settled()) return [`tab ${this.tabs.indexOf(tab)} is not settled`];
    const rows = one.rows();
    if (!isDeepStrictEqual(rows, two.rows())) return [`tab 0 shows ${String(rows)}`, `tab 1 shows ${String(two.rows())}`];
    const { messages } = this.disk.read();
    const shown = JSON.parse(JSON.stringify(one.host.chat())) as typeof messages;
    const texts = (list: typeof messages): unknown[] => list.map(({ mes, swipes, extra, is_system }) => [mes, swipes, extra, is_system]);
    if (!isDeepStrictEqual(texts(messages), texts(shown))) return ['the file is not what the tabs show', JSON.stringify(texts(messages)), JSON.stringify(texts(shown))];
    const ref = (await this.engine.refs(this.story())).find((one) => one.chat === this.tabs[0]!.app.session!.record.chat);
    if (!ref) return ['the engine knows no such chat'];
    const floors = await this.engine.floors(this.story(), ref);
    const engineTexts = floors.map(({ page, text }) => [page, text]);
    const tabTexts = one.host.chat().map((message) => [(message.extra!['storeyline'] as { id: string }).id, message.mes]);
    if (!isDeepStrictEqual(engineTexts, tabTexts)) return ['the engine has another path', JSON.stringify(engineTexts), JSON.stringify(tabTexts)];
    const replayed = await this.engine.replay(this.file, this.disk.text);
    const states = floors.map(({ state }) => state);
    return isDeepStrictEqual(states, replayed) ? [] : ['the states are not the replay', JSON.stringify(states), JSON.stringify(replayed)];
  }

  /** Pages that stand nowhere any more although nobody took them away. */
  private async lost(): Promise<string[]> {
    const present = new Set<string>();
    for (const ref of await this.engine.refs(this.story())) {
      for (const { pages } of await this.engine.floors(this.story(), ref)) for (const { page } of pages) present.add(page);
    }
    const missing = [...this.ledger.made].filter(([id]) => !present.has(id) && !this.ledger.removed.has(id));
    return missing.map(([id, text]) => `lost: ${id} ${text}`);
  }
}
