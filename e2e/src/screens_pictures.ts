// Takes a picture of every screen and dialog in four variants, and composes one sheet of each for the guide.
//   npm run screens -w e2e
// The single pictures are in `.cache/e2e/screens/`, the sheets in `docs/images/`.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { JsonObject } from "storeyline-client";
import type { Card } from "./card.ts";
import { Drawer } from "./drawer.ts";
import { Played } from "./floor_scenarios.ts";
import { cache, repository } from "./paths.ts";
import { until } from "./poll.ts";
import { slash } from "./rare.ts";
import { Stage } from "./stage.ts";
import { Surface } from "./surface.ts";
import { lightTheme } from "./themes.ts";
import { furnish, tour } from "./tour.ts";
import { webp } from "./webp.ts";

interface Variant {
  name: string;
  where: "page" | "drawer";
  language: "zh" | "en";
  tone: "dark" | "light";
  width: 1280 | 390;
}

const variants: Variant[] = [
  { name: "page-zh-dark-1280", where: "page", language: "zh", tone: "dark", width: 1280 },
  { name: "drawer-zh-light-1280", where: "drawer", language: "zh", tone: "light", width: 1280 },
  { name: "page-en-light-390", where: "page", language: "en", tone: "light", width: 390 },
  { name: "drawer-en-dark-390", where: "drawer", language: "en", tone: "dark", width: 390 },
];

interface Tale {
  card: Card;
  said: string;
  replies: string[];
  labels: Record<string, string>;
}

const tales: Record<Variant["language"], Tale> = {
  zh: {
    card: {
      name: "阿丽娅",
      template: { 世界: { 地点: "酒馆", 时间: "20:00", 天气: "小雨" }, 旅人: { 金币: 20, 力气: 4 }, 背包: ["火把"], 阿丽娅: { 信任: 20, 心情: "平静" } },
      greetings: ['雨夜，酒馆的门开了。阿丽娅抬起头：“这么晚了，要喝点什么？” @.ADD("阿丽娅.信任", 1);'],
    },
    said: "我坐到窗边，等她开口。",
    replies: [
      '她倒了一杯热酒，收下两枚金币。 @.ADD("旅人.金币", -2); @.ADD("阿丽娅.信任", 2);',
      '她指了指墙角的木箱：“搬得动吗？” @.ADD("阿丽娅.信任", 1); @.ADD("旅人.力气", "很多");',
      '钟敲了九下，雨更大了。 @.SET("世界.时间", "21:00"); @.SET("世界.天气", "暴雨"); @.ADD("阿丽娅.信任", 1);',
      '她把一枚生锈的钥匙推到你面前。 @.APPEND("背包", "生锈的钥匙"); @.ADD("阿丽娅.信任", 5); @.SET("阿丽娅.心情", "好奇");',
    ],
    labels: { "before the town": "进城之前", "before the boss": "首领战前", description: "在城门外，雨夜", town: "城镇", boss: "首领", gate: "城门", key: "旅人", value: "受伤" },
  },
  en: {
    card: {
      name: "Aria",
      template: { world: { place: "tavern", time: "20:00", weather: "drizzle" }, hero: { gold: 20, strength: 4 }, bag: ["torch"], Aria: { trust: 20, mood: "calm" } },
      greetings: ['A rainy night. Aria looks up: "So late? What will it be?" @.ADD("Aria.trust", 1);'],
    },
    said: "I sit down at the window and wait.",
    replies: [
      'She pours a cup of hot wine and takes two coins. @.ADD("hero.gold", -2); @.ADD("Aria.trust", 2);',
      'She points at the chest in the corner. "Can you lift it?" @.ADD("Aria.trust", 1); @.ADD("hero.strength", "a lot");',
      'The clock strikes nine, and the rain grows heavier. @.SET("world.time", "21:00"); @.SET("world.weather", "storm"); @.ADD("Aria.trust", 1);',
      'She slides a rusty key over to you. @.APPEND("bag", "rusty key"); @.ADD("Aria.trust", 5); @.SET("Aria.mood", "curious");',
    ],
    labels: {},
  },
};

const folder = join(cache, "screens");

