// Commands that a player types: hide, comment, narrate, add pages, cut and delete; and generations that leave
// no message. None of them may cost a page its id, and only what belongs to the story may change the state.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Card } from "../src/card.ts";
import { deleteFrom, impersonate, sendByKey, slash, summaries } from "../src/rare.ts";
import { scenario, Stage } from "../src/stage.ts";
import { Story } from "../src/story.ts";

const card: Card = { name: "Cora", template: { 角色: { 金币: 0 } }, greetings: ['Hello. @.ADD("角色.金币", 1);'] };
const gold = (amount: number): string => `Coins ${amount}. @.ADD("角色.金币", ${amount});`;

let stage: Stage;
before(async () => {
  stage = await Stage.start();
  await stage.importCard(card);
});
after(() => stage?.stop());

const both = (name: string, run: () => Promise<void>): void => {
  for (const streaming of [true, false]) {
    scenario(() => stage, `${name}, ${streaming ? "streaming" : "not streaming"}`, async () => {
      await stage.page.streaming(streaming);
      await run();
    });
  }
};

both("hidden, narrated and commented", async () => {
  const { page, llm } = stage;
  const story = await play();
  // The host emits no event when it hides a message; the next reply must include it.
  await slash(page, "/hide 0-2");
  llm.will(gold(3));
  await story.step("hide a range: it keeps its effect", {
    act: () => sendByKey(page, "Two"),
    says: { u2: "Two", b1: gold(3) },
    layout: "g | u1 | a1 | u2 | b1",
    sees: "u2",
  });
  assert.ok(!llm.lastPrompt().includes("Coins 2."), "what is hidden is not in the prompt");
  await slash(page, "/unhide 1-2");
  await story.step("a comment is no part of the story", {
    act: () => slash(page, `/comment ${gold(1000)}`),
    says: { o1: gold(1000) },
    layout: "g | u1 | a1 | u2 | b1 | o1",
  });
  assert.equal((await page.chat()).messages[0].is_system, true, "the greeting is still hidden");
  await story.step("a narrator's calls count", {
    act: () => slash(page, `/sys ${gold(5)}`),
    says: { n1: gold(5) },
    layout: "g | u1 | a1 | u2 | b1 | o1 | n1",
  });
  llm.will(gold(7));
  await story.step("the next reply sees all that", {
    act: () => page.send("Three"),
    says: { u3: "Three", c1: gold(7) },
    layout: "g | u1 | a1 | u2 | b1 | o1 | n1 | u3 | c1",
    sees: "u3",
  });
  await story.step("a narrator above the end", {
    act: () => slash(page, `/sys at=3 ${gold(11)}`),
    says: { n2: gold(11) },
    layout: "g | u1 | a1 | n2 | u2 | b1 | o1 | n1 | u3 | c1",
  });
  await story.step("a reply by command", {
    act: () => slash(page, `/sendas name=${card.name} ${gold(13)}`),
    says: { d1: gold(13) },
    layout: "g | u1 | a1 | n2 | u2 | b1 | o1 | n1 | u3 | c1 | d1",
  });
  await story.step("a reply by command above the end", {
    act: () => slash(page, `/sendas name=${card.name} at=1 ${gold(17)}`),
    says: { d2: gold(17) },
    layout: "g | d2 | u1 | a1 | n2 | u2 | b1 | o1 | n1 | u3 | c1 | d1",
  });
  await story.step("a user message by command, without a reply", {
    act: () => slash(page, "/send Just so."),
    says: { u4: "Just so." },
    layout: "g | d2 | u1 | a1 | n2 | u2 | b1 | o1 | n1 | u3 | c1 | d1 | u4",
  });
  llm.will(gold(19));
  await story.step("and the reply to it", {
    act: () => page.generates(() => slash(page, "/trigger await=true")),
    says: { e1: gold(19) },
    layout: "g | d2 | u1 | a1 | n2 | u2 | b1 | o1 | n1 | u3 | c1 | d1 | u4 | e1",
    sees: "u4",
  });
});

