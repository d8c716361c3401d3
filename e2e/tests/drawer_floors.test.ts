// The Floors screen in the drawer of the real host and in the engine's own page, on one story: every function with
// mouse and keyboard, then three windows beside each other.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Route } from "playwright-core";
import { Cli } from "../src/cli.ts";
import { Drawer } from "../src/drawer.ts";
import { card, floorScenarios, Played } from "../src/floor_scenarios.ts";
import { until } from "../src/poll.ts";
import { scenario, Stage } from "../src/stage.ts";
import { Surface } from "../src/surface.ts";

let stage: Stage;
let story: Played;
const surfaces = {} as Record<"drawer" | "page", Surface>;

before(async () => {
  stage = await Stage.start();
  await stage.importCard(card);
  story = await Played.begin(stage);
  surfaces.drawer = Surface.drawer(stage, card.name);
  surfaces.page = Surface.enginePage(await stage.enginePage());
  await new Drawer(stage.page).open();
  for (const on of Object.values(surfaces)) await on.shows(8);
});
after(() => stage?.stop());

for (const [name, run] of Object.entries(floorScenarios)) {
  for (const where of ["drawer", "page"] as const) scenario(() => stage, `${where}: ${name}`, () => run(surfaces[where], story));
}

scenario(() => stage, "a text that is edited in the drawer is the text of the message in the host; undo brings both back", async () => {
  const on = surfaces.drawer;
  const before = (await stage.page.chat()).messages[6]?.mes;
  const said = 'It is very late. @.SET("world.time", "23:00");';
  await on.goTo(6);
  await on.choose("More", "Edit text…");
  await on.dialog.getByRole("textbox").fill(said);
  await on.button("Save", on.dialog).click();
  await on.closed();
  await until("the host shows it", async () => assert.equal((await stage.page.chat()).messages[6]?.mes, said));
  await on.undo("The text was changed");
  await until("the host shows the old text", async () => assert.equal((await stage.page.chat()).messages[6]?.mes, before));
  await story.becomes("21:00", 8, "world", "time");
});

/** Edits a value in place. */
async function edit(on: Surface, key: string, value: string): Promise<void> {
  await on.row(key).locator(".sl-value").click();
  await on.page.keyboard.type(value);
  await on.page.keyboard.press("Enter");
}

scenario(() => stage, "three windows on one story: an edit in one appears in the other two", async () => {
  const third = Surface.enginePage(await stage.enginePage({ viewport: { width: 1280, height: 900 }, colorScheme: "light" }));
  const windows = [surfaces.drawer, surfaces.page, third];
  for (const on of windows) await on.goTo(8);
  for (const [index, on] of windows.entries()) {
    const value = String(4321 + index);
    await edit(on, "gold", value);
    for (const other of windows) await other.row("gold").getByText(value, { exact: true }).waitFor();
    await on.undo("Saved as an edit by hand");
    for (const other of windows) await other.row("gold").getByText("20", { exact: true }).waitFor();
  }
  await third.page.context().close();
});

scenario(() => stage, "two windows save the same floor: the one that is later is told, with both sides and its own text", async () => {
  for (const [loser, winner] of [[surfaces.drawer, surfaces.page], [surfaces.page, surfaces.drawer]] as const) {
    await winner.goTo(6);
    await loser.goTo(6);
    await loser.button("Edit").click();
    await loser.button("Add key").click();
    for (const text of ["mine", "1"]) {
      await loser.page.keyboard.type(text);
      await loser.page.keyboard.press("Enter");
    }
    await loser.text("1 edit").waitFor();
    const hear = await loser.deaf();
    await edit(winner, "gold", "500");
    await story.becomes(500, 6, "hero", "gold");
    await loser.button("Save").click();
    await loser.text("This floor was changed in another window.", loser.dialog).waitFor();
    assert.equal(await story.value(6, "mine"), undefined, "nothing was written");
    await loser.button("Show difference", loser.dialog).click();
    const sides = loser.dialog.getByRole("listitem");
    assert.match((await sides.allInnerTexts()).join("\n"), /gold[\s\S]*20[\s\S]*500/);
    assert.match((await sides.allInnerTexts()).join("\n"), /mine/);
    await loser.page.keyboard.press("Escape");
    await loser.row("mine").waitFor();
    await loser.button("Save").click();
    await loser.text("This floor was changed in another window.", loser.dialog).waitFor();
    await hear();
    await loser.button("Keep mine", loser.dialog).click();
    await story.becomes(1, 6, "mine");
    await loser.text("1 edit").waitFor({ state: "detached" });
    await loser.undo("Saved as an edit by hand");
    await winner.undo("Saved as an edit by hand");
    await story.becomes(20, 6, "hero", "gold");
  }
});

/** How often the state of a floor was saved whole. */
const overrides = (): number => {
  const { operations } = new Cli(stage.engine.data).run("log", story.branch.story, "--operations", "--limit", "500") as { operations: { kind: string }[] };
  return operations.filter(({ kind }) => kind === "override").length;
};

scenario(() => stage, "the engine is killed before a save arrives, or after it was written: the text is there and saved once", async () => {
  const on = surfaces.drawer;
  const { engine } = stage;
  for (const [index, when] of ["before", "after"].entries()) {
    await on.goTo(4);
    await on.button("Edit").click();
    await on.button("Add key").click();
    for (const text of [`kept ${when}`, "7"]) {
      await on.page.keyboard.type(text);
      await on.page.keyboard.press("Enter");
    }
    await on.text("1 edit").waitFor();
    const count = overrides();
    const kill = async (route: Route): Promise<void> => {
      if (when === "after") await route.fetch();
      engine.takeBinaryAway();
      await engine.kill();
      await (when === "after" ? route.abort() : route.continue());
    };
    await on.page.route("**/operations*", kill, { times: 1 });
    await on.root.locator("h1").first().click();
    await on.page.keyboard.press("Control+s");
    await on.text(/Your edit is kept and will be saved when it is back/).waitFor();
    await on.row(`kept ${when}`).waitFor();
    engine.bringBinaryBack();
    await until("it is saved", async () => {
      const retry = on.button("Retry").first();
      if (await retry.isVisible()) await retry.click({ timeout: 1000 }).catch(() => undefined);
      assert.equal(await story.value(8, `kept ${when}`), 7);
    }, 60_000);
    await on.text("1 edit").waitFor({ state: "detached" });
    assert.equal(overrides(), count + 1, `saved once, the ${index + 1}. time`);
  }
});