/** Plays the tale of a language in the host, which shows that language. */
async function play(stage: Stage, language: Variant["language"]): Promise<Played> {
  const { card, replies, labels, said } = tales[language];
  await stage.page.page.evaluate((locale) => localStorage.setItem("language", locale), language === "zh" ? "zh-cn" : "en");
  await stage.page.reload();
  await stage.importCard(card);
  const story = await Played.begin(stage, replies, said);
  const { snapshots } = await stage.engine.client()("get", "/api/v1/snapshots");
  for (const { snapshot } of snapshots) await stage.engine.client()("delete", "/api/v1/snapshots/{snapshot}", { params: { path: { snapshot } } });
  await furnish(stage.engine, `${card.name}.png`, card.template as JsonObject, (text) => labels[text] ?? text);
  return story;
}

async function surfaceFor(stage: Stage, { where, language, tone, width }: Variant): Promise<Surface> {
  if (where === "page") {
    const look = { viewport: { width, height: width === 390 ? 844 : 800 }, colorScheme: tone, locale: language === "zh" ? "zh-CN" : "en-GB", deviceScaleFactor: 1 };
    return Surface.enginePage(await stage.enginePage(look));
  }
  const { page } = stage.page;
  await page.setViewportSize({ width: 1280, height: 800 });
  const drawer = new Drawer(stage.page);
  await drawer.close();
  if (tone === "light") await lightTheme(stage.page);
  else await slash(stage.page, "/theme Dark Lite");
  await drawer.open();
  await until("the tone follows", async () => {
    if ((await drawer.content.locator(".sl-root").getAttribute("data-tone")) !== tone) throw new Error("not yet");
  });
  await page.setViewportSize({ width, height: width === 390 ? 844 : 800 });
  return Surface.drawer(stage, tales[language].card.name);
}

async function take(stage: Stage, story: Played, variant: Variant): Promise<string[]> {
  const on = await surfaceFor(stage, variant);
  const taken: string[] = [];
  const look = async (stop: string): Promise<void> => {
    await on.root.evaluate((root, folder) => {
      // A path of the machine that takes the pictures says nothing to a reader.
      const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      for (let node = texts.nextNode(); node; node = texts.nextNode()) node.nodeValue = node.nodeValue!.replace(folder, "/home/ann/storeyline");
    }, stage.engine.data);
    await on.page.mouse.move(2, variant.width === 390 ? 840 : 795);
    const name = `${variant.name} ${String(taken.length + 1).padStart(2, "0")} ${stop}.png`;
    await on.page.screenshot({ path: join(folder, name), animations: "disabled" });
    taken.push(name);
  };
  await tour({ on, engine: stage.engine, branch: story.branch, failed: 4, last: 8, folder: story.folder, look });
  if (variant.where === "page") await on.page.context().close();
  else {
    await on.page.setViewportSize({ width: 1280, height: 800 });
    await new Drawer(stage.page).close();
  }
  return taken;
}

/** All pictures of a variant on one page. */
async function sheet(page: Page, variant: Variant, names: readonly string[]): Promise<void> {
  const [columns, thumb] = variant.width === 1280 ? [4, 480] : [8, 236];
  const figures = names.map((name) => {
    const png = readFileSync(join(folder, name)).toString("base64");
    return `<figure><img src="data:image/png;base64,${png}" width="${thumb}"><figcaption>${name.slice(variant.name.length + 4, -4)}</figcaption></figure>`;
  });
  const style = `body{margin:12px;background:#8a8f98;font:12px sans-serif}main{display:grid;grid-template-columns:repeat(${columns},${thumb}px);gap:10px}figure{margin:0}img{display:block}figcaption{padding:2px 0;color:#000}`;
  await page.setViewportSize({ width: columns * (thumb + 10) + 24, height: 900 });
  await page.setContent(`<style>${style}</style><main>${figures.join("")}</main>`);
  const image = await webp(page.context(), await page.screenshot({ fullPage: true }), 0.62);
  writeFileSync(join(repository, "docs", "images", `screens-${variant.name}.webp`), image);
  console.log(variant.name, names.length, `${Math.round(image.length / 1024)} KB`);
}

mkdirSync(folder, { recursive: true });
const stage = await Stage.start();
try {
  const blank = await stage.enginePage({ deviceScaleFactor: 1 });
  for (const language of ["zh", "en"] as const) {
    const story = await play(stage, language);
    for (const variant of variants.filter((one) => one.language === language)) await sheet(blank, variant, await take(stage, story, variant));
  }
} finally {
  await stage.stop();
}
