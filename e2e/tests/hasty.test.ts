// A player who never waits: the next click comes as soon as the host accepts it, before anything is saved or
// synced. Every prompt must have the right state nevertheless; the rest is checked when the player stops.

import { after, before } from "node:test";
import type { Card } from "../src/card.ts";
import { scenario, Stage } from "../src/stage.ts";
import { Story } from "../src/story.ts";

const card: Card = {
  name: "Hasty",
  template: { 角色: { 金币: 10 } },
  greetings: ['One. @.ADD("角色.金币", 1);', 'Two, {{user}}. @.ADD("角色.金币", 2);'],
};
const [g0, g1] = card.greetings;
const gold = (amount: number): string => `Coins. @.ADD("角色.金币", ${amount});`;
const hasty = true;

let stage: Stage;
before(async () => {
  stage = await Stage.start();
  await stage.importCard(card);
});
after(() => stage?.stop());

for (const streaming of [true, false]) {
  scenario(() => stage, `a hasty player, ${streaming ? "streaming" : "not streaming"}`, async () => {
    const { page, llm } = stage;
    const story = new Story(stage, card);
    await page.streaming(streaming);
    await story.step("new chat", { act: () => page.newChat(), says: { g0, g1 }, layout: "*g0 g1", hasty });
    await story.step("second greeting", { act: () => page.swipeRight(), layout: "g0 *g1", hasty });
    llm.will(gold(5));
    await story.step("send", { act: () => page.send("Hi"), says: { u1: "Hi", a1: gold(5) }, layout: "g0 *g1 | u1 | a1", sees: "u1", hasty });
    llm.will(gold(7));
    await story.step("swipe", { act: () => page.newSwipe(), says: { a2: gold(7) }, layout: "g0 *g1 | u1 | a1 *a2", sees: "u1", hasty });
    await story.step("back", { act: () => page.swipeLeft(), layout: "g0 *g1 | u1 | *a1 a2", hasty });
    llm.will(gold(9));
    await story.step("send on the first page", {
      act: () => page.send("On"),
      says: { u2: "On", b1: gold(9) },
      layout: "g0 *g1 | u1 | *a1 a2 | u2 | b1",
      sees: "u2",
      hasty,
    });
    await story.step("edit", { act: () => page.edit(2, gold(100)), says: { a1: gold(100) }, layout: "g0 *g1 | u1 | *a1 a2 | u2 | b1", hasty });
    llm.will(gold(11));
    await story.step("regenerate sees the edit", {
      act: () => page.regenerate(),
      says: { b2: gold(11) },
      layout: "g0 *g1 | u1 | *a1 a2 | u2 | b2",
      sees: "u2",
      hasty,
    });
    llm.will(gold(13));
    await story.step("continue", {
      act: () => page.continueReply(),
      says: { b2: `${gold(11)} ${gold(13)}` },
      layout: "g0 *g1 | u1 | *a1 a2 | u2 | b2",
      sees: "u2",
      hasty,
    });
    await story.step("move up", { act: () => page.moveUp(4), layout: "g0 *g1 | u1 | *a1 a2 | b2 | u2", hasty });
    await story.step("delete", { act: () => page.deleteMessage(2), layout: "g0 *g1 | u1 | b2 | u2", hasty });
    llm.will(gold(17));
    await story.step("send after move and delete", {
      act: () => page.send("Now"),
      says: { u3: "Now", c1: gold(17) },
      layout: "g0 *g1 | u1 | b2 | u2 | u3 | c1",
      sees: "u3",
      hasty,
    });
    await story.step("sit still", { act: async () => undefined, layout: "g0 *g1 | u1 | b2 | u2 | u3 | c1" });
  });
}
