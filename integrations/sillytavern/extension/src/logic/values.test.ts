import type { SyncStateOp } from 'storeyline-client';
import { describe, expect, it } from 'vitest';
import { withSwitch } from './card';
import { type Effective, type Situation, effective } from './effective';
import type { Json } from './json';
import { renderPath, renderState, withoutMacros } from './macros';
import { applyOps } from './ops';
import { getPath, parsePath } from './path';

describe('ops', () => {
  const state: Json = { gold: 1, bag: ['key', 'rope'], hero: { name: 'A', hp: 5 } };

  it('set, add and remove, and leave the old state alone', () => {
    const copy = structuredClone(state);
    const ops: SyncStateOp[] = [
      { path: ['gold'], value: 2 }, { path: ['bag', 2], value: 'map' }, { path: ['bag', 0], remove: true },
      { path: ['hero', 'name'], remove: true }, { path: ['hero', 'mood'], value: { now: 'calm' } },
    ];
    expect(applyOps(state, ops)).toEqual({ gold: 2, bag: ['rope', 'map'], hero: { hp: 5, mood: { now: 'calm' } } });
    expect(state).toEqual(copy);
  });

  it('may replace the whole state', () => expect(applyOps(state, [{ path: [], value: [1] }])).toEqual([1]));

  it('that do not fit give nothing, so that the whole state is asked for', () => {
    const misfits: SyncStateOp[] = [
      { path: ['none', 'x'], value: 1 }, { path: ['none'], remove: true }, { path: ['bag', 5], value: 1 }, { path: ['bag', 'x'], value: 1 },
      { path: ['gold', 'x'], value: 1 }, { path: ['bag', 2], remove: true },
    ];
    for (const op of misfits) expect(applyOps(state, [op])).toBeNull();
  });

  it('treat __proto__ as a key like any other', () => {
    const next = applyOps({}, [{ path: ['__proto__'], value: { polluted: true } }]) as object;
    expect(Object.hasOwn(next, '__proto__')).toBe(true);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('paths', () => {
  const state: Json = { 角色: { 金币: 5, 'a.b': 1 }, 'x.y': 'literal', bag: [{ n: 'key' }], x: { y: 'nested' }, empty: null };

  it('are read as lodash does, the literal key first', () => {
    expect(getPath(state, '角色.金币')).toBe(5);
    expect(getPath(state, 'bag[0].n')).toBe('key');
    expect(getPath(state, "角色['a.b']")).toBe(1);
    expect(getPath(state, '["角色"]["金币"]')).toBe(5);
    expect(getPath(state, 'x.y')).toBe('literal');
    expect(getPath(state, 'bag.length')).toBe(1);
  });

  it('miss quietly', () => {
    for (const path of ['none', 'none.deeper', 'bag[9]', 'bag.x', '__proto__', 'constructor.name', 'empty.x', '角色.金币.toFixed']) {
      expect(getPath(state, path)).toBeUndefined();
    }
  });

  it('are split without failing', () => {
    expect(parsePath('a.b[0]["c.d"]')).toEqual(['a', 'b', '0', 'c.d']);
    expect(parsePath('a..b')).toEqual(['a', 'b']);
    expect(parsePath('[')).toEqual([]);
  });
});

describe('macros', () => {
  const state: Json = { text: 'a {{user}} {{{b', list: [1, '{{x}}'], n: 0, no: false, nothing: null };

  it('render text bare, structures as JSON, nothing as nothing', () => {
    expect(renderPath(state, 'n')).toBe('0');
    expect(renderPath(state, 'no')).toBe('false');
    expect(renderPath(state, 'nothing')).toBe('');
    expect(renderPath(state, 'missing')).toBe('');
    expect(renderState(null)).toBe('');
  });

  it('never pass a macro on', () => {
    for (const text of [renderPath(state, 'text'), renderPath(state, 'list'), renderState(state)]) expect(text).not.toContain('{{');
    expect(JSON.parse(renderState(state))).toEqual(state);
    expect(renderPath(state, 'text').replaceAll('\u200b', '')).toBe('a {{user}} {{{b');
  });
});

describe('the chat variable', () => {
  it('holds no macro, and otherwise the state', () => {
    const state: Json = { 'k{{x}}': ['{{{a', { deep: '{{user}} {ok}' }], n: 1, no: null };
    const text = JSON.stringify(withoutMacros(state));
    expect(text).not.toContain('{{');
    expect(JSON.parse(text.replaceAll('\u200b', ''))).toEqual(state);
  });
});

describe('the effective state', () => {
  const base: Situation = { acked: 3, common: 3, floors: 3, pending: false, lastIsUser: false, generation: null, removed: false };
  const cases: [string, Partial<Situation>, Effective['which'], boolean][] = [
    ['reading', {}, 'state', true],
    ['a normal reply', { generation: 'normal' }, 'state', true],
    ['quiet and impersonate', { generation: 'quiet' }, 'state', true],
    ['a swipe', { generation: 'swipe', pending: true }, 'parent', true],
    ['a pending page', { pending: true }, 'parent', true],
    ['continue', { generation: 'continue' }, 'parent', true],
    ['regenerate, old reply still there', { generation: 'regenerate' }, 'parent', true],
    ['regenerate, old reply gone, not yet synced', { generation: 'regenerate', removed: true, floors: 2, common: 2 }, 'parent', true],
    ['regenerate, synced again', { generation: 'regenerate', removed: true, acked: 2, floors: 2, common: 2 }, 'state', true],
    ['regenerate after a user message', { generation: 'regenerate', lastIsUser: true }, 'state', true],
    ['a reply that is not synced yet', { floors: 4 }, 'state', false],
    ['another page of the last floor, not synced yet', { common: 2 }, 'parent', false],
    ['an edited early floor, not synced yet', { common: 1 }, null, false],
    ['a swipe on the first floor', { acked: 1, common: 1, floors: 1, generation: 'swipe', pending: true }, 'parent', true],
  ];
  it.each(cases)('for %s', (_name, change, which, exact) => {
    expect(effective({ ...base, ...change })).toMatchObject({ which, exact });
  });
});

describe('cards', () => {
  it('keep their other fields when switched', () => {
    expect(withSwitch({ templateBody: { a: 1 }, functions: [] }, false)).toEqual({ templateBody: { a: 1 }, functions: [], enabled: false });
    expect(withSwitch(undefined, true)).toEqual({ enabled: true });
  });
});
