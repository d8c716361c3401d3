// The Template, Snapshots and Settings screens in the drawer of the real host and in the engine's own page: every
// function with mouse and keyboard. Where a saved template is, and what a new chat begins with.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import { type Scenario, CARD_FILE, savedTemplate, settingScenarios, snapshotScenarios, templateScenarios } from "../src/asset_scenarios.ts";
import { Cli } from "../src/cli.ts";
import { Drawer } from "../src/drawer.ts";
import { card, Played, replies } from "../src/floor_scenarios.ts";
import { until } from "../src/poll.ts";
import { scenario, Stage } from "../src/stage.ts";
import { Surface } from "../src/surface.ts";

let stage: Stage;
let story: Played;
let drawer: Drawer;
const surfaces = {} as Record<"drawer" | "page", Surface>;

before(async () => {
  stage = await Stage.start();
  await stage.importCard(card);
  story = await Played.begin(stage, replies.slice(0, 1));
  surfaces.drawer = Surface.drawer(stage, card.name);
  surfaces.page = Surface.enginePage(await stage.enginePage());
  drawer = new Drawer(stage.page);
  await drawer.open();
  for (const on of Object.values(surfaces)) await on.shows(2);
});
after(() => stage?.stop());

const all: Record<string, Scenario> = { ...templateScenarios, ...snapshotScenarios, ...settingScenarios };
for (const [name, run] of Object.entries(all)) {
  for (const where of ["drawer", "page"] as const) scenario(() => stage, `${where}: ${name}`, () => run(surfaces[where], story));
}

/** The template in the card's file on disk, as the host has written it. */
const inCardFile = (): unknown => (new Cli(stage.engine.data).run("card", "show", stage.cardFile(card)) as { state: unknown }).state;

/** The gold at the greeting of a new chat. */
async function goldOfNewChat(): Promise<unknown> {
  const { page, engine } = stage;
  await drawer.close();
  await page.newChat();
  return until("the engine has the new chat", async () => {
    const ref = await engine.refOf((await page.chat()).metadata.storeyline?.chat ?? "");
    return ((await engine.floor(ref, 0)).state as { hero: { gold: unknown } }).hero.gold;
  });
}

const withGold = (gold: number): object => ({ ...card.template, hero: { gold } });

scenario(() => stage, "a template that is saved on the screen is kept by the engine; the card's own, in its file, stays and goes first", async () => {
  const on = surfaces.drawer;
  await story.client("delete", "/api/v1/templates/{card}", { params: { path: { card: CARD_FILE } } });
  await drawer.open();
  await on.tab("floors");
  await on.tab("template");
  await on.button("Start from an empty object").click();
  await on.root.getByRole("tab", { name: "Text", exact: true }).click();
  await on.write(JSON.stringify(withGold(33)));
  await on.button("Save template").click();
  await until("it is saved", async () => assert.deepEqual(await savedTemplate(story), withGold(33)));
  assert.deepEqual(inCardFile(), card.template);
  // A saved template counts where the card has none (`history/src/choices.rs`), although the screen says that new stories use it.
  assert.equal(await goldOfNewChat(), 20);
});

scenario(() => stage, "the template in the card is written into the card's file, and a new chat begins with it", async () => {
  await story.client("delete", "/api/v1/templates/{card}", { params: { path: { card: CARD_FILE } } });
  await drawer.open();
  await drawer.click("Chat and card");
  await drawer.click('Template in "Aria"…');
  const dialog = drawer.content.getByRole("dialog");
  await dialog.getByRole("textbox").fill(JSON.stringify(withGold(44)));
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  await until("the file on disk has it", () => assert.deepEqual(inCardFile(), withGold(44)));
  assert.equal(await goldOfNewChat(), 44);
});
