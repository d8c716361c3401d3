import { describe, expect, it } from 'vitest';
import { bindNew } from './binding';
import { FakeChat } from './fake-chat';
import { KEY } from './message';
import { uuid5 } from './uuid';

/** A chat with a greeting, a user message and one reply, all bound. */
function started(): { fake: FakeChat; reply: ReturnType<FakeChat['reply']> } {
  const fake = new FakeChat();
  fake.greet('Hello {{user}}');
  fake.bind(true);
  fake.user('hi');
  fake.bind();
  const reply = fake.reply('@.SET("gold", 1);');
  fake.bind();
  expect(fake.violations()).toEqual([]);
  return { fake, reply };
}

describe('binding', () => {
  it('writes nothing the second time', () => {
    const { fake } = started();
    expect(fake.bind()).toBe(false);
  });

  it.each([true, false])('gives a new swipe an id of its own, although the host lets it inherit one (streaming %s)', (streaming) => {
    const { fake, reply } = started();
    const first = fake.id(2, 0);
    fake.overSwipe(reply);
    fake.bind();
    expect(reply.extra![KEY]).toBeUndefined();
    fake.finishSwipe(reply, 'another', streaming);
    fake.bind();
    if (!streaming) reply.swipe_info!.push({ extra: structuredClone(reply.extra!) });
    fake.bind();
    expect(fake.violations()).toEqual([]);
    expect(fake.id(2, 0)).toBe(first);
    expect(fake.id(2, 1)).not.toBe(first);
    fake.swipeTo(reply, 0);
    fake.bind();
    expect(fake.id(2)).toBe(first);
  });

  it('gives a new swipe its own id even when nobody saw it pending', () => {
    const { fake, reply } = started();
    const first = fake.id(2, 0);
    fake.overSwipe(reply);
    fake.finishSwipe(reply, 'another', true);
    fake.bind();
    expect(fake.violations()).toEqual([]);
    expect(fake.id(2, 0)).toBe(first);
  });

  it('gives a new swipe with the same text its own id', () => {
    const { fake, reply } = started();
    const first = fake.id(2, 0);
    fake.overSwipe(reply);
    fake.finishSwipe(reply, reply.swipes![0]!, true);
    fake.bind();
    expect(fake.violations()).toEqual([]);
    expect(fake.id(2, 0)).toBe(first);
  });

  it('keeps the id through edit and continue, and renews the hash', () => {
    const { fake, reply } = started();
    const id = fake.id(2);
    fake.continue(reply, ' and more');
    expect(fake.bind()).toBe(true);
    fake.edit(reply, 'edited');
    expect(fake.bind()).toBe(true);
    expect(fake.id(2)).toBe(id);
    expect(fake.violations()).toEqual([]);
  });

  it('keeps the mark of a page that does not count, and does not give it to a new swipe', () => {
    const { fake, reply } = started();
    Object.assign(reply.extra![KEY] as object, { valid: false });
    fake.edit(reply, 'edited');
    fake.bind();
    expect(reply.extra![KEY]).toMatchObject({ id: fake.id(2, 0), valid: false });
    fake.overSwipe(reply);
    fake.finishSwipe(reply, 'another', true);
    fake.bind();
    expect(reply.extra![KEY]).not.toHaveProperty('valid');
    expect(fake.violations()).toEqual([]);
  });

  it('keeps the id of the older page when it was edited and swiped while nobody looked', () => {
    const { fake, reply } = started();
    const id = fake.id(2);
    fake.edit(reply, 'edited');
    fake.overSwipe(reply);
    fake.finishSwipe(reply, 'another', true);
    fake.bind();
    expect(fake.id(2, 0)).toBe(id);
    expect(fake.violations()).toEqual([]);
  });

  it('leaves a message alone between the two steps of deleting its active swipe', () => {
    const { fake, reply } = started();
    fake.overSwipe(reply);
    fake.bind();
    fake.finishSwipe(reply, 'second', true);
    fake.bind();
    const survivor = fake.id(2, 0);
    const finish = fake.deleteSwipe(reply, 1);
    fake.bind();
    finish();
    fake.bind();
    expect(fake.id(2)).toBe(survivor);
    expect(fake.violations()).toEqual([]);
  });

  it('moves ids with their pages when another swipe is deleted', () => {
    const { fake, reply } = started();
    fake.overSwipe(reply);
    fake.bind();
    fake.finishSwipe(reply, 'second', true);
    fake.bind();
    const second = fake.id(2, 1);
    fake.deleteSwipe(reply, 0)();
    fake.bind();
    expect(fake.id(2, 0)).toBe(second);
    expect(fake.violations()).toEqual([]);
  });

  it('repairs a reply with three pages that are clones of one', () => {
    const { fake, reply } = started();
    const id = fake.id(2);
    for (const text of ['b', 'b']) {
      reply.swipes!.push(text);
      reply.swipe_info!.push({ extra: structuredClone(reply.extra!) });
    }
    fake.bind();
    expect(fake.id(2, 0)).toBe(id);
    expect(fake.violations()).toEqual([]);
  });

  it('gives a duplicated message ids of its own, on every page', () => {
    const { fake, reply } = started();
    fake.overSwipe(reply);
    fake.bind();
    fake.finishSwipe(reply, 'second', true);
    fake.bind();
    const before = [fake.id(2, 0), fake.id(2, 1)];
    fake.chat.push(structuredClone(reply));
    fake.bind();
    expect([fake.id(2, 0), fake.id(2, 1)]).toEqual(before);
    expect(fake.violations()).toEqual([]);
  });

  it('lets the later of two equal ids keep it when only its hash fits', () => {
    const { fake, reply } = started();
    const id = fake.id(2);
    const copy = structuredClone(reply);
    reply.mes = reply.swipes![0] = 'overwritten by another extension';
    fake.chat.push(copy);
    fake.bind();
    expect(fake.id(3)).toBe(id);
    expect(fake.id(2)).not.toBe(id);
  });

  it('keeps ids when messages are moved', () => {
    const { fake } = started();
    const ids = [fake.id(1), fake.id(2)];
    fake.chat.splice(1, 2, fake.chat[2]!, fake.chat[1]!);
    expect(fake.bind()).toBe(false);
    expect([fake.id(2), fake.id(1)]).toEqual(ids);
  });

  it('takes what was loaded as it is when a chat is opened in between', () => {
    const { fake, reply } = started();
    const id = fake.id(2);
    reply.swipe_info![0]!.extra = { [KEY]: { id: '99999999-9999-4999-8999-999999999999', h: 'x' } };
    fake.bind();
    expect(reply.swipe_info![0]!.extra![KEY]).toMatchObject({ h: 'x' });
    fake.bind(true);
    expect(fake.id(2, 0)).toBe(id);
    expect(fake.violations()).toEqual([]);
  });

  it('fills in missing swipe_info of old files', () => {
    const { fake, reply } = started();
    reply.swipes!.push('old page');
    delete reply.swipe_info;
    fake.bind(true);
    expect(fake.violations()).toEqual([]);
  });
});

