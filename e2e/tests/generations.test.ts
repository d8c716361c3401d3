// Replies that do not simply arrive: rejected by the host itself, several at once, with reasoning, with
// tools, broken off.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Card } from "../src/card.ts";
import { autoSwipe, offerTool, parseReasoning, takeToolAway } from "../src/rare.ts";
import { scenario, Stage } from "../src/stage.ts";
import { Story } from "../src/story.ts";

const card: Card = { name: "Gita", template: { 角色: { 金币: 0 } }, greetings: ['Hello. @.ADD("角色.金币", 1);'] };
const gold = (amount: number): string => `Coins ${amount}. @.ADD("角色.金币", ${amount});`;

let stage: Stage;
before(async () => {
  stage = await Stage.start();
  await stage.importCard(card);
});
after(() => stage?.stop());

const both = (name: string, run: (streaming: boolean) => Promise<void>): void => {
  for (const streaming of [true, false]) {
    scenario(() => stage, `${name}, ${streaming ? "streaming" : "not streaming"}`, async () => {
      await stage.page.streaming(streaming);
      await run(streaming);
    });
  }
};

both("the host swipes by itself when a reply is too short", async () => {
  const { page, llm } = stage;
  const story = await play();
  const long = `${gold(30)} ${"And on it goes. ".repeat(10)}`.trim();
  await autoSwipe(page, 100);
  llm.will(gold(10), gold(20), long);
  await story.step("two are thrown back", {
    act: () => page.send("Two"),
    says: { u2: "Two", b1: gold(10), b2: gold(20), b3: long },
    layout: "g | u1 | a1 | u2 | b1 b2 *b3",
    sees: ["u2", "u2", "u2"],
  });
  await autoSwipe(page, 0);
  await story.step("back to one that was thrown back", { act: () => page.swipeLeft(), layout: "g | u1 | a1 | u2 | b1 *b2 b3" });
});

both("several pages by one swipe", async () => {
  const { page, llm } = stage;
  const story = await play();
  await page.choices(3);
  llm.will({ text: [gold(10), gold(20), gold(30)] });
  await story.step("three come at once", {
    act: () => page.newSwipe(),
    says: { a2: gold(10), a3: gold(20), a4: gold(30) },
    layout: "g | u1 | a1 *a2 a3 a4",
    sees: "u1",
  });
  await page.choices(1);
  await story.step("the last of them", {
    act: async () => {
      await page.swipeRight();
      await page.swipeRight();
    },
    layout: "g | u1 | a1 a2 a3 *a4",
  });
  llm.will(gold(5));
  await story.step("send", { act: () => page.send("Two"), says: { u2: "Two", b1: gold(5) }, layout: "g | u1 | a1 a2 a3 *a4 | u2 | b1", sees: "u2" });
});

both("thoughts are taken out of a reply", async () => {
  const { page, llm } = stage;
  const story = await play();
  const thought = `<think>\nI might say ${gold(1000)}\n</think>\n\n`;
  await parseReasoning(page, true);
  llm.will(thought + gold(10));
  await story.step("send", { act: () => page.send("Two"), says: { u2: "Two", b1: gold(10) }, layout: "g | u1 | a1 | u2 | b1", sees: "u2" });
  llm.will(thought + gold(20));
  await story.step("swipe", { act: () => page.newSwipe(), says: { b2: gold(20) }, layout: "g | u1 | a1 | u2 | b1 *b2", sees: "u2" });
  const { extra } = (await page.chat()).messages[4];
  assert.match(String(extra?.reasoning), /1000/, "the host keeps the thought beside the text");
  await parseReasoning(page, false);
  llm.will(thought + gold(30));
  await story.step("left in the text, a thought is no call all the same", {
    act: () => page.newSwipe(),
    says: { b3: thought + gold(30) },
    layout: "g | u1 | a1 | u2 | b1 b2 *b3",
    sees: "u2",
  });
});

both("the model uses a tool", async () => {
  const { page, llm } = stage;
  const story = await play();
  await offerTool(page, "look", gold(1000));
  llm.will({ text: "", tool: "look" }, gold(10));
  await story.step("its record is no part of the story", {
    act: () => page.send("Two"),
    says: { u2: "Two", o1: await record(), b1: gold(10) },
    layout: "g | u1 | a1 | u2 | o1 | b1",
    sees: ["u2", "o1"],
    // The reply without text exists until the tool is called.
    passing: true,
  });
  llm.will({ text: gold(20), tool: "look" }, gold(30));
  await story.step("after a text", {
    act: () => page.send("Three"),
    says: { u3: "Three", c1: gold(20), o2: await record(), c2: gold(30) },
    layout: "g | u1 | a1 | u2 | o1 | b1 | u3 | c1 | o2 | c2",
    sees: ["u3", "o2"],
  });
  await takeToolAway(page, "look");
});

scenario(() => stage, "a stream that fails or breaks", async () => {
  const { page, llm } = stage;
  await page.streaming(true);
  const story = await play();
  const text = `${gold(10)} And so on, and so on. ${gold(20)}`;
  // The host keeps what it had drawn by then, with quotation marks closed.
  const kept = async (label: string): Promise<void> => {
    const part = (await page.chat()).messages.at(-1)?.mes ?? "";
    assert.match(part, /Coins 1/);
    story.labels.say({ [label]: part });
  };
  llm.will({ text, garbageAfter: 40 });
  await page.send("Two");
  story.labels.say({ u2: "Two" });
  await kept("b1");
  await story.holds({ layout: "g | u1 | a1 | u2 | b1" });
  llm.will({ text, garbageAfter: 40 });
  await page.newSwipe();
  await kept("b2");
  await story.holds({ layout: "g | u1 | a1 | u2 | b1 *b2" });
  llm.will({ text, garbageAfter: 40 });
  await page.continueReply();
  await kept("b2");
  await story.holds({ layout: "g | u1 | a1 | u2 | b1 *b2" });
  llm.will(gold(5));
  await story.step("send", { act: () => page.send("Three"), says: { u3: "Three", c1: gold(5) }, layout: "g | u1 | a1 | u2 | b1 *b2 | u3 | c1", sees: "u3" });

  // The host does not notice a broken connection: it waits until the player stops it.
  llm.will({ text, breakAfter: 40 });
  await page.startSend("Four");
  await page.shows("Coins 1");
  await page.stop();
  story.labels.say({ u4: "Four" });
  await kept("d1");
  await story.holds({ layout: "g | u1 | a1 | u2 | b1 *b2 | u3 | c1 | u4 | d1" });
});

/** What the host writes about the use of the tool. */
async function record(): Promise<string> {
  const invocation = { id: "call_1", displayName: "look", name: "look", parameters: {}, result: gold(1000), error: false, signature: null, reasoning: null };
  return stage.page.page.evaluate((text) => {
    const details = document.createElement("details");
    const code = document.createElement("code");
    code.classList.add("language-json");
    code.textContent = text;
    const summary = document.createElement("summary");
    summary.textContent = "Tool calls: look";
    const pre = document.createElement("pre");
    pre.append(code);
    details.append(summary, pre);
    return details.outerHTML;
  }, JSON.stringify([invocation], null, 2));
}

async function play(): Promise<Story> {
  const { page, llm } = stage;
  const story = new Story(stage, card);
  await story.step("new chat", { act: () => page.newChat(), says: { g: card.greetings[0] }, layout: "g" });
  llm.will(gold(2));
  await story.step("send", { act: () => page.send("One"), says: { u1: "One", a1: gold(2) }, layout: "g | u1 | a1", sees: "u1" });
  return story;
}
