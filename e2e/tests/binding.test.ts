// The binding rule: an id belongs to one page permanently. Each scenario is one way in which the host copies,
// replaces or rewrites what carries the ids. The same scenarios, shortened, must fail for a broken rule: see
// mutants/run.ts.

import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import { type Card, description } from "../src/card.ts";
import { uuid5 } from "../src/hash.ts";
import { scenario, Stage } from "../src/stage.ts";
import { Story } from "../src/story.ts";

const several: Card = {
  name: "Several",
  template: { 角色: { 金币: 1 } },
  greetings: ['Hi {{user}}. @.ADD("角色.金币", 1);', "I am {{char}}.", "I am {{char}}."],
};
const single: Card = {
  name: "Single",
  template: { 角色: { 金币: 1 } },
  greetings: ['Only {{user}}, {{char}}. @.ADD("角色.金币", 5);'],
};
const gold = (amount: number): string => `Coins. @.ADD("角色.金币", ${amount});`;

let stage: Stage;
before(async () => {
  stage = await Stage.start();
});
after(() => stage?.stop());

const mode = (streaming: boolean): string => (streaming ? "streaming" : "not streaming");

for (const streaming of [true, false]) {
  describe(mode(streaming), () => {
    scenario(() => stage, `a card with several greetings, ${mode(streaming)}`, () => severalGreetings(streaming));
    scenario(() => stage, `a card with one greeting, ${mode(streaming)}`, () => singleGreeting(streaming));
    scenario(() => stage, `replies of three, ${mode(streaming)}`, () => repliesOfThree(streaming));
    scenario(() => stage, `equal texts, duplicates and failures, ${mode(streaming)}`, () => equalTexts(streaming));
  });
}

/** Opens a new chat with a card. */
async function freshChat(card: Card, streaming: boolean): Promise<void> {
  const { page } = stage;
  if (await page.hasCard(card.name)) await page.openCard(card.name);
  else await stage.importCard(card);
  await page.streaming(streaming);
  await page.newChat();
}

async function severalGreetings(streaming: boolean): Promise<void> {
  const { page, llm } = stage;
  const story = new Story(stage, several);
  const [g0, g1, g2] = several.greetings;
  await story.step("two of three greetings are equal", {
    act: () => freshChat(several, streaming),
    says: { g0, g1, g2 },
    layout: "*g0 g1 g2",
  });
  const chat = (await page.chat()).metadata.storeyline?.chat ?? "";
  assert.equal(story.labels.id("g0"), uuid5(chat, g0));
  assert.equal(story.labels.id("g1"), uuid5(chat, g1));
  await story.step("to the second", { act: () => page.swipeRight(), layout: "g0 *g1 g2" });
  await story.step("to the third", { act: () => page.swipeRight(), layout: "g0 g1 *g2" });
  await story.step("the card is edited while the chat is only its greeting", {
    act: () => page.editDescription(`${description} ${mode(streaming)}`),
    layout: "*g0 g1 g2",
  });
  await story.step("reload", { act: () => reopen(several, streaming), layout: "*g0 g1 g2" });
  await story.step("to the second again", { act: () => page.swipeRight(), layout: "g0 *g1 g2" });
  llm.will(gold(1));
  await story.step("send", {
    act: () => page.send("Hi"),
    says: { u1: "Hi", a1: gold(1) },
    layout: "g0 *g1 g2 | u1 | a1",
    sees: "u1",
  });
  await story.step("edit the greeting", {
    act: () => page.edit(0, gold(50)),
    says: { g1: gold(50) },
    layout: "g0 *g1 g2 | u1 | a1",
  });
}

