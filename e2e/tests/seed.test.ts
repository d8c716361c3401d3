// Seed 000 §1.3, examples 1 and 2, in the real host: chats that exist on disk before the page opens, with ids
// on some floors or on none. Opening the chat must give every floor its id and state, and the chat variable
// must have the last one.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before } from "node:test";
import type { Card } from "../src/card.ts";
import type { ChatFile } from "../src/files.ts";
import { textHash } from "../src/hash.ts";
import { type HostMessage, slots } from "../src/message.ts";
import { scenario, Stage } from "../src/stage.ts";
import { Story } from "../src/story.ts";

const card: Card = {
  name: "种子",
  template: { 世界: { 地点: "魔都" }, 角色: { 名字: "张三", 金币: 500 }, 背包: [] },
  greetings: ["开场一", "开场二", '开场三 @.ADD("角色.金币", 1);'],
};

const texts = {
  g0: card.greetings[0],
  g1: card.greetings[1],
  g2: card.greetings[2],
  u1: "你好",
  a0: '@.ADD("角色.金币", 1000);',
  a1: '给你。@.ADD("角色.金币", 10);',
  u2: "继续",
  b0: '@.ADD("角色.金币", 2000);',
  b1: '再给。@.ADD("角色.金币", 100);@.ADD("背包", "治疗药水");',
};
const layout = "g0 g1 *g2 | u1 | a0 *a1 | u2 | b0 *b1";

let stage: Stage;
before(async () => {
  stage = await Stage.start();
  await stage.importCard(card);
});
after(() => stage?.stop());

scenario(() => stage, "example 2: no message has an id", async () => {
  const story = await openFromDisk("example 2", [floor0(), user("u1"), floor2(), user("u2"), floor4()]);
  await story.holds({ layout });
  await statesAre([501, 511, 611]);
});

scenario(() => stage, "example 2 in an old file without swipe_info", async () => {
  const messages = [floor0(), user("u1"), floor2(), user("u2"), floor4()];
  for (const message of messages) delete message.swipe_info;
  const story = await openFromDisk("old file", messages);
  await story.holds({ layout });
  await statesAre([501, 511, 611]);
});

scenario(() => stage, "example 1: floor 2 has an id that the engine knows", async () => {
  const files = stage.chatFiles(card);
  const first = await openFromDisk("example 1", [floor0(), user("u1"), floor2()]);
  await first.holds({ layout: "g0 g1 *g2 | u1 | a0 *a1" });
  const snapshot = await engineFloor(2);

  await stage.page.leave();
  const file = files.read("example 1");
  forget(file.messages[0]);
  file.messages.push(user("u2"), floor4());
  const second = await openFromDisk("example 1", file.messages, file.header);
  await second.holds({ layout });

  assert.equal(second.labels.id("a1"), first.labels.id("a1"), "floor 2 kept its id");
  assert.equal((await engineFloor(2)).hash, snapshot.hash, "and its snapshot A");
  await statesAre([501, 511, 611]);
});

scenario(() => stage, "an id that the engine does not know counts as none", async () => {
  const reply = floor2();
  const binding = { id: randomUUID(), h: textHash(texts.a1) };
  reply.extra = { storeyline: binding };
  if (reply.swipe_info !== undefined) reply.swipe_info[1].extra = { storeyline: binding };
  const story = await openFromDisk("unknown id", [floor0(), user("u1"), reply, user("u2"), floor4()]);
  await story.holds({ layout });
  await statesAre([501, 511, 611]);
});

/** Writes a chat while no page is open, then opens it as the user does. */
async function openFromDisk(name: string, messages: HostMessage[], header: ChatFile["header"] = newHeader()): Promise<Story> {
  const { page } = stage;
  await page.leave();
  stage.traffic.forget();
  stage.chatFiles(card).write(name, { header, messages });
  await page.open();
  await page.openCard(card.name);
  if ((await page.chat()).file !== name) await page.openChatFile(name);
  const story = new Story(stage, card);
  story.labels.say(texts);
  return story;
}

async function engineFloor(floor: number): ReturnType<Stage["engine"]["floor"]> {
  const uid = (await stage.page.chat()).metadata.storeyline?.chat ?? "";
  return stage.engine.floor(await stage.engine.refOf(uid), floor);
}

/** The gold on floors 0, 2 and 4, written by hand as in the seed's example. */
async function statesAre(gold: number[]): Promise<void> {
  const found = await Promise.all([0, 2, 4].map(async (floor) => (await engineFloor(floor)).state));
  assert.deepEqual(
    found.map((state) => (state["角色"] as { 金币: number }).金币),
    gold,
  );
  const { metadata } = await stage.page.chat();
  assert.deepEqual(metadata.variables?.["vs_stat_data"], found[2]);
  assert.deepEqual(found[2]["背包"], ["治疗药水"]);
}

function newHeader(): ChatFile["header"] {
  return { chat_metadata: { integrity: randomUUID(), tainted: true }, user_name: "unused", character_name: "unused" };
}

const date = "2025-10-20T12:00:00.000Z";

function user(label: "u1" | "u2"): HostMessage {
  return { name: "Ann", is_user: true, is_system: false, send_date: date, mes: texts[label], extra: {} };
}

function reply(pages: string[], active: number): HostMessage {
  const swipe_info = pages.map(() => ({ send_date: date, extra: {} }));
  return { name: card.name, is_user: false, is_system: false, send_date: date, mes: pages[active], extra: {}, swipe_id: active, swipes: pages, swipe_info };
}

function floor0(): HostMessage {
  return reply([texts.g0, texts.g1, texts.g2], 2);
}

function floor2(): HostMessage {
  return reply([texts.a0, texts.a1], 1);
}

function floor4(): HostMessage {
  return reply([texts.b0, texts.b1], 1);
}

function forget(message: HostMessage): void {
  delete message.extra?.storeyline;
  for (const info of message.swipe_info ?? []) delete info.extra?.storeyline;
  assert.ok(slots(message).every((slot) => slot.binding === undefined));
}
