// Measures the engine's page in a real browser on a story of 10,000 floors with a state of about 100 KB: first
// content, floor switches, a drag over the timeline, scrolling, search, memory and the size of the code.
// `npm run -w e2e measure` prints a table; the program is the release build if STOREYLINE_BIN names it.

import { statSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { during } from "./measuring.ts";
import { repository } from "./paths.ts";
import { WebPage } from "./web_page.ts";

const FLOORS = 10_000;

function story(web: WebPage): void {
  const group = (i: number): object => Object.fromEntries(Array.from({ length: 40 }, (_, j) => [`键${j}`, j % 3 ? "值".repeat(14) : i * j]));
  const templateBody = Object.fromEntries(Array.from({ length: 66 }, (_, i) => [`组${i}`, group(i)]));
  const card = { data: { name: "大", extensions: { st_var_system: { enabled: true, templateBody } } } };
  const message = (floor: number): object => {
    const user = floor % 2 === 1;
    const mes = user ? "我看看。" : `第${floor}句，楼上传来声音。@.SET("组${floor % 66}.键${floor % 40}", ${floor}); @.ADD("组1.键0", 1);`;
    return { name: user ? "旅人" : "大", is_user: user, mes, extra: {} };
  };
  const lines = [{ chat_metadata: { integrity: "measure" }, user_name: "旅人", character_name: "大" }, ...Array.from({ length: FLOORS }, (_, floor) => message(floor))];
  const chat = web.file("chat.jsonl", lines.map((line) => JSON.stringify(line)).join("\n"));
  web.cli("import", chat, "--card", web.file("card.json", JSON.stringify(card)));
}

const median = (times: number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
const most = (times: number[]): number => Math.max(0, ...times);

/** Goes to a floor by its address, and waits until its number is shown; milliseconds in the page. */
function goTo(page: Page, floor: number): Promise<number> {
  return page.evaluate(async (wanted) => {
    const field = document.querySelector<HTMLInputElement>(".sl-goto input")!;
    const began = performance.now();
    field.value = String(wanted);
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.form!.requestSubmit();
    const number = String(wanted);
    while (!document.querySelector("h1")!.textContent!.includes(number)) await new Promise((next) => setTimeout(next, 1));
    return performance.now() - began;
  }, floor);
}

const web = new WebPage("measure");
try {
  story(web);
  await web.start();
  await web.launch();
  const page = await web.open();
  const rows: [string, string][] = [];
  await page.locator(".sl-floor").first().waitFor();
  await page.waitForTimeout(8000);
  const again: number[] = [];
  for (let round = 0; round < 5; round++) {
    await page.reload();
    await page.locator(".sl-row").first().waitFor();
    again.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0));
  }
  rows.push(["first content (median of 5)", `${median(again).toFixed(0)} ms`]);
  await page.waitForTimeout(8000);
  const fresh: number[] = [];
  for (let floor = 100; floor < 8000; floor += 400) fresh.push(await goTo(page, floor));
  rows.push(["floor switch from the engine (median, most)", `${median(fresh).toFixed(0)} ms, ${most(fresh).toFixed(0)} ms`]);
  const known: number[] = [];
  for (let round = 0; round < 10; round++) for (const floor of [7700, 7300]) known.push(await goTo(page, floor));
  rows.push(["floor switch from the cache (median, most)", `${median(known).toFixed(0)} ms, ${most(known).toFixed(0)} ms`]);
  const strip = (await page.locator(".sl-strip[role=slider]").boundingBox())!;
  const drag = await during(page, async () => {
    await page.mouse.move(strip.x + 10, strip.y + 10);
    await page.mouse.down();
    for (let step = 0; step <= 100; step++) await page.mouse.move(strip.x + 10 + ((strip.width - 20) * step) / 100, strip.y + 10);
    await page.mouse.up();
  });
  rows.push(["timeline drag: main thread per frame, longest task", `${drag.frame.toFixed(1)} ms, ${drag.longest.toFixed(0)} ms`]);
  const tree = (await page.getByRole("tree").boundingBox())!;
  const scroll = await during(page, async () => {
    await page.mouse.move(tree.x + 50, tree.y + 100);
    for (let step = 0; step < 60; step++) {
      await page.mouse.wheel(0, 300);
      await page.waitForTimeout(16);
    }
  });
  rows.push(["scrolling the tree: main thread per frame, longest task", `${scroll.frame.toFixed(1)} ms, ${scroll.longest.toFixed(0)} ms`]);
  const search = await during(page, async () => {
    await page.getByRole("searchbox").first().fill("键39");
    await page.waitForTimeout(300);
  });
  rows.push(["search in the state: longest task", `${search.longest.toFixed(0)} ms`]);
  const heap = await page.evaluate(() => (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize);
  rows.push(["JavaScript heap", `${(heap / 1e6).toFixed(0)} MB`]);
  const assets = join(repository, "web", "dist", "assets");
  for (const file of readdirSync(assets).filter((name) => name.endsWith(".js"))) rows.push([`code: ${file.replace(/-[^-]+\.js$/, "")}`, `${(statSync(join(assets, file)).size / 1024).toFixed(0)} KB`]);
  console.log(rows.map(([what, value]) => `| ${what} | ${value} |`).join("\n"));
} finally {
  await web.close();
}
