// Two accounts of the real host in one browser profile: alice and bob log in one after the other and play the same
// card. Neither sees anything of the other, and raw requests of bob's session do not reach alice's things.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Client, JsonObject } from "storeyline-client";
import { setting } from "../src/asset_scenarios.ts";
import { Drawer } from "../src/drawer.ts";
import { card } from "../src/floor_scenarios.ts";
import { until } from "../src/poll.ts";
import { scenario, Stage } from "../src/stage.ts";
import { Surface } from "../src/surface.ts";

let stage: Stage;
let on: Surface;
before(async () => {
  stage = await Stage.start(["alice", "bob"]);
  on = Surface.drawer(stage, card.name);
});
after(() => stage?.stop());

const clientOf = (account: string): Client => stage.engine.client(`host-${account}`);

async function logIn(account: string): Promise<void> {
  const { page } = stage.page;
  await page.locator("#userList .userSelect").filter({ hasText: account }).first().click();
  await page.waitForURL((url) => url.pathname === "/");
  await page.locator("#preloader").waitFor({ state: "detached", timeout: 90_000 });
}

async function logOut(): Promise<void> {
  const { page } = stage.page;
  await new Drawer(stage.page).close();
  await page.locator("#user-settings-button > .drawer-toggle").click();
  await page.locator("#logout_button").click();
  await page.locator("#userList .userSelect").first().waitFor({ timeout: 30_000 });
}

/** Plays one reply and opens the drawer. */
async function play(reply: string): Promise<void> {
  const { page, llm } = stage;
  await page.streaming(false);
  llm.will(reply);
  await page.send("Hello.");
  await new Drawer(page).open();
  await on.shows(2);
}

/** What only the owner of the machine may see is neither shown nor asked for. */
async function seesNoMachine(): Promise<void> {
  const asked: string[] = [];
  const listen = (request: { method(): string; url(): string }): void => void asked.push(`${request.method()} ${new URL(request.url()).pathname}`);
  on.page.on("request", listen);
  await on.tab("settings");
  await setting(on, "Health").getByText(/OK/).waitFor();
  const text = await on.root.locator(".sl-settings").innerText();
  for (const word of ["Data folder", "Back up now", "Search index", "Limits", "on disk", stage.engine.data]) assert.ok(!text.includes(word), word);
  assert.deepEqual(asked.filter((one) => /\/v1\/(backup|search\/index|links)/.test(one)), []);
  on.page.off("request", listen);
}

interface Hers {
  story: string;
  ref: string;
  page: string;
  chat: string;
  snapshot: string;
  archive: string;
}
let hers: Hers;

/** Everything of alice's story as one text, to see that nothing changed. */
const archiveOf = (story: string): Promise<string> => stage.engine.raw(`/stories/${story}/archive`, "host-alice");

interface Answer {
  status: number;
  text: string;
}

