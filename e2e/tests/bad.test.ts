// Bad input from the model: broken calls, half characters, hostile values. The player is notified, the rest
// applies, and nothing in the state is expanded by the host or run by the browser.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import { type Card, stateIn } from "../src/card.ts";
import { until } from "../src/poll.ts";
import { scenario, Stage } from "../src/stage.ts";
import { Story } from "../src/story.ts";

const evil = "{{user}} {{setvar::hacked::yes}} <img src=x onerror='window.hacked=1'>";
const plain: Card = { name: "Ivo", template: { 角色: { 金币: 1 } }, greetings: ["Hello."] };
const hostile: Card = { name: "Eve", template: { 角色: { 金币: 1 }, 备注: evil }, greetings: ["Hello."] };

let stage: Stage;
before(async () => {
  stage = await Stage.start();
  await stage.importCard(hostile);
  await stage.importCard(plain);
});
after(() => stage?.stop());

scenario(() => stage, "a broken call is reported and the others apply", async () => {
  const { page, llm } = stage;
  const story = await newChat(plain);
  const broken = '@.ADD("角色.金币", "five");';
  const text = `@.ADD("角色.金币", 2); ${broken} @.ADD("角色.金币", 3);`;
  llm.will(text);
  await story.step("send", { act: () => page.send("Go"), says: { u1: "Go", a1: text }, layout: "g | u1 | a1", sees: "u1" });
  assert.deepEqual(story.states("g | u1 | a1").at(-1), { 角色: { 金币: 6 } });
  await until("the player is told which call failed", async () => {
    assert.ok((await page.toasts()).some((toast) => toast.includes(broken)), JSON.stringify(await page.toasts()));
  });
});

scenario(() => stage, "half an emoji", async () => {
  const { page, llm } = stage;
  const story = await newChat(plain);
  const text = '@.SET("表情", "\ud83d"); @.ADD("角色.金币", 1);';
  llm.will(text);
  const whole = text.toWellFormed();
  await story.step("send", { act: () => page.send("Go"), says: { u1: "Go", a1: whole }, layout: "g | u1 | a1", sees: "u1" });
  llm.will("Fine.");
  await story.step("the next prompt has the state", {
    act: () => page.send("On"),
    says: { u2: "On", a2: "Fine." },
    layout: "g | u1 | a1 | u2 | a2",
    sees: "u2",
  });
});

scenario(() => stage, "hostile values are data", async () => {
  const { page, llm } = stage;
  await page.openCard(hostile.name);
  const story = await newChat(hostile);
  // The engine resolves the names of user and card in calls; every other macro stays text. The escape keeps
  // the host from running the macro in the message itself.
  const value = evil.replace("{{user}} ", "");
  const text = `@.SET("角色.金币", ${JSON.stringify(value).replaceAll("{{", "\\u007b{")});`;
  llm.will(text);
  await page.send("Go");
  story.labels.say({ u1: "Go", a1: text });
  await story.holds({ layout: "g | u1 | a1" });
  const state = story.states("g | u1 | a1").at(-1);
  assert.deepEqual(state, { 角色: { 金币: value }, 备注: evil });

  llm.will("Fine.");
  await page.send("On");
  const [, macro, part, variable] = /STATE=(.*)#GOLD=(.*)#VARIABLE=(.*)#END/s.exec(stateIn(llm.lastPrompt())) ?? [];
  assert.deepEqual(JSON.parse(macro), state, "the macro shows the state as it is");
  // Where an escape is not possible, an invisible character separates the braces.
  assert.equal(part.replaceAll("\u200b", ""), value, "and one value of it");
  assert.deepEqual(JSON.parse(variable.replaceAll("\u200b", "")), state, "and so does the chat variable");

  const { metadata } = await page.chat();
  assert.equal(metadata.variables?.["hacked"], undefined, "no macro inside a value was run");
  assert.equal(await page.page.evaluate(() => "hacked" in window), false, "no markup inside a value was run");
});

async function newChat(card: Card): Promise<Story> {
  const story = new Story(stage, card);
  await story.step("new chat", { act: () => stage.page.newChat(), says: { g: card.greetings[0] }, layout: "g" });
  return story;
}
