// The chat file is sufficient: what the host wrote, imported by the command line into an empty data folder,
// has the ids and states that the engine had by syncing; and the export is the same chat, with every field
// that we do not know.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before } from "node:test";
import { type Card, writeCard } from "../src/card.ts";
import { bindingProblems, fileProblems, same } from "../src/check.ts";
import { Cli } from "../src/cli.ts";
import { type ChatFile, ChatFiles } from "../src/files.ts";
import { type HostMessage, slots } from "../src/message.ts";
import { scenario, Stage } from "../src/stage.ts";
import { Story } from "../src/story.ts";

const card: Card = {
  name: "Rosa",
  template: { 玩家: "", 角色: { 金币: 3 }, 背包: [] },
  greetings: ["Rain.", 'Hello {{user}}. @.SET("玩家", "{{user}}"); @.ADD("角色.金币", 1);'],
};
const [g0, g1] = card.greetings;
const gold = (amount: number): string => `Coins. @.ADD("角色.金币", ${amount});`;
const layout = "g0 *g1 | u1 | *a1 a2 | u2 | b1";

let stage: Stage;
before(async () => {
  stage = await Stage.start();
  await stage.importCard(card);
});
after(() => stage?.stop());

scenario(() => stage, "the file as the host wrote it, imported and exported", async () => {
  const story = await play();
  const name = await addUnknownFields(story);
  const files = stage.chatFiles(card);
  const written = files.read(name);
  const synced = await stage.engine.floors(await stage.engine.refOf(written.header.chat_metadata.storeyline?.chat ?? ""));

  const cli = new Cli(join(stage.host.folder, "fresh"));
  const imported = cli.import(files.path(name), writeCard(card, stage.host.folder));
  assert.equal(imported.pages, 7);
  assert.equal(imported.new_pages, 7);
  assert.deepEqual(
    cli.path(imported.story).map(({ page }) => page),
    synced.map(({ page }) => page),
  );
  for (const { floor, page, text, state, hash, pages } of synced) {
    const shown = cli.show(imported.story, floor);
    assert.deepEqual({ ...shown, calls: [] }, { ...shown, floor, page, text, state, hash, pages, calls: [] }, `floor ${floor}`);
  }

  const out = new ChatFiles(stage.host.folder);
  cli.export(imported.story, out.path("exported"));
  sameChat(out.read("exported"), written);
  const again = cli.import(files.path(name), writeCard(card, stage.host.folder));
  assert.equal(again.new_pages, 0, "a second import finds nothing new");
});

scenario(() => stage, "the story as the engine got it by syncing, exported", async () => {
  const { page } = stage;
  const { file = "", metadata } = await page.chat();
  const { story } = await stage.engine.refOf(metadata.storeyline?.chat ?? "");
  const out = new ChatFiles(stage.host.folder);
  new Cli(stage.engine.data).export(story, out.path("synced"));
  const exported = out.read("synced").messages;
  const written = stage.chatFiles(card).read(file).messages;
  // A field that another extension changed without changing text or ids is not sent to the engine.
  const told = (message: HostMessage): unknown => [message.name, message.is_user, message.is_system === true, message.mes, message.swipe_id, message.swipes];
  assert.deepEqual(exported.map(told), written.map(told));
  assert.deepEqual(exported.map((message) => slots(message)), written.map((message) => slots(message)));
});

async function play(): Promise<Story> {
  const { page, llm } = stage;
  const story = new Story(stage, card);
  await story.step("new chat", { act: () => page.newChat(), says: { g0, g1 }, layout: "*g0 g1" });
  await story.step("greeting", { act: () => page.swipeRight(), layout: "g0 *g1" });
  llm.will(gold(5));
  await story.step("send", { act: () => page.send("One"), says: { u1: "One", a1: gold(5) }, layout: "g0 *g1 | u1 | a1", sees: "u1" });
  llm.will(gold(6));
  await story.step("swipe", { act: () => page.newSwipe(), says: { a2: gold(6) }, layout: "g0 *g1 | u1 | a1 *a2", sees: "u1" });
  await story.step("back", { act: () => page.swipeLeft(), layout: "g0 *g1 | u1 | *a1 a2" });
  await page.hide(1);
  llm.will('Rope. @.ADD("背包", "rope");');
  await story.step("hide, send", {
    act: () => page.send("Two"),
    says: { u2: "Two", b1: 'Rope. @.ADD("背包", "rope");' },
    layout,
    sees: "u2",
  });
  return story;
}

/**
 * Other extensions write into the file, too. Done while the page is closed, and then read by the host again.
 */
async function addUnknownFields(story: Story): Promise<string> {
  const { page } = stage;
  const { file = "" } = await page.chat();
  await page.leave();
  const files = stage.chatFiles(card);
  const chat = files.read(file);
  chat.header.chat_metadata["other"] = { deep: [1, { z: 1, a: 2 }] };
  chat.messages[2]["x_note"] = { deep: [1, "二", null] };
  chat.messages[2].extra = { ...chat.messages[2].extra, other: { b: 1, a: "x" } };
  if (chat.messages[2].swipe_info !== undefined) chat.messages[2].swipe_info[1]["x_page"] = true;
  files.write(file, chat);
  await page.open();
  await page.openCard(card.name);
  await story.holds({ layout });
  return file;
}

function sameChat(exported: ChatFile, written: ChatFile): void {
  assert.deepEqual(bindingProblems(exported.messages), []);
  assert.deepEqual(fileProblems(written.messages, exported.messages), []);
  assert.ok(same(exported.header.chat_metadata["other"], written.header.chat_metadata["other"]), "unknown fields of the header");
}
