// Random play in the real host. A short walk here; `cargo xtask soak --host N --seed S` makes longer ones.

import { after, before } from "node:test";
import type { Card } from "../src/card.ts";
import { Random } from "../src/random.ts";
import { scenario, Stage } from "../src/stage.ts";
import { Walker } from "../src/walker.ts";

const gestures = Number(process.env.STOREYLINE_SOAK_GESTURES ?? 25);
const seed = Number(process.env.STOREYLINE_SOAK_SEED ?? 1);
const card: Card = { name: "Wanda", template: { 角色: { 金币: 0 } }, greetings: ['Hello. @.ADD("角色.金币", 1);'] };

let stage: Stage;
before(async () => {
  stage = await Stage.start();
  await stage.importCard(card);
});
after(() => stage?.stop());

scenario(() => stage, `${gestures} random gestures from seed ${seed}`, async () => {
  const walker = new Walker(stage, card, new Random(seed));
  try {
    await walker.start();
    for (let count = 0; count < gestures; count++) {
      await stage.page.streaming(count % 2 === 0);
      await walker.step();
      if (gestures > 100 && count % 25 === 24) console.log(`${count + 1} gestures, 0 mismatches`);
    }
    await walker.finish();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`seed ${seed}:\n${walker.log.slice(-12).join("\n")}\n${message}`, { cause: error });
  }
});
