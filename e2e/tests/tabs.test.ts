// The same chat in two tabs. The host saves whole files and the last one wins; what one tab does must reach
// the other before that. And a file that was replaced under an open tab, which the host refuses to overwrite.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before } from "node:test";
import type { Card } from "../src/card.ts";
import { HostPage } from "../src/page.ts";
import { until } from "../src/poll.ts";
import { scenario, Stage } from "../src/stage.ts";
import { Story } from "../src/story.ts";

const card: Card = { name: "Tabea", template: { 角色: { 金币: 0 } }, greetings: ['Hello. @.ADD("角色.金币", 1);'] };
const gold = (amount: number): string => `Coins ${amount}. @.ADD("角色.金币", ${amount});`;

let stage: Stage;
before(async () => {
  stage = await Stage.start();
  await stage.importCard(card);
});
after(() => stage?.stop());

scenario(() => stage, "what one tab does, the other shows", async () => {
  const { page, llm } = stage;
  const story = await play();
  const other = await secondTab();
  await shows(other, ["Hello.", "One", "Coins 2."]);

  llm.will(gold(3));
  await story.step("a reply in the first tab", {
    act: () => page.send("Two"),
    says: { u2: "Two", b1: gold(3) },
    layout: "g | u1 | a1 | u2 | b1",
    sees: "u2",
  });
  await shows(other, ["Hello.", "One", "Coins 2.", "Two", "Coins 3."]);

  llm.will(gold(5));
  await story.step("a reply in the second tab, which sees all of it", {
    act: () => other.send("Three"),
    says: { u3: "Three", c1: gold(5) },
    layout: "g | u1 | a1 | u2 | b1 | u3 | c1",
    sees: "u3",
  });
  await shows(other, ["Hello.", "One", "Coins 2.", "Two", "Coins 3.", "Three", "Coins 5."]);

  await story.step("an edit in the second tab", { act: () => other.edit(2, gold(20)), says: { a1: gold(20) }, layout: "g | u1 | a1 | u2 | b1 | u3 | c1" });
  llm.will(gold(7));
  await story.step("a new page in the first tab sees it", {
    act: () => page.newSwipe(),
    says: { c2: gold(7) },
    layout: "g | u1 | a1 | u2 | b1 | u3 | c1 *c2",
    sees: "u3",
  });
  await story.step("a deletion in the second tab", {
    act: async () => {
      await shows(other, ["Hello.", "One", "Coins 20.", "Two", "Coins 3.", "Three", "Coins 7."]);
      await other.deleteMessage(4);
    },
    layout: "g | u1 | a1 | u2 | u3 | c1 *c2",
  });
  await other.page.close();
  await story.step("and after a reload", {
    act: async () => {
      await page.reload();
      await page.openCard(card.name);
    },
    layout: "g | u1 | a1 | u2 | u3 | c1 *c2",
  });
});

scenario(() => stage, "the file was exchanged under the tab", async () => {
  const { page, llm } = stage;
  const story = await play();
  const { file = "" } = await page.chat();
  const files = stage.chatFiles(card);
  const other = files.read(file);
  other.header.chat_metadata = { integrity: randomUUID() };
  other.messages = other.messages.slice(0, 1).map((message) => ({ ...message, extra: {}, swipe_info: [{ extra: {} }] }));
  files.write(file, other);

  // The host asks whether to overwrite; otherwise it reloads the page, and the file is another chat.
  llm.will(gold(3));
  await page.type("Two");
  // A pending save makes it ask before anything is sent.
  await page.page.locator("#send_but").click({ timeout: 5000 }).catch(() => undefined);
  const ok = page.page.locator("dialog[open] .popup-button-ok");
  await ok.waitFor();
  const reloaded = page.page.waitForEvent("load");
  await ok.click();
  await reloaded;
  await page.page.locator("#preloader").waitFor({ state: "detached", timeout: 90_000 });
  stage.traffic.forget();
  const fresh = new Story(stage, card);
  fresh.labels.say({ g: card.greetings[0] });
  await page.openCard(card.name);
  if ((await page.chat()).file !== file) await page.openChatFile(file);
  await fresh.holds({ layout: "g" });
  assert.notEqual(fresh.labels.id("g"), story.labels.id("g"), "it is another chat");
});

async function play(): Promise<Story> {
  const { page, llm } = stage;
  const story = new Story(stage, card);
  await story.step("new chat", { act: () => page.newChat(), says: { g: card.greetings[0] }, layout: "g" });
  llm.will(gold(2));
  await story.step("send", { act: () => page.send("One"), says: { u1: "One", a1: gold(2) }, layout: "g | u1 | a1", sees: "u1" });
  return story;
}

/** A second tab of the same browser with the same chat. */
async function secondTab(): Promise<HostPage> {
  const { file = "" } = await stage.page.chat();
  const tab = await stage.page.page.context().newPage();
  const other = new HostPage(tab, stage.host.url);
  await other.open();
  await other.openCard(card.name);
  if ((await other.chat()).file !== file) await other.openChatFile(file);
  return other;
}

/** Waits until a tab has these messages. */
async function shows(tab: HostPage, texts: string[]): Promise<void> {
  await until(`the other tab shows ${texts.join(" | ")}`, async () => {
    const { messages } = await tab.chat();
    assert.deepEqual(messages.map(({ mes }, floor) => mes.slice(0, texts[floor]?.length)), texts);
  });
}
