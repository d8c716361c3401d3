import { describe, expect, it } from 'vitest';
import { Refused, type Client, type Json, type JsonObject } from 'storeyline-client';
import { entriesOf, put, switched } from './logic';
import { FunctionsModel } from './model.svelte';

/** An engine that keeps libraries by scope, with their versions. */
class FakeLibraries {
  kept = new Map<string, { library: Json; version: number }>();
  told: string[] = [];
  client = (async (method: string, path: string, { params, body }: { params?: { query?: { card?: string } }; body?: { library: Json; based_on: number } } = {}) => {
    const card = params?.query?.card ?? '';
    const now = this.kept.get(card) ?? { library: { version: '1.0', functions: [] }, version: 0 };
    if (path === '/api/v1/functions') return { functions: [] };
    if (path !== '/api/v1/library') throw new Error(path);
    if (method === 'put' && body) {
      if (body.based_on !== now.version) throw new Refused(409, 'library_moved', { zh: '改过', en: 'moved' });
      this.kept.set(card, { library: body.library, version: now.version + 1 });
      return { version: now.version + 1 };
    }
    return { ...now, carried: null };
  }) as unknown as Client;
}

const heal: JsonObject = { id: 'h', name: 'HEAL', type: 'active', enabled: true, order: 0, executor: 'x' };

async function opened(): Promise<{ engine: FakeLibraries; model: FunctionsModel }> {
  const engine = new FakeLibraries();
  const model = new FunctionsModel(engine.client, async (card) => void engine.told.push(card));
  await model.open('aria.png');
  return { engine, model };
}

describe('the libraries', () => {
  it('are saved by scope, and the host is told of a card', async () => {
    const { engine, model } = await opened();
    await model.save('global', put(model.library('global'), heal));
    expect(engine.told).toEqual([]);
    await model.save('card', put(model.library('card'), heal));
    expect([engine.told, [...engine.kept.keys()]]).toEqual([['aria.png'], ['', 'aria.png']]);
  });

  it('take back one change and leave the next', async () => {
    const { model } = await opened();
    const undo = await model.save('card', put(model.library('card'), heal));
    await model.save('card', put(model.library('card'), { ...heal, id: 'x', name: 'X' }));
    await undo?.();
    expect(entriesOf(model.library('card'), 'calls').map(({ name }) => name)).toEqual(['X']);
  });

  it('that were changed elsewhere are read again, and nothing is overwritten', async () => {
    const { engine, model } = await opened();
    engine.kept.set('aria.png', { library: { functions: [heal] }, version: 7 });
    expect(await model.save('card', switched(model.library('card'), new Set(), true))).toBeNull();
    expect([model.trouble?.message.en, model.library('card').functions.length]).toEqual(['moved', 1]);
    expect(await model.save('card', put(model.library('card'), { ...heal, enabled: false }))).not.toBeNull();
    expect(engine.kept.get('aria.png')?.version).toBe(8);
  });
});
