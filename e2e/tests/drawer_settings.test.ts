// The settings in the drawer of the real host: what only a host can do there.

import assert from "node:assert/strict";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import type { Card } from "../src/card.ts";
import { Drawer } from "../src/drawer.ts";
import { artifacts } from "../src/paths.ts";
import { until } from "../src/poll.ts";
import { scenario, Stage } from "../src/stage.ts";

const card: Card = { name: "Cleo", template: { 角色: { 金币: 5 } }, greetings: ["Hello."] };

let stage: Stage;
before(async () => {
  stage = await Stage.start();
  await stage.importCard(card);
});
after(() => stage?.stop());

scenario(() => stage, "unused states are found by the host's chat files, moved to the trash and restored", async () => {
  const { page, llm, host, engine } = stage;
  llm.will('Coins. @.ADD("角色.金币", 1);');
  await page.send("Hi");
  const files = stage.chatFiles(card);
  const chat = (await page.chat()).metadata.storeyline?.chat ?? "";
  const ref = await engine.refOf(chat);
  await page.newChat();
  const [gone] = files.names().filter((name) => files.read(name).messages.length > 1);
  assert.ok(gone);
  // Outside of the host, as a user does in a file manager.
  renameSync(files.path(gone), join(host.folder, "gone.jsonl"));

  const drawer = new Drawer(page);
  await drawer.open();
  await drawer.content.locator('[data-tab="settings"]').click();
  const unused = drawer.content.locator(".sl-setting", { has: page.page.getByText("Unused states", { exact: true }) });
  await unused.getByRole("button", { name: "Look" }).click();
  await unused.getByText("Nothing of a living chat.", { exact: false }).waitFor();
  assert.equal(await unused.locator("li").count(), 1);
  assert.ok((await unused.locator("li").innerText()).includes(`file ${gone}`));
  await page.page.screenshot({ path: join(artifacts, "drawer-settings-unused.png") });
  assert.equal((await engine.refOf(chat)).ref, ref.ref, "looking moves nothing");
  await unused.getByRole("button", { name: "Move to the trash" }).click();
  await drawer.content.getByText("1 branch moved to the trash").waitFor();
  await unused.getByText("There are no unused states.").waitFor();
  await drawer.content.locator(".sl-toast").getByRole("button", { name: "Undo" }).click();
  await until("the branch is back", async () => assert.equal((await engine.refOf(chat)).ref, ref.ref));
  await unused.getByRole("button", { name: "Look" }).click();
  await until("it is found again", async () => assert.equal(await unused.locator("li").count(), 1));
});

scenario(() => stage, "the settings of the host's display are in the drawer, and the host remembers them", async () => {
  const drawer = new Drawer(stage.page);
  await drawer.open();
  await drawer.content.locator('[data-tab="settings"]').click();
  const bar = drawer.content.getByRole("radiogroup", { name: "Status bar" });
  await bar.getByText("Off").click();
  const stored = (): Promise<unknown> => stage.page.page.evaluate("SillyTavern.getContext().extensionSettings.storeyline?.statusBar");
  await until("it is stored", async () => assert.equal(await stored(), "off"));
  await bar.getByRole("radio").nth(1).focus();
  await stage.page.page.keyboard.press("ArrowLeft");
  await until("and back", async () => assert.equal(await stored(), "changes"));
});
