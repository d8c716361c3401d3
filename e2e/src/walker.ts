// Random play in the real host. After every gesture the page, the file and the engine must agree, every id
// must be valid, and the state at every floor must follow from the texts and the corrections by hand: by the
// naive model, and, up to the first correction, by the command line's replay of the file. Every prompt must
// have shown the state of the floor it continues.

import assert from "node:assert/strict";
import { type Card, shownState, stateIn } from "./card.ts";
import { bindingProblems, fileProblems, same } from "./check.ts";
import { Cli } from "./cli.ts";
import { type HostMessage, type OpenChat, roleOf, slots } from "./message.ts";
import { type Correction, type State, statesAlong } from "./model.ts";
import { until } from "./poll.ts";
import type { Random } from "./random.ts";
import type { Stage } from "./stage.ts";

const path = "角色.金币";
const gold = (amount: number): string => `Coins. @.ADD("${path}", ${amount});`;

/** Corrections of one chat, by page. */
type ByHand = Map<string, Correction[]>;

interface Gesture {
  name: string;
  weight: number;
  /** Whether it is possible now. */
  fits(chat: OpenChat): boolean;
  make(chat: OpenChat): Promise<void>;
}

export class Walker {
  /** The gestures, as sentences. */
  readonly log: string[] = [];
  private readonly cli: Cli;
  /** Chat uid → corrections. A branch begins with those of its parent. */
  private readonly byHand = new Map<string, ByHand>();
  private number = 0;
  /** The host emits no event for the last gesture; the engine need not know it yet. */
  private silent = false;

  constructor(
    private readonly stage: Stage,
    private readonly card: Card,
    private readonly random: Random,
  ) {
    this.cli = new Cli(stage.engine.data);
  }

  /** Begins with a new chat. */
  async start(): Promise<void> {
    await this.stage.page.newChat();
    await this.check();
  }

  /** Makes one gesture and checks the result. */
  async step(): Promise<void> {
    const chat = await this.stage.page.chat();
    const fitting = this.gestures.filter((gesture) => gesture.fits(chat));
    const gesture = this.random.pick(fitting.flatMap((one) => Array<Gesture>(one.weight).fill(one)));
    this.log.push(`${this.log.length + 1} ${gesture.name} (${chat.messages.length} floors)`);
    this.silent = false;
    await gesture.make(chat);
    await this.check();
  }

  /** Reloads the page, so that the engine is synced completely, and checks. */
  async finish(): Promise<void> {
    this.silent = false;
    await this.reload(await this.stage.page.chat());
    await this.check();
  }

  private readonly gestures: Gesture[] = [
    { name: "send", weight: 8, fits: () => true, make: (chat) => this.sees(chat, chat.messages.length, () => this.stage.page.send(`Say ${this.next()}`)) },
    { name: "new swipe", weight: 5, fits: (chat) => lastIsReply(chat) && onLastPage(chat), make: (chat) => this.sees(chat, chat.messages.length - 1, () => this.stage.page.newSwipe()) },
    { name: "swipe on", weight: 2, fits: (chat) => lastIsReply(chat) && !onLastPage(chat), make: () => this.stage.page.swipeRight() },
    { name: "swipe back", weight: 4, fits: (chat) => lastIsReply(chat) && (chat.messages.at(-1)?.swipe_id ?? 0) > 0, make: () => this.stage.page.swipeLeft() },
    { name: "regenerate", weight: 2, fits: lastIsReply, make: (chat) => this.sees(chat, chat.messages.length - 1, () => this.stage.page.regenerate()) },
    { name: "continue", weight: 2, fits: lastIsReply, make: (chat) => this.sees(chat, chat.messages.length - 1, () => this.stage.page.continueReply()) },
    { name: "edit", weight: 4, fits: () => true, make: (chat) => this.stage.page.edit(this.floor(chat), gold(this.next())) },
    { name: "delete", weight: 2, fits: longer(3), make: (chat) => this.stage.page.deleteMessage(this.floor(chat, 1)) },
    { name: "delete swipe", weight: 1, fits: (chat) => lastIsReply(chat) && (chat.messages.at(-1)?.swipes?.length ?? 1) > 1, make: () => this.stage.page.deleteSwipe() },
    { name: "move up", weight: 2, fits: longer(3), make: (chat) => this.silently(() => this.stage.page.moveUp(this.floor(chat, 2))) },
    { name: "hide or show", weight: 2, fits: longer(2), make: (chat) => this.silently(() => this.hide(chat)) },
    { name: "correct by hand", weight: 3, fits: () => true, make: (chat) => this.correct(chat) },
    { name: "undo", weight: 2, fits: longer(2), make: (chat) => this.undo(chat) },
    { name: "branch", weight: 1, fits: longer(3), make: (chat) => this.branch(chat) },
    { name: "return", weight: 2, fits: (chat) => chat.metadata.main_chat !== undefined, make: () => this.stage.page.backToParent() },
    { name: "reload", weight: 1, fits: () => true, make: (chat) => this.reload(chat) },
    { name: "kill the engine", weight: 1, fits: () => true, make: () => this.kill() },
  ];

  private next(): number {
    return ++this.number;
  }

  private floor({ messages }: OpenChat, from = 0): number {
    return from + this.random.below(messages.length - from);
  }

  /** A gesture that asks the model, which must see the state after this many floors. */
  private async sees(chat: OpenChat, floors: number, act: () => Promise<void>): Promise<void> {
    const { llm } = this.stage;
    const wanted = this.states(chat)[floors - 1] ?? this.card.template;
    const asked = llm.requests.length;
    llm.will(gold(this.next()));
    await act();
    assert.equal(llm.requests.length, asked + 1, "requests to the model");
    assert.equal(stateIn(llm.lastPrompt()), shownState(wanted), "the state that the model was shown");
  }

