// Changes of the history from our own surfaces: the drawer, the slash commands, the command line beside the
// running engine. The host shows them, the file contains them, and the host's next sync does not undo them;
// with the chat open and with it closed.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Card } from "../src/card.ts";
import { Cli } from "../src/cli.ts";
import { Drawer } from "../src/drawer.ts";
import type { StoryRef } from "../src/engine.ts";
import { until } from "../src/poll.ts";
import { slash } from "../src/rare.ts";
import { scenario, Stage } from "../src/stage.ts";
import { Story } from "../src/story.ts";

const card: Card = { name: "Hana", template: { 角色: { 金币: 0 } }, greetings: ['Hello. @.ADD("角色.金币", 1);'] };
const gold = (amount: number): string => `Coins ${amount}. @.ADD("角色.金币", ${amount});`;
const layout = "g | u1 | a1 *a2 | u2 | b1";

let stage: Stage;
before(async () => {
  stage = await Stage.start();
  await stage.importCard(card);
});
after(() => stage?.stop());

scenario(() => stage, "by the drawer", async () => {
  const { page } = stage;
  const story = await playToFloor4();
  const drawer = new Drawer(page);
  await drawer.open();
  await story.step("delete", { act: () => drawer.deleteFloor(3), layout: "g | u1 | a1 *a2 | b1" });
  await story.step("undo", { act: () => drawer.click("Undo"), layout });
  await story.step("redo", { act: () => drawer.click("Redo"), layout: "g | u1 | a1 *a2 | b1" });
  await story.step("undo again", { act: () => drawer.click("Undo"), layout });
  await story.step("swipe an early floor", { act: () => drawer.previousPage(2), layout: "g | u1 | *a1 a2 | u2 | b1" });
  await story.step("edit", { act: () => drawer.edit(2, gold(30)), says: { a1: gold(30) }, layout: "g | u1 | *a1 a2 | u2 | b1" });
  await draws(2, "Coins 30.");
  await drawer.close();
  await nothingIsTakenBack(story, "g | u1 | *a1 a2 | u2 | b1");
});

scenario(() => stage, "by slash commands", async () => {
  const { page } = stage;
  const story = await playToFloor4();
  await story.step("the user deletes a message in the host", { act: () => page.deleteMessage(1), layout: "g | a1 *a2 | u2 | b1" });
  await story.step("/vs-undo brings it back on the screen and in the file", { act: () => slash(page, "/vs-undo"), layout });
  await draws(1, "One");
  await story.step("/vs-redo takes it away", { act: () => slash(page, "/vs-redo"), layout: "g | a1 *a2 | u2 | b1" });
  await story.step("and back", { act: () => slash(page, "/vs-undo"), layout });
  await slash(page, "/vs-set 角色.金币 1000");
  await until("the state is corrected", async () => assert.equal(await value(), 1000));
  await writes("/vs-get 角色.金币 | /setinput", "1000");
  // More digits than a JavaScript number has, through page, host and plugin and back into a prompt.
  const digits = "12345678901234567891";
  await slash(page, `/vs-set 角色.金币 ${digits}`);
  await writes("/vs-get 角色.金币 | /setinput", digits);
  await writes("/setinput {{getvar::vs_stat_data}}", `{"角色":{"金币":${digits}}}`);
  await slash(page, "/vs-undo");
  await until("the second correction is undone", async () => assert.equal(await value(), 1000));
  await slash(page, "/vs-undo");
  await until("the correction is undone", async () => assert.equal(await value(), 13));
  await nothingIsTakenBack(story, layout);
});

scenario(() => stage, "by the command line, with the chat open", async () => {
  const story = await playToFloor4();
  const { cli, at } = await commandLine();
  await story.step("delete", { act: async () => void cli.run("delete", at, "--floor", "1"), layout: "g | a1 *a2 | u2 | b1" });
  await story.step("undo", { act: async () => void cli.run("undo", at), layout });
  await story.step("swipe", { act: async () => void cli.run("swipe", at, "--floor", "2", "--number", "1"), layout: "g | u1 | *a1 a2 | u2 | b1" });
  await story.step("edit", { act: async () => void cli.run("edit", at, "--floor", "4", "--text", gold(40)), says: { b1: gold(40) }, layout: "g | u1 | *a1 a2 | u2 | b1" });
  await draws(4, "Coins 40.");
  await nothingIsTakenBack(story, "g | u1 | *a1 a2 | u2 | b1");
});

