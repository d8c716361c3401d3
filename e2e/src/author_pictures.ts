// The pictures of the guide for authors: the Functions screen with the functions that the guide writes.

import type { BrowserContextOptions, Page } from "playwright-core";
import type { JsonObject } from "storeyline-client";
import { FUNCTIONS } from "../../packages/ui/src/screens/functions/words.ts";
import { Web } from "./web.ts";

interface Authors {
  language: "zh" | "en";
  options: BrowserContextOptions;
  title: string;
  template: JsonObject;
  /** One reply after another; the last one is the sample in the editor. */
  replies: string[];
  functions: JsonObject[];
  rules: JsonObject[];
}

const steps = (...all: [string, ...unknown[]][]): JsonObject =>
  ({ type: "composite", steps: all.map(([name, ...args]) => ({ function: name, args })) }) as JsonObject;

export const authors: Authors[] = [
  {
    language: "zh",
    options: { locale: "zh-CN", colorScheme: "dark", viewport: { width: 1280, height: 760 } },
    title: "雨夜的客栈",
    template: { 阿丽娅: { 等级: 3, 生命: 40, 金币: 25 }, 时间: "2024年10月26日 20:00" },
    replies: ["雨还没有停。", "她赢了第一场。\n@.LEVELUP(\"阿丽娅\", 1);", "她挨了一刀，也抢回了钱袋。\n[金币 +12]\n@.SUB(\"阿丽娅.生命\", 65);", "她赢了，可是伤得不轻。\n@.LEVELUP(\"阿丽娅\", 1);\n@.SUB(\"阿丽娅.生命\", 60);"],
    functions: [
      { name: "时钟", type: "passive", timing: "before_active", order: 1, description: "每条回复过去十二分钟", executor: "snapshot.时间 = addMinutes(snapshot.时间, 12);" },
      {
        name: "LEVELUP",
        order: 1,
        description: "升级并恢复生命",
        syntax: '@.LEVELUP("角色", 级数);',
        executor: "const [who, n] = args;\nsnapshot[who].等级 += n;\nsnapshot[who].生命 = 100;\nconsole.log(who, snapshot[who].等级);",
      },
      { name: "GOLD", order: 2, description: "阿丽娅得到金币", pattern: "\\[金币 \\+(\\d+)\\]", executor: "snapshot.阿丽娅.金币 += args[0];" },
      { name: "REST", order: 3, description: "休息一夜", implementation: steps(["SET", "阿丽娅.生命", 100], ["TIME_ADD", "时间", { hours: 8 }]) },
      { name: "界限", type: "passive", timing: "after_active", order: 1, description: "生命在 0 到 100 之间", executor: "snapshot.阿丽娅.生命 = _.clamp(snapshot.阿丽娅.生命, 0, 100);" },
    ],
    rules: [{ name: "受伤", enabled: true, trigger: "after_parse", condition: "snapshot.阿丽娅.生命 < 20", actions: [{ function: "SET", args: ["阿丽娅.状态", "受伤"] }] }],
  },
  {
    language: "en",
    options: { locale: "en-GB", colorScheme: "light", viewport: { width: 390, height: 780 }, deviceScaleFactor: 2 },
    title: "The inn in the rain",
    template: { Aria: { level: 3, hp: 40, gold: 25 }, time: "2024-10-26T20:00:00Z" },
    replies: ["It is still raining.", 'She won the first round.\n@.LEVELUP("Aria", 1);', 'She takes a cut, and takes the purse back.\n[gold +12]\n@.SUB("Aria.hp", 65);', 'She won, but was badly hurt.\n@.LEVELUP("Aria", 1);\n@.SUB("Aria.hp", 60);'],
    functions: [
      { name: "Clock", type: "passive", timing: "before_active", order: 1, description: "twelve minutes with every reply", executor: "snapshot.time = addMinutes(snapshot.time, 12);" },
      {
        name: "LEVELUP",
        order: 1,
        description: "raises the level and heals",
        syntax: '@.LEVELUP("name", levels);',
        executor: "const [who, n] = args;\nsnapshot[who].level += n;\nsnapshot[who].hp = 100;\nconsole.log(who, snapshot[who].level);",
      },
      { name: "GOLD", order: 2, description: "Aria gets gold", pattern: "\\[gold \\+(\\d+)\\]", executor: "snapshot.Aria.gold += args[0];" },
      { name: "REST", order: 3, description: "a night's rest", implementation: steps(["SET", "Aria.hp", 100], ["TIME_ADD", "time", { hours: 8 }]) },
      { name: "Limits", type: "passive", timing: "after_active", order: 1, description: "hp stays between 0 and 100", executor: "snapshot.Aria.hp = _.clamp(snapshot.Aria.hp, 0, 100);" },
    ],
    rules: [{ name: "Wounded", enabled: true, trigger: "after_parse", condition: "snapshot.Aria.hp < 20", actions: [{ function: "SET", args: ["Aria.mood", "wounded"] }] }],
  },
];

export async function makeAuthors(guide: Authors, picture: (page: Page, name: string) => Promise<void>): Promise<void> {
  const { language, options } = guide;
  const words = FUNCTIONS[language];
  const web = await Web.begin(`authors-${language}`);
  try {
    const card = "Aria.png";
    const library = { version: "1.0", functions: guide.functions.map((one) => ({ enabled: true, type: "active", ...one })), rules: guide.rules };
    await web.client("put", "/api/v1/library", { params: { query: { card } }, body: { library } });
    await web.story(guide.title, card, guide.template, guide.replies.map((text) => ({ reply: [text] })));
    // The card carries what is saved, as after the host has written it.
    const saved = (await web.client("get", "/api/v1/library", { params: { query: { card } } })).library as { functions: JsonObject[]; rules: JsonObject[] };
    await web.client("post", "/api/v1/library/carried", { body: { card, name: "Aria", functions: [...saved.functions, ...saved.rules] } });
    const page = await web.open(options);
    await page.locator('[data-tab="functions"]').click();
    const open = async (name: string): Promise<void> => {
      await page.locator(".sl-function", { hasText: name }).getByRole("button", { name, exact: true }).click();
      await page.locator("dialog[open]").waitFor();
    };
    const dialog = page.locator("dialog[open]");
    await page.locator(".sl-function", { hasText: "LEVELUP" }).waitFor();
    await picture(page, `authors-${language}-list`);
    await open("LEVELUP");
    await dialog.locator(".cm-content").waitFor();
    if (language === "en") await picture(page, "authors-en-code");
    await dialog.getByLabel(words.name, { exact: true }).focus();
    await page.keyboard.press("Control+Enter");
    await dialog.getByText(words.modelSees).waitFor();
    await picture(page, `authors-${language}-test`);
    await page.keyboard.press("Escape");
    if (language === "zh") {
      await open(guide.rules[0]!["name"] as string);
      await picture(page, "authors-zh-rule");
      await page.keyboard.press("Escape");
    }
    await page.getByRole("button", { name: words.prompt }).click();
    await page.waitForFunction(() => {
      const text = document.querySelector<HTMLTextAreaElement>("dialog[open] textarea");
      text?.scrollTo(0, text.scrollHeight);
      return text?.value.includes("LEVELUP") && text.scrollTop > 0;
    });
    await picture(page, `authors-${language}-prompt`);
  } finally {
    await web.close();
  }
}
