// Our own names in the host: the entry in the world book, re-processing by menu and command, and which system
// keeps the state when another one runs in the same page.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { type Card, shownState, stateIn } from "../src/card.ts";
import { Drawer } from "../src/drawer.ts";
import { until } from "../src/poll.ts";
import { slash } from "../src/rare.ts";
import { scenario, Stage } from "../src/stage.ts";

const card: Card = { name: "Nami", template: { 角色: { 金币: 5 } }, greetings: ["Hello."] };

let stage: Stage;
before(async () => {
  stage = await Stage.start();
  await stage.importCard(card);
});
after(() => stage?.stop());

scenario(() => stage, "the state stands in the world book", async () => {
  const { page, llm, host } = stage;
  await slash(page, "/vs-worldbook");
  const books = join(host.userFolder, "worlds");
  const entry = await until("the entry is written", async () => {
    const all = readdirSync(books).map((file) => JSON.parse(readFileSync(join(books, file), "utf8")) as { entries: Record<string, { comment: string; content: string; constant: boolean }> });
    const found = all.flatMap((book) => Object.values(book.entries)).find(({ comment }) => comment === "__vs_stat_data__");
    assert.ok(found);
    return found;
  });
  assert.deepEqual([entry.content, entry.constant], ["{{getvar::vs_stat_data}}", true]);
  llm.will('Coins. @.ADD("角色.金币", 1);');
  await page.send("Hi");
  const shown = llm.lastPrompt().split('{"角色":{"金币":5}}').length - 1;
  assert.equal(shown, 3, "macro and variable of the card, and the entry of the book");
});

scenario(() => stage, "re-processing by the menu and by the command changes nothing that is right", async () => {
  const { page, engine } = stage;
  const state = async (): Promise<unknown> => {
    const ref = await engine.refOf((await page.chat()).metadata.storeyline?.chat ?? "");
    return (await engine.floor(ref, ref.floors - 1)).state;
  };
  assert.deepEqual(await state(), { 角色: { 金币: 6 } });
  await page.option("#option_storeyline_reprocess");
  await until("the player is told", async () => assert.match((await page.toasts()).join("\n"), /re-processed/));
  await slash(page, "/vs-reprocess 0");
  assert.deepEqual(await state(), { 角色: { 金币: 6 } });
});

scenario(() => stage, "requests of ST-VarSystem's extension are answered, because its own plugin is absent", async () => {
  const { page } = stage;
  const ask = (method: string, path: string, body: object | null): Promise<[number, string]> =>
    page.page.evaluate(
      `fetch("/api/plugins/var-manager/var-manager/${path}", { method: "${method}", headers: SillyTavern.getContext().getRequestHeaders(), body: ${body ? JSON.stringify(JSON.stringify(body)) : "undefined"} }).then(async (answer) => [answer.status, await answer.text()])`,
    );
  assert.equal((await ask("POST", "probe", {}))[0], 204);
  assert.equal((await ask("POST", "snapshots", { chatFile: "雨夜", payload: { 金币: 5 }, identifier: "id-1" }))[0], 201);
  const [status, text] = await ask("GET", "snapshots/id-1", null);
  assert.deepEqual([status, (JSON.parse(text) as { payload: unknown }).payload], [200, { 金币: 5 }]);
  assert.equal((await ask("DELETE", "snapshots/by-chat", { chatFile: "雨夜" }))[0], 200);
  assert.equal((await ask("GET", "snapshots/id-1", null))[0], 404);
  assert.equal((await ask("GET", "secrets", null))[0], 404);
});

scenario(() => stage, "another system keeps the state, if the user says so", async () => {
  const { page, llm } = stage;
  await page.page.evaluate("globalThis.Mvu = { getMvuData: () => ({}) }; void SillyTavern.getContext().reloadCurrentChat();");
  await page.page.locator("dialog[open] .sl-host-question").waitFor();
  assert.match(await page.question(), /MVU keeps state in this page too/);
  await page.choose("MVU");
  llm.will("Nothing.");
  await page.send("And now?");
  assert.equal(await page.page.evaluate("JSON.stringify(Mvu.getMvuData())"), "{}", "its name is left alone");
  const drawer = new Drawer(page);
  await drawer.open();
  await until("the drawer says so", async () => assert.match(await drawer.text(), /Another system keeps the state/));
  await drawer.click("Choose again");
  await page.choose("Storeyline");
  await drawer.close();
  llm.will("Nothing.");
  await page.send("And then?");
  assert.equal(stateIn(llm.lastPrompt()), shownState({ 角色: { 金币: 6 } }));
});