scenario(() => stage, "by the command line, with the chat closed", async () => {
  const { page } = stage;
  const story = await playToFloor4();
  const { cli, at } = await commandLine();
  await page.leave();
  cli.run("swipe", at, "--floor", "2", "--number", "1");
  cli.run("edit", at, "--floor", "4", "--text", gold(50));
  cli.run("delete", at, "--floor", "3");
  await story.step("the user opens the chat again", {
    act: async () => {
      await page.open();
      await page.openCard(card.name);
    },
    says: { b1: gold(50) },
    layout: "g | u1 | *a1 a2 | b1",
  });
  await nothingIsTakenBack(story, "g | u1 | *a1 a2 | b1");
});

scenario(() => stage, "branches: made, switched and left, open and closed", async () => {
  const { page, llm } = stage;
  const story = await playToFloor4();
  const { cli, at, story: id } = await commandLine();
  const main = (await page.chat()).file ?? "";
  const name = `rain ${Date.now() % 10_000}`;
  await story.step("/vs-branch makes one and opens its file", {
    act: async () => {
      await slash(page, `/vs-branch floor=2 ${name}`);
      await page.isOpen(name);
    },
    layout: "g | u1 | a1 *a2",
  });
  llm.will(gold(100));
  await story.step("it is played on", { act: () => page.send("Elsewhere"), says: { u9: "Elsewhere", z1: gold(100) }, layout: "g | u1 | a1 *a2 | u9 | z1", sees: "u9" });
  const drawer = new Drawer(page);
  await drawer.open();
  await story.step("the drawer goes back", {
    act: async () => {
      await drawer.switchTo(main);
      await page.isOpen(main);
    },
    layout,
  });
  await drawer.close();
  await story.step("the command line goes forth while the chat is open", {
    act: async () => {
      cli.run("branch", "switch", `${id}@${name}`);
      await page.isOpen(name);
    },
    layout: "g | u1 | a1 *a2 | u9 | z1",
  });
  await page.leave();
  cli.run("branch", "switch", at);
  await story.step("and back while it is closed", {
    act: async () => {
      await page.open();
      await page.openCard(card.name);
      await page.isOpen(main);
    },
    layout,
  });
  await nothingIsTakenBack(story, layout);
});

/** The next reply continues what is there, and after a reload it is still there. */
async function nothingIsTakenBack(story: Story, layout: string): Promise<void> {
  const { page, llm } = stage;
  llm.will(gold(9));
  await story.step("the next reply sees it", { act: () => page.send("And now?"), says: { u3: "And now?", c1: gold(9) }, layout: `${layout} | u3 | c1`, sees: "u3" });
  await story.step("it is still so after a page load", {
    act: async () => {
      await page.reload();
      await page.openCard(card.name);
    },
    layout: `${layout} | u3 | c1`,
  });
}

/** Sends a command that writes into the input, and waits for its text. */
async function writes(command: string, text: string): Promise<void> {
  const { page } = stage;
  await page.type(command);
  await page.page.locator("#send_but").click();
  await until(`${command} writes`, async () => assert.equal(await page.page.locator("#send_textarea").inputValue(), text));
  await page.type("");
}

async function commandLine(): Promise<{ cli: Cli; at: string; story: string }> {
  const ref = await openRef();
  return { cli: new Cli(stage.engine.data), at: `${ref.story}@${ref.ref}`, story: ref.story };
}

async function openRef(): Promise<StoryRef> {
  return stage.engine.refOf((await stage.page.chat()).metadata.storeyline?.chat ?? "");
}

/** The gold at the last floor in the engine. */
async function value(): Promise<unknown> {
  const ref = await openRef();
  const { state } = await stage.engine.floor(ref, ref.floors - 1);
  return (state["角色"] as Record<string, unknown>)["金币"];
}

async function playToFloor4(): Promise<Story> {
  const { page, llm } = stage;
  const story = new Story(stage, card);
  await story.step("new chat", { act: () => page.newChat(), says: { g: card.greetings[0] }, layout: "g" });
  llm.will(gold(3));
  await story.step("send", { act: () => page.send("One"), says: { u1: "One", a1: gold(3) }, layout: "g | u1 | a1", sees: "u1" });
  llm.will(gold(5));
  await story.step("swipe", { act: () => page.newSwipe(), says: { a2: gold(5) }, layout: "g | u1 | a1 *a2", sees: "u1" });
  llm.will(gold(7));
  await story.step("send", { act: () => page.send("Two"), says: { u2: "Two", b1: gold(7) }, layout, sees: "u2" });
  return story;
}

async function draws(floor: number, text: string): Promise<void> {
  await until(`floor ${floor} is drawn`, async () => {
    const drawn = await stage.page.drawn(floor);
    assert.ok(drawn.includes(text), `floor ${floor} reads ${drawn}`);
  });
}
