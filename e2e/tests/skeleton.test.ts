// The walking skeleton: one long play in the real host with everything a player does to a chat, streaming and
// not. After every step the ids in the file, the state at every floor in the engine and the prompt that the
// model got are checked.

import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import type { Card } from "../src/card.ts";
import { until } from "../src/poll.ts";
import { scenario, Stage } from "../src/stage.ts";
import { Story } from "../src/story.ts";

const card: Card = {
  name: "Mira",
  template: { 玩家: "", 角色: { 金币: 10, 名字: "Mira" }, 背包: [] },
  greetings: [
    'You meet {{char}}. @.ADD("角色.金币", 1);',
    'Hello {{user}}! @.SET("玩家", "{{user}}"); @.ADD("角色.金币", 2);',
    "It rains.",
  ],
};
const [g0, g1, g2] = card.greetings;
const gold = (amount: number): string => `Coins. @.ADD("角色.金币", ${amount});`;

let stage: Stage;
before(async () => {
  stage = await Stage.start();
  await stage.importCard(card);
});
after(() => stage?.stop());

for (const streaming of [true, false]) {
  describe(streaming ? "streaming" : "not streaming", () => {
    scenario(() => stage, `a whole play${streaming ? ", streaming" : ""}`, () => play(streaming));
  });
}

async function play(streaming: boolean): Promise<void> {
  const { page, llm } = stage;
  const story = new Story(stage, card);
  await page.streaming(streaming);

  await story.step("new chat", {
    act: () => page.newChat(),
    says: { g0, g1, g2 },
    layout: "*g0 g1 g2",
  });
  await story.step("second greeting", { act: () => page.swipeRight(), layout: "g0 *g1 g2" });
  await story.step("third greeting", { act: () => page.swipeRight(), layout: "g0 g1 *g2" });
  await story.step("back to the second greeting", { act: () => page.swipeLeft(), layout: "g0 *g1 g2" });

  llm.will(gold(5));
  await story.step("send", {
    act: () => page.send("Hi"),
    says: { u1: "Hi", a1: gold(5) },
    layout: "g0 *g1 g2 | u1 | a1",
    sees: "u1",
  });
  llm.will(gold(7));
  await story.step("new swipe sees the state before the reply", {
    act: () => page.newSwipe(),
    says: { a1b: gold(7) },
    layout: "g0 *g1 g2 | u1 | a1 *a1b",
    sees: "u1",
  });
  await story.step("swipe back", { act: () => page.swipeLeft(), layout: "g0 *g1 g2 | u1 | *a1 a1b" });
  await story.step("and forth", { act: () => page.swipeRight(), layout: "g0 *g1 g2 | u1 | a1 *a1b" });
  llm.will(gold(9));
  await story.step("third swipe", {
    act: () => page.newSwipe(),
    says: { a1c: gold(9) },
    layout: "g0 *g1 g2 | u1 | a1 a1b *a1c",
    sees: "u1",
  });
  await story.step("back to the middle swipe", { act: () => page.swipeLeft(), layout: "g0 *g1 g2 | u1 | a1 *a1b a1c" });
  await story.step("delete the shown middle swipe", { act: () => page.deleteSwipe(), layout: "g0 *g1 g2 | u1 | a1 *a1c" });

  const more = '@.ADD("背包", "rope");';
  llm.will(more);
  await story.step("continue", {
    act: () => page.continueReply(),
    says: { a1c: `${gold(9)} ${more}` },
    layout: "g0 *g1 g2 | u1 | a1 *a1c",
    sees: "u1",
  });
  llm.will(gold(20));
  await story.step("regenerate", {
    act: () => page.regenerate(),
    says: { a2: gold(20) },
    layout: "g0 *g1 g2 | u1 | a2",
    sees: "u1",
  });

  llm.will(gold(30));
  await story.step("send again", {
    act: () => page.send("Go on"),
    says: { u2: "Go on", a3: gold(30) },
    layout: "g0 *g1 g2 | u1 | a2 | u2 | a3",
    sees: "u2",
  });
  if (streaming) await stopMidStream(story);
  else await oneMoreReply(story);

  await story.step("edit a reply in the middle: later floors follow", {
    act: () => page.edit(2, gold(100)),
    says: { a2: gold(100) },
    layout: "g0 *g1 g2 | u1 | a2 | u2 | a3 | u3 | a4",
  });
  await story.step("edit a message of the user", {
    act: () => page.edit(3, "Go on, please"),
    says: { u2: "Go on, please" },
    layout: "g0 *g1 g2 | u1 | a2 | u2 | a3 | u3 | a4",
  });
  await story.step("an edit that is cancelled", {
    act: () => page.cancelEdit(2, gold(1)),
    layout: "g0 *g1 g2 | u1 | a2 | u2 | a3 | u3 | a4",
  });

  // The host emits no event for these; the state must be right by the next reply at the latest.
  await page.moveUp(4);
  llm.will(gold(3));
  await story.step("move a reply up, then send", {
    act: () => page.send("Next"),
    says: { u4: "Next", a5: gold(3) },
    layout: "g0 *g1 g2 | u1 | a2 | a3 | u2 | u3 | a4 | u4 | a5",
    sees: "u4",
  });
  await page.moveDown(3);
  await page.hide(2);
  llm.will(gold(4));
  await story.step("move it down, hide a reply, then swipe: a hidden reply keeps its effect", {
    act: () => page.newSwipe(),
    says: { a5b: gold(4) },
    layout: "g0 *g1 g2 | u1 | a2 | u2 | a3 | u3 | a4 | u4 | a5 *a5b",
    sees: "u4",
  });
  await page.unhide(2);
  await story.step("unhide, swipe back", {
    act: () => page.swipeLeft(),
    layout: "g0 *g1 g2 | u1 | a2 | u2 | a3 | u3 | a4 | u4 | *a5 a5b",
  });
  await story.step("delete a reply in the middle", {
    act: () => page.deleteMessage(4),
    layout: "g0 *g1 g2 | u1 | a2 | u2 | u3 | a4 | u4 | *a5 a5b",
  });

  await story.step("branch", {
    act: () => page.branch(2),
    layout: "g0 *g1 g2 | u1 | a2",
  });
  llm.will(gold(1000));
  await story.step("play on in the branch", {
    act: () => page.send("Elsewhere"),
    says: { u5: "Elsewhere", a6: gold(1000) },
    layout: "g0 *g1 g2 | u1 | a2 | u5 | a6",
    sees: "u5",
  });
  await story.step("return to the parent", {
    act: () => page.backToParent(),
    layout: "g0 *g1 g2 | u1 | a2 | u2 | u3 | a4 | u4 | *a5 a5b",
  });
  await story.step("reload the page", {
    act: () => reopen(streaming),
    layout: "g0 *g1 g2 | u1 | a2 | u2 | u3 | a4 | u4 | *a5 a5b",
  });
  llm.will(gold(6));
  await story.step("send after the reload", {
    act: () => page.send("Still there?"),
    says: { u6: "Still there?", a7: gold(6) },
    layout: "g0 *g1 g2 | u1 | a2 | u2 | u3 | a4 | u4 | *a5 a5b | u6 | a7",
    sees: "u6",
  });

  llm.will(gold(8));
  await story.step("the engine is killed and the plugin starts it again", {
    act: async () => {
      await stage.engine.kill();
      await page.newSwipe();
    },
    says: { a7b: gold(8) },
    layout: "g0 *g1 g2 | u1 | a2 | u2 | u3 | a4 | u4 | *a5 a5b | u6 | a7 *a7b",
    sees: "u6",
  });
  const before = "g0 *g1 g2 | u1 | a2 | u2 | u3 | a4 | u4 | *a5 a5b | u6 | a7 *a7b";
  await loseEngine(story, before);
  llm.will(gold(12));
  await story.step("the engine is back: the next reply has everything", {
    act: () => page.send("Together"),
    says: { u8: "Together", a9: gold(12) },
    layout: `${before} | u7 | a8 | u8 | a9`,
    sees: "u8",
  });
}

