// Our panel among the extension settings of the host, operated by mouse.

import type { Locator } from "playwright-core";
import type { HostPage } from "./page.ts";

export class Panel {
  constructor(private readonly page: HostPage) {}

  private get root(): Locator {
    return this.page.page.locator("#storeyline_panel");
  }

  /** Opens the drawer of the extensions and our panel in it. */
  async open(): Promise<void> {
    const settings = this.page.page.locator("#rm_extensions_block");
    if (!(await settings.isVisible())) await this.page.page.locator("#extensions-settings-button .drawer-toggle").click();
    await settings.waitFor();
    const content = this.root.locator(".inline-drawer-content");
    if (!(await content.isVisible())) await this.root.locator(".inline-drawer-toggle").click();
    await content.waitFor();
  }

  /** Closes the drawer, so that the chat is reachable. */
  async close(): Promise<void> {
    const settings = this.page.page.locator("#rm_extensions_block");
    if (await settings.isVisible()) await this.page.page.locator("#extensions-settings-button .drawer-toggle").click();
    await settings.waitFor({ state: "hidden" });
  }

  async click(button: string): Promise<void> {
    await this.root.getByRole("button", { name: button, exact: true }).click();
  }

  /** A tool of one floor, by its name. */
  async onFloor(floor: number, tool: string): Promise<void> {
    await this.openHistory();
    await this.root.locator(`.sl-floorline[data-floor="${floor}"]`).getByRole("button", { name: tool, exact: true }).click();
  }

  async edit(floor: number, text: string): Promise<void> {
    await this.onFloor(floor, "Edit the text");
    await this.root.locator(".sl-edit textarea").fill(text);
    await this.root.locator(".sl-edit").getByRole("button", { name: "Save", exact: true }).click();
  }

  async switchTo(branch: string): Promise<void> {
    await this.openHistory();
    const choice = this.root.locator("select.sl-branches");
    const option = choice.locator("option", { hasText: branch });
    await choice.selectOption((await option.first().getAttribute("value")) ?? "");
  }

  /** Opens the section with branches and floors. */
  async showHistory(): Promise<void> {
    await this.openHistory();
  }

  async text(): Promise<string> {
    return (await this.root.innerText()) ?? "";
  }

  private async openHistory(): Promise<void> {
    const section = this.root.locator("details.sl-history");
    await section.waitFor();
    if ((await section.getAttribute("open")) === null) await section.locator("summary").first().click();
    await section.locator(".sl-floorline").first().waitFor();
  }
}
