// A story with branches, tags, pages and a failed call, for the tests of the History screen.

import type { Json, Schemas } from "storeyline-client";
import type { Said, Web } from "./web.ts";

export interface Forked {
  story: string;
  main: string;
  /** Leaves main after #4 with another page of #4; two floors longer than that. */
  hidden: string;
  /** Leaves main after #2. */
  mountain: string;
  /** Marks #2. */
  tag: string;
}

const REF = "/api/v1/stories/{story}/refs/{ref}";

export async function forkedStory(web: Web, title = "雨夜酒馆"): Promise<Forked> {
  const said: Said[] = [
    { reply: ['雨夜，门被推开。@.SET("世界.地点", "酒馆"); @.SET("角色.金币", 20);', "雪夜，门被推开。"] },
    { user: "来一碗汤。" },
    { reply: ['她收了三枚铜板。@.ADD("角色.金币", -3); @.SET("阿丽娅.信任", 30);'] },
    { user: "楼上有什么？" },
    { reply: ['重物倒地。@.ADD("阿丽娅.信任", 5); @.APPEND("背包", "钥匙");'] },
    { user: "谁在楼上？" },
    { reply: ['灯灭了。@.ADD("角色.力气", "很多");'] },
  ];
  const { story, ref: main } = await web.story(title, "阿丽娅.png", { 角色: { 力气: 4 } }, said);
  await change(web, story, main, { kind: "select", page: await pageAt(web, story, main, 0, 0) });
  const mountain = await fork(web, story, main, 2, "山路线");
  await append(web, story, mountain, "user", "我们走山路。");
  await append(web, story, mountain, "assistant", '山路很冷。@.SET("世界.地点", "山路"); @.ADD("角色.金币", -7);');
  await append(web, story, mountain, "user", "再走一段。");
  const hidden = await fork(web, story, main, 4, "密室支线");
  await change(web, story, hidden, { kind: "add_page", floor: 4, text: '那里没有人。@.SET("世界.地点", "密室");' });
  await append(web, story, hidden, "user", "敲敲墙。");
  await append(web, story, hidden, "assistant", '墙后是空的。@.SET("阿丽娅.信任", 12);');
  const tag = await fork(web, story, main, 2, "第一章完", "tag");
  await web.client("post", `${REF}/switch`, { params: { path: { story, ref: main } } });
  return { story, main, hidden, mountain, tag };
}

export async function fork(web: Web, story: string, from: string, floor: number, name: string, kind: "branch" | "tag" = "branch"): Promise<string> {
  const { ref } = await web.client("post", "/api/v1/stories/{story}/refs", { params: { path: { story } }, body: { kind, from, floor, name } });
  return ref;
}

export async function change(web: Web, story: string, ref: string, body: Schemas["BranchEdit"]): Promise<Schemas["Edited"]> {
  return web.client("post", `${REF}/operations`, { params: { path: { story, ref } }, body });
}

export async function append(web: Web, story: string, ref: string, role: "user" | "assistant", text: string): Promise<void> {
  await change(web, story, ref, { kind: "append", role, name: role === "user" ? "旅人" : "阿丽娅", text });
}

export async function pageAt(web: Web, story: string, ref: string, floor: number, index: number): Promise<string> {
  const { pages } = await web.client("get", `${REF}/floors/{floor}`, { params: { path: { story, ref, floor } } });
  return pages[index]!.page;
}

export async function floorsOf(web: Web, story: string, ref: string): Promise<Schemas["FloorLine"][]> {
  return (await web.client("get", `${REF}/floors`, { params: { path: { story, ref }, query: { limit: 1000 } } })).floors;
}

export async function refsOf(web: Web, story: string): Promise<Schemas["Ref"][]> {
  return (await web.client("get", "/api/v1/stories/{story}/refs", { params: { path: { story } } })).refs;
}

export async function stateAt(web: Web, story: string, ref: string): Promise<Json> {
  const floors = await floorsOf(web, story, ref);
  const { value } = await web.client("get", `${REF}/floors/{floor}/state`, { params: { path: { story, ref, floor: floors.length - 1 } } });
  return value as Json;
}