/** The engine is killed and cannot be started; the player continues; then it can be started again. */
async function loseEngine(story: Story, layout: string): Promise<void> {
  const { page, llm, engine } = stage;
  const pid = engine.pid;
  engine.takeBinaryAway();
  try {
    await engine.kill();
    llm.will(gold(11));
    await page.sendAndChoose("Alone", "Send with the old state");
    assert.match(JSON.stringify(llm.requests.at(-1)), /the state shown above is the old one of floor 9/);
    story.labels.say({ u7: "Alone", a8: gold(11) });
    await story.holds({ layout: `${layout} | u7 | a8`, engine: false });
  } finally {
    engine.bringBinaryBack();
  }
  await until("the plugin has started the engine again", () => assert.notEqual(engine.pid, pid), 60_000);
}

async function stopMidStream(story: Story): Promise<void> {
  const { page, llm } = stage;
  const whole = `${gold(40)} And more. ${gold(50)}`;
  const part = gold(40);
  await story.step("stop mid-stream: what came is evaluated", {
    act: async () => {
      llm.will({ text: whole, holdAfter: part.length });
      await page.startSend("Stop");
      await page.shows(part);
      await page.stop();
    },
    says: { u3: "Stop", a4: part },
    layout: "g0 *g1 g2 | u1 | a2 | u2 | a3 | u3 | a4",
    sees: "u3",
  });
}

async function oneMoreReply(story: Story): Promise<void> {
  const { page, llm } = stage;
  llm.will(gold(40));
  await story.step("a third reply", {
    act: () => page.send("Stop"),
    says: { u3: "Stop", a4: gold(40) },
    layout: "g0 *g1 g2 | u1 | a2 | u2 | a3 | u3 | a4",
    sees: "u3",
  });
}

async function reopen(streaming: boolean): Promise<void> {
  await stage.page.reload();
  await stage.page.openCard(card.name);
  await stage.page.streaming(streaming);
}
