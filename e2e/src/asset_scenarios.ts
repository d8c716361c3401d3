// What a user does on the Template, Snapshots and Settings screens, written once for the drawer and the page. Each
// scenario begins with the template and the snapshots that it needs.

import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import type { Json, JsonObject, Schemas } from "storeyline-client";
import { card, type Played } from "./floor_scenarios.ts";
import { until } from "./poll.ts";
import type { Surface } from "./surface.ts";
import { giveFile, textOf } from "./web.ts";

export const CARD_FILE = `${card.name}.png`;
const TEMPLATE = card.template as JsonObject;
const TOWN = { name: "before the town", description: "at the gate", tags: ["town"], state: { world: { place: "gate" }, hero: { gold: 17 } } };
const BOSS = { name: "before the boss", description: "", tags: ["town", "boss"], state: { hero: { health: 1 } } };

export type Scenario = (on: Surface, story: Played) => Promise<void>;

/** The newest saved version of the card's template; null: none, or deleted. */
export async function savedTemplate(story: Played): Promise<Json | null> {
  const { versions } = await story.client("get", "/api/v1/templates/{card}/versions", { params: { path: { card: CARD_FILE } } });
  return versions[0]?.value ?? null;
}

async function templateScreen(on: Surface, story: Played, template: JsonObject = TEMPLATE): Promise<void> {
  await story.client("put", "/api/v1/templates/{card}", { params: { path: { card: CARD_FILE } }, body: { template } });
  // Screens are loaded when they are opened.
  await on.tab("floors");
  await on.tab("template");
  await on.root.getByRole("tree").waitFor();
}

async function snapshots(story: Played): Promise<Schemas["SnapshotLine"][]> {
  return (await story.client("get", "/api/v1/snapshots")).snapshots;
}

async function snapshot(story: Played, name: string): Promise<Schemas["Snapshot"]> {
  const line = (await snapshots(story)).find((one) => one.name === name);
  assert.ok(line, `there is no ${name}`);
  return story.client("get", "/api/v1/snapshots/{snapshot}", { params: { path: { snapshot: line.snapshot } } });
}

async function snapshotsScreen(on: Surface, story: Played): Promise<void> {
  for (const { snapshot } of await snapshots(story)) await story.client("delete", "/api/v1/snapshots/{snapshot}", { params: { path: { snapshot } } });
  for (const body of [TOWN, BOSS]) await story.client("post", "/api/v1/snapshots", { body });
  await on.tab("floors");
  await on.tab("snapshots");
  await line(on, TOWN.name).waitFor();
}

const line = (on: Surface, name: string): Locator => on.root.locator(".sl-rows .sl-row").filter({ hasText: name });
const open = (on: Surface, name: string): Locator => line(on, name).locator(".sl-open");
const names = (on: Surface): Promise<string[]> => on.root.locator(".sl-rows .sl-name").allInnerTexts();

