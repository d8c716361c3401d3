// The host's page as a user sees it: only mouse, keyboard and visible content. Nothing here calls functions
// of the host or the extension to cause something; `chat()` reads for checking, `streaming()` and `choices()`
// are set-up.

import type { Locator, Page } from "playwright-core";
import type { HostMessage, OpenChat } from "./message.ts";
import { until } from "./poll.ts";

interface HostContext {
  chat: HostMessage[];
  chatMetadata: OpenChat["metadata"];
  chatId?: string;
  characters: { name: string; avatar: string }[];
  getCharacters(): Promise<void>;
  getRequestHeaders(): Record<string, string>;
  chatCompletionSettings: { stream_openai: boolean; n: number; function_calling: boolean };
  powerUserSettings: { auto_swipe: boolean; auto_swipe_minimum_length: number; reasoning: { auto_parse: boolean } };
  extensionSettings: { memory: { source: string; memoryFrozen: boolean } };
  registerFunctionTool(tool: object): void;
  unregisterFunctionTool(name: string): void;
  swipe: { state(): string };
  streamingProcessor: { isStopped: boolean } | null;
}

declare global {
  // A global of the host's page.
  var SillyTavern: { getContext(): HostContext };
  // A global of the tests, to remember notices that have disappeared.
  var seenToasts: string[];
}

export class HostPage {
  constructor(
    readonly page: Page,
    private readonly url: string,
  ) {}

  // Whole page

  async open(): Promise<void> {
    await this.page.addInitScript(rememberToasts);
    await this.page.goto(this.url);
    await this.page.locator("#preloader").waitFor({ state: "detached", timeout: 90_000 });
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.page.locator("#preloader").waitFor({ state: "detached", timeout: 90_000 });
  }

  /** Leaves the host, as closing the tab does. */
  async leave(): Promise<void> {
    await this.page.goto("about:blank");
  }

  // Cards and chats

  /** Imports a card file and opens it (the host does not open it by itself). */
  async importCard(file: string, name: string): Promise<void> {
    await this.listCards();
    await this.page.locator("#character_import_file").setInputFiles(file);
    await this.card(name).waitFor();
    await this.openCard(name);
  }

  async hasCard(name: string): Promise<boolean> {
    await this.listCards();
    return this.card(name).isVisible();
  }

  /** Opens a card. The host refuses, with a toast, while it saves the open chat: then it is tried again. */
  async openCard(name: string): Promise<void> {
    const open = "(({ name2, groupId }) => (groupId ? '' : name2))(SillyTavern.getContext())";
    await until(`the card ${name} is open`, async () => {
      await this.listCards();
      await this.card(name).click();
      await until("the host opens it", async () => {
        const found = await this.page.evaluate<string>(open);
        if (found !== name) throw new Error(`the open card is ${found}`);
      }, 3_000);
    });
    await this.opened();
    await this.closeDrawer();
  }

  async newChat(): Promise<void> {
    const before = (await this.chat()).file;
    await this.option("#option_start_new_chat");
    await this.confirm();
    await this.otherChat(before);
  }

  /** Opens a chat file of the current card from the list of past chats. */
  async openChatFile(name: string): Promise<void> {
    await this.option("#option_select_chat");
    await this.page.locator(`.select_chat_block[file_name="${name}"]`).click();
    await this.isOpen(name);
    await this.page.locator("#select_chat_popup").waitFor({ state: "hidden" });
    await this.idle();
  }

  /** Renames the open chat in the list of past chats. */
  async renameChat(name: string): Promise<void> {
    await this.option("#option_select_chat");
    const current = this.page.locator(".select_chat_block_wrapper").filter({ has: this.page.locator('.select_chat_block[highlight="true"]') });
    await current.locator(".renameChatButton").click();
    await this.page.locator("dialog[open] .popup-input").fill(name);
    await this.confirm();
    await this.isOpen(name);
    // The host shows the list again, with the new name in it.
    await this.page.locator(`.select_chat_block[file_name="${name}"]`).waitFor();
    await this.page.locator("#select_chat_cross").click();
    await this.page.locator("#select_chat_popup").waitFor({ state: "hidden" });
    await this.idle();
  }

