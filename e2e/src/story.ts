// One story of a test: each step is a gesture of the user, the resulting layout, and what the model must have
// been sent. After every step the page, the file, the engine and the prompt are checked against the naive
// model.

import assert from "node:assert/strict";
import { type Card, shownState, stateIn } from "./card.ts";
import { bindingProblems, fileProblems, Labels, same } from "./check.ts";
import type { StateFloor } from "./engine.ts";
import type { ChatFiles } from "./files.ts";
import { canonical } from "./hash.ts";
import { activeLabels, type Floor, parseLayout, roleOfLabel } from "./layout.ts";
import { type ChatMetadata, type HostMessage, type OpenChat, roleOf, slots } from "./message.ts";
import { type State, statesAlong } from "./model.ts";
import { until } from "./poll.ts";
import { type Stage, userName } from "./stage.ts";

export interface Step {
  act: () => Promise<void>;
  layout: string;
  /** The texts of new pages, and of pages that this step changes. */
  says?: Record<string, string>;
  /**
   * The page whose state the model must have been shown; several, when it is asked several times. Absent: it
   * must not be asked.
   */
  sees?: string | string[];
  /**
   * The host shows a message for a moment and removes it by itself: the engine was told of a page that no
   * longer exists.
   */
  passing?: boolean;
  /** False while the engine is away: only the page and the file are checked. */
  engine?: boolean;
  /**
   * The player does not wait until everything is saved and synced: only the page and the prompt are checked.
   */
  hasty?: boolean;
}

export class Story {
  readonly labels: Labels;

  constructor(
    private readonly stage: Stage,
    private readonly card: Card,
    /** Milliseconds after which a step counts as failed. */
    private readonly patience = 20_000,
    private readonly files: ChatFiles = stage.chatFiles(card),
  ) {
    this.labels = new Labels({ user: userName, char: card.name });
  }

  async step(name: string, step: Step): Promise<void> {
    try {
      const asked = this.stage.llm.requests.length;
      await step.act();
      this.labels.say(step.says ?? {});
      if (step.passing === true) this.stage.traffic.forget();
      await this.holds(step);
      this.checkPrompt(step, asked);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new Error(`step "${name}": ${message}`, { cause: error });
    }
  }

  /** Waits until page, file and engine match the layout. */
  async holds({ layout, hasty = false, engine = !hasty }: Omit<Step, "act">): Promise<void> {
    const floors = parseLayout(layout);
    const chat = await until(`the chat is ${layout}`, async () => {
      const open = await this.stage.page.chat();
      const problems = this.pageProblems(open, floors);
      if (problems.length === 0 && !hasty) problems.push(...this.fileProblems(open, floors, engine));
      if (problems.length === 0 && engine) problems.push(...(await this.engineProblems(open, floors)));
      if (problems.length > 0) throw new Error(problems.join("\n"));
      return open;
    }, this.patience);
    this.labels.learn(chat.messages, floors);
  }

  /** The states that a layout must have, floor by floor. */
  states(layout: string): State[] {
    return this.statesOf(parseLayout(layout));
  }

  private pageProblems(chat: OpenChat, floors: Floor[]): string[] {
    if (chat.file === undefined) return ["no chat is open"];
    const binding = bindingProblems(chat.messages);
    return binding.length > 0 ? binding : this.labels.problems(chat.messages, floors);
  }

  private fileProblems(chat: OpenChat, floors: Floor[], engine: boolean): string[] {
    const file = this.files.read(chat.file ?? "");
    const problems = [...fileProblems(chat.messages, file.messages), ...this.ghostProblems(chat)];
    if (!same(record(chat.metadata), record(file.header.chat_metadata))) problems.push("the header on disk is not the one in memory");
    const variable = file.header.chat_metadata.variables?.["vs_stat_data"];
    const state = this.statesOf(floors).at(-1);
    if (engine && !same(plain(variable), state)) problems.push(`vs_stat_data on disk: ${JSON.stringify(variable)}, expected ${JSON.stringify(state)}`);
    return problems;
  }

  private async engineProblems(chat: OpenChat, floors: Floor[]): Promise<string[]> {
    const uid = chat.metadata.storeyline?.chat;
    if (uid === undefined) return ["the header has no chat uid"];
    const ref = await this.stage.engine.refOf(uid);
    if (ref.floors !== floors.length) return [`the engine has ${ref.floors} floors`];
    const views = await this.stage.engine.floors(ref);
    const states = this.statesOf(floors);
    return views.flatMap((view, floor) => floorProblems(view, chat.messages[floor], states[floor]));
  }

  private statesOf(floors: Floor[]): State[] {
    const turns = activeLabels(floors).map((label) => ({ role: roleOfLabel(label), text: this.labels.text(label) }));
    return statesAlong(this.card.template, turns);
  }

  private checkPrompt({ layout, sees, engine = true }: Step, asked: number): void {
    const { llm } = this.stage;
    const pages = sees === undefined ? [] : [sees].flat();
    assert.equal(llm.requests.length - asked, pages.length, "requests to the model");
    assert.equal(llm.left, 0, "scripted replies that the model was not asked for");
    const floors = parseLayout(layout);
    for (const [index, page] of pages.entries()) {
      const floor = activeLabels(floors).indexOf(page);
      assert.ok(floor >= 0, `page ${page} is not shown in ${layout}`);
      if (engine) assert.equal(stateIn(llm.prompt(asked + index)), shownState(this.statesOf(floors)[floor]), `the model must see the state at ${page}`);
    }
  }

  /** An id that the engine was told and that no page has would be a ghost in its history. */
  private ghostProblems(chat: OpenChat): string[] {
    const present = new Set(chat.messages.flatMap((message) => slots(message).map(({ binding }) => binding?.id)));
    const named = this.stage.traffic.namedIn(chat.metadata.storeyline?.chat ?? "");
    const ghosts = [...named].filter((id) => !present.has(id) && !this.labels.knows(id));
    return ghosts.map((id) => `the engine was given the id ${id}, and no page has it`);
  }
}

/** The identity of a chat. The base is left out: the file may be saved before the answer with a new one. */
function record({ storeyline }: ChatMetadata): object {
  return { ...storeyline, base: undefined };
}

/**
 * The variable without the invisible character by which Storeyline separates braces, so that the host expands
 * nothing in it.
 */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value).replaceAll("\u200b", ""));
}

function floorProblems(view: StateFloor, message: HostMessage, state: State): string[] {
  const problems: string[] = [];
  const wrong = (what: string, is: unknown, must: unknown): void => {
    if (!same(is, must)) problems.push(`engine floor ${view.floor}: ${what} ${JSON.stringify(is)} instead of ${JSON.stringify(must)}`);
  };
  wrong("page", view.page, message.extra?.storeyline?.id);
  wrong("text", view.text, canonical(message.mes));
  wrong("role", view.role, roleOf(message));
  wrong("hidden", view.hidden, message.is_system === true);
  wrong("active", view.active, message.swipe_id ?? 0);
  const ids = message.swipe_info?.map((info) => info.extra?.storeyline?.id) ?? [message.extra?.storeyline?.id];
  wrong("pages", view.pages.map((page) => page.page), ids);
  if (JSON.stringify(view.state) !== JSON.stringify(state)) wrong("state", [view.state], [state, "in this order of keys"]);
  return problems;
}
