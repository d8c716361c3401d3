// The identity of files: a renamed chat is the same chat, a copied file is another one that shares the past.
// Neither may change the states of the other, and every page keeps its id in both.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Card } from "../src/card.ts";
import type { StoryRef } from "../src/engine.ts";
import { until } from "../src/poll.ts";
import { scenario, Stage } from "../src/stage.ts";
import { Story } from "../src/story.ts";

const card: Card = { name: "Nora", template: { 角色: { 金币: 0 } }, greetings: ['Hello. @.ADD("角色.金币", 1);'] };
const gold = (amount: number): string => `Coins. @.ADD("角色.金币", ${amount});`;

let stage: Stage;
before(async () => {
  stage = await Stage.start();
  await stage.importCard(card);
});
after(() => stage?.stop());

scenario(() => stage, "a renamed chat is the same chat", async () => {
  const { page, llm } = stage;
  const story = await play();
  const before = await openRef();
  await story.step("rename", { act: () => page.renameChat("Renamed"), layout: "g | u1 | a1" });
  llm.will(gold(3));
  await story.step("send", { act: () => page.send("Two"), says: { u2: "Two", a2: gold(3) }, layout: "g | u1 | a1 | u2 | a2", sees: "u2" });
  await until("the engine knows the new name", async () => {
    const { story: same, ref, chat, file } = await openRef();
    assert.deepEqual({ same, ref, chat, file }, { same: before.story, ref: before.ref, chat: before.chat, file: "Renamed" });
  });
});

scenario(() => stage, "a copied file is a branch of its own", async () => {
  const { page, llm } = stage;
  const story = await play();
  const original = await openRef();
  const { file = "" } = await page.chat();

  await page.leave();
  const files = stage.chatFiles(card);
  files.write("Copy", files.read(file));
  await story.step("open the copy", {
    act: async () => {
      await page.open();
      await page.openCard(card.name);
      await page.openChatFile("Copy");
    },
    layout: "g | u1 | a1",
  });
  const copy = await openRef();
  assert.equal(copy.story, original.story, "the past is shared");
  assert.notEqual(copy.ref, original.ref);
  assert.notEqual(copy.chat, original.chat);
  llm.will(gold(100));
  await story.step("play on in the copy", {
    act: () => page.send("There"),
    says: { u2: "There", a2: gold(100) },
    layout: "g | u1 | a1 | u2 | a2",
    sees: "u2",
  });
  await story.step("edit the past in the copy", {
    act: () => page.edit(2, gold(1000)),
    says: { a1: gold(1000) },
    layout: "g | u1 | a1 | u2 | a2",
  });
  story.labels.say({ a1: gold(2) });
  await story.step("the original is as it was", { act: () => page.openChatFile(file), layout: "g | u1 | a1" });
  assert.equal((await openRef()).ref, original.ref);
});

async function play(): Promise<Story> {
  const { page, llm } = stage;
  const story = new Story(stage, card);
  await story.step("new chat", { act: () => page.newChat(), says: { g: card.greetings[0] }, layout: "g" });
  llm.will(gold(2));
  await story.step("send", { act: () => page.send("One"), says: { u1: "One", a1: gold(2) }, layout: "g | u1 | a1", sees: "u1" });
  return story;
}

async function openRef(): Promise<StoryRef> {
  return stage.engine.refOf((await stage.page.chat()).metadata.storeyline?.chat ?? "");
}