  /**
   * Opens a new group whose members all answer, in this order. (Set-up: the form for groups is not under
   * test.)
   */
  async openGroup(name: string, members: string[]): Promise<void> {
    await this.page.evaluate(async ([name, members]) => {
      const context = SillyTavern.getContext();
      const avatars = members.map((member) => context.characters.find((card) => card.name === member)?.avatar);
      const body = JSON.stringify({ name, members: avatars, activation_strategy: 1 });
      const made = await fetch("/api/groups/create", { method: "POST", headers: context.getRequestHeaders(), body });
      await context.getCharacters();
      const groups = (await import("/scripts/group-chats.js" as string)) as { openGroupById(id: string): Promise<boolean> };
      await groups.openGroupById(((await made.json()) as { id: string }).id);
    }, [name, members] as const);
    await this.opened();
    await this.closeDrawer();
  }

  async closeChat(): Promise<void> {
    await this.option("#option_close_chat");
    await until("no chat is open", async () => {
      if ((await this.chat()).file !== undefined) throw new Error("a chat is still open");
    });
  }

  /** Waits until the host has written the card and read it again. */
  async characterRead(): Promise<void> {
    await this.page.waitForResponse((response) => response.url().includes("/api/characters/edit"));
    await this.page.waitForResponse((response) => response.url().endsWith("/api/characters/get"));
    await this.idle();
  }

  /** Changes the description in the card's form. */
  async editDescription(text: string): Promise<void> {
    await this.openDrawer();
    const saved = this.page.waitForResponse((response) => response.url().includes("/api/characters/edit"));
    await this.page.locator("#description_textarea").fill(text);
    await saved;
    await this.closeDrawer();
    await this.idle();
  }

  // Generation

  async type(text: string): Promise<void> {
    await this.page.locator("#send_textarea").fill(text);
  }

  /** Types and sends, and waits until the reply has ended. */
  async send(text: string): Promise<void> {
    await this.generates(() => this.startSend(text));
  }

  /** Types and sends, answers our question with a button, and waits for the reply. */
  async sendAndChoose(text: string, button: string): Promise<void> {
    await this.generates(async () => {
      await this.startSend(text);
      await this.choose(button);
    });
  }

  /** Answers a question over the page. */
  async choose(button: string): Promise<void> {
    await this.page.locator("dialog[open] .popup-controls .menu_button", { hasText: button }).click();
  }

  /** The text of the question over the page. */
  async question(): Promise<string> {
    return (await this.page.locator("dialog[open] .sl-host-question").textContent()) ?? "";
  }

  /** Types and sends, and waits only until the message is in the chat. */
  async startSend(text: string): Promise<void> {
    const before = (await this.chat()).messages.length;
    await this.type(text);
    await this.page.locator("#send_but").click();
    await this.longerThan(before);
  }

  /** Types a command of the host. */
  async command(text: string): Promise<void> {
    await this.startSend(text);
    await this.idle();
  }

  async continueReply(): Promise<void> {
    await this.generates(() => this.option("#option_continue"));
  }

  async regenerate(): Promise<void> {
    await this.generates(() => this.option("#option_regenerate"));
  }

  async stop(): Promise<void> {
    await this.page.locator("#mes_stop").click();
    await this.idle();
  }

  /** Waits until the last message shows this text (during a stream). */
  async shows(text: string): Promise<void> {
    await this.last(".mes_text").filter({ hasText: text }).waitFor();
  }

  // Swipes

  /** One page to the right, among those that exist. */
  async swipeRight(): Promise<void> {
    await this.turnsPage(".swipe_right");
  }

  async swipeLeft(): Promise<void> {
    await this.turnsPage(".swipe_left");
  }

  /** Beyond the last page of a reply: the host generates a new one. */
  async newSwipe(): Promise<void> {
    await this.generates(() => this.last(".swipe_right").click());
  }

  /** Deletes the active page of the last reply. */
  async deleteSwipe(): Promise<void> {
    const floor = (await this.chat()).messages.length - 1;
    await this.editor(floor, ".mes_edit_delete");
    await this.confirm();
    await this.idle();
  }

  // One message

