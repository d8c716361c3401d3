// Functions in the drawer of the real host: one that is made there changes the next reply and goes into the card file;
// another SillyTavern that imports the card asks before it runs.

import assert from "node:assert/strict";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import type { Locator } from "playwright-core";
import type { Card } from "../src/card.ts";
import { Drawer } from "../src/drawer.ts";
import { seriousFindings } from "../src/accessibility.ts";
import { artifacts } from "../src/paths.ts";
import { until } from "../src/poll.ts";
import { scenario, Stage } from "../src/stage.ts";

const card: Card = { name: "Fiona", template: { 角色: { 金币: 5 } }, greetings: ["Hello."] };

interface Definition {
  name: string;
  enabled: boolean;
  executor?: string;
}

let stage: Stage;
before(async () => {
  stage = await Stage.start();
  await stage.importCard(card);
});
after(() => stage?.stop());

const content = (): Locator => new Drawer(stage.page).content;
const dialog = (): Locator => content().locator("dialog[open]");
const row = (name: string): Locator => content().locator(".sl-function", { hasText: name });

/** The functions in the card file, as the host stored it: a text chunk of the picture. */
function inCardFile(file = stage.cardFile(card)): Definition[] {
  const bytes = readFileSync(file);
  const at = bytes.indexOf("chara\0");
  const length = bytes.readUInt32BE(at - 8);
  const text = Buffer.from(bytes.subarray(at + 6, at + length).toString("latin1"), "base64").toString("utf8");
  const data = (JSON.parse(text) as { data: { extensions: { st_var_system?: { functions?: Definition[] } } } }).data;
  return data.extensions.st_var_system?.functions ?? [];
}

async function gold(on = stage): Promise<unknown> {
  const chat = (await on.page.chat()).metadata.storeyline?.chat ?? "";
  const ref = await on.engine.refOf(chat);
  return ((await on.engine.floor(ref, ref.floors - 1)).state["角色"] as { 金币: number }).金币;
}

async function reply(text: string, wanted: number, on = stage): Promise<void> {
  on.llm.will(text);
  await on.page.send("Go on");
  await until(`the state is ${wanted}`, async () => assert.equal(await gold(on), wanted));
}

async function openFunctions(on = stage): Promise<Drawer> {
  const drawer = new Drawer(on.page);
  await drawer.open();
  await drawer.content.locator('[data-tab="functions"]').click();
  return drawer;
}

async function write(text: string): Promise<void> {
  await dialog().locator(".cm-content").click();
  await stage.page.page.keyboard.press("Control+A");
  await stage.page.page.keyboard.insertText(text);
}

scenario(() => stage, "a function made in the drawer is in the card file and changes the next reply", async () => {
  await reply("One. @.BONUS(10);", 5);
  const drawer = await openFunctions();
  await content().getByText("This card has no functions of its own.").waitFor();
  await content().getByRole("button", { name: "New function" }).click();
  await dialog().getByLabel("Name", { exact: true }).fill("BONUS");
  await write("snapshot.角色.金币 += Number(args[0]);");
  // A key that the host uses for itself runs the test here, and asks the model for nothing.
  const asked = stage.llm.requests.length;
  await stage.page.page.keyboard.press("Control+Enter");
  await dialog().locator(".sl-op", { hasText: "角色.金币" }).waitFor();
  assert.equal(stage.llm.requests.length, asked);
  await stage.page.page.screenshot({ path: join(artifacts, "drawer-functions-editor.png") });
  assert.deepEqual(await seriousFindings(stage.page.page, "#storeyline_drawer"), []);
  await dialog().getByRole("button", { name: "Save", exact: true }).click();
  await dialog().waitFor({ state: "detached" });
  await until("the card file has it", () => assert.deepEqual(inCardFile().map(({ name, enabled }) => [name, enabled]), [["BONUS", true]]));
  await content().getByText("not in the card file yet").waitFor({ state: "detached" });
  assert.deepEqual(await seriousFindings(stage.page.page, "#storeyline_drawer"), []);
  await stage.page.page.screenshot({ path: join(artifacts, "drawer-functions.png") });
  await drawer.close();
  await reply("Two. @.BONUS(10);", 15);
});

scenario(() => stage, "switched off it does not run, edited it runs as edited, and nobody is asked", async () => {
  let drawer = await openFunctions();
  await row("BONUS").getByRole("switch").click();
  await until("it is off in the card", () => assert.equal(inCardFile()[0]?.enabled, false));
  await drawer.close();
  await reply("Three. @.BONUS(10);", 15);
  drawer = await openFunctions();
  await row("BONUS").getByRole("switch").click();
  await row("BONUS").getByRole("button", { name: "BONUS", exact: true }).click();
  await write("snapshot.角色.金币 += 2 * Number(args[0]);");
  await dialog().getByRole("button", { name: "Save", exact: true }).click();
  await dialog().waitFor({ state: "detached" });
  await until("the card has the edit", () => assert.match(inCardFile()[0]?.executor ?? "", /2 \* Number/));
  await drawer.close();
  await reply("Four. @.BONUS(10);", 35);
  await stage.page.open();
  await stage.page.openCard(card.name);
  assert.equal(await stage.page.page.locator("dialog[open]").count(), 0, "one's own edit needs no permission");
  await reply("Five. @.BONUS(1);", 37);
});

scenario(() => stage, "what the page saves for the card is written when the host opens it next", async () => {
  await stage.page.leave();
  const { engine } = stage;
  const before = await engine.library("Fiona.png");
  const functions = (before.library as never as { functions: Definition[] }).functions.map((one) => ({ ...one, executor: "snapshot.角色.金币 = 1;" }));
  await engine.putLibrary("Fiona.png", { version: "1.0", functions } as never);
  assert.match(inCardFile()[0]?.executor ?? "", /2 \* Number/);
  await stage.page.open();
  await stage.page.openCard(card.name);
  await until("the host wrote it", () => assert.equal(inCardFile()[0]?.executor, "snapshot.角色.金币 = 1;"));
  await reply("Six. @.BONUS(1);", 1);
});

scenario(() => stage, "another SillyTavern imports the card, asks, and then runs it", async () => {
  const file = join(stage.host.folder, "exported.png");
  copyFileSync(stage.cardFile(card), file);
  const other = await Stage.start();
  try {
    await other.page.importCard(file, card.name);
    const question = other.page.page.locator("dialog[open] .sl-host-question");
    await question.waitFor();
    assert.match(await other.page.question(), /brings 1 functions? \(code\): BONUS/);
    await other.page.page.locator("dialog[open]").getByText("Allow", { exact: true }).click();
    await question.waitFor({ state: "detached" });
    await reply("One. @.BONUS(1);", 1, other);
    const drawer = await openFunctions(other);
    await drawer.content.locator(".sl-function", { hasText: "BONUS" }).waitFor();
  } finally {
    await other.stop();
  }
});
