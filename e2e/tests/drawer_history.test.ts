// History in the drawer of the real host: a branch is a chat there, and going somewhere opens it.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Card } from "../src/card.ts";
import { Drawer } from "../src/drawer.ts";
import { artifacts } from "../src/paths.ts";
import { until } from "../src/poll.ts";
import { scenario, Stage } from "../src/stage.ts";
import { accessible } from "../src/web.ts";

const card: Card = { name: "Hilda", template: { gold: 5 }, greetings: ["Hello."] };

let stage: Stage;
before(async () => {
  stage = await Stage.start();
  await stage.importCard(card);
});
after(() => stage?.stop());

const texts = async (): Promise<string[]> => (await stage.page.chat()).messages.map(({ mes }) => mes ?? "");

scenario(() => stage, "messages are changed, a branch is made and switched to, and the chat follows each time", async () => {
  const { page, llm } = stage;
  llm.will('One. @.ADD("gold", 1);');
  await page.send("First");
  llm.will('Two. @.ADD("gold", 2);');
  await page.send("Second");
  const drawer = new Drawer(page);
  await drawer.open();
  const { content } = drawer;
  await content.locator('[data-tab="history"]').click();
  const floor = (number: number) => content.locator(`.sl-card[data-floor="${number}"]`);
  await floor(4).waitFor();
  const act = async (number: number, item: string): Promise<void> => {
    await floor(number).getByRole("button", { name: `Actions of #${number}` }).click();
    await content.getByRole("menuitem", { name: item, exact: true }).click();
  };

  // An edit and its undo reach the chat.
  await act(2, "Edit text…");
  const dialog = content.getByRole("dialog");
  await until("the text is there", async () => assert.match(await dialog.getByRole("textbox").inputValue(), /One/));
  await dialog.getByRole("textbox").fill('One and a half. @.ADD("gold", 10);');
  await dialog.getByText("1 of 2 later floors get another state").waitFor();
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await until("the chat has it", async () => assert.match((await texts())[2] ?? "", /One and a half/));
  await content.locator(".sl-toast").getByRole("button", { name: "Undo" }).click();
  await until("and has it no more", async () => assert.match((await texts())[2] ?? "", /^One\. /));

  // A branch is a chat of its own, which is opened.
  await act(2, "Branch here");
  assert.equal(await dialog.getByLabel("Name").inputValue().then((name) => / · 2$/.test(name)), true);
  await dialog.getByLabel("Name").fill("Another way");
  await page.page.keyboard.press("Enter");
  await until("the new chat is open", async () => assert.equal((await texts()).length, 3), 60_000);
  await until("the drawer shows it", async () => assert.equal(await content.locator(".sl-card").count(), 3));

  // The graph: keys stay in the drawer, and going to the old branch opens its chat.
  await content.locator('[data-segment="graph"]').click();
  await content.locator(".sl-item").first().waitFor();
  const asked = llm.requests.length;
  const list = content.getByRole("listbox", { name: "Graph of the branches" });
  await list.focus();
  for (const key of ["ArrowRight", "ArrowLeft", "ArrowUp", "Control+Enter", "Alt+Enter"]) await page.page.keyboard.press(key);
  await page.page.waitForTimeout(500);
  assert.equal(llm.requests.length, asked, "no key asked for a reply");
  assert.equal((await texts()).length, 3);
  await content.locator(".sl-item").filter({ hasText: "Two." }).click();
  await content.getByRole("region", { name: "Selected floor" }).getByRole("button", { name: "Go here" }).click();
  await until("the old chat is open", async () => assert.equal((await texts()).length, 5), 60_000);
  await content.locator(".sl-toast").filter({ hasText: "You are at #4" }).getByRole("button", { name: "Back to #2" }).waitFor();
  await page.page.screenshot({ path: `${artifacts}/drawer-history.png` });
  await accessible(page.page, "history in the drawer").catch((error: Error) => {
    // The host has findings of its own; ours have our prefix.
    assert.doesNotMatch(error.message, /class="sl-|id="storeyline_drawer/);
  });
});