export const templateScenarios: Record<string, Scenario> = {
  "a value of the template is edited in place and saved; running stories keep theirs": async (on, story) => {
    await templateScreen(on, story);
    await on.row("gold").locator(".sl-value").click();
    await on.root.getByLabel("Value of gold").fill("25");
    await on.page.keyboard.press("Enter");
    await on.text("unsaved · 1 edit").waitFor();
    assert.deepEqual(await savedTemplate(story), TEMPLATE, "editing saves nothing");
    await on.button("Save template").click();
    await on.text(/Saved\. Stories that start now use it\. \d+ running stor/).waitFor();
    assert.deepEqual(await savedTemplate(story), { ...TEMPLATE, hero: { ...(TEMPLATE["hero"] as JsonObject), gold: 25 } });
    assert.equal(await story.value(2, "hero", "gold"), 20);
  },

  "by keyboard: add, rename, delete, undo, save": async (on, story) => {
    await templateScreen(on, story);
    await on.arrowTo("gold");
    for (const [key, text] of [["Insert", "fame"], ["", "high"], ["F2", "glory"]]) {
      if (key) await on.page.keyboard.press(key);
      await on.page.keyboard.type(text!);
      await on.page.keyboard.press("Enter");
    }
    await on.row("glory").waitFor();
    await on.page.keyboard.press("Delete");
    await on.row("glory").waitFor({ state: "detached" });
    await on.page.keyboard.press("Control+z");
    await on.row("glory").waitFor();
    await on.page.keyboard.press("Control+s");
    await until("it is saved", async () => assert.equal(((await savedTemplate(story)) as { hero: JsonObject }).hero["glory"], "high"));
  },

  "text that is no JSON is told with its place and is not saved": async (on, story) => {
    await templateScreen(on, story);
    await on.root.getByRole("tab", { name: "Text", exact: true }).click();
    await on.write('{\n  "gold": x\n}');
    await on.text(/Line 2, column 11/).waitFor();
    assert.ok(await on.button("Save template").isDisabled());
    await on.button("Discard").click();
    await on.row("gold").waitFor();
    assert.deepEqual(await savedTemplate(story), TEMPLATE);
  },

  "a floor and a snapshot fill the editor, after their differences were shown": async (on, story) => {
    await snapshotsScreen(on, story);
    await templateScreen(on, story);
    await on.button("From floor…").click();
    const field = on.dialog.getByLabel("Number of the floor");
    await field.fill("99");
    await on.text(/Type a number from 0 to \d+\./, on.dialog).waitFor();
    await field.fill("2");
    await on.text("1 difference", on.dialog).waitFor();
    await on.button("Fill the editor", on.dialog).click();
    await on.text("unsaved · 1 edit").waitFor();
    await on.button("From snapshot…").press("Enter");
    await on.dialog.getByRole("radio", { name: TOWN.name }).focus();
    await on.page.keyboard.press("Space");
    await on.text(/\d differences/, on.dialog).waitFor();
    await on.button("Fill the editor", on.dialog).press("Enter");
    await on.closed();
    assert.deepEqual(await savedTemplate(story), TEMPLATE, "nothing is saved by filling");
    await on.button("Save template").click();
    await until("it is saved", async () => assert.deepEqual(await savedTemplate(story), TOWN.state));
  },

  "a file is imported without MVU's metadata, and exported": async (on, story) => {
    await templateScreen(on, story);
    const record = JSON.stringify({ stat_data: { gold: [5, "coins"], $meta: {} }, display_data: {} });
    await giveFile(on.page, story.file("mvu.json", record), () => on.button("Import…").click());
    assert.ok(await on.dialog.getByLabel(/^Strip MVU metadata/).isChecked());
    await on.button("Fill the editor", on.dialog).click();
    await on.closed();
    const file = await on.downloads(() => on.button("Export").click());
    assert.deepEqual(JSON.parse(await textOf(file)), { gold: [5, "coins"] });
    await on.button("Discard").click();
  },

  "the template is deleted, comes back by undo, and an old version comes back into the editor": async (on, story) => {
    await templateScreen(on, story, { version: 1 });
    await templateScreen(on, story, { version: 2 });
    await on.choose("More", "Versions…");
    await on.dialog.getByRole("radio").nth(1).check();
    await on.button("Fill the editor", on.dialog).click();
    await on.text("unsaved · 1 edit").waitFor();
    await on.button("Discard").click();
    await on.choose("More", "Delete template");
    await on.text("No template yet.").waitFor();
    await on.undo("Template deleted");
    await until("it is back", async () => assert.deepEqual(await savedTemplate(story), { version: 2 }));
    await story.client("delete", "/api/v1/templates/{card}", { params: { path: { card: CARD_FILE } } });
  },
};