  private async silently(act: () => Promise<void>): Promise<void> {
    this.silent = true;
    await act();
  }

  private async hide(chat: OpenChat): Promise<void> {
    // The last one stays visible: the host does not swipe a hidden message.
    const floor = this.random.below(chat.messages.length - 1);
    if (chat.messages[floor].is_system) await this.stage.page.unhide(floor);
    else await this.stage.page.hide(floor);
  }

  private async correct(chat: OpenChat): Promise<void> {
    const page = chat.messages[this.floor(chat)].extra?.storeyline?.id ?? "";
    const value = this.next() * 1000;
    const corrections = this.corrections(chat);
    this.cli.set(await this.name(chat), page, path, value);
    corrections.set(page, [...(corrections.get(page) ?? []), { path, value }]);
  }

  /** Undoes the last operation. The host shows its own changes undone; a correction is removed. */
  private async undo(chat: OpenChat): Promise<void> {
    const name = await this.name(chat);
    const { operation, kind, page } = this.cli.lastOperation(name);
    this.log.push(`  (${kind})`);
    if (kind !== "sync" && kind !== "override") return;
    this.cli.undo(name, operation);
    const corrections = this.corrections(chat);
    if (kind === "override" && page !== null) corrections.set(page, (corrections.get(page) ?? []).slice(0, -1));
  }

  private async branch(chat: OpenChat): Promise<void> {
    await this.stage.page.branch(this.floor(chat, 1));
    const uid = await until("the branch has a name of its own", async () => {
      const own = (await this.stage.page.chat()).metadata.storeyline?.chat;
      assert.notEqual(own, chat.metadata.storeyline?.chat);
      return own ?? "";
    });
    this.byHand.set(uid, new Map(this.corrections(chat)));
  }

  private async reload({ file = "" }: OpenChat): Promise<void> {
    const { page } = this.stage;
    await page.reload();
    await page.openCard(this.card.name);
    if ((await page.chat()).file !== file) await page.openChatFile(file);
  }

  private async kill(): Promise<void> {
    const { engine } = this.stage;
    const { pid } = engine;
    await engine.kill();
    await until("the plugin has started the engine again", () => assert.notEqual(engine.pid, pid), 60_000);
  }

  private async name({ metadata }: OpenChat): Promise<string> {
    const { story, ref } = await this.stage.engine.refOf(metadata.storeyline?.chat ?? "");
    return `${story}@${ref}`;
  }

  private corrections({ metadata }: OpenChat): ByHand {
    const uid = metadata.storeyline?.chat ?? "";
    const known = this.byHand.get(uid) ?? new Map<string, Correction[]>();
    this.byHand.set(uid, known);
    return known;
  }

  private states(chat: OpenChat): State[] {
    const corrections = this.corrections(chat);
    const turns = chat.messages.map((message) => ({ role: roleOf(message), text: message.mes, byHand: corrections.get(pageOf(message)) }));
    return statesAlong(this.card.template, turns);
  }

  private async check(): Promise<void> {
    const { engine, page } = this.stage;
    await until("page, file, engine and replay agree", async () => {
      const chat = await page.chat();
      const files = this.stage.chatFiles(this.card);
      const problems = [...bindingProblems(chat.messages), ...fileProblems(pagesOf(chat.messages), pagesOf(files.read(chat.file ?? "").messages))];
      if (problems.length === 0 && !this.silent) {
        const ref = await engine.refOf(chat.metadata.storeyline?.chat ?? "");
        assert.equal(ref.floors, chat.messages.length, "floors in the engine");
        const floors = await engine.floors(ref);
        const states = floors.map(({ state }) => state);
        const seen = floors.map(({ page, text, hidden }) => ({ page, text, hidden }));
        assert.deepEqual(seen, chat.messages.map((message) => ({ page: pageOf(message), text: message.mes, hidden: message.is_system === true })));
        if (!same(states, this.states(chat))) problems.push(`states ${JSON.stringify(states)}, the model says ${JSON.stringify(this.states(chat))}`);
        if (!same(chat.metadata.variables?.["vs_stat_data"], states.at(-1))) problems.push("the chat variable is another state");
      }
      if (problems.length > 0) throw new Error(problems.join("\n"));
    });
    if (!this.silent) this.checkReplay(await page.chat());
  }

  private checkReplay(chat: OpenChat): void {
    const corrections = this.corrections(chat);
    const corrected = chat.messages.findIndex((message) => (corrections.get(pageOf(message)) ?? []).length > 0);
    const known = corrected < 0 ? chat.messages.length : corrected;
    const replayed = this.cli.replay(this.stage.chatFiles(this.card).path(chat.file ?? ""), this.stage.cardFile(this.card));
    assert.deepEqual(replayed.slice(0, known), this.states(chat).slice(0, known), "the replay of the file");
  }
}

/**
 * What a player can distinguish: the host gives a message without swipes one when it draws it, and saves that
 * later.
 */
function pagesOf(messages: HostMessage[]): HostMessage[] {
  return messages.map((message) => ({ name: message.name, is_user: message.is_user, is_system: message.is_system === true, mes: message.mes, pages: slots(message) }));
}

function pageOf(message: HostMessage): string {
  return message.extra?.storeyline?.id ?? "";
}

function lastIsReply({ messages }: OpenChat): boolean {
  const last = messages.at(-1);
  return messages.length > 1 && last !== undefined && !last.is_user && !last.is_system;
}

function onLastPage({ messages }: OpenChat): boolean {
  const last = messages.at(-1);
  return (last?.swipe_id ?? 0) === (last?.swipes?.length ?? 1) - 1;
}

function longer(count: number): (chat: OpenChat) => boolean {
  return ({ messages }) => messages.length >= count;
}
