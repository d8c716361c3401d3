// An engine that is slow or unreachable. Playing continues: nothing that is sent is lost, every id is in the
// file, the player is notified when a prompt had no current state, and everything is synced as soon as the
// engine is back.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import { type Card, shownState, stateIn } from "../src/card.ts";
import { until } from "../src/poll.ts";
import { scenario, Stage } from "../src/stage.ts";
import { Story } from "../src/story.ts";

const card: Card = { name: "Slow", template: { 角色: { 金币: 0 } }, greetings: ['Hello. @.ADD("角色.金币", 1);'] };
const gold = (amount: number): string => `Coins ${amount}. @.ADD("角色.金币", ${amount});`;
const syncs = "**/api/plugins/storeyline/v1/sync";

let stage: Stage;
before(async () => {
  stage = await Stage.start();
  await stage.importCard(card);
});
after(() => stage?.stop());

for (const streaming of [true, false]) {
  scenario(() => stage, `every answer takes three seconds, ${streaming ? "streaming" : "not streaming"}`, async () => {
    const { page, llm } = stage;
    await page.streaming(streaming);
    const story = new Story(stage, card);
    await story.step("new chat", { act: () => page.newChat(), says: { g: card.greetings[0] }, layout: "g" });
    await page.page.route(syncs, async (route) => {
      const answer = await route.fetch();
      await new Promise((resolve) => setTimeout(resolve, 3000));
      await route.fulfill({ response: answer });
    });
    try {
      await exactOrTold(story, "One", gold(2), "g | u1", "g | u1 | a1", { u1: "One", a1: gold(2) });
      await exactOrTold(story, "Two", gold(3), "g | u1 | a1 | u2", "g | u1 | a1 | u2 | b1", { u2: "Two", b1: gold(3) });
    } finally {
      await page.page.unrouteAll({ behavior: "wait" });
    }
    llm.will(gold(4));
    await story.step("it is quick again", {
      act: () => page.send("Three"),
      says: { u3: "Three", c1: gold(4) },
      layout: "g | u1 | a1 | u2 | b1 | u3 | c1",
      sees: "u3",
    });
  });
}

scenario(() => stage, "no engine from the first page on", async () => {
  const { page, llm, engine } = stage;
  await page.streaming(true);
  await page.leave();
  const { pid } = engine;
  engine.takeBinaryAway();
  const story = new Story(stage, card);
  try {
    await engine.kill();
    await page.open();
    await page.openCard(card.name);
    await page.newChat();
    story.labels.say({ g: card.greetings[0] });
    await story.holds({ layout: "g", engine: false });
    llm.will(gold(2));
    await page.generates(async () => {
      await page.type("One");
      await page.page.locator("#send_but").click();
      await page.page.getByText("Send without the state").click();
    });
    story.labels.say({ u1: "One", a1: gold(2) });
    await story.holds({ layout: "g | u1 | a1", engine: false });
    assert.match(stateIn(llm.lastPrompt()), /STATE=#GOLD=/, "the model is shown no state rather than a wrong one");
    await until("the player is told", async () => {
      assert.match((await page.toasts()).join("\n"), /Engine not reachable/);
    });
  } finally {
    engine.bringBinaryBack();
  }
  await until("the plugin has started the engine", () => assert.notEqual(engine.pid, pid), 60_000);
  llm.will(gold(3));
  await story.step("the engine is there: the next reply has everything", {
    act: () => page.send("Two"),
    says: { u2: "Two", b1: gold(3) },
    layout: "g | u1 | a1 | u2 | b1",
    sees: "u2",
  });
});

/** Sends. The prompt has the state of the floor it continues, or the player is notified that it has not. */
async function exactOrTold(story: Story, text: string, reply: string, before: string, after: string, says: Record<string, string>): Promise<void> {
  const { page, llm } = stage;
  const told = (await page.toasts()).length;
  const asked = llm.requests.length;
  llm.will(reply);
  await page.send(text);
  story.labels.say(says);
  assert.equal(llm.requests.length, asked + 1, "what was sent is answered");
  await story.holds({ layout: after, engine: false });
  const exact = stateIn(llm.lastPrompt()) === shownState(story.states(before).at(-1) ?? {});
  const warned = (await page.toasts()).slice(told).some((toast) => /not ready in time/.test(toast));
  assert.ok(exact || warned, `the model was shown ${stateIn(llm.lastPrompt())}, and nobody said so`);
  await story.holds({ layout: after });
}
