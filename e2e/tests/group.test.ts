// A group: several cards in one chat, each answers in turn, and each sees what the one before it did.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before } from "node:test";
import type { Card } from "../src/card.ts";
import { ChatFiles } from "../src/files.ts";
import { scenario, Stage } from "../src/stage.ts";
import { Story } from "../src/story.ts";

const ada: Card = { name: "Ada", template: { 角色: { 金币: 0 } }, greetings: ['I am Ada. @.ADD("角色.金币", 1);'] };
const bo: Card = { name: "Borislav", template: { 队伍: 2 }, greetings: ['I am Borislav. @.ADD("角色.金币", 10);'] };
/** The two cards combined. */
const both: Card = { name: "Ada and Borislav", template: { 角色: { 金币: 0 }, 队伍: 2 }, greetings: [ada.greetings[0], bo.greetings[0]] };
const gold = (amount: number): string => `Coins ${amount}. @.ADD("角色.金币", ${amount});`;

let stage: Stage;
before(async () => {
  stage = await Stage.start();
  await stage.importCard(ada);
  await stage.importCard(bo);
});
after(() => stage?.stop());

for (const streaming of [true, false]) {
  scenario(() => stage, `two cards answer in turn, ${streaming ? "streaming" : "not streaming"}`, async () => {
    const { page, llm } = stage;
    await page.streaming(streaming);
    const files = new ChatFiles(join(stage.host.userFolder, "group chats"));
    const story = new Story(stage, both, undefined, files);
    await story.step("a new group: both greet", {
      act: () => page.openGroup(both.name, [ada.name, bo.name]),
      says: { g: both.greetings[0], h: both.greetings[1] },
      layout: "g | h",
    });
    llm.will(gold(100), gold(200));
    await story.step("both answer, the second sees the first", {
      act: () => sendToBoth("Hello"),
      says: { u1: "Hello", a1: gold(100), b1: gold(200) },
      layout: "g | h | u1 | a1 | b1",
      sees: ["u1", "a1"],
    });
    llm.will(gold(300));
    await story.step("the second once more", {
      act: () => page.newSwipe(),
      says: { b2: gold(300) },
      layout: "g | h | u1 | a1 | b1 *b2",
      sees: "a1",
    });
    await story.step("the first is edited: the second follows", { act: () => page.edit(3, gold(1000)), says: { a1: gold(1000) }, layout: "g | h | u1 | a1 | b1 *b2" });
    llm.will("More.");
    await story.step("continue", {
      act: () => page.continueReply(),
      says: { b2: `${gold(300)} More.` },
      layout: "g | h | u1 | a1 | b1 *b2",
      sees: "a1",
    });
    const parent = (await page.chat()).file ?? "";
    await story.step("a branch of the group", { act: () => page.branch(3), layout: "g | h | u1 | a1" });
    llm.will(gold(1), gold(2));
    await story.step("played on", {
      act: () => sendToBoth("There"),
      says: { u2: "There", c1: gold(1), d1: gold(2) },
      layout: "g | h | u1 | a1 | u2 | c1 | d1",
      sees: ["u2", "c1"],
    });
    await story.step("the parent is as it was", { act: () => page.openChatFile(parent), layout: "g | h | u1 | a1 | b1 *b2" });
  });
}

/** Sends, and waits until both replies are there. */
async function sendToBoth(text: string): Promise<void> {
  const { page } = stage;
  const before = (await page.chat()).messages.length;
  await page.send(text);
  await page.page.waitForFunction((count) => SillyTavern.getContext().chat.length >= count, before + 3);
  await page.idle();
  assert.equal((await page.chat()).messages.length, before + 3);
}
