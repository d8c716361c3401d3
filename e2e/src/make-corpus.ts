// Writes `corpus/host/`: chat files as the real host writes them, once without Storeyline and once with it.
// The same gestures both times; run it again when a new version of the host changes its files, and review the
// difference.

import assert from "node:assert/strict";
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { type Card, writeCard } from "./card.ts";
import { ChatFiles } from "./files.ts";
import { Host } from "./host.ts";
import { install } from "./install.ts";
import { Llm } from "./llm.ts";
import { HostPage } from "./page.ts";
import { chromium as chromiumPath, repository } from "./paths.ts";
import { until } from "./poll.ts";
import { browserOptions } from "./stage.ts";

const template = { 角色: { 金币: 0 } };
const mira: Card = {
  name: "Mira",
  template,
  greetings: ['Hello, {{user}}. @.ADD("角色.金币", 1);', 'Go away, {{user}}! @.ADD("角色.金币", 5);'],
};
const tom: Card = { name: "Tom", template, greetings: ["I am {{char}}."] };
const gold = (amount: number): string => `“Coins”\r\n他数了数。@.ADD("角色.金币", ${amount});`;

for (const name of ["plain", "bound"]) await make(name);

async function make(name: string): Promise<void> {
  const llm = await Llm.start();
  const host = Host.prepare(llm.url);
  if (name === "bound") install(host);
  await host.start();
  const browser = await chromium.launch({ executablePath: chromiumPath, args: browserOptions });
  try {
    const page = new HostPage(await browser.newPage({ viewport: { width: 1500, height: 950 } }), host.url);
    await page.open();
    await playAlone(page, llm, host);
    await playTogether(page, llm, host);
    await settled(page, host);
    await page.leave();
    keep(host, join(repository, "corpus", "host", name));
  } finally {
    await browser.close();
    await host.stop();
    await llm.stop();
    host.remove();
  }
}

/**
 * One card: a chat with swipes, a hidden message, notes; its branch and its checkpoint; a renamed chat with a
 * branch; an unrelated chat.
 */
async function playAlone(page: HostPage, llm: Llm, host: Host): Promise<void> {
  await page.importCard(writeCard(mira, host.folder), mira.name);
  await page.swipeRight();
  llm.will(gold(2), gold(3));
  await page.send("One");
  await page.newSwipe();
  await page.command("/sys compact=true The night falls.");
  await page.command("/comment A word beside the story.");
  llm.will(gold(7));
  await page.send("Two");
  await page.hide(1);
  await settled(page, host);

  await page.branch(2);
  await page.edit(1, "One, but edited");
  llm.will(gold(11));
  await page.send("Other");
  await settled(page, host);
  await page.backToParent();
  await page.checkpoint(5, "Checkpoint");
  await settled(page, host);

  await page.newChat();
  llm.will(gold(2));
  await page.send("One");
  await settled(page, host);
  await page.branch(2);
  llm.will(gold(13));
  await page.send("Further");
  await settled(page, host);
  await page.backToParent();
  await page.renameChat("Renamed");

  await page.newChat();
  llm.will(gold(2));
  await page.send("One");
  await settled(page, host);
}

/** Two cards in a group. */
async function playTogether(page: HostPage, llm: Llm, host: Host): Promise<void> {
  await page.importCard(writeCard(tom, host.folder), tom.name);
  await page.openGroup("Two", [mira.name, tom.name]);
  llm.will(gold(2), gold(3));
  await page.send("Hello, Mira and Tom.");
  await settled(page, host);
}

/** Waits until the file equals the page, and still does a while later (the host and we save late). */
async function settled(page: HostPage, host: Host): Promise<void> {
  for (let round = 0; round < 2; round++) {
    await page.page.waitForTimeout(2_000);
    await until("the chat is saved", async () => {
      const { file = "", messages } = await page.chat();
      const folders = [join("chats", mira.name), "group chats"].map((folder) => join(host.userFolder, folder));
      const folder = folders.find((folder) => existsSync(join(folder, `${file}.jsonl`))) ?? folders[0];
      assert.deepEqual(new ChatFiles(folder).read(file).messages, messages);
    });
  }
}

/** Copies only the chat files out of the host. */
function keep(host: Host, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(join(host.userFolder, "chats", mira.name), join(folder, mira.name), { recursive: true });
  // A file copied by hand, as users do before they try something.
  copyFileSync(join(folder, mira.name, "Renamed.jsonl"), join(folder, mira.name, "Renamed copy.jsonl"));
  mkdirSync(join(folder, "group"));
  const chats = join(host.userFolder, "group chats");
  for (const file of readdirSync(chats)) copyFileSync(join(chats, file), join(folder, "group", file));
}
