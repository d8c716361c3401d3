// Gestures that only some tests need: commands, delete mode, checkpoints, deleting chats. Mouse and keyboard,
// as in `page.ts`; the functions at the end are set-up of the host's own settings.

import type { HostPage } from "./page.ts";
import { until } from "./poll.ts";

/** Types a command of the host and waits until it is over. The host clears the input when it begins. */
export async function slash(page: HostPage, text: string): Promise<void> {
  await page.type(text);
  await page.page.locator("#send_but").click();
  await page.page.waitForFunction(() => {
    const line = document.querySelector<HTMLTextAreaElement>("#send_textarea");
    return line?.value === "" && document.querySelector(".isExecutingCommandsFromChatInput") === null;
  });
  await page.idle();
}

/** Types a command that opens another chat. */
export async function slashToOtherChat(page: HostPage, text: string): Promise<void> {
  const before = (await page.chat()).file;
  await slash(page, text);
  await page.otherChat(before);
}

/** Sends by the keyboard alone, and waits until the reply has ended. */
export async function sendByKey(page: HostPage, text: string): Promise<void> {
  await page.generates(async () => {
    await page.page.locator("#send_textarea").focus();
    await page.page.keyboard.type(text);
    await page.page.keyboard.press("Enter");
  });
}

/** Delete mode: marks a message, and with it all below, and deletes them. */
export async function deleteFrom(page: HostPage, floor: number): Promise<void> {
  await page.option("#option_delete_mes");
  await page.message(floor).locator(".del_checkbox").click();
  await page.page.locator("#dialogue_del_mes_ok").click();
  await until("the messages are gone", async () => {
    const { length } = (await page.chat()).messages;
    if (length !== floor) throw new Error(`still ${length} messages`);
  });
  await page.idle();
}

/** Asks the model to write the user's message. Returns the contents of the input, and clears it. */
export async function impersonate(page: HostPage): Promise<string> {
  await page.generates(() => page.option("#option_impersonate"));
  const text = await page.page.locator("#send_textarea").inputValue();
  await page.type("");
  return text;
}

/** Branches off with any page of a message, in the host's list of that message's pages. */
export async function branchFromPage(page: HostPage, floor: number, index: number): Promise<void> {
  const before = (await page.chat()).file;
  await inSwipePicker(page, floor, index, ".swipe_picker_branch");
  await page.otherChat(before);
}

/** Deletes a page of any message, in the same list. */
export async function deletePage(page: HostPage, floor: number, index: number): Promise<void> {
  const pages = async (): Promise<number> => (await page.chat()).messages[floor].swipes?.length ?? 1;
  const before = await pages();
  await inSwipePicker(page, floor, index, ".swipe_picker_delete");
  await page.page.locator("dialog[open] .popup-button-ok:visible").last().click();
  await until("the page is gone", async () => {
    if ((await pages()) >= before) throw new Error(`still ${before} pages`);
  });
  await page.page.keyboard.press("Escape");
  await page.page.locator("dialog[open]").waitFor({ state: "detached" });
  await page.idle();
}

async function inSwipePicker(page: HostPage, floor: number, index: number, button: string): Promise<void> {
  await page.message(floor).hover();
  await page.message(floor).locator(".mes_swipe_picker").click();
  await page.page.locator(`.swipe_picker_block[data-swipe-id="${index}"] ${button}`).click();
}

/** Opens the checkpoint of a message. */
export async function openCheckpoint(page: HostPage, floor: number): Promise<void> {
  const before = (await page.chat()).file;
  await page.message(floor).locator(".mes_bookmark").click();
  await page.otherChat(before);
}

/** Deletes a chat file of the current card in the list of past chats. */
export async function deleteChat(page: HostPage, name: string): Promise<void> {
  await page.option("#option_select_chat");
  await page.page.locator(`.PastChat_cross[file_name="${name}"]`).click();
  await page.confirm();
  // The host closes its list at once and, two seconds later, shows it again without the chat.
  await page.page.locator(`.PastChat_cross[file_name="${name}"]`).waitFor({ state: "detached" });
  await page.page.locator("#select_chat_cross").click();
  await page.page.locator("#select_chat_popup").waitFor({ state: "hidden" });
  await page.idle();
}

// Set-up

/** Replies shorter than this are rejected: the host swipes by itself. 0 turns it off. */
export async function autoSwipe(page: HostPage, shortest: number): Promise<void> {
  await page.page.evaluate((length) => {
    const settings = SillyTavern.getContext().powerUserSettings;
    settings.auto_swipe = length > 0;
    settings.auto_swipe_minimum_length = length;
  }, shortest);
}

/** The host's summaries are made by the model of the chat; frozen, only on request. */
export async function summaries(page: HostPage, frozen: boolean): Promise<void> {
  await page.page.evaluate((value) => {
    Object.assign(SillyTavern.getContext().extensionSettings.memory, { source: "main", memoryFrozen: value });
  }, frozen);
}

/** Whether the host removes `<think>` from replies. */
export async function parseReasoning(page: HostPage, on: boolean): Promise<void> {
  await page.page.evaluate((value) => {
    SillyTavern.getContext().powerUserSettings.reasoning.auto_parse = value;
  }, on);
}

/** Gives the model a tool that answers with a fixed text. */
export async function offerTool(page: HostPage, name: string, answer: string): Promise<void> {
  // As text: the compiler of the tests adds helpers to nested functions, and the page does not have them.
  await page.page.evaluate(`(() => {
    const context = SillyTavern.getContext();
    context.chatCompletionSettings.function_calling = true;
    const name = ${JSON.stringify(name)};
    const parameters = { $schema: "http://json-schema.org/draft-04/schema#", type: "object", properties: {}, required: [] };
    const action = async () => ${JSON.stringify(answer)};
    context.registerFunctionTool({ name, displayName: name, description: name, parameters, action, formatMessage: async () => "" });
  })()`);
}

export async function takeToolAway(page: HostPage, name: string): Promise<void> {
  await page.page.evaluate((name) => {
    const context = SillyTavern.getContext();
    context.chatCompletionSettings.function_calling = false;
    context.unregisterFunctionTool(name);
  }, name);
}
