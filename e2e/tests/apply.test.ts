// A story that is changed outside the host, by another program over HTTP. The host must show the change, its
// file must contain it, and the host's next sync must not undo it: with the chat open, and with the chat
// closed at that time.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Card } from "../src/card.ts";
import type { StoryRef } from "../src/engine.ts";
import { until } from "../src/poll.ts";
import { scenario, Stage } from "../src/stage.ts";
import { Story } from "../src/story.ts";

const card: Card = { name: "Vera", template: { 角色: { 金币: 0 } }, greetings: ['Hello. @.ADD("角色.金币", 1);'] };
const gold = (amount: number): string => `Coins ${amount}. @.ADD("角色.金币", ${amount});`;
const layout = "g | u1 | a1 *a2 | u2 | b1";
const selected = "g | u1 | *a1 a2 | u2 | b1";

let stage: Stage;
before(async () => {
  stage = await Stage.start();
  await stage.importCard(card);
});
after(() => stage?.stop());

scenario(() => stage, "while the chat is open", async () => {
  const { page, llm, engine } = stage;
  const story = await playToFloor4();
  const ref = await openRef();

  await story.step("an edit from outside is shown", {
    act: () => engine.operate(ref, { kind: "edit", page: story.labels.id("a2"), text: gold(70) }),
    says: { a2: gold(70) },
    layout,
  });
  await draws(2, "Coins 70.");
  await story.step("a choice of page from outside is shown", {
    act: () => engine.operate(ref, { kind: "select", page: story.labels.id("a1") }),
    layout: selected,
  });
  await draws(2, "Coins 3.");
  llm.will(gold(9));
  await story.step("the next reply sees it and does not undo it", {
    act: () => page.send("And now?"),
    says: { u3: "And now?", c1: gold(9) },
    layout: `${selected} | u3 | c1`,
    sees: "u3",
  });
});

scenario(() => stage, "while the chat is closed", async () => {
  const { page, llm, engine } = stage;
  const story = await playToFloor4();
  const ref = await openRef();

  await page.leave();
  await engine.operate(ref, { kind: "edit", page: story.labels.id("b1"), text: gold(80) });
  await engine.operate(ref, { kind: "select", page: story.labels.id("a1") });
  await story.step("the user opens the chat again", {
    act: async () => {
      await page.open();
      await page.openCard(card.name);
    },
    says: { b1: gold(80) },
    layout: selected,
  });
  await draws(4, "Coins 80.");
  await draws(2, "Coins 3.");
  llm.will(gold(9));
  await story.step("the next reply sees it and does not undo it", {
    act: () => page.send("And now?"),
    says: { u3: "And now?", c1: gold(9) },
    layout: `${selected} | u3 | c1`,
    sees: "u3",
  });
});

async function playToFloor4(): Promise<Story> {
  const { page, llm } = stage;
  const story = new Story(stage, card);
  await story.step("new chat", { act: () => page.newChat(), says: { g: card.greetings[0] }, layout: "g" });
  llm.will(gold(3));
  await story.step("send", { act: () => page.send("One"), says: { u1: "One", a1: gold(3) }, layout: "g | u1 | a1", sees: "u1" });
  llm.will(gold(5));
  await story.step("swipe", { act: () => page.newSwipe(), says: { a2: gold(5) }, layout: "g | u1 | a1 *a2", sees: "u1" });
  llm.will(gold(7));
  await story.step("send", { act: () => page.send("Two"), says: { u2: "Two", b1: gold(7) }, layout, sees: "u2" });
  return story;
}

async function openRef(): Promise<StoryRef> {
  return stage.engine.refOf((await stage.page.chat()).metadata.storeyline?.chat ?? "");
}

async function draws(floor: number, text: string): Promise<void> {
  await until(`floor ${floor} is drawn`, async () => {
    const drawn = await stage.page.drawn(floor);
    assert.ok(drawn.includes(text), `floor ${floor} reads ${drawn}`);
  });
}
