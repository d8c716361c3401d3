// What we show in the host: the drawer in the top bar, the status bar under the last reply, the button on every
// reply, the wand menu and `/vs`. Nothing of it may reach the host's own keys, gestures and styles.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Locator } from "playwright-core";
import { seriousFindings } from "../src/accessibility.ts";
import type { Card } from "../src/card.ts";
import { Drawer } from "../src/drawer.ts";
import { until } from "../src/poll.ts";
import { slash } from "../src/rare.ts";
import { scenario, Stage } from "../src/stage.ts";
import { lightTheme } from "../src/themes.ts";
import { swipeLeft } from "../src/touch.ts";

const template = { Aria: { trust: 30, mood: "calm" }, bag: ["torch"], hero: { gold: 20 } };
const card: Card = { name: "Aria", template, greetings: ['Rain. @.ADD("hero.gold", 1);', "Snow."] };
const reply = 'She looks up. @.ADD("Aria.trust", 5); @.APPEND("bag", "rusty key"); @.ADD("hero.gold", "a lot");';
const wide = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };

let stage: Stage;
let drawer: Drawer;
before(async () => {
  stage = await Stage.start();
  drawer = new Drawer(stage.page);
  await stage.importCard(card);
  await stage.page.page.setViewportSize(wide);
});
after(() => stage?.stop());

const bar = (): Locator => stage.page.page.locator(".sl-host-bar");

/** Begins a chat with greeting, question and reply. */
async function play(): Promise<void> {
  const { page, llm } = stage;
  await page.page.setViewportSize(wide);
  await drawer.close();
  await page.newChat();
  llm.will(reply);
  await page.send("Look around.");
  await oneBar(2, "trust 30→35");
}

/** There is one bar, it is under this floor, and it says so. */
async function oneBar(floor: number, text: string | RegExp): Promise<void> {
  await until(`one bar, under ${floor}`, async () => {
    assert.equal(await bar().count(), 1);
    assert.equal(await stage.page.message(floor).locator(".sl-host-bar").count(), 1);
    const said = (await bar().innerText()).replace(/\s+/g, " ");
    if (typeof text === "string") assert.ok(said.includes(text), `it says ${said}`);
    else assert.match(said, text);
  });
}