async function singleGreeting(streaming: boolean): Promise<void> {
  const { page, llm } = stage;
  const story = new Story(stage, single);
  const [g0] = single.greetings;
  await story.step("new chat", { act: () => freshChat(single, streaming), says: { g0 }, layout: "g0" });
  const chat = (await page.chat()).metadata.storeyline?.chat ?? "";
  assert.equal(story.labels.id("g0"), uuid5(chat, g0), "the id comes from the card's own text");
  await story.step("the card is edited while the chat is only its greeting", {
    act: () => page.editDescription(`${description} ${mode(streaming)}`),
    layout: "g0",
  });
  llm.will(gold(2));
  await story.step("send", {
    act: () => page.send("Hi"),
    says: { u1: "Hi", a1: gold(2) },
    layout: "g0 | u1 | a1",
    sees: "u1",
  });
  const more = "More.";
  llm.will(more);
  await story.step("continue keeps the id", {
    act: () => page.continueReply(),
    says: { a1: `${gold(2)} ${more}` },
    layout: "g0 | u1 | a1",
    sees: "u1",
  });
}

async function repliesOfThree(streaming: boolean): Promise<void> {
  const { page, llm } = stage;
  const story = new Story(stage, single);
  await story.step("new chat", { act: () => freshChat(single, streaming), says: { g0: single.greetings[0] }, layout: "g0" });
  await page.choices(3);
  llm.will({ text: [gold(1), gold(2), gold(3)] });
  await story.step("three alternatives at once", {
    act: () => page.send("Three"),
    says: { u1: "Three", a1: gold(1), a2: gold(2), a3: gold(3) },
    layout: "g0 | u1 | *a1 a2 a3",
    sees: "u1",
  });
  llm.will({ text: ["Same.", "Same.", "Same."] });
  await story.step("three equal ones", {
    act: () => page.send("Equal"),
    says: { u2: "Equal", b1: "Same.", b2: "Same.", b3: "Same." },
    layout: "g0 | u1 | *a1 a2 a3 | u2 | *b1 b2 b3",
    sees: "u2",
  });
  await page.choices(1);
  await story.step("to the second", { act: () => page.swipeRight(), layout: "g0 | u1 | *a1 a2 a3 | u2 | b1 *b2 b3" });
  await story.step("delete it", { act: () => page.deleteSwipe(), layout: "g0 | u1 | *a1 a2 a3 | u2 | b1 *b3" });
}

async function equalTexts(streaming: boolean): Promise<void> {
  const { page, llm } = stage;
  const story = new Story(stage, single);
  await story.step("new chat", { act: () => freshChat(single, streaming), says: { g0: single.greetings[0] }, layout: "g0" });
  llm.will(gold(1));
  await story.step("send", {
    act: () => page.send("Hi"),
    says: { u1: "Hi", a1: gold(1) },
    layout: "g0 | u1 | a1",
    sees: "u1",
  });
  llm.will(gold(1));
  await story.step("a new swipe with the same text", {
    act: () => page.newSwipe(),
    says: { a2: gold(1) },
    layout: "g0 | u1 | a1 *a2",
    sees: "u1",
  });
  llm.will({ text: "", error: 400 });
  await story.step("a swipe that fails leaves the old page", {
    act: () => page.newSwipe(),
    layout: "g0 | u1 | a1 *a2",
    sees: "u1",
  });
  llm.will(gold(2));
  await story.step("send", {
    act: () => page.send("Hi"),
    says: { u2: "Hi", a3: gold(2) },
    layout: "g0 | u1 | a1 *a2 | u2 | a3",
    sees: "u2",
  });
  await page.duplicate(2);
  llm.will(gold(4));
  await story.step("duplicate a message with swipes, then send", {
    act: () => page.send("Twice"),
    says: { u3: "Twice", a4: gold(4), d1: gold(1), d2: gold(1) },
    layout: "g0 | u1 | a1 *a2 | d1 *d2 | u2 | a3 | u3 | a4",
    sees: "u3",
  });
  await story.step("edit a reply to the text of another", {
    act: () => page.edit(5, gold(4)),
    says: { a3: gold(4) },
    layout: "g0 | u1 | a1 *a2 | d1 *d2 | u2 | a3 | u3 | a4",
  });
}

async function reopen(card: Card, streaming: boolean): Promise<void> {
  await stage.page.reload();
  await stage.page.openCard(card.name);
  await stage.page.streaming(streaming);
}
