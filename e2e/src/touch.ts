// A finger that moves over the page. Playwright can only tap.

import type { Locator, Page } from "playwright-core";

/** Moves a finger sideways over an element, from right to left. */
export async function swipeLeft(page: Page, over: Locator): Promise<void> {
  const box = await over.boundingBox();
  if (!box) throw new Error("the element is not on screen");
  const y = box.y + box.height / 2;
  const from = box.x + box.width * 0.9;
  const to = box.x + box.width * 0.1;
  const browser = await page.context().newCDPSession(page);
  await browser.send("Emulation.setTouchEmulationEnabled", { enabled: true });
  await browser.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x: from, y }] });
  for (let step = 1; step <= 5; step++) {
    await browser.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ x: from + ((to - from) * step) / 5, y }] });
  }
  await browser.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await browser.send("Emulation.setTouchEmulationEnabled", { enabled: false });
  await browser.detach();
}