both("pages added and taken by command", async () => {
  const { page, llm } = stage;
  const story = await play();
  await slash(page, `/addswipe ${gold(30)}`);
  llm.will(gold(40));
  await story.step("a page is added aside, then one is generated", {
    act: async () => {
      await page.swipeRight();
      await page.newSwipe();
    },
    says: { a2: gold(30), a3: gold(40) },
    layout: "g | u1 | a1 a2 *a3",
    sees: "u1",
  });
  await story.step("a page is added and shown", {
    act: () => slash(page, `/addswipe switch=true ${gold(50)}`),
    says: { a4: gold(50) },
    layout: "g | u1 | a1 a2 a3 *a4",
  });
  await story.step("another page than the shown one is deleted", { act: () => slash(page, "/delswipe 2"), layout: "g | u1 | a1 a3 *a4" });
  llm.will(gold(60));
  await story.step("the next reply sees the shown page", {
    act: () => page.send("On"),
    says: { u2: "On", b1: gold(60) },
    layout: "g | u1 | a1 a3 *a4 | u2 | b1",
    sees: "u2",
  });
});

both("cut and delete mode", async () => {
  const { page, llm } = stage;
  const story = await play();
  llm.will(gold(4));
  await story.step("send", { act: () => page.send("Two"), says: { u2: "Two", b1: gold(4) }, layout: "g | u1 | a1 | u2 | b1", sees: "u2" });
  llm.will(gold(8));
  await story.step("send", { act: () => page.send("Three"), says: { u3: "Three", c1: gold(8) }, layout: "g | u1 | a1 | u2 | b1 | u3 | c1", sees: "u3" });
  await story.step("cut two in the middle", { act: () => slash(page, "/cut 2-3"), layout: "g | u1 | b1 | u3 | c1" });
  await story.step("delete mode takes a message and all below", { act: () => deleteFrom(page, 3), layout: "g | u1 | b1" });
  llm.will(gold(16));
  await story.step("the next reply sees what is left", {
    act: () => page.send("Four"),
    says: { u4: "Four", d1: gold(16) },
    layout: "g | u1 | b1 | u4 | d1",
    sees: "u4",
  });
});

both("generations that leave no message", async () => {
  const { page, llm } = stage;
  const story = await play();
  llm.will(gold(99));
  await story.step("the model writes for the user", {
    act: async () => assert.equal(await impersonate(page), gold(99)),
    layout: "g | u1 | a1",
    sees: "a1",
  });
  llm.will(gold(98));
  await story.step("a quiet prompt", { act: () => page.generates(() => slash(page, "/gen What now?")), layout: "g | u1 | a1", sees: "a1" });
  llm.will(gold(5));
  await story.step("the next reply does not see them", {
    act: () => page.send("On"),
    says: { u2: "On", b1: gold(5) },
    layout: "g | u1 | a1 | u2 | b1",
    sees: "u2",
  });
  llm.will(gold(97));
  await story.step("a quiet prompt while a reply stands", { act: () => page.generates(() => slash(page, "/gen And now?")), layout: "g | u1 | a1 | u2 | b1", sees: "b1" });
});

both("the host's own summary, frozen or not", async () => {
  const { page, llm } = stage;
  const story = await play();
  for (const frozen of [false, true]) {
    await summaries(page, frozen);
    llm.will(`They met. ${gold(1000)}`);
    await page.generates(() => slash(page, "/summarize quiet=true"));
    await story.holds({ layout: "g | u1 | a1" });
    assert.ok((await page.chat()).messages.some(({ extra }) => String(extra?.memory).startsWith("They met.")), "the host keeps it on a message");
  }
  llm.will(gold(5));
  await story.step("a summary is no part of the story", {
    act: () => page.send("On"),
    says: { u2: "On", b1: gold(5) },
    layout: "g | u1 | a1 | u2 | b1",
    sees: "u2",
  });
});

async function play(): Promise<Story> {
  const { page, llm } = stage;
  const story = new Story(stage, card);
  await story.step("new chat", { act: () => page.newChat(), says: { g: card.greetings[0] }, layout: "g" });
  llm.will(gold(2));
  await story.step("send", { act: () => page.send("One"), says: { u1: "One", a1: gold(2) }, layout: "g | u1 | a1", sees: "u1" });
  return story;
}
