// What a user does on the Floors screen, written once for the drawer and the page. Every scenario leaves the story as
// it found it, so that the next surface begins with the same.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Branch, type Json, type JsonObject } from "storeyline-client";
import type { Card } from "./card.ts";
import type { Engine } from "./engine.ts";
import { until } from "./poll.ts";
import type { Stage } from "./stage.ts";
import type { Surface } from "./surface.ts";
import { giveFile, textOf } from "./web.ts";

export const card: Card = {
  name: "Aria",
  template: { world: { time: "20:00" }, hero: { gold: 20, strength: 4, "a.b": 1 }, Aria: { trust: 20 } },
  greetings: ['Rain. @.ADD("Aria.trust", 1);'],
};

/** Floors 2, 4, 6 and 8; the trust is 21 on floor 0 and 25 on floor 8. */
export const replies = [
  'She nods. @.ADD("Aria.trust", 1);',
  'She lifts it. @.ADD("Aria.trust", 1); @.ADD("hero.strength", "a lot");',
  'It is late. @.ADD("Aria.trust", 1); @.SET("world.time", "21:00");',
  'She smiles. @.ADD("Aria.trust", 1);',
];

/** A story that was played in the host: two floors for each reply, after the greeting. */
export class Played {
  private constructor(
    readonly engine: Engine,
    readonly branch: Branch,
    /** For files that are given to a dialog. */
    readonly folder: string,
  ) {}

  static async begin({ page, llm, engine, host }: Stage, texts: readonly string[] = replies, said = "Go on."): Promise<Played> {
    await page.streaming(false);
    for (const reply of texts) {
      llm.will(reply);
      await page.send(said);
    }
    const chat = (await page.chat()).metadata.storeyline?.chat ?? "";
    const { story, ref } = await until("the engine has the chat", async () => {
      const found = await engine.refOf(chat);
      assert.equal(found.floors, 1 + 2 * texts.length);
      return found;
    });
    return new Played(engine, { story, ref }, host.folder);
  }

  async value(floor: number, ...path: string[]): Promise<Json | undefined> {
    let at: Json | undefined = (await this.engine.floor(this.branch, floor)).state as Json;
    for (const step of path) at = (at as JsonObject | undefined)?.[step];
    return at;
  }

  async becomes(value: Json | undefined, floor: number, ...path: string[]): Promise<void> {
    await until(`floor ${floor}: ${path.join(".")} becomes ${JSON.stringify(value)}`, async () => assert.deepEqual(await this.value(floor, ...path), value));
  }

  floor(floor: number): Promise<{ text: string; overridden: boolean; state: Json }> {
    return this.engine.floor(this.branch, floor) as never;
  }

  /** The answer for a floor, with every digit. */
  raw(floor: number): Promise<string> {
    return this.engine.raw(`/stories/${this.branch.story}/refs/${this.branch.ref}/floors/${floor}`);
  }

  get client(): ReturnType<Engine["client"]> {
    return this.engine.client();
  }

  file(name: string, text: string): string {
    writeFileSync(join(this.folder, name), text);
    return join(this.folder, name);
  }
}

type Scenario = (on: Surface, story: Played) => Promise<void>;

const SAVED = "Saved as an edit by hand";

