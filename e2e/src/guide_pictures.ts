// Makes the pictures of the guides (docs/guide): the engine's page with the example story, and the Functions screen.
//   npm run guide-pictures -w e2e [-- players | authors]

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { authors, makeAuthors } from "./author_pictures.ts";
import { repository } from "./paths.ts";
import { WebPage } from "./web_page.ts";
import { webp } from "./webp.ts";

interface Guide {
  language: "zh" | "en";
  options: BrowserContextOptions;
  open: string;
  floor: (n: number) => string;
  setValue: string;
  save: string;
  saved: string;
}

const guides: Guide[] = [
  {
    language: "zh",
    options: { locale: "zh-CN", colorScheme: "dark", viewport: { width: 1280, height: 800 } },
    open: "打开示例故事",
    floor: (n) => `第 ${n} 层`,
    setValue: "改数值…",
    save: "保存",
    saved: "已保存为手改",
  },
  {
    language: "en",
    options: { locale: "en-GB", colorScheme: "light", viewport: { width: 390, height: 780 }, deviceScaleFactor: 2 },
    open: "Open the example story",
    floor: (n) => `Floor ${n}`,
    setValue: "Set value…",
    save: "Save",
    saved: "Saved as an edit by hand",
  },
];

async function picture(page: Page, name: string): Promise<void> {
  // Nothing is under the pointer, and whatever still moves comes to rest.
  await page.mouse.move(0, 0);
  await page.waitForTimeout(600);
  const image = await webp(page.context(), await page.screenshot({ animations: "disabled" }), 0.85);
  writeFileSync(join(repository, "docs", "images", `${name}.webp`), image);
}

async function goTo(page: Page, { floor }: Guide, n: number): Promise<void> {
  await page.evaluate((at) => (location.hash = location.hash.replace(/(\/floor\/\d+)?$/, `/floor/${at}`)), n);
  await page.locator("h1", { hasText: floor(n) }).waitFor();
}

async function make(guide: Guide): Promise<void> {
  const web = new WebPage(`guide-${guide.language}`);
  try {
    await web.start();
    await web.launch();
    const page = await web.open(guide.options);
    const button = page.getByRole("button", { name: guide.open });
    await button.waitFor();
    await picture(page, `guide-${guide.language}-start`);
    await button.click();
    await page.locator("h1", { hasText: guide.floor(39) }).waitFor();
    await goTo(page, guide, 10);
    await picture(page, `guide-${guide.language}-floor`);
    await page.getByRole("button", { name: guide.setValue }).click();
    await page.locator("dialog[open] input").nth(1).fill("8");
    await picture(page, `guide-${guide.language}-mend`);
    await page.locator("dialog[open]").getByRole("button", { name: guide.save, exact: true }).click();
    await page.getByText(guide.saved).first().waitFor();
    await picture(page, `guide-${guide.language}-undo`);
  } finally {
    await web.close();
  }
}

const [only] = process.argv.slice(2);
if (only !== "authors") for (const guide of guides) await make(guide);
if (only !== "players") for (const guide of authors) await makeAuthors(guide, picture);
