// Measures the History screen in a real browser on a story of 10,000 floors, 60 branches and 3,000 further pages: opening
// the graph, panning it as elements and as a canvas, search over all branches, scrolling the messages.
// `npm run -w e2e measure-history` prints a table; the program is the release build if STOREYLINE_BIN names it.

import type { Page } from "playwright-core";
import { during } from "./measuring.ts";
import { Web } from "./web.ts";

const FLOORS = 10_000;
const BRANCHES = 59;
const SWIPED = 1_500;

async function story(web: Web): Promise<{ story: string; main: string }> {
  const card = { data: { name: "大", extensions: { st_var_system: { enabled: true, templateBody: { 金币: 0 } } } } };
  const message = (floor: number): object => {
    const user = floor % 2 === 1;
    const mes = user ? `我看看第${floor}处。` : `第${floor}句，楼上传来声音。@.ADD("金币", 1);`;
    const swipes = !user && floor / 2 < SWIPED ? { swipes: [mes, `第${floor}句，没有声音。`, `第${floor}句，有人在笑。`], swipe_id: 0 } : {};
    return { name: user ? "旅人" : "大", is_user: user, mes, extra: {}, ...swipes };
  };
  const lines = [{ chat_metadata: { integrity: "measure" }, user_name: "旅人", character_name: "大" }, ...Array.from({ length: FLOORS }, (_, floor) => message(floor))];
  web.cli("import", web.file("chat.jsonl", lines.map((line) => JSON.stringify(line)).join("\n")), "--card", web.file("card.json", JSON.stringify(card)));
  const [found] = (await web.client("get", "/api/v1/stories")).stories;
  const { story, refs } = found!;
  const main = refs[0]!.ref;
  for (let index = 0; index < BRANCHES; index++) {
    const body = { kind: "branch" as const, from: main, floor: 40 + index * 168, name: `支线 ${index}` };
    const { ref } = await web.client("post", "/api/v1/stories/{story}/refs", { params: { path: { story } }, body });
    for (let floor = 0; floor < 3 + (index % 9); floor++) {
      const edit = { kind: "append" as const, role: "user" as const, name: "旅人", text: `支线 ${index} 的第 ${floor} 句` };
      await web.client("post", "/api/v1/stories/{story}/refs/{ref}/operations", { params: { path: { story, ref } }, body: edit });
    }
  }
  await web.client("post", "/api/v1/stories/{story}/refs/{ref}/switch", { params: { path: { story, ref: main } } });
  return { story, main };
}

/** Milliseconds in the page from an act to the first element that a selector finds. */
async function until(page: Page, selector: string, act: string): Promise<number> {
  await page.evaluate("globalThis.__name = (value) => value");
  return page.evaluate(
    async ([wanted, press]) => {
      const began = performance.now();
      document.querySelector<HTMLElement>(press!)!.click();
      while (!document.querySelector(wanted!)) await new Promise((next) => setTimeout(next, 1));
      return performance.now() - began;
    },
    [selector, act],
  );
}

async function pan(page: Page): Promise<{ longest: number; frame: number }> {
  const box = (await page.locator(".sl-box").boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  return during(page, async () => {
    for (let stroke = 0; stroke < 4; stroke++) {
      await page.mouse.move(x, y + 200);
      await page.mouse.down();
      for (let step = 0; step < 40; step++) await page.mouse.move(x - step * 3, y + 200 - step * 10);
      await page.mouse.up();
    }
  });
}

const median = (times: number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;

const web = await Web.begin("measure-history");
try {
  const { story: id, main } = await story(web);
  const rows: [string, string][] = [];
  const server = async (path: string): Promise<string> => {
    const times: number[] = [];
    let size = 0;
    for (let round = 0; round < 5; round++) {
      const began = performance.now();
      size = (await web.raw(path)).length;
      times.push(performance.now() - began);
    }
    return `${ms(median(times))}, ${(size / 1024).toFixed(0)} KB`;
  };
  rows.push(["request: the graph", await server(`/v1/stories/${id}/graph`)]);
  rows.push(["request: floors with failed calls", await server(`/v1/stories/${id}/marks?failed=true`)]);
  rows.push(["request: floors that changed a path", await server(`/v1/stories/${id}/marks?path=${encodeURIComponent("金币")}`)]);
  const { floors } = await web.client("get", "/api/v1/stories/{story}/refs/{ref}/floors", { params: { path: { story: id, ref: main }, query: { from: 5000, limit: 1 } } });
  rows.push(["request: where a page is", await server(`/v1/stories/${id}/pages/${floors[0]!.page}`)]);
  rows.push(["request: search for a rare text", await server(`/v1/search?story=${id}&q=${encodeURIComponent("支线 7 的")}`)]);

  const page = await web.tab("history");
  await page.locator(".sl-card").first().waitFor();
  await page.waitForTimeout(8000);
  rows.push(["cards in the page", String(await page.locator(".sl-card").count())]);
  const list = (await page.locator(".sl-rows").boundingBox())!;
  const scroll = await during(page, async () => {
    await page.mouse.move(list.x + 200, list.y + 200);
    for (let step = 0; step < 60; step++) {
      await page.mouse.wheel(0, -400);
      await page.waitForTimeout(16);
    }
  });
  rows.push(["scrolling the messages: main thread per frame, longest task", `${ms(scroll.frame)}, ${ms(scroll.longest)}`]);
  const opened: number[] = [];
  for (let round = 0; round < 5; round++) {
    await page.locator('[data-segment="messages"]').click();
    await page.waitForTimeout(300);
    opened.push(await until(page, ".sl-item", '[data-segment="graph"]'));
  }
  rows.push(["the graph is open (median of 5, most)", `${ms(median(opened))}, ${ms(Math.max(...opened))}`]);
  await page.waitForTimeout(500);
  const elements = await pan(page);
  rows.push(["panning, elements: main thread per frame, longest task", `${ms(elements.frame)}, ${ms(elements.longest)}`]);
  for (let step = 0; step < 9; step++) await page.locator(".sl-zoom button").nth(1).click();
  await page.locator(".sl-canvas").waitFor();
  const canvas = await pan(page);
  rows.push(["panning, canvas: main thread per frame, longest task", `${ms(canvas.frame)}, ${ms(canvas.longest)}`]);
  await page.locator(".sl-tools button").first().click();
  await page.waitForTimeout(1000);
  const unfolded = await pan(page);
  rows.push(["panning, canvas, everything unfolded: main thread per frame, longest task", `${ms(unfolded.frame)}, ${ms(unfolded.longest)}`]);
  await page.locator(".sl-tools button").first().click();
  const found = await page.evaluate(async () => {
    const field = document.querySelector<HTMLInputElement>(".sl-query")!;
    const began = performance.now();
    field.value = "支线 7 的";
    field.dispatchEvent(new Event("input", { bubbles: true }));
    while (!document.querySelector(".sl-hit")) await new Promise((next) => setTimeout(next, 1));
    return performance.now() - began;
  });
  rows.push(["search: hits are shown, of that 200 ms of quiet", ms(found)]);
  console.log(rows.map(([what, value]) => `| ${what} | ${value} |`).join("\n"));
} finally {
  await web.close();
}