/** A request as any script in the page could make it. */
async function raw(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  return stage.page.page.evaluate(
    async ([method, path, body, more]) => {
      const headers = { ...SillyTavern.getContext().getRequestHeaders(), "X-Storeyline": "1", ...more };
      const answer = await fetch(`/api/plugins/storeyline${path}`, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
      return { status: answer.status, text: await answer.text() };
    },
    [method, path, body, headers] as const,
  );
}

/** Requests for what is alice's, reading first. */
function requestsFor({ story, ref, page, snapshot }: Hers): [string, string, unknown?][] {
  const branch = `/v1/stories/${story}/refs/${ref}`;
  return [
    ["GET", `/v1/stories/${story}`],
    ["GET", `/v1/stories/${story}/archive`],
    ["GET", `/v1/stories/${story}/stats`],
    ["GET", `/v1/stories/${story}/refs`],
    ["GET", `/v1/stories/${story}/rules`],
    ["GET", `${branch}/floors?from=0&limit=10`],
    ["GET", `${branch}/floors/2`],
    ["GET", `${branch}/floors/2?page=${page}`],
    ["GET", `${branch}/floors/2/state`],
    ["GET", `${branch}/export`],
    ["GET", `${branch}/messages`],
    ["GET", `${branch}/history?path=alice.secret`],
    ["GET", `${branch}/blame?path=alice.secret`],
    ["GET", `/v1/snapshots/${snapshot}`],
    ["POST", `${branch}/operations`, { kind: "set", page, path: ["alice", "secret"], value: "stolen" }],
    ["POST", `${branch}/preview`, { kind: "set", page, path: ["alice", "secret"], value: "stolen" }],
    ["POST", `${branch}/undo`, { operation: null }],
    ["POST", `${branch}/reprocess`, { from: 0, to: null }],
    ["POST", `${branch}/switch`, {}],
    ["POST", `${branch}/file`, { file: "x", owner: "x" }],
    ["POST", `/v1/stories/${story}`, { title: "stolen" }],
    ["POST", `/v1/stories/${story}/rules`, { enabled: false }],
    ["POST", `/v1/stories/${story}/refs`, { kind: "branch", from: ref, name: "stolen", floor: 2, switch: false }],
    ["POST", "/v1/snapshots/from-floor", { story, ref, floor: 2, name: "stolen", tags: [] }],
    ["DELETE", branch],
    ["DELETE", `/v1/stories/${story}`],
    ["DELETE", `/v1/snapshots/${snapshot}`],
  ];
}

scenario(() => stage, "alice plays, leaves drafts, a snapshot and a template", async () => {
  await logIn("alice");
  await stage.importCard(card);
  await play('She whispers a secret. @.SET("alice.secret", "pearl");');
  await seesNoMachine();
  await on.tab("snapshots");
  await on.button("Save floor 2").click();
  await on.dialog.getByLabel("Label (required)").fill("of alice");
  await on.button("Save", on.dialog).click();
  await on.closed();
  await on.button("New").click();
  await on.dialog.getByLabel("Label (required)").fill("draft of alice");
  await on.page.keyboard.press("Escape");
  await on.tab("template");
  await on.button("Start from an empty object").click();
  await on.root.getByRole("tab", { name: "Text", exact: true }).click();
  await on.write('{"template of alice": 1}');
  await on.button("Save template").click();
  await on.text(/^Saved\./).waitFor();
  await on.tab("floors");
  await on.goTo(2);
  await on.button("Edit").click();
  await on.button("Add key").click();
  await on.page.keyboard.type("draft of alice");
  await on.page.keyboard.press("Enter");
  await on.page.keyboard.press("Escape");
  await on.text("1 edit").waitFor();

  const client = clientOf("alice");
  const { stories } = await client("get", "/api/v1/stories");
  const [{ story, refs }] = stories as [typeof stories[0]];
  const ref = refs[0]!;
  const at = { params: { path: { story, ref: ref.ref, floor: 2 } } };
  const { page } = await client("get", "/api/v1/stories/{story}/refs/{ref}/floors/{floor}", at);
  const { snapshots } = await client("get", "/api/v1/snapshots");
  hers = { story, ref: ref.ref, page, chat: ref.chat ?? "", snapshot: snapshots[0]!.snapshot, archive: await archiveOf(story) };
  assert.match(hers.archive, /pearl/);
  for (const [method, path] of requestsFor(hers)) if (method === "GET") assert.equal((await raw(method, path)).status, 200, `alice may ${path}`);
  await logOut();
});

scenario(() => stage, "bob sees nothing of it: stories, drafts, snapshots, template, settings of the machine", async () => {
  await logIn("bob");
  await stage.importCard(card);
  await play("She says nothing. @.ADD(\"Aria.trust\", 1);");
  assert.equal(await on.text("1 edit").count(), 0, "alice's draft");
  assert.ok(await on.button("Edit").isEnabled());
  const seen: string[] = [await on.root.innerText()];
  await on.tab("snapshots");
  await on.text("No snapshots yet.").waitFor();
  await on.button("New").first().click();
  assert.equal(await on.dialog.getByLabel("Label (required)").inputValue(), "", "alice's draft of a snapshot");
  await on.page.keyboard.press("Escape");
  await on.tab("template");
  await on.text("No template yet.").waitFor();
  seen.push(await on.root.innerText());
  await seesNoMachine();
  seen.push(await on.root.innerText());
  for (const text of seen) assert.doesNotMatch(text, /alice|pearl/);
});

scenario(() => stage, "raw requests of bob's session for what is alice's are answered as if it did not exist", async () => {
  const { story, ref, chat, snapshot } = hers;
  // An owner that a page names is not the owner.
  for (const headers of [{}, { "X-Storeyline-Owner": "host-alice" }, { "X-Storeyline-Owner": "local" }] as Record<string, string>[]) {
    for (const [method, path, body] of requestsFor(hers)) {
      const { status, text } = await raw(method, path, body, headers);
      assert.equal(status, 404, `${method} ${path} ${JSON.stringify(headers)}: ${status} ${text.slice(0, 200)}`);
      assert.doesNotMatch(text, /pearl|of alice/, path);
    }
  }
  // Lists and searches know only what is bob's.
  for (const path of ["/v1/stories", "/v1/snapshots", "/v1/templates", "/v1/search?text=whispers", "/v1/search?q=whispers", "/v1/changes?wait=0", "/v1/stats", "/v1/cards/consents", "/v1/tokens"]) {
    const { text } = await raw("GET", path);
    for (const secret of [story, ref, snapshot, chat, "whispers a secret", "pearl", "of alice"]) assert.ok(!text.includes(secret), `${path} tells ${secret}`);
  }
  // A new snapshot under alice's id, and bob's chat under the id of alice's, are bob's own.
  await raw("PUT", `/v1/snapshots/${snapshot}`, { name: "of bob", description: "", tags: [], state: {} });
  const opened = await raw("POST", "/v1/chats", { chat, file: "stolen", owner: "Aria.png", names: { user: "Bob", char: "Aria" }, cards: [] });
  assert.ok(!opened.text.includes(story) && !opened.text.includes("pearl"), opened.text.slice(0, 300));
  // What concerns the machine is refused.
  for (const [method, path, body] of [["POST", "/v1/backup", {}], ["PUT", "/v1/search/index", { on: true }], ["POST", "/v1/search/index", { on: true }], ["POST", "/v1/links", {}]] as const) {
    const { status } = await raw(method, path, body);
    assert.ok(status === 403 || status === 404 || status === 405, `${method} ${path}: ${status}`);
  }
  assert.equal(await archiveOf(story), hers.archive, "nothing of alice's story has changed");
  const kept = await clientOf("alice")("get", "/api/v1/snapshots/{snapshot}", { params: { path: { snapshot } } });
  assert.deepEqual({ name: kept.name, secret: (kept.state as JsonObject)["alice"] }, { name: "of alice", secret: { secret: "pearl" } });
});

scenario(() => stage, "alice comes back: her drafts, her snapshot and her story are there", async () => {
  await logOut();
  await logIn("alice");
  await stage.page.openCard(card.name);
  await new Drawer(stage.page).open();
  await on.text("1 edit").waitFor();
  await on.row("draft of alice").waitFor();
  await on.button("Discard").click();
  await on.row("secret").waitFor();
  await on.tab("snapshots");
  await until("her snapshot alone", async () => assert.deepEqual(await on.root.locator(".sl-rows .sl-name").allInnerTexts(), ["of alice"]));
  await on.button("New").click();
  await on.text("What was not saved last time is here.", on.dialog).waitFor();
  assert.equal(await on.dialog.getByLabel("Label (required)").inputValue(), "draft of alice");
});