  async edit(floor: number, text: string): Promise<void> {
    await this.startEdit(floor);
    await this.page.locator("#curEditTextarea").fill(text);
    await this.message(floor).locator(".mes_edit_done").click();
    await this.idle();
  }

  async cancelEdit(floor: number, text: string): Promise<void> {
    await this.startEdit(floor);
    await this.page.locator("#curEditTextarea").fill(text);
    await this.message(floor).locator(".mes_edit_cancel").click();
    await this.idle();
  }

  async deleteMessage(floor: number): Promise<void> {
    const before = (await this.chat()).messages.length;
    await this.editor(floor, ".mes_edit_delete");
    await this.confirm();
    await until("the message is gone", async () => {
      if ((await this.chat()).messages.length >= before) throw new Error(`still ${before} messages`);
    });
    await this.idle();
  }

  async moveUp(floor: number): Promise<void> {
    await this.editor(floor, ".mes_edit_up");
    await this.message(floor - 1).locator(".mes_edit_cancel").click();
    await this.idle();
  }

  async moveDown(floor: number): Promise<void> {
    await this.editor(floor, ".mes_edit_down");
    await this.message(floor + 1).locator(".mes_edit_cancel").click();
    await this.idle();
  }

  async duplicate(floor: number): Promise<void> {
    const before = (await this.chat()).messages.length;
    await this.editor(floor, ".mes_edit_copy");
    await this.confirm();
    await this.longerThan(before);
    await this.message(floor).locator(".mes_edit_cancel").click();
    await this.idle();
  }

  async hide(floor: number): Promise<void> {
    await this.action(floor, ".mes_hide");
    await this.message(floor).locator(".mes_unhide").waitFor();
  }

  async unhide(floor: number): Promise<void> {
    await this.action(floor, ".mes_unhide");
    await this.message(floor).locator(".mes_hide").waitFor();
  }

  async branch(floor: number): Promise<void> {
    const before = (await this.chat()).file;
    await this.action(floor, ".mes_create_branch");
    await this.otherChat(before);
  }

  /** Saves the chat up to a floor under another name, and stays in the current chat. */
  async checkpoint(floor: number, name: string): Promise<void> {
    await this.action(floor, ".mes_create_bookmark");
    await this.page.locator("dialog[open] .popup-input").fill(name);
    await this.confirm();
    await this.message(floor).locator(".mes_bookmark").waitFor();
  }

  async backToParent(): Promise<void> {
    const before = (await this.chat()).file;
    await this.option("#option_back_to_main");
    await this.otherChat(before);
  }

  // Reading

  /** The chat in the page's memory. */
  async chat(): Promise<OpenChat> {
    return this.page.evaluate(() => {
      const context = SillyTavern.getContext();
      return JSON.parse(
        JSON.stringify({ file: context.chatId || undefined, metadata: context.chatMetadata, messages: context.chat }),
      ) as OpenChat;
    });
  }

  /** The text of a message as it is drawn. */
  async drawn(floor: number): Promise<string> {
    return this.message(floor).locator(".mes_text").innerText();
  }

  /** The texts of all notices that were visible since the page was loaded. */
  async toasts(): Promise<string[]> {
    return this.page.evaluate(() => seenToasts);
  }

  /**
   * Waits until nothing is being generated and no swipe is running.
   *
   * The host shows its send button before a streamed reply is really over. A click in that short time is
   * ignored, or the end of the old stream breaks the new one; so the stream must be gone too. A failed one
   * stays, stopped.
   */
  async idle(): Promise<void> {
    await this.page.waitForFunction(() => {
      const { generating, swiping } = document.body.dataset;
      const { swipe, streamingProcessor } = SillyTavern.getContext();
      return generating === undefined && swiping === undefined && swipe.state() === "none" && streamingProcessor?.isStopped !== false;
    });
  }

  // Set-up

  async streaming(on: boolean): Promise<void> {
    await this.page.evaluate((value) => {
      SillyTavern.getContext().chatCompletionSettings.stream_openai = value;
    }, on);
  }

  /** Number of alternatives that the model is asked for at once. */
  async choices(count: number): Promise<void> {
    await this.page.evaluate((value) => {
      SillyTavern.getContext().chatCompletionSettings.n = value;
    }, count);
  }

  // Parts that other gestures are made of (`rare.ts`)

