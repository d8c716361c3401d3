// Makes the pictures of the README: a card is played in the real host and the drawer is opened.
//   npm run pictures -w e2e

import { join } from "node:path";
import type { Card } from "./card.ts";
import { Drawer } from "./drawer.ts";
import { repository } from "./paths.ts";
import { Stage } from "./stage.ts";

const card: Card = {
  name: "阿丽娅",
  template: { 角色: { 名字: "旅人", 金币: 20, 生命值: 100 }, 背包: ["火把"], 世界: { 天气: "小雨", 时间: "20:00" } },
  greetings: ['雨夜，酒馆的门开了。阿丽娅抬起头：“这么晚了，要喝点什么？”'],
};

const stage = await Stage.start();
try {
  const { page, llm } = stage;
  await stage.importCard(card);
  llm.will('阿丽娅倒了一杯热酒，收下两枚金币。\n\n@.ADD("角色.金币", -2); @.SET("世界.天气", "暴雨"); @.SET("世界.时间", "20:30");');
  await page.send("一杯热酒。");
  llm.will('她压低声音，把一枚生锈的钥匙推到你面前。\n\n@.APPEND("背包", "生锈的钥匙"); @.ADD("角色.金币", "很多");');
  await page.send("你听说过北塔吗？");
  await page.page.setViewportSize({ width: 1280, height: 800 });
  const drawer = new Drawer(page);
  await drawer.open();
  await drawer.shows(4);
  // The notice about the failed call goes away by itself.
  await page.page.locator("#toast-container .toast").first().waitFor({ state: "detached" });
  await page.page.screenshot({ path: join(repository, "docs", "images", "drawer.png"), clip: { x: 70, y: 0, width: 1140, height: 800 } });
} finally {
  await stage.stop();
}