scenario(() => stage, "the bar says what the reply changed, and a click opens that floor", async () => {
  await play();
  await oneBar(2, /^trust 30→35 bag \+rusty key ⚠ 1 call failed #2$/);
  await bar().getByRole("button").click();
  await drawer.shows(2);
  assert.match(await drawer.text(), /"a lot" is not a number/);
  await drawer.close();
});

scenario(() => stage, "exactly one bar after everything that a player does", async () => {
  const { page, llm } = stage;
  await play();
  llm.will('Another. @.ADD("hero.gold", 2);');
  await page.newSwipe();
  await oneBar(2, "gold 21→23");
  await page.swipeLeft();
  await oneBar(2, "trust 30→35");
  await page.edit(2, 'She smiles. @.SET("Aria.mood", "glad");');
  await oneBar(2, "mood calm→glad");
  llm.will("Nothing happens.");
  await page.send("Wait.");
  await oneBar(4, "No change #4");
  await page.deleteMessage(4);
  await oneBar(2, "mood calm→glad");
  await page.reload();
  await page.openCard(card.name);
  await oneBar(2, "mood calm→glad");
  const first = (await page.chat()).file ?? "";
  await page.newChat();
  await oneBar(0, "gold 20→21");
  await page.openChatFile(first);
  await oneBar(2, "mood calm→glad");
  await page.branch(2);
  await oneBar(2, "mood calm→glad");
  await page.closeChat();
  await until("no bar without a chat", async () => assert.equal(await bar().count(), 0));
  await page.openCard(card.name);
});

scenario(() => stage, "keys in the drawer do not reach the host", async () => {
  const { page, llm } = stage;
  await play();
  const asked = llm.requests.length;
  await drawer.open();
  await drawer.shows(2);
  const { keyboard } = page.page;
  const places = [drawer.content.getByRole("heading", { name: "Floor 2" }), drawer.content.getByRole("tab", { name: "Floors" }), drawer.content.getByRole("tree")];
  for (const place of places) {
    await place.click();
    for (const key of ["ArrowRight", "ArrowLeft", "ArrowUp", "Control+Enter", "Alt+Enter", "Control+ArrowUp"]) await keyboard.press(key);
    await drawer.content.getByRole("tab", { name: "Floors" }).click();
  }
  // The focus falls back to the page when the field gives it up.
  await drawer.goTo(2);
  for (const key of ["ArrowRight", "ArrowLeft", "Control+Enter"]) await keyboard.press(key);
  assert.equal(await page.page.locator("#curEditTextarea").count(), 0);
  assert.ok(await drawer.content.isVisible());
  await drawer.close();
  // Whatever the keys had caused would come before this reply.
  llm.will("Nothing.");
  await page.send("And now?");
  assert.equal(llm.requests.length, asked + 1, "only the message was sent");
  const { messages } = await page.chat();
  assert.deepEqual([messages.length, messages[2]?.swipe_id ?? 0, messages[2]?.swipes?.length ?? 1], [5, 0, 1]);
});

scenario(() => stage, "Escape closes the topmost: a dialog, then the drawer", async () => {
  const { page } = stage;
  await play();
  await drawer.open();
  await drawer.shows(2);
  const dialog = await drawer.editor();
  await page.page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  assert.ok(await drawer.content.isVisible());
  await page.page.keyboard.press("Escape");
  await drawer.content.waitFor({ state: "hidden" });
});

scenario(() => stage, "a finger that moves over the bar does not swipe the message", async () => {
  const { page, llm } = stage;
  await play();
  const asked = llm.requests.length;
  await swipeLeft(page.page, bar());
  llm.will("A new page.");
  await page.generates(() => swipeLeft(page.page, page.message(2).locator(".mes_text")));
  assert.equal(llm.requests.length, asked + 1, "only the one over the text");
  assert.equal((await page.chat()).messages[2]?.swipes?.length, 2);
});

scenario(() => stage, "the bar leaves room for the counter of the swipes, and never scrolls sideways", async () => {
  const { page } = stage;
  await play();
  for (const size of [wide, phone]) {
    await page.page.setViewportSize(size);
    await until("they do not overlap", async () => {
      const ours = await bar().boundingBox();
      assert.ok(ours);
      for (const part of [".swipes-counter", ".swipe_right"]) {
        const theirs = await page.page.locator(`#chat .last_mes ${part}`).boundingBox();
        assert.ok(theirs, part);
        assert.ok(ours.x + ours.width <= theirs.x || ours.y + ours.height <= theirs.y || theirs.y + theirs.height <= ours.y, `${part} at ${size.width}`);
      }
      assert.ok(await bar().evaluate((element) => element.scrollWidth <= element.clientWidth));
      const lines = await bar().evaluate((element) => element.getBoundingClientRect().height / (Number.parseFloat(getComputedStyle(element).fontSize) * 1.5));
      assert.ok(lines < (size === wide ? 2.9 : 3.9), `${lines} lines at ${size.width}`);
    });
  }
  await page.page.setViewportSize(wide);
});

scenario(() => stage, "a click in a menu or dialog of the drawer does not close it", async () => {
  const { page } = stage;
  await play();
  await drawer.open();
  await drawer.shows(2);
  const branches = drawer.content.locator(".sl-acts [aria-haspopup=listbox]");
  await branches.click();
  await drawer.content.getByRole("option").first().click();
  await drawer.click("Chat and card");
  await drawer.content.getByText("Variable system on for").waitFor();
  await drawer.click("Template in \"Aria\"…");
  const dialog = drawer.content.getByRole("dialog");
  await dialog.getByRole("textbox").click();
  await dialog.getByRole("textbox").fill("[1");
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await dialog.getByText("The template must be a JSON object").waitFor();
  assert.equal(await dialog.getByRole("textbox").inputValue(), "[1", "the text stays");
  await dialog.getByRole("button", { name: "Cancel", exact: true }).click();
  await drawer.click("Chat and card");
  // An editor, with the host's keys in it: nothing of it leaves the drawer.
  const asked = stage.llm.requests.length;
  await drawer.click("Edit");
  await drawer.content.getByRole("tab", { name: "Text", exact: true }).click();
  await drawer.content.locator(".cm-content").click();
  for (const key of ["ArrowRight", "ArrowLeft", "g", "[", "Control+Enter", "Alt+Enter", "Escape"]) await page.page.keyboard.press(key);
  await drawer.shows(2);
  await drawer.click("Discard");
  assert.equal(stage.llm.requests.length, asked);
  assert.equal((await page.chat()).messages[2]?.swipe_id ?? 0, 0);
  // The button is gone when the press has been handled.
  await drawer.content.getByRole("treeitem").first().click();
  assert.ok(await drawer.content.isVisible());
  await page.page.locator("#chat").click({ position: { x: 5, y: 5 }, force: true });
  await page.page.mouse.click(20, 700);
  await drawer.content.waitFor({ state: "hidden" });
});

scenario(() => stage, "the icons of the host stay visible on a phone, and the wand menu leads to the drawer", async () => {
  const { page } = stage;
  await play();
  for (const [width, ours] of [[390, true], [360, false]] as const) {
    await page.page.setViewportSize({ width, height: 780 });
    await until(`icons at ${width}`, async () => {
      assert.equal(await drawer.icon.isVisible(), ours);
      const edges = await page.page.locator("#top-settings-holder > .drawer > .drawer-toggle:visible").evaluateAll((all) => all.map((one) => [one.getBoundingClientRect().left, one.getBoundingClientRect().right]));
      assert.ok(edges.length >= 9 && edges.every(([left, right]) => left! >= -0.5 && right! <= width + 0.5), JSON.stringify(edges));
    });
  }
  await page.page.locator("#extensionsMenuButton").click();
  await page.page.locator("#storeyline_floors").click();
  await drawer.content.locator(".sl-root").waitFor();
  await drawer.shows(2);
  const box = await drawer.content.boundingBox();
  assert.deepEqual([box?.x, box?.width], [0, 360]);
  await page.page.keyboard.press("Escape");
  await page.page.setViewportSize(wide);
});

scenario(() => stage, "tabs are one line on a phone, with the active one in view", async () => {
  const { page } = stage;
  await play();
  await drawer.open();
  for (const width of [320, 360, 390]) {
    await page.page.setViewportSize({ width, height: 780 });
    for (const name of ["Settings", "Floors"]) {
      const tab = drawer.content.getByRole("tablist", { name: "Screens" }).getByRole("tab", { name });
      await tab.focus();
      await tab.press("Enter");
      await until(`${name} at ${width}`, async () => {
        assert.equal(await tab.getAttribute("aria-selected"), "true");
        const box = await tab.boundingBox();
        const row = await drawer.content.getByRole("tablist").first().boundingBox();
        assert.ok(box && row && box.x >= -1 && box.x + box.width <= width + 1, JSON.stringify(box));
        assert.ok(row.height < 60, "one line");
      });
    }
  }
  await page.page.keyboard.press("Escape");
  await page.page.setViewportSize(wide);
});

scenario(() => stage, "the status bar in five themes of the host and a light one: axe finds nothing serious", async () => {
  const { page } = stage;
  await play();
  const themes = ["Dark Lite", "Dark V 1.0", "Azure", "Cappuccino", "Celestial Macaron"];
  for (const theme of themes) {
    await slash(page, `/theme ${theme}`);
    assert.deepEqual(await seriousFindings(page.page, ".sl-host-bar"), [], theme);
  }
  await lightTheme(page);
  await until("the tone follows", async () => assert.equal(await bar().getAttribute("data-tone"), "light"));
  assert.deepEqual(await seriousFindings(page.page, ".sl-host-bar"), [], "light");
  await page.page.evaluate(() => document.body.style.removeProperty("background-color"));
  await slash(page, "/theme Dark Lite");
});

scenario(() => stage, "no element of the host changes its style because of ours", async () => {
  const { page } = stage;
  await play();
  await page.page.mouse.move(5, 400);
  try {
    const { foreign, changed, seen } = await page.page.evaluate(compareStyles);
    assert.deepEqual(foreign, [], "every rule is about a class or an id of ours");
    assert.ok(seen > 100, `${seen} elements`);
    assert.deepEqual(changed, []);
  } finally {
    await page.reload();
    await page.openCard(card.name);
  }
});

/** Runs in the page: the styles of all visible elements with and without our style sheet, without our elements. */
function compareStyles(): { foreign: string[]; changed: string[]; seen: number } {
  const sheet = document.querySelector<HTMLLinkElement>('link[href*="storeyline/style.css"]');
  if (!sheet?.sheet) throw new Error("our style sheet is missing");
  const rules: CSSRule[] = [...sheet.sheet.cssRules];
  const foreign: string[] = [];
  for (let rule = rules.pop(); rule; rule = rules.pop()) {
    if (rule instanceof CSSStyleRule && !/\.sl-|#storeyline_/.test(rule.selectorText)) foreign.push(rule.selectorText);
    else if (rule instanceof CSSGroupingRule) rules.push(...rule.cssRules);
  }
  for (const ours of document.querySelectorAll(".sl-host-bar, #storeyline_drawer_button, .sl-host-open-floor, #storeyline_floors, #storeyline_reprocess")) ours.remove();
  document.head.insertAdjacentHTML("beforeend", "<style>* { transition: none !important; animation: none !important; }</style>");
  const elements = [...document.querySelectorAll("body *")].filter((element) => element.checkVisibility());
  const before = elements.map((element) => [...getComputedStyle(element)].map((name) => getComputedStyle(element).getPropertyValue(name)).join(";"));
  sheet.disabled = true;
  const changed = elements.filter((element, index) => before[index] !== [...getComputedStyle(element)].map((name) => getComputedStyle(element).getPropertyValue(name)).join(";"));
  return { foreign, changed: changed.map((element) => element.outerHTML.slice(0, 120)), seen: elements.length };
}

scenario(() => stage, "a key that belongs to an input method does nothing but compose", async () => {
  const { page } = stage;
  await play();
  await drawer.open();
  await drawer.shows(2);
  const heading = drawer.content.getByRole("heading", { name: "Floor 2" });
  await heading.click();
  for (const key of ["[", "Escape", "/", "Enter"]) {
    await page.page.evaluate((pressed) => document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key: pressed, isComposing: true, bubbles: true, cancelable: true })), key);
  }
  assert.ok(await heading.isVisible(), "the floor is the same");
  assert.ok(await drawer.content.isVisible());
  const field = drawer.content.getByRole("textbox", { name: "Go to floor #" });
  await field.focus();
  const browser = await page.page.context().newCDPSession(page.page);
  await browser.send("Input.imeSetComposition", { text: "０", selectionStart: 1, selectionEnd: 1 });
  await browser.send("Input.dispatchKeyEvent", { type: "rawKeyDown", key: "Process", windowsVirtualKeyCode: 229, code: "Enter" });
  await browser.send("Input.dispatchKeyEvent", { type: "keyUp", key: "Enter", windowsVirtualKeyCode: 13, code: "Enter" });
  assert.ok(await heading.isVisible());
  await browser.send("Input.insertText", { text: "０" });
  await browser.detach();
  await field.press("Enter");
  await drawer.shows(0);
  // Not composing, the same key goes on.
  await drawer.content.getByRole("heading", { name: "Floor 0" }).click();
  await page.page.keyboard.press("]");
  await drawer.shows(2);
  await drawer.close();
});