export const snapshotScenarios: Record<string, Scenario> = {
  "snapshots are found by tag and by content, and previewed": async (on, story) => {
    await snapshotsScreen(on, story);
    const search = on.root.getByRole("searchbox", { name: "Search label, tag or content" });
    await search.fill("boss");
    await until("by tag", async () => assert.deepEqual(await names(on), [BOSS.name]));
    await search.fill("gate");
    await until("by content", async () => assert.deepEqual(await names(on), [TOWN.name]));
    await search.fill("nothing of it");
    await on.text("No snapshot matches.").waitFor();
    await on.button("Show all").click();
    await open(on, TOWN.name).press("Enter");
    await on.row("gold").waitFor();
    await on.text("at the gate").waitFor();
  },

  "several are tagged, deleted and brought back": async (on, story) => {
    await snapshotsScreen(on, story);
    await line(on, TOWN.name).getByRole("checkbox").check();
    await open(on, BOSS.name).focus();
    await on.page.keyboard.press("x");
    await on.button("Tag…").click();
    await on.dialog.getByLabel("Name of the tag").fill("kept");
    await on.page.keyboard.press("Enter");
    await on.text("2 snapshots tagged").waitFor();
    assert.deepEqual((await snapshot(story, TOWN.name)).tags, ["town", "kept"]);
    await on.undo("2 snapshots tagged");
    await until("the tag is gone", async () => assert.deepEqual((await snapshot(story, TOWN.name)).tags, ["town"]));
    const { snapshot: id } = await snapshot(story, TOWN.name);
    await on.root.getByRole("group", { name: "2 selected" }).getByRole("button", { name: "Delete" }).click();
    await until("they are gone", async () => assert.equal((await snapshots(story)).length, 0));
    await on.undo("2 snapshots deleted");
    await until("they are back", async () => assert.equal((await snapshots(story)).length, 2));
    assert.equal((await snapshot(story, TOWN.name)).snapshot, id);
  },

  "one is written, edited, compared with the floor, exported and imported": async (on, story) => {
    await snapshotsScreen(on, story);
    await on.button("New").click();
    await on.button("Save", on.dialog).click();
    await on.text("Write a label first.", on.dialog).waitFor();
    await on.dialog.getByLabel("Label (required)").fill("written");
    await on.button("Add key", on.dialog).click();
    for (const text of ["gold", "5"]) {
      await on.page.keyboard.type(text);
      await on.page.keyboard.press("Enter");
    }
    await on.page.keyboard.press("Control+s");
    await on.closed();
    await until("it is saved", async () => assert.deepEqual((await snapshot(story, "written")).state, { gold: 5 }));
    await open(on, TOWN.name).click();
    await on.button("Edit").click();
    await on.row("gold", on.dialog).locator(".sl-value").click();
    await on.page.keyboard.type("18");
    await on.page.keyboard.press("Enter");
    await on.button("Save", on.dialog).click();
    await on.closed();
    await until("it is changed", async () => assert.deepEqual((await snapshot(story, TOWN.name)).state, { world: { place: "gate" }, hero: { gold: 18 } }));
    await on.button(/^Compare with #\d/).click();
    await on.text(/\d differences/, on.dialog).waitFor();
    await on.page.keyboard.press("Escape");
    await on.closed();
    const file = await on.downloads(() => on.choose("More", "Export the state only"));
    const exported = await textOf(file);
    assert.deepEqual(JSON.parse(exported), { world: { place: "gate" }, hero: { gold: 18 } });
    await giveFile(on.page, story.file("again.json", exported), () => on.button("Import…").click());
    assert.equal(await on.dialog.getByLabel("Label (required)").inputValue(), "again");
    await on.button("Save", on.dialog).click();
    await line(on, "again").waitFor();
  },

  "a snapshot becomes the template of the card, and that is undone": async (on, story) => {
    await templateScreen(on, story, { old: 1 });
    await snapshotsScreen(on, story);
    await open(on, TOWN.name).click();
    await on.button("Use as template…").click();
    await on.text("3 differences", on.dialog).waitFor();
    await on.button("Use as template", on.dialog).click();
    await until("it is the template", async () => assert.deepEqual(await savedTemplate(story), TOWN.state));
    await on.undo(/Template of Aria replaced/);
    await until("the old one is back", async () => assert.deepEqual(await savedTemplate(story), { old: 1 }));
  },
};

/** The row of a setting. */
export const setting = (on: Surface, label: string): Locator => on.root.locator(".sl-setting", { has: on.page.locator(".sl-label", { hasText: label }) });

export const settingScenarios: Record<string, Scenario> = {
  "profile, a switch and the edit policy are chosen and reset": async (on, story) => {
    const params = { path: { story: story.branch.story } };
    const rules = (): Promise<Schemas["Rules"]> => story.client("get", "/api/v1/stories/{story}/rules", { params });
    await on.tab("settings");
    await setting(on, "Profile").locator("select").selectOption("mvu");
    await until("the profile is chosen", async () => assert.equal(((await rules()).rules as JsonObject)["profile"], "mvu"));
    await on.text("New pages take it; older floors follow by re-process.").waitFor();
    await on.button("Reset: Profile").click();
    await until("it is the card's again", async () => assert.notEqual((await rules()).from["profile"], "you"));
    await setting(on, "Read calls written as tags").getByRole("switch").press("Space");
    await until("tags are calls", async () => assert.equal((await rules()).from["tag_calls"], "you"));
    await on.button("Reset: Read calls written as tags").click();
    await until("tags are text", async () => assert.equal((await rules()).from["tag_calls"], "default"));
    const policy = async (): Promise<string> => (await story.client("get", "/api/v1/stories/{story}", { params })).edit_policy;
    await on.root.getByText("By hand: mark them stale").click();
    await until("by hand", async () => assert.equal(await policy(), "manual"));
    await on.root.getByRole("radio", { name: "Update later floors" }).focus();
    await on.page.keyboard.press("Space");
    await until("at once", async () => assert.equal(await policy(), "auto"));
  },

  "a schema is inferred from the floor, saved and switched off": async (on, story) => {
    const stored = async (): Promise<unknown> =>
      ((await story.client("get", "/api/v1/stories/{story}/rules", { params: { path: { story: story.branch.story } } })).rules as JsonObject)["schema"];
    await on.tab("settings");
    const schema = setting(on, "Rules for values (schema)");
    await schema.getByRole("button", { name: /^Infer from #/ }).click();
    await on.row("type", on.dialog).waitFor();
    assert.equal(await stored(), undefined, "nothing is saved yet");
    await on.button("Save", on.dialog).click();
    await schema.getByText(/^On, for 3 keys at the top\./).waitFor();
    assert.equal((await stored() as JsonObject)["type"], "object");
    await schema.getByRole("button", { name: "Switch off" }).press("Enter");
    await schema.getByText("Off.", { exact: true }).waitFor();
    assert.equal(await stored(), undefined);
    await on.button("Reset: Rules for values (schema)").click();
  },

  "the owner of the engine sees its health and data folder and makes a backup": async (on) => {
    await on.tab("settings");
    await setting(on, "Health").getByText(/OK/).waitFor();
    await setting(on, "Data folder").waitFor();
    await on.button("Back up now").click();
    await setting(on, "Backup").getByText(/Written to backups\//).waitFor();
  },
};
