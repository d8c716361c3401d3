// A player's chats as files: checkpoints, branches, their parents deleted, chats renamed, closed and deleted,
// the host restarted. Every page keeps its id in every file that has it, and no file changes the states of
// another.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { StoryDetail } from "storeyline-client";
import type { Card } from "../src/card.ts";
import { Cli } from "../src/cli.ts";
import { branchFromPage, deleteChat, deletePage, openCheckpoint, slash, slashToOtherChat } from "../src/rare.ts";
import { scenario, Stage } from "../src/stage.ts";
import { Story } from "../src/story.ts";

const card: Card = { name: "Cleo", template: { 角色: { 金币: 0 } }, greetings: ['Hello. @.ADD("角色.金币", 1);'] };
const gold = (amount: number): string => `Coins ${amount}. @.ADD("角色.金币", ${amount});`;
const whole = "g | u1 | a1 *a2 | u2 | b1";

let stage: Stage;
before(async () => {
  stage = await Stage.start();
  await stage.importCard(card);
});
after(() => stage?.stop());

scenario(() => stage, "a checkpoint is a branch that waits", async () => {
  const { page, llm } = stage;
  const story = await play();
  const parent = await openFile();
  await story.step("the checkpoint is made, the chat stays open", { act: () => page.checkpoint(2, "Before the door"), layout: whole });
  await story.step("it is opened: the state is that of its last floor", { act: () => openCheckpoint(page, 2), layout: "g | u1 | a1 *a2" });
  llm.will(gold(100));
  await story.step("and played on", {
    act: () => page.send("Elsewhere"),
    says: { u3: "Elsewhere", c1: gold(100) },
    layout: "g | u1 | a1 *a2 | u3 | c1",
    sees: "u3",
  });
  await story.step("the parent is as it was", { act: () => page.openChatFile(parent), layout: whole });
});

scenario(() => stage, "a branch from another page than the shown one", async () => {
  const { page, llm } = stage;
  const story = await play();
  await story.step("the branch shows it", { act: () => branchFromPage(page, 2, 0), layout: "g | u1 | *a1 a2" });
  llm.will(gold(100));
  await story.step("played on", {
    act: () => page.send("Elsewhere"),
    says: { u3: "Elsewhere", c1: gold(100) },
    layout: "g | u1 | *a1 a2 | u3 | c1",
    sees: "u3",
  });
  await story.step("the parent still shows the other", { act: () => page.backToParent(), layout: whole });
  await story.step("a page in the middle that is not shown is deleted", { act: () => deletePage(page, 2, 0), layout: "g | u1 | a2 | u2 | b1" });
  await story.step("a branch by command", { act: () => slashToOtherChat(page, "/branch-create 3"), layout: "g | u1 | a2 | u2" });
  llm.will(gold(200));
  await story.step("which begins with the user's word", {
    act: () => page.generates(() => slash(page, "/trigger await=true")),
    says: { d1: gold(200) },
    layout: "g | u1 | a2 | u2 | d1",
    sees: "u2",
  });
});

scenario(() => stage, "the parent is deleted, the branch lives", async () => {
  const { page, llm, engine } = stage;
  const story = await play();
  const parent = await openFile();
  const uid = (await page.chat()).metadata.storeyline?.chat ?? "";
  await story.step("branch", { act: () => page.branch(2), layout: "g | u1 | a1 *a2" });
  const branch = await openFile();
  await story.step("the parent is deleted", { act: () => deleteChat(page, parent), layout: "g | u1 | a1 *a2" });
  assert.ok(!stage.chatFiles(card).names().includes(parent), "its file is gone");
  assert.equal(await openFile(), branch);
  llm.will(gold(100));
  await story.step("the branch is played on", {
    act: () => page.send("Alone"),
    says: { u3: "Alone", c1: gold(100) },
    layout: "g | u1 | a1 *a2 | u3 | c1",
    sees: "u3",
  });
  await story.step("and read again after a reload", {
    act: async () => {
      await page.reload();
      await page.openCard(card.name);
      await page.openChatFile(branch);
    },
    layout: "g | u1 | a1 *a2 | u3 | c1",
  });
  // Deleting a file deletes no state: its branch is in the trash.
  const ref = await engine.refOf((await page.chat()).metadata.storeyline?.chat ?? "");
  const { refs } = new Cli(engine.data).run("log", ref.story, "--trash") as Pick<StoryDetail, "refs">;
  const deleted = refs.find((one) => one.chat === uid);
  assert.equal(deleted?.floors, 5, "what the deleted chat held can be brought back");
  assert.ok(deleted?.trashed);
});

scenario(() => stage, "renamed by command, closed, opened again, deleted", async () => {
  const { page, llm } = stage;
  const story = await play();
  const uid = (await page.chat()).metadata.storeyline?.chat;
  await story.step("renamed", { act: () => slashToOtherChat(page, "/renamechat Cleo: the end?"), layout: whole });
  const name = await openFile();
  assert.equal((await page.chat()).metadata.storeyline?.chat, uid, "it is the same chat");
  await page.closeChat();
  assert.deepEqual((await page.chat()).metadata.storeyline, undefined, "nothing of ours is in the welcome screen");
  await story.step("opened again", {
    act: async () => {
      await page.openCard(card.name);
      if ((await openFile()) !== name) await page.openChatFile(name);
    },
    layout: whole,
  });
  llm.will(gold(9));
  await story.step("played on", {
    act: () => page.send("Three"),
    says: { u3: "Three", c1: gold(9) },
    layout: `${whole} | u3 | c1`,
    sees: "u3",
  });
  // The host records a second later which chat is open now, and reads the card again: a new chat before that
  // confuses it.
  const written = page.characterRead();
  await slashToOtherChat(page, "/delchat");
  await written;
  assert.notEqual((await page.chat()).metadata.storeyline?.chat, uid, "another chat is open");
  assert.ok(!stage.chatFiles(card).names().includes(name));
});

scenario(() => stage, "the host is started again", async () => {
  const { page, llm, host } = stage;
  const story = await play();
  const file = await openFile();
  const reopen = async (): Promise<void> => {
    await page.open();
    await page.openCard(card.name);
    if ((await openFile()) !== file) await page.openChatFile(file);
  };
  await page.leave();
  await host.stop();
  await host.start();
  await story.step("the chat is opened again", { act: reopen, layout: whole });
  llm.will(gold(9));
  await story.step("and played on", {
    act: () => page.send("Three"),
    says: { u3: "Three", c1: gold(9) },
    layout: `${whole} | u3 | c1`,
    sees: "u3",
  });
});

async function play(): Promise<Story> {
  const { page, llm } = stage;
  const story = new Story(stage, card);
  await story.step("new chat", { act: () => page.newChat(), says: { g: card.greetings[0] }, layout: "g" });
  llm.will(gold(2));
  await story.step("send", { act: () => page.send("One"), says: { u1: "One", a1: gold(2) }, layout: "g | u1 | a1", sees: "u1" });
  llm.will(gold(3));
  await story.step("swipe", { act: () => page.newSwipe(), says: { a2: gold(3) }, layout: "g | u1 | a1 *a2", sees: "u1" });
  llm.will(gold(5));
  await story.step("send", { act: () => page.send("Two"), says: { u2: "Two", b1: gold(5) }, layout: whole, sees: "u2" });
  return story;
}

async function openFile(): Promise<string> {
  return (await stage.page.chat()).file ?? "";
}
