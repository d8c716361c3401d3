// Every screen and every dialog, in the drawer and in the page: no request to another host, no finding of axe, no text
// that becomes markup.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { BrowserContext, Route } from "playwright-core";
import type { JsonObject } from "storeyline-client";
import { seriousFindings } from "../src/accessibility.ts";
import { Drawer } from "../src/drawer.ts";
import { card, Played } from "../src/floor_scenarios.ts";
import { lightTheme } from "../src/themes.ts";
import { scenario, Stage } from "../src/stage.ts";
import { slash } from "../src/rare.ts";
import { Surface } from "../src/surface.ts";
import { furnish, tour } from "../src/tour.ts";
import { giveFile } from "../src/web.ts";

let stage: Stage;
let story: Played;
let drawer: Drawer;

before(async () => {
  stage = await Stage.start();
  await stage.importCard(card);
  story = await Played.begin(stage);
  await furnish(stage.engine, `${card.name}.png`, card.template as never);
  drawer = new Drawer(stage.page);
});
after(() => stage?.stop());

const whole = (on: Surface, look: (stop: string) => Promise<void>): Promise<void> =>
  tour({ on, engine: stage.engine, branch: story.branch, failed: 4, last: 8, folder: story.folder, look });

/** Refuses everything that does not stay on this machine, and tells what was tried. */
async function cut(context: BrowserContext): Promise<string[]> {
  const tried: string[] = [];
  const local = (url: URL): boolean => ["127.0.0.1", "localhost", "[::1]"].includes(url.hostname) || ["data:", "blob:", "about:"].includes(url.protocol);
  await context.route((url) => !local(url), (route: Route) => {
    tried.push(route.request().url());
    return route.abort("internetdisconnected");
  });
  return tried;
}

/** Fonts that did not come, and icons and pictures without a size. */
const missing = (on: Surface): Promise<string[]> =>
  on.root.evaluate((root) => [
    ...[...document.fonts].filter((font) => font.status === "error").map((font) => `font ${font.family}`),
    ...[...root.querySelectorAll("svg")].filter((icon) => icon.checkVisibility() && (icon.getBoundingClientRect().width === 0 || icon.childElementCount === 0)).map((icon) => icon.outerHTML.slice(0, 100)),
    ...[...root.querySelectorAll("img")].filter((image) => image.naturalWidth === 0).map((image) => image.outerHTML.slice(0, 100)),
  ]);

/** axe looks at what is scrolled out of sight as well, but takes a label there for none. */
async function accessible(on: Surface, stop: string, more = ""): Promise<void> {
  if (/^settings [2-9]$/.test(stop)) return;
  const root = on.name === "drawer" ? "#storeyline_drawer" : ".sl-root";
  // What is behind a dialog was looked at before.
  const where = (await on.dialog.count()) > 0 ? `${root} dialog[open]` : root;
  assert.deepEqual(await seriousFindings(on.page, where), [], `${on.name}, ${stop} ${more}`);
}

scenario(() => stage, "page, with the network cut: nothing is missing and nothing was tried; axe finds nothing serious, dark and light", async () => {
  for (const [width, tone, locale] of [[1280, "dark", "zh-CN"], [390, "light", "en-GB"]] as const) {
    const page = await stage.enginePage({ viewport: { width, height: 860 }, colorScheme: tone, locale });
    const tried = await cut(page.context());
    await page.reload();
    const on = Surface.enginePage(page);
    const stops: string[] = [];
    await whole(on, async (stop) => {
      stops.push(stop);
      assert.deepEqual(await missing(on), [], stop);
      await accessible(on, stop, tone);
    });
    assert.ok(stops.length > 25, `${stops.length} stops`);
    assert.deepEqual(tried, []);
    await page.context().close();
  }
});

scenario(() => stage, "drawer, with the network cut: nothing is missing and nothing was tried; axe finds nothing serious", async () => {
  const { page } = stage.page;
  const tried = await cut(page.context());
  await stage.page.reload();
  await stage.page.openCard(card.name);
  await page.setViewportSize({ width: 1280, height: 860 });
  // The host itself may ask elsewhere when it starts.
  tried.length = 0;
  await drawer.open();
  const on = Surface.drawer(stage, card.name);
  await whole(on, async (stop) => {
    assert.deepEqual(await missing(on), [], stop);
    await accessible(on, stop);
  });
  assert.deepEqual(tried, []);
});