export const floorScenarios: Record<string, Scenario> = {
  "a value is edited in place by mouse, later floors follow, undo brings it back": async (on, story) => {
    await on.goTo(2);
    await on.row("trust").locator(".sl-value").click();
    await on.page.keyboard.type("100");
    await on.page.keyboard.press("Enter");
    await story.becomes(103, 8, "Aria", "trust");
    await on.root.locator(".sl-chip", { hasText: "edited by hand" }).waitFor();
    await on.undo(SAVED);
    await story.becomes(25, 8, "Aria", "trust");
  },

  "by keyboard alone: Escape leaves a value as it was, Enter saves every digit": async (on, story) => {
    await on.goTo(4);
    await on.arrowTo("gold");
    await on.page.keyboard.press("Enter");
    await on.page.keyboard.type("77");
    await on.page.keyboard.press("Escape");
    assert.equal(await story.value(4, "hero", "gold"), 20);
    await on.page.keyboard.press("Enter");
    await on.page.keyboard.type("12345678901234567890");
    await on.page.keyboard.press("Enter");
    await until("every digit arrives", async () => assert.match(await story.raw(8), /"gold":12345678901234567890[,}]/));
    await on.root.locator(".sl-toast").getByRole("button", { name: "Undo" }).press("Enter");
    await story.becomes(20, 8, "hero", "gold");
  },

  "the whole state is edited as text: what is no JSON is not saved, the number of later floors is told, the preview shows them": async (on, story) => {
    await on.goTo(2);
    await on.heading().click();
    await on.page.keyboard.press("e");
    await on.root.getByRole("tab", { name: "Text", exact: true }).click();
    await on.write('{"world": oops');
    await on.text(/Line 1, column/).waitFor();
    assert.ok(await on.button("Save").isDisabled());
    await on.write(JSON.stringify({ ...card.template, hero: { gold: 50, strength: 4, "a.b": 1 }, Aria: { trust: 22 } }));
    await on.text("3 later floors change").waitFor();
    await on.button("Preview").click();
    await on.text(/hero\.gold/, on.dialog).waitFor();
    await on.text("#8", on.dialog).waitFor();
    await on.dialog.getByRole("button", { name: "Close", exact: true }).last().click();
    await on.closed();
    assert.equal(await story.value(8, "hero", "gold"), 20, "a preview writes nothing");
    await on.root.locator(".cm-content").click();
    await on.page.keyboard.press("Control+s");
    await story.becomes(50, 8, "hero", "gold");
    assert.equal((await story.floor(2)).overridden, true);
    await on.undo(SAVED);
    await story.becomes(20, 8, "hero", "gold");
    assert.equal((await story.floor(2)).overridden, false);
  },

  "a draft as tree survives a reload and is discarded": async (on, story) => {
    await on.goTo(6);
    await on.button("Edit").click();
    await on.button("Add key").click();
    await on.page.keyboard.type("draft");
    await on.page.keyboard.press("Enter");
    await on.page.keyboard.press("Escape");
    await on.text("1 edit").waitFor();
    await on.reload();
    await on.text("1 edit").waitFor();
    await on.row("draft").waitFor();
    await on.button("Discard").click();
    await on.text("1 edit").waitFor({ state: "detached" });
    assert.equal(await story.value(6, "draft"), undefined);
  },

  "a failed call is repaired where it stands: a value, then the text": async (on, story) => {
    await on.goTo(4);
    await on.button("Set value…").click();
    assert.equal(await on.dialog.getByLabel("Path").inputValue(), "hero.strength");
    await on.dialog.getByLabel("Value").fill("6");
    await on.page.keyboard.press("Enter");
    await story.becomes(6, 8, "hero", "strength");
    await on.undo(SAVED);
    await story.becomes(4, 8, "hero", "strength");
    const before = (await story.floor(4)).text;
    await on.button("Edit text…").click();
    await on.dialog.getByRole("textbox").fill('She lifts it. @.ADD("Aria.trust", 1); @.ADD("hero.strength", 3);');
    await on.text("2 later floors change", on.dialog).waitFor();
    await on.button("Save", on.dialog).click();
    await on.closed();
    await story.becomes(7, 8, "hero", "strength");
    await on.undo("The text was changed");
    await story.becomes(4, 8, "hero", "strength");
    assert.equal((await story.floor(4)).text, before);
  },

  "the history of a value goes to a floor and restores an older value": async (on, story) => {
    await on.goTo(8);
    await on.arrowTo("time");
    await on.page.keyboard.press("b");
    await on.button("Full history", on.dialog).click();
    await on.text("1 change", on.dialog).waitFor();
    await on.button("Go", on.dialog).click();
    await on.shows(6);
    await on.goTo(8);
    await on.arrowTo("time");
    await on.page.keyboard.press("b");
    await on.button("Full history", on.dialog).press("Enter");
    await on.button(/^Restore/, on.dialog).first().press("Enter");
    await story.becomes("20:00", 8, "world", "time");
    await on.undo(SAVED);
    await story.becomes("21:00", 8, "world", "time");
  },

  "two floors are compared, and a value is taken over": async (on, story) => {
    await on.goTo(8);
    await on.button("Compare…").click();
    const field = on.dialog.getByLabel("Compare with floor");
    await field.fill("999");
    await field.press("Enter");
    await on.text("Enter a floor between 0 and 8.", on.dialog).waitFor();
    await field.fill("2");
    await field.press("Enter");
    await on.text("2 differences", on.dialog).waitFor();
    await on.dialog.getByRole("searchbox").fill("trust");
    await until("filtered", async () => assert.equal(await on.dialog.getByRole("listitem").count(), 1));
    await on.button("Take this value: Aria.trust", on.dialog).click();
    await on.closed();
    await story.becomes(22, 8, "Aria", "trust");
    await on.undo(SAVED);
    await story.becomes(25, 8, "Aria", "trust");
  },

  "re-processing says when nothing would change; with a new rule it is previewed, done and undone": async (on, story) => {
    const params = { path: { story: story.branch.story } };
    await on.choose("Re-process", "whole story");
    await on.text("Nothing would change.", on.dialog).waitFor();
    await on.page.keyboard.press("Escape");
    await on.closed();
    await story.client("post", "/api/v1/stories/{story}/rules", { params, body: { enabled: false } });
    await on.goTo(8);
    await on.choose("Re-process", "from here on");
    await on.text(/1 floor will be evaluated, 1 gets a different state/, on.dialog).waitFor();
    await on.button("Apply to 1 floor", on.dialog).click();
    await on.closed();
    await story.becomes(24, 8, "Aria", "trust");
    await on.undo("Re-processed");
    await story.becomes(25, 8, "Aria", "trust");
    await story.client("post", "/api/v1/stories/{story}/rules", { params, body: { unset: ["enabled"] } });
  },

  "a floor becomes a global snapshot with label and tags, and a file": async (on, story) => {
    await on.goTo(6);
    await on.choose("More", "Save as global snapshot…");
    await on.dialog.getByLabel("Label").fill(`late, from the ${on.name}`);
    await on.dialog.getByLabel(/^Tags/).fill("town boss");
    await on.page.keyboard.press("Enter");
    await on.text("Saved as a global snapshot").waitFor();
    const { snapshots } = await story.client("get", "/api/v1/snapshots");
    const kept = snapshots.find(({ name }) => name === `late, from the ${on.name}`);
    assert.deepEqual({ tags: kept?.tags, floor: kept?.from?.floor }, { tags: ["town", "boss"], floor: 6 });
    const file = await on.downloads(() => on.choose("More", "Export JSON"));
    assert.match(file.suggestedFilename(), /#6\.json$/);
    assert.deepEqual(JSON.parse(await textOf(file)), (await story.floor(6)).state);
  },

  "a file fills the editor, without MVU's metadata, and nothing is saved by itself": async (on, story) => {
    await on.goTo(6);
    const give = (name: string, text: string): Promise<void> => giveFile(on.page, story.file(name, text), () => on.choose("More", "Import JSON…"));
    await give("bad.json", '{"a": 1,\n b}');
    await on.text("This file is no JSON object (line 2, column 2).").waitFor();
    await on.root.getByRole("alert").getByRole("button", { name: "Close" }).click();
    await give("mvu.json", JSON.stringify({ stat_data: { ...card.template, $meta: { extensible: true } }, display_data: {} }));
    const strip = on.dialog.getByLabel("Strip MVU metadata");
    assert.ok(await strip.isChecked());
    await strip.uncheck();
    await on.text(/stat_data/, on.dialog).waitFor();
    await strip.check();
    await on.button("Fill the editor", on.dialog).click();
    await on.text("2 edits").waitFor();
    assert.equal(await story.value(6, "world", "time"), "21:00", "nothing is saved");
    await on.button("Save").click();
    await story.becomes("20:00", 8, "world", "time");
    await on.undo(SAVED);
    await story.becomes("21:00", 8, "world", "time");
  },

  "the list is filtered, a floor that does not exist is told, refresh keeps the place": async (on) => {
    await on.goTo(4);
    await on.root.getByLabel("Filter floors").selectOption("failed");
    await until("only the floor with the failed call", async () => assert.equal(await on.root.locator(".sl-floor").count(), 1));
    await on.root.getByLabel("Filter floors").selectOption("all");
    const field = on.root.getByRole("textbox", { name: "Go to floor #" });
    await field.fill("99");
    await field.press("Enter");
    await on.text("This branch ends at #8.").waitFor();
    await field.press("Escape");
    await on.choose("More", "Refresh");
    await on.shows(4);
  },
};