scenario(() => stage, "the drawer follows the chat: a reply, another chat, none", async () => {
  const { page, llm } = stage;
  await play();
  const first = (await page.chat()).file ?? "";
  await drawer.open();
  await drawer.shows(2);
  llm.will('More. @.ADD("hero.gold", 3);');
  await page.send("On.");
  await drawer.open();
  await drawer.shows(4);
  await page.newChat();
  await drawer.open();
  await drawer.shows(0);
  await page.openChatFile(first);
  await drawer.open();
  await drawer.shows(4);
  await drawer.close();
  await slash(page, "/vs 2");
  await drawer.shows(2);
  await drawer.close();
  const newest = page.message(4);
  await newest.hover();
  // A theme may keep the buttons behind this one.
  if (await newest.locator(".extraMesButtonsHint").isVisible()) await newest.locator(".extraMesButtonsHint").click();
  await newest.locator(".sl-host-open-floor").click();
  await drawer.shows(4);
  await drawer.close();
  assert.equal(await page.message(1).locator(".sl-host-open-floor").isVisible(), false, "a question has no state");
  await slash(page, "/vs 99");
  assert.match((await page.toasts()).join("\n"), /There is no floor 99: this chat ends at #4/);
  // Notices cover the tabs of the drawer, and stay while the pointer is on them.
  const notices = page.page.locator("#toast-container .toast");
  await until("no notice is left", async () => {
    if ((await notices.count()) > 0) await notices.first().click({ timeout: 1_000 }).catch(() => {});
    assert.equal(await notices.count(), 0);
  });
  await page.closeChat();
  await drawer.open();
  await drawer.content.getByText("Open a chat to see its state.").waitFor();
  const tabs = drawer.content.getByRole("tablist", { name: "Screens" });
  await tabs.getByRole("tab", { name: "Snapshots" }).click();
  await drawer.content.getByText("A snapshot is a state kept outside a story", { exact: false }).waitFor();
  await tabs.getByRole("tab", { name: "Settings" }).click();
  await drawer.content.getByRole("radiogroup", { name: "Status bar" }).waitFor();
  await tabs.getByRole("tab", { name: "Floors" }).click();
  await drawer.close();
  await page.openCard(card.name);
});

scenario(() => stage, "the engine is away: the bar says so, and tries again", async () => {
  const { page, engine } = stage;
  await play();
  engine.takeBinaryAway();
  try {
    await engine.kill();
    await page.edit(2, 'Changed. @.ADD("hero.gold", 7);');
    await oneBar(2, "State not updated: engine not reachable.");
  } finally {
    engine.bringBinaryBack();
  }
  await until("it is back", async () => {
    const retry = bar().getByRole("button", { name: "Retry" });
    if (await retry.isVisible()) await retry.click({ timeout: 1000 }).catch(() => undefined);
    assert.match(await bar().innerText(), /gold/);
  }, 60_000);
  await oneBar(2, "gold 21→28");
});

scenario(() => stage, "text of a model is text: in the bar, the drawer and the menu of branches", async () => {
  const { page, llm } = stage;
  await page.newChat();
  const evil = "<img src=x onerror=document.title=1>";
  llm.will(`Evil. @.SET("${evil}", "${evil}"); @.SET("hero.gold", "javascript:alert(1)"); @.ADD("hero.gold", "${evil}");`);
  await page.send("Go.");
  await oneBar(2, "<img src=x");
  await drawer.open();
  await drawer.shows(2);
  await drawer.click("Chat and card");
  assert.equal(await page.page.locator("#storeyline_drawer img, .sl-host-bar img").count(), 0);
  assert.notEqual(await page.page.title(), "1");
  await drawer.click("Chat and card");
  await drawer.close();
});

scenario(() => stage, "calls are folded if the user wants it, and the message stays what it is", async () => {
  const { page } = stage;
  await play();
  const text = (await page.chat()).messages[2]?.mes;
  const fold = (screen: Locator): Promise<void> => screen.getByRole("switch", { name: "Fold calls in messages" }).click();
  await display(fold);
  const chip = page.message(2).locator(".sl-host-fold");
  await chip.waitFor();
  assert.equal(await chip.innerText(), "3 calls");
  assert.doesNotMatch(await page.drawn(2), /@\.ADD/);
  await chip.click();
  assert.match(await page.drawn(2), /@\.ADD\("Aria.trust", 5\); @\.APPEND/);
  await page.cancelEdit(2, "never mind");
  assert.equal((await page.chat()).messages[2]?.mes, text);
  await until("folded again", async () => assert.doesNotMatch(await page.drawn(2), /@\.ADD/));
  await display(fold);
  await until("shown again", async () => assert.match(await page.drawn(2), /@\.ADD/));
  const choose = (group: string, choice: string) => (screen: Locator): Promise<void> =>
    screen.getByRole("radiogroup", { name: group }).getByText(choice, { exact: true }).click();
  await display(choose("Status bar", "Off"));
  await until("no bar", async () => assert.equal(await bar().count(), 0));
  await display(choose("Status bar", "Changes"));
  await oneBar(2, "trust 30→35");
});

scenario(() => stage, "a pinned value stands in the bar, and a locked one in the schema for prompts", async () => {
  const { page } = stage;
  await play();
  const schema = (): Promise<unknown> => page.page.evaluate("SillyTavern.getContext().substituteParams('{{var_system_schema}}')");
  const act = async (name: string): Promise<void> => {
    await drawer.content.getByRole("treeitem", { name: /gold/ }).click({ button: "right" });
    await drawer.content.getByRole("menuitem", { name, exact: true }).click();
  };
  await drawer.open();
  await drawer.shows(2);
  await act("Pin to the status bar");
  await act("Lock");
  await drawer.content.getByText("Locked from the next reply on").waitFor();
  assert.equal(await schema(), "", "off by default");
  await display((screen) => screen.getByRole("switch", { name: "Schema for prompts" }).click());
  await until("the schema is there", async () => assert.match(String(await schema()), /"gold":\{"readOnly":true\}/));
  await display((screen) => screen.getByRole("radiogroup", { name: "Status bar" }).getByText("Pinned values", { exact: true }).click());
  await oneBar(2, /^gold 21 ⚠ 1 call failed #2$/);
  await display((screen) => screen.getByRole("radiogroup", { name: "Status bar" }).getByText("Changes", { exact: true }).click());
  await display((screen) => screen.getByRole("switch", { name: "Schema for prompts" }).click());
  await oneBar(2, "trust 30→35");
});

/** Changes a setting on its screen. */
async function display(change: (screen: Locator) => Promise<void>): Promise<void> {
  await drawer.open();
  const tabs = drawer.content.getByRole("tablist", { name: "Screens" });
  await tabs.getByRole("tab", { name: "Settings" }).click();
  await change(drawer.content);
  await tabs.getByRole("tab", { name: "Floors" }).click();
  await drawer.close();
}