describe('a pristine greeting', () => {
  it('has the id of its raw text in this chat', () => {
    const fake = new FakeChat();
    const greeting = fake.greet('A {{user}}', 'B {{user}}');
    fake.bind(true);
    expect(fake.id(0, 0)).toBe(uuid5(fake.facts.chatUid!, 'A {{user}}'));
    expect(fake.id(0, 1)).toBe(uuid5(fake.facts.chatUid!, 'B {{user}}'));
    fake.swipeTo(greeting, 1);
    fake.bind();
    expect(fake.id(0)).toBe(uuid5(fake.facts.chatUid!, 'B {{user}}'));
    expect(fake.violations()).toEqual([]);
  });

  it('gets the same ids back when the host makes it again', () => {
    const fake = new FakeChat();
    fake.greet('A {{user}}', 'B');
    fake.bind(true);
    const ids = [fake.id(0, 0), fake.id(0, 1)];
    fake.greet('A {{user}}', 'B');
    fake.bind();
    expect([fake.id(0, 0), fake.id(0, 1)]).toEqual(ids);
  });

  it('takes its raw text from the card when it is the only one', () => {
    const fake = new FakeChat();
    const greeting = fake.greet('Hello {{user}}');
    Object.assign(greeting, { swipe_id: 0, swipes: [greeting.mes], swipe_info: [{ extra: {} }] });
    fake.bind(true);
    expect(fake.id(0)).toBe(uuid5(fake.facts.chatUid!, 'Hello {{user}}'));
  });

  it('tells two equal greetings apart', () => {
    const fake = new FakeChat();
    fake.greet('same', 'same', 'same');
    fake.bind(true);
    expect(fake.id(0, 1)).toBe(uuid5(fake.facts.chatUid!, 'same\u00001'));
    expect(fake.violations()).toEqual([]);
  });

  it('keeps its id after the first message, when its text is resolved for good', () => {
    const fake = new FakeChat();
    fake.greet('A {{user}}', 'B');
    fake.bind(true);
    const id = fake.id(0);
    fake.user('hi');
    fake.bind();
    expect(fake.id(0)).toBe(id);
    expect(fake.violations()).toEqual([]);
  });

  it('is not assumed on floor 0 of a chat that was played, nor in a group, and waits for the chat uid', () => {
    const played = new FakeChat();
    played.greet('A');
    played.facts.tainted = true;
    played.bind();
    expect(played.id(0)).not.toBe(uuid5(played.facts.chatUid!, 'A'));

    const group = new FakeChat();
    group.greet('A');
    Object.assign(group.facts, { group: true, chatUid: null });
    group.bind();
    expect(group.violations()).toEqual([]);

    const unknown = new FakeChat();
    unknown.greet('A');
    unknown.facts.chatUid = null;
    expect(unknown.bind()).toBe(false);
  });
});

it('messages without any id get theirs one by one, and nothing is left for the pass over the whole chat', async () => {
  const { fake, reply } = started();
  fake.user('more');
  const swiped = fake.reply('one');
  fake.overSwipe(swiped);
  fake.finishSwipe(swiped, 'two', true);
  const ids = [0, 1, 2].map((floor) => fake.id(floor));
  expect(await bindNew(fake.chat, () => true)).toBe(true);
  expect([0, 1, 2].map((floor) => fake.id(floor))).toEqual(ids);
  expect(fake.violations()).toEqual([]);
  expect(fake.bind()).toBe(false);
  fake.overSwipe(reply);
  expect(await bindNew(fake.chat, () => true)).toBe(false);
});
