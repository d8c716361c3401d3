// A short play that touches every thought of the binding rule once. It looks at the page and the file only.

import type { Card } from "../src/card.ts";
import { description } from "../src/card.ts";
import type { Stage } from "../src/stage.ts";
import { Story } from "../src/story.ts";

export const several: Card = { name: "Several", template: {}, greetings: ["Hi {{user}}.", "I am {{char}}."] };
export const single: Card = { name: "Single", template: {}, greetings: ["Only {{user}}."] };

/** Plays; throws at the first step that is wrong. `run` makes the card's text differ from the run before. */
export async function play(stage: Stage, patience: number, run: string): Promise<void> {
  const { page, llm } = stage;
  await page.openCard(several.name);
  const story = new Story(stage, several, patience);
  const [g0, g1] = several.greetings;
  const engine = false;
  await story.step("new chat", { act: () => page.newChat(), says: { g0, g1 }, layout: "*g0 g1", engine });
  await story.step("greeting swipe", { act: () => page.swipeRight(), layout: "g0 *g1", engine });
  llm.will("one");
  await story.step("send", { act: () => page.send("Hi"), says: { u1: "Hi", a1: "one" }, layout: "g0 *g1 | u1 | a1", sees: "u1", engine });
  llm.will("two");
  await story.step("new swipe", { act: () => page.newSwipe(), says: { a2: "two" }, layout: "g0 *g1 | u1 | a1 *a2", sees: "u1", engine });
  llm.will("three");
  await story.step("third swipe", { act: () => page.newSwipe(), says: { a3: "three" }, layout: "g0 *g1 | u1 | a1 a2 *a3", sees: "u1", engine });
  await story.step("back", { act: () => page.swipeLeft(), layout: "g0 *g1 | u1 | a1 *a2 a3", engine });
  await story.step("delete the shown middle swipe", { act: () => page.deleteSwipe(), layout: "g0 *g1 | u1 | a1 *a3", engine });
  llm.will("more");
  await story.step("continue", { act: () => page.continueReply(), says: { a3: "three more" }, layout: "g0 *g1 | u1 | a1 *a3", sees: "u1", engine });

  await page.openCard(single.name);
  const other = new Story(stage, single, patience);
  await other.step("new chat with a single greeting", { act: () => page.newChat(), says: { g: single.greetings[0] }, layout: "g", engine });
  await other.step("card edit with a single greeting", { act: () => page.editDescription(`${description} ${run}`), layout: "g", engine });
}
