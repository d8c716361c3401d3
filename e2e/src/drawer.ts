// Our drawer in the top bar of the host, operated by mouse and keyboard.

import type { Locator } from "playwright-core";
import type { HostPage } from "./page.ts";

export class Drawer {
  constructor(private readonly page: HostPage) {}

  get content(): Locator {
    return this.page.page.locator("#storeyline_drawer");
  }

  get icon(): Locator {
    return this.page.page.locator("#storeyline_drawer_button > .drawer-toggle");
  }

  async open(): Promise<void> {
    if (!(await this.content.isVisible())) await this.icon.click();
    await this.content.locator(".sl-root").waitFor();
  }

  /** Closes it by its icon, so that the chat is reachable. */
  async close(): Promise<void> {
    if (await this.content.isVisible()) await this.icon.click();
    await this.content.waitFor({ state: "hidden" });
  }

  button(name: string): Locator {
    return this.content.getByRole("button", { name, exact: true });
  }

  async click(name: string): Promise<void> {
    await this.button(name).click();
  }

  /** Shows a floor on the first screen. */
  async goTo(floor: number): Promise<void> {
    const field = this.content.getByRole("textbox", { name: "Go to floor #" });
    await field.fill(String(floor));
    await field.press("Enter");
    await this.shows(floor);
  }

  async shows(floor: number): Promise<void> {
    await this.content.getByRole("heading", { name: `Floor ${floor}`, exact: true }).waitFor();
  }

  async deleteFloor(floor: number): Promise<void> {
    await this.goTo(floor);
    await this.click("Delete this floor");
  }

  /** Makes the page before the shown one of a floor the active one. */
  async previousPage(floor: number): Promise<void> {
    await this.goTo(floor);
    await this.content.getByRole("button", { name: "Previous page", exact: true }).first().click();
    await this.content.getByRole("button", { name: "Use this page" }).first().click();
  }

  async edit(floor: number, text: string): Promise<void> {
    await this.goTo(floor);
    const dialog = await this.editor();
    await dialog.getByRole("textbox").fill(text);
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
  }

  /** Opens the dialog for the text of the floor that is shown. */
  async editor(): Promise<Locator> {
    await this.click("More");
    await this.content.getByRole("menuitem", { name: "Edit text…" }).click();
    const dialog = this.content.getByRole("dialog");
    await dialog.waitFor();
    return dialog;
  }

  async switchTo(branch: string): Promise<void> {
    await this.content.locator(".sl-acts [aria-haspopup=listbox]").click();
    await this.content.getByRole("option").filter({ hasText: branch }).first().click();
  }

  async text(): Promise<string> {
    return (await this.content.innerText()) ?? "";
  }
}
