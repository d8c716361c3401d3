// Tests the checker: the extension as it is must pass the short scenario; every mutant must fail it at the
// expected step. One host and one browser serve all; each mutant is built, installed and loaded by a reload
// of the page.

import assert from "node:assert/strict";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Stage } from "../src/stage.ts";
import { build } from "./build.ts";
import { type Mutant, mutants } from "./mutants.ts";
import { play, several, single } from "./scenario.ts";

/** Long enough for the host's delayed saves; the correct extension must pass with it, too. */
const patience = 8_000;

let stage: Stage;
before(async () => {
  stage = await Stage.start();
  await stage.importCard(several);
  await stage.importCard(single);
});
after(() => stage?.stop());

void test("the extension as it is passes", async () => {
  await load([]);
  await play(stage, patience, "sound");
});

for (const mutant of mutants) {
  void test(`caught: ${mutant.name}`, async () => {
    await load(mutant.changes);
    await assert.rejects(play(stage, patience, mutant.name), (error: Error) => {
      assert.match(error.message.split("\n")[0], /^step "/, "the failure must come from the checker");
      assert.match(error.message.split("\n")[0], mutant.failsAt);
      return true;
    });
  });
}

async function load(changes: Mutant["changes"]): Promise<void> {
  const place = join(stage.host.serverFolder, "public", "scripts", "extensions", "third-party", "storeyline");
  rmSync(place, { recursive: true });
  cpSync(build(changes), place, { recursive: true });
  await stage.page.reload();
}