scenario(() => stage, "drawer, every screen in five themes of the host and a light one: axe finds nothing serious", async () => {
  const { page } = stage;
  const on = Surface.drawer(stage, card.name);
  const visit = async (theme: string): Promise<void> => {
    await drawer.open();
    for (const tab of ["floors", "template", "snapshots", "settings"] as const) {
      await on.tab(tab);
      await on.root.locator(".sl-tree, [role=tree], .sl-rows, .sl-settings").first().waitFor();
      if (tab === "settings") await on.text(/^OK/).waitFor();
      await accessible(on, tab, theme);
    }
    await on.tab("floors");
    await drawer.close();
  };
  for (const theme of ["Dark Lite", "Dark V 1.0", "Azure", "Cappuccino", "Celestial Macaron"]) {
    await drawer.close();
    await slash(page, `/theme ${theme}`);
    await visit(theme);
  }
  await lightTheme(page);
  await visit("light");
  await slash(page, "/theme Dark Lite");
});

/** Markup that tells by `window.hit` that it ran and by a request that it was shown. */
const evil = (field: string): string => `<img src=evil-${field.replaceAll(" ", "-")} onerror=window.hit=1>`;
const LINK = "javascript:window.hit=1";

scenario(() => stage, "hostile names, keys, values, branches, tags, labels and settings are text, in drawer and page", async () => {
  const { page, engine } = stage;
  // The host takes brackets out of the names of cards; the engine knows others.
  const name = evil("card").replaceAll(/[<>]/g, "");
  const template: JsonObject = { [evil("key")]: { [evil("inner")]: evil("value"), [LINK]: LINK }, hero: { gold: 1 } };
  await drawer.close();
  await slash(page, `/persona-set mode=temp ${evil("persona")}`);
  await stage.importCard({ name, template, greetings: [`Hello. @.SET("${evil("set")}", "${evil("text")}");`] });
  const { branch } = await Played.begin(stage, [
    `@.SET("${evil("second")}", "${LINK}"); @.ADD("hero.gold", 1);`,
    `@.ADD("${evil("path")}", "${evil("number")}"); @.ADD("hero.gold", "${evil("number")}"); @.NOTHING("${evil("function")}");`,
    '@.ADD("hero.gold", 1);',
    '@.ADD("hero.gold", 1);',
  ]);
  const { card: file } = (await engine.stories()).find(({ story }) => story === branch.story)!;
  await furnish(engine, file ?? "", template, evil);
  const client = engine.client();
  await client("put", "/api/v1/templates/{card}", { params: { path: { card: evil("file-of-card") } }, body: { template } });
  const params = { path: { story: branch.story } };
  await client("post", "/api/v1/stories/{story}", { params, body: { title: evil("title") } });
  await client("post", "/api/v1/stories/{story}/refs", { params, body: { kind: "branch", from: branch.ref, name: evil("branch"), floor: 2, switch: false } });
  await client("post", "/api/v1/stories/{story}/refs", { params, body: { kind: "tag", from: branch.ref, name: evil("tag"), floor: 2, switch: false } });
  await client("post", "/api/v1/stories/{story}/rules", { params, body: { time_path: evil("time"), schema: { type: "object", properties: { [evil("schema")]: { type: "number" } } } } });
  await engine.api().decideFunctions(evil("consent"), "AAAAAAAAAAAAAAAAAAAAAA", true);

  const context = await stage.enginePage();
  await page.page.setViewportSize({ width: 1280, height: 860 });
  await drawer.open();
  for (const on of [Surface.drawer(stage, name), Surface.enginePage(context)]) {
    const asked: string[] = [];
    const listen = (request: { url(): string }): void => void (/\/evil-[^/]*$/.test(new URL(request.url()).pathname) && asked.push(request.url()));
    on.page.on("request", listen);
    let seen = 0;
    await tour({ on, engine, branch, failed: 4, last: 8, folder: story.folder, async look(stop) {
      const text = await on.root.innerText();
      seen += text.split("<img src=evil-").length - 1;
      const markup = await on.root.locator("img, script, iframe, object, embed, a[href]").evaluateAll((all) => all.map((one) => one.outerHTML.slice(0, 120)));
      assert.deepEqual(markup, [], `${on.name}, ${stop}`);
    } });
    await on.tab("settings");
    const chat = story.file(`${evil("file")}.jsonl`, "no chat");
    await giveFile(on.page, chat, () => on.button("Choose files…").click());
    await on.text(/<img src=evil-file/).waitFor();
    await on.tab("floors");
    assert.ok(seen > 100, `the names are shown, ${seen} times`);
    assert.equal(await on.page.evaluate("window.hit"), undefined, on.name);
    assert.deepEqual(asked, [], on.name);
    on.page.off("request", listen);
  }
});
