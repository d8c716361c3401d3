// The two places that show our screens: the drawer in the host and the engine's own page. A test that takes a
// `Surface` runs in both. Texts are English.

import assert from "node:assert/strict";
import type { Download, Locator, Page, Route } from "playwright-core";
import { until } from "./poll.ts";
import type { Stage } from "./stage.ts";
import { Drawer } from "./drawer.ts";

export type Tab = "floors" | "template" | "snapshots" | "settings";

export class Surface {
  private constructor(
    readonly name: "drawer" | "page",
    readonly page: Page,
    /** Everything that is ours, dialogs included. */
    readonly root: Locator,
    private readonly load: () => Promise<void>,
  ) {
    page.setDefaultTimeout(10_000);
  }

  /** The drawer, with this card's newest chat open. */
  static drawer(stage: Stage, card: string): Surface {
    const { page } = stage;
    const drawer = new Drawer(page);
    const load = async (): Promise<void> => {
      await page.reload();
      await page.openCard(card);
      await drawer.open();
    };
    return new Surface("drawer", page.page, drawer.content, load);
  }

  static enginePage(page: Page): Surface {
    const load = async (): Promise<void> => {
      await page.reload();
      await page.locator(".sl-root").waitFor();
    };
    return new Surface("page", page, page.locator(".sl-root"), load);
  }

  /** Loads the page anew; the drawer is open again. */
  async reload(): Promise<void> {
    await this.load();
  }

  async tab(tab: Tab): Promise<void> {
    const found = this.root.locator(`[data-tab="${tab}"]`);
    await found.click();
    await until(`${tab} is chosen`, async () => assert.equal(await found.getAttribute("aria-selected"), "true"));
  }

  /** Shows a floor, by the keyboard. */
  async goTo(floor: number): Promise<void> {
    await this.heading().click();
    await this.page.keyboard.press("g");
    await this.page.keyboard.type(String(floor));
    await this.page.keyboard.press("Enter");
    await this.shows(floor);
  }

  async shows(floor: number): Promise<void> {
    await this.root.getByRole("heading", { name: `Floor ${floor}`, exact: true }).waitFor();
  }

  heading(): Locator {
    return this.root.locator("h1").first();
  }

  /** The row of a key in the tree that is shown. */
  row(key: string, within: Locator = this.root): Locator {
    return within.getByRole("treeitem").filter({ has: this.page.locator(".sl-key").getByText(key, { exact: true }) }).first();
  }

  button(name: string | RegExp, within: Locator = this.root): Locator {
    return within.getByRole("button", { name, exact: typeof name === "string" });
  }

  get dialog(): Locator {
    return this.root.locator("dialog[open]");
  }

  async closed(): Promise<void> {
    await this.dialog.waitFor({ state: "detached" });
  }

  text(text: string | RegExp, within: Locator = this.root): Locator {
    return within.getByText(text).first();
  }

  /** Chooses an entry of a menu. */
  async choose(menu: string, item: string): Promise<void> {
    await this.button(menu).click();
    await this.root.getByRole("menuitem", { name: item, exact: true }).click();
  }

  /** Takes back what the newest message tells of. */
  async undo(said: string | RegExp): Promise<void> {
    const toast = this.root.locator(".sl-toast", { hasText: said });
    await toast.getByRole("button", { name: /^Undo/ }).click();
    await toast.waitFor({ state: "detached" });
  }

  /** Writes into the text editor that is shown, over everything that is there. */
  async write(text: string, within: Locator = this.root): Promise<void> {
    const editor = within.locator(".cm-content");
    await editor.click();
    await this.page.keyboard.press("Control+a");
    await this.page.keyboard.insertText(text);
  }

  /** Changes made elsewhere do not reach this window until the result is called. */
  async deaf(): Promise<() => Promise<void>> {
    const silent = (): void => {};
    const refuse = (route: Route): Promise<void> => route.abort();
    await this.page.route("**/v1/changes*", silent);
    await this.page.route(/\/v1\/stories$/, refuse);
    return async () => {
      await this.page.unroute("**/v1/changes*", silent);
      await this.page.unroute(/\/v1\/stories$/, refuse);
    };
  }

  async downloads(click: () => Promise<void>): Promise<Download> {
    const file = this.page.waitForEvent("download");
    await click();
    return file;
  }

  /** Moves with the arrow keys to a key of the tree that has the focus. */
  async arrowTo(key: string): Promise<void> {
    const tree = this.root.getByRole("tree");
    await tree.focus();
    await this.page.keyboard.press("Home");
    await until(`the arrow keys reach ${key}`, async () => {
      const active = this.root.locator('[role=treeitem][aria-selected="true"] .sl-key');
      if ((await active.innerText()) === key) return;
      await this.page.keyboard.press("ArrowDown");
      throw new Error(`at ${await active.innerText()}`);
    });
  }
}