  /** Runs a gesture that asks the model, and waits until the answer is over. */
  async generates(gesture: () => Promise<void>): Promise<void> {
    const asked = this.page.waitForResponse((response) => response.url().endsWith("/api/backends/chat-completions/generate"));
    await gesture();
    // Only after the stream is closed: the host never reads one to the end that it rejects itself.
    await asked;
    await this.idle();
  }

  private async turnsPage(arrow: string): Promise<void> {
    const shown = async (): Promise<number | undefined> => (await this.chat()).messages.at(-1)?.swipe_id;
    const before = await shown();
    await this.last(arrow).click();
    await until("another page is shown", async () => {
      if ((await shown()) === before) throw new Error(`page ${before} is still shown`);
    });
    await this.idle();
  }

  message(floor: number): Locator {
    return this.page.locator(`#chat .mes[mesid="${floor}"]`);
  }

  private last(part: string): Locator {
    return this.page.locator(`#chat .last_mes ${part}`);
  }

  private card(name: string): Locator {
    return this.page.locator("#rm_print_characters_block .character_select").filter({ hasText: name });
  }

  private async startEdit(floor: number): Promise<void> {
    await this.message(floor).hover();
    await this.message(floor).locator(".mes_edit").click();
    await this.page.locator("#curEditTextarea").waitFor();
  }

  private async editor(floor: number, button: string): Promise<void> {
    await this.startEdit(floor);
    await this.message(floor).locator(button).click();
  }

  private async action(floor: number, button: string): Promise<void> {
    await this.message(floor).hover();
    await this.message(floor).locator(button).click();
  }

  async option(id: string): Promise<void> {
    await this.page.locator("#options_button").click();
    await this.page.locator(`${id}:visible`).click();
  }

  async confirm(): Promise<void> {
    await this.page.locator("dialog[open] .popup-button-ok").click();
    await this.page.locator("dialog[open]").waitFor({ state: "detached" });
  }

  private async openDrawer(): Promise<void> {
    const panel = this.page.locator("#right-nav-panel");
    if (!(await panel.isVisible())) await this.page.locator("#rightNavDrawerIcon").click();
    await panel.waitFor();
  }

  /** Shows the list of cards (the drawer may show one card's form). */
  private async listCards(): Promise<void> {
    await this.openDrawer();
    const list = this.page.locator("#rm_print_characters_block");
    // The host may still be about to show the form of a card that was just opened.
    await until("the list of cards is shown", async () => {
      await this.page.locator("#rm_button_characters").click();
      await list.waitFor({ timeout: 1000 });
    });
  }

  async closeDrawer(): Promise<void> {
    const panel = this.page.locator("#right-nav-panel");
    if (await panel.isVisible()) await this.page.locator("#rightNavDrawerIcon").click();
    await panel.waitFor({ state: "hidden" });
  }

  async opened(): Promise<void> {
    await until("a chat is open", async () => {
      const { file, messages } = await this.chat();
      if (file === undefined || messages.length === 0) throw new Error("no chat is open");
    });
    await this.idle();
  }

  async isOpen(name: string): Promise<void> {
    await until(`chat ${name} is open`, async () => {
      const { file } = await this.chat();
      if (file !== name) throw new Error(`the open chat is ${file}`);
    });
  }

  async otherChat(before: string | undefined): Promise<void> {
    await until("another chat is open", async () => {
      const { file, messages } = await this.chat();
      if (file === undefined || file === before || messages.length === 0) throw new Error(`the open chat is ${file}`);
    });
    await this.idle();
  }

  private async longerThan(count: number): Promise<void> {
    await until("the chat has grown", async () => {
      if ((await this.chat()).messages.length <= count) throw new Error(`still ${count} messages`);
    });
  }
}

/** Runs in the page: records every notice as it appears, because they disappear after some seconds. */
function rememberToasts(): void {
  globalThis.seenToasts = [];
  new MutationObserver((changes) => {
    for (const node of changes.flatMap((change) => [...change.addedNodes])) {
      if (node instanceof HTMLElement && node.classList.contains("toast")) seenToasts.push(node.innerText);
    }
  }).observe(document, { childList: true, subtree: true });
}
