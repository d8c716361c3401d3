// A measurement, no test: the first sync of a long chat in the real host, and what a turn costs there and in a short one.
//   npm run long -w e2e          [STOREYLINE_BIN=target/release/storeyline]
// How long the page is held up comes from the browser's own record of long frames, which names the script that ran.

import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Request, Response } from "playwright-core";
import type { Card } from "./card.ts";
import { Drawer } from "./drawer.ts";
import { until } from "./poll.ts";
import { Stage } from "./stage.ts";

const MESSAGES = 3000;
const BYTES = 20_000_000;
const card: Card = { name: "Long", template: { 角色: { 金币: 0 } }, greetings: ['Hello. @.ADD("角色.金币", 1);'] };

const stage = await Stage.start();
try {
  await stage.importCard(card);
  const folder = join(stage.host.userFolder, "chats", card.name);
  mkdirSync(folder, { recursive: true });
  const { size } = writeChat(join(folder, "long.jsonl"), MESSAGES, BYTES / MESSAGES);
  writeChat(join(folder, "short.jsonl"), 28, 400);
  await observe();
  const first = await openAndWait("long", MESSAGES);
  const frames = await longFrames();
  const own = frames.filter(({ url }) => url.includes("storeyline"));
  const file = join(folder, "long.jsonl");
  console.log(`first sync of ${MESSAGES} messages, ${(size / 1e6).toFixed(1)} MB: ${first.milliseconds} ms, progress seen: ${first.progress}`);
  console.log(`longest piece of our own work: ${Math.max(0, ...own.map(({ duration }) => duration))} ms; of anybody's: ${Math.max(0, ...frames.map(({ duration }) => duration))} ms`);
  for (const { duration, name } of own.sort((one, two) => two.duration - one.duration).slice(0, 5)) console.log(`  ${duration} ms ${name}`);
  const long = await turn();
  await until("the host has saved its chat", () => {
    if (statSync(file).size < size) throw new Error("not yet");
  });
  const added = readFileSync(file, "utf8").split("\n").slice(1);
  const marks = added.reduce((sum, line) => sum + [...line.matchAll(/"storeyline":\{[^}]*\},?/g)].reduce((length, [mark]) => length + mark.length, 0), 0);
  const swipes = added.reduce((sum, line) => sum + ((JSON.parse(line) as { swipes?: string[] }).swipes?.length ?? 0), 0);
  console.log(`bytes in the file: ${marks} for ${added.length} messages and ${swipes} swipes (${(marks / (added.length + swipes)).toFixed(0)} each)`);
  await openAndWait("short", 28);
  await turn();
  const short = await turn();
  console.log(`bytes per turn: ${short.bytes} (${short.requests} requests) at 30 messages, ${long.bytes} (${long.requests} requests) at ${MESSAGES}`);
} finally {
  await stage.stop();
}

function writeChat(file: string, count: number, length: number): { size: number } {
  const filler = "雨一直下。The rain falls on the roof of the inn, and nobody speaks. ".repeat(Math.ceil(length / 70));
  const lines: object[] = [{ chat_metadata: { integrity: `00000000-0000-4000-8000-${String(count).padStart(12, "0")}` }, user_name: "unused", character_name: "unused" }];
  for (let floor = 0; floor < count; floor++) {
    const user = floor % 2 === 1;
    const mes = `${user ? "" : '@.ADD("角色.金币", 1); '}${floor} ${filler.slice(0, length * 0.8)}`;
    lines.push({ name: user ? "Ann" : card.name, is_user: user, is_system: false, send_date: new Date(1_700_000_000_000 + floor * 60_000).toISOString(), mes, extra: {} });
  }
  const text = lines.map((line) => JSON.stringify(line)).join("\n");
  writeFileSync(file, text);
  return { size: Buffer.byteLength(text) };
}

async function openAndWait(name: string, floors: number): Promise<{ milliseconds: number; progress: boolean }> {
  const { page, engine } = stage;
  const since = Date.now();
  let progress = false;
  await new Drawer(page).open();
  await page.page.evaluate((file) => void (globalThis as never as { SillyTavern: { getContext(): { openCharacterChat(file: string): void } } }).SillyTavern.getContext().openCharacterChat(file), name);
  await until("the engine has the chat", async () => {
    progress ||= (await page.page.locator("#storeyline_drawer .sl-under-way").allTextContents()).some((text) => text.includes("/"));
    const { file, record, last } = await end();
    if (file !== name) throw new Error(`${file} is open`);
    const ref = await engine.refOf(record?.chat ?? "");
    const view = ref.floors === floors ? await engine.floor(ref, floors - 1) : null;
    if (view?.page !== last || record?.base === null) throw new Error(`${ref.floors} floors`);
  }, 300_000);
  return { milliseconds: Date.now() - since, progress };
}

/** Which chat is open and where it ends. The whole of it would cost the page more than what is measured. */
function end(): Promise<{ file?: string; record?: { chat: string; base: string | null }; last?: string }> {
  return stage.page.page.evaluate(() => {
    type Message = { extra?: { storeyline?: { id: string } } };
    type Context = { chatId?: string; chatMetadata: { storeyline?: { chat: string; base: string | null } }; chat: Message[] };
    const { chatId, chatMetadata, chat } = (globalThis as never as { SillyTavern: { getContext(): Context } }).SillyTavern.getContext();
    return { file: chatId, record: chatMetadata.storeyline, last: chat.at(-1)?.extra?.storeyline?.id };
  });
}

/** Sends and counts what goes over the wire until all is at rest. */
async function turn(): Promise<{ bytes: number; requests: number }> {
  const { page, llm } = stage;
  let [bytes, requests] = [0, 0];
  const ours = (url: string): boolean => url.includes("/api/plugins/storeyline/v1/");
  const sent = (request: Request): void => {
    if (!ours(request.url())) return;
    requests += 1;
    bytes += request.postDataBuffer()?.length ?? 0;
  };
  const got = (response: Response): void => {
    if (ours(response.url())) void response.body().then((body) => (bytes += body.length), () => undefined);
  };
  page.page.on("request", sent);
  page.page.on("response", got);
  llm.will('Coins. @.ADD("角色.金币", 5);');
  await page.send("And now?");
  await new Promise((resolve) => setTimeout(resolve, 4000));
  page.page.off("request", sent);
  page.page.off("response", got);
  return { bytes, requests };
}

async function observe(): Promise<void> {
  await stage.page.page.evaluate(() => {
    const frames: { url: string; name: string; duration: number }[] = [];
    Object.assign(globalThis, { longFrames: frames });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { scripts } = entry as PerformanceEntry & { scripts: { sourceURL: string; sourceFunctionName: string; sourceCharPosition: number; invoker: string; duration: number }[] };
        for (const { sourceURL, sourceFunctionName, sourceCharPosition, invoker, duration } of scripts) frames.push({ url: sourceURL, name: `${invoker}, in ${sourceFunctionName} at ${sourceCharPosition}`, duration: Math.round(duration) });
      }
    }).observe({ type: "long-animation-frame", buffered: false });
  });
}

function longFrames(): Promise<{ url: string; name: string; duration: number }[]> {
  return stage.page.page.evaluate(() => (globalThis as never as { longFrames: { url: string; name: string; duration: number }[] }).longFrames);
}
