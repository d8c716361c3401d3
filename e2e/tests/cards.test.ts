// Cards of other systems start by themselves and play five floors; the model is shown the state under the
// names of that system. A card without our settings is reported once, and its names are gone when it is left.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import { type ForeignCard, foreignCards, writeForeignCard } from "../src/foreign_cards.ts";
import { until } from "../src/poll.ts";
import { scenario, Stage } from "../src/stage.ts";

let stage: Stage;
before(async () => {
  stage = await Stage.start();
  // The host asks whether to import the book in a card, sooner or later; many players do not.
  const question = stage.page.page.locator("dialog[open]", { hasText: /lorebook/i });
  await stage.page.page.addLocatorHandler(question, () => question.locator(".popup-button-cancel").click());
});
after(() => stage?.stop());

for (const card of foreignCards) {
  scenario(() => stage, `a card of ${card.profile}`, async () => {
    const { page, llm, engine } = stage;
    await page.importCard(writeForeignCard(card, stage.host.folder), card.name);
    await stateIs(card, card.shows[0]);
    for (const [index, reply] of card.replies.entries()) {
      llm.will(reply);
      await page.send(`Turn ${index}`);
      assert.equal(shown(llm.lastPrompt()), card.shows[index], `the prompt of reply ${index}`);
    }
    await stateIs(card, card.shows[card.replies.length]);
    const chat = await page.chat();
    assert.equal(chat.messages.length, 5);
    const ref = await engine.refOf(chat.metadata.storeyline?.chat ?? "");
    const story = (await engine.stories()).find((one) => one.story === ref.story);
    assert.equal(story?.profile, card.profile);
    if (!card.extensions) {
      await until("the player is told that the card was turned on", async () => {
        assert.match((await page.toasts()).join("\n"), new RegExp(`conventions in "${card.name}"`));
      });
    }
  });
}

scenario(() => stage, "what MVU's scripts use", async () => {
  const { page, llm } = stage;
  await page.openCard("Mvu");
  const chat = await page.chat();
  assert.ok(chat.messages[4].mes.endsWith("<StatusPlaceHolderImpl/>"), "cards draw their status bar at this mark");
  assert.ok(!llm.requests.some((request) => JSON.stringify(request).includes("StatusPlaceHolderImpl")), "the model does not read it");
  await until("the state can be read", async () => {
    const read = await inPage("JSON.stringify(Mvu.getMvuData({ type: 'message', message_id: 'latest' }).stat_data)");
    assert.equal(read, '{"主角":{"姓名":"林舟","金币":20,"$秘密":1}}');
  });
  assert.equal(await inPage("JSON.stringify(Mvu.getMvuData({ type: 'message', message_id: 3 }).stat_data.主角.金币)"), "15");
  const parsed = await inPage("Mvu.parseMessage(\"_.set('主角.金币', 1);\", Mvu.getMvuData()).then((data) => JSON.stringify(data.stat_data.主角.金币))");
  assert.equal(parsed, "1");
  const heard = await inPage(`new Promise((resolve) => {
    const { eventSource } = SillyTavern.getContext();
    eventSource.once('mag_variable_update_ended', (now, before) => resolve(JSON.stringify([before.stat_data.主角.金币, now.stat_data.主角.金币])));
    const data = Mvu.getMvuData();
    data.stat_data.主角.金币 = 500;
    void Mvu.replaceMvuData(data, { type: 'message', message_id: 'latest' });
  })`);
  assert.equal(heard, "[20,500]", "what a script writes is a correction by hand, and told");
  llm.will("好。");
  await page.send("Turn 2");
  assert.match(shown(llm.lastPrompt()), /GOLD=500;/);
  // Many cards have a script that corrects what the model made of the state.
  await inPage(`void SillyTavern.getContext().eventSource.on('mag_variable_update_ended', (now) => {
    now.stat_data.主角.金币 = Math.min(now.stat_data.主角.金币, 510);
  })`);
  llm.will("_.add('主角.金币', 100);//赏");
  await page.send("Turn 3");
  await until("the script's limit counts", async () => {
    assert.equal(await inPage("JSON.stringify(Mvu.getMvuData().stat_data.主角.金币)"), "510");
  });
  llm.will("好。");
  await page.send("Turn 4");
  assert.match(shown(llm.lastPrompt()), /GOLD=510;/);
  await page.openCard("Varsystem");
  await until("the names of MVU are gone", async () => assert.equal(await inPage("typeof Mvu"), "undefined"));
});

async function stateIs(card: ForeignCard, text: string): Promise<void> {
  await until(`the state of ${card.name} is there`, async () => {
    const resolved = await inPage(`SillyTavern.getContext().substituteParams(${JSON.stringify(card.description)})`);
    assert.equal(resolved, text);
  });
}

function inPage(script: string): Promise<string> {
  return stage.page.page.evaluate(script);
}

function shown(prompt: string): string {
  return /(GOLD|HULL)=[\s\S]*?#END/.exec(prompt)?.[0] ?? "(no state in the prompt)";
}
