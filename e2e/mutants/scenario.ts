// A short play that uses every part of the binding rule once, and the state that a prompt must see.

import { type Card, description } from "../src/card.ts";
import type { Stage } from "../src/stage.ts";
import { Story } from "../src/story.ts";

export const several: Card = { name: "Several", template: {}, greetings: ["Hi {{user}}.", 'I am {{char}}. @.ADD("角色.金币", 1);'] };
export const single: Card = { name: "Single", template: {}, greetings: ["Only {{user}}."] };

const gold = (amount: number): string => `Coins. @.ADD("角色.金币", ${amount});`;

/** Plays; throws at the first step that is wrong. `run` makes the card's text differ from the run before. */
export async function play(stage: Stage, patience: number, run: string): Promise<void> {
  const { page, llm } = stage;
  await page.openCard(several.name);
  const story = new Story(stage, several, patience);
  const [g0, g1] = several.greetings;
  await story.step("new chat", { act: () => page.newChat(), says: { g0, g1 }, layout: "*g0 g1" });
  await story.step("greeting swipe", { act: () => page.swipeRight(), layout: "g0 *g1" });
  llm.will(gold(1));
  await story.step("send", { act: () => page.send("Hi"), says: { u1: "Hi", a1: gold(1) }, layout: "g0 *g1 | u1 | a1", sees: "u1" });
  llm.will(gold(2));
  await story.step("new swipe", { act: () => page.newSwipe(), says: { a2: gold(2) }, layout: "g0 *g1 | u1 | a1 *a2", sees: "u1" });
  llm.will(gold(3));
  await story.step("third swipe", { act: () => page.newSwipe(), says: { a3: gold(3) }, layout: "g0 *g1 | u1 | a1 a2 *a3", sees: "u1" });
  await story.step("back", { act: () => page.swipeLeft(), layout: "g0 *g1 | u1 | a1 *a2 a3" });
  await story.step("delete the shown middle swipe", { act: () => page.deleteSwipe(), layout: "g0 *g1 | u1 | a1 *a3" });
  llm.will("more");
  await story.step("continue", { act: () => page.continueReply(), says: { a3: `${gold(3)} more` }, layout: "g0 *g1 | u1 | a1 *a3", sees: "u1" });

  await page.openCard(single.name);
  const other = new Story(stage, single, patience);
  await other.step("new chat with a single greeting", { act: () => page.newChat(), says: { g: single.greetings[0] }, layout: "g" });
  await other.step("card edit with a single greeting", { act: () => page.editDescription(`${description} ${run}`), layout: "g" });
}
