import { describe, expect, it } from 'vitest';
import type { JsonObject } from 'storeyline-client';
import { allEntries, difference, duplicate, entriesOf, matches, mergedEdit, entryOf, moved, newDefinition, only, problemOf, put, readLibrary, reverted, roughTokens, sameName, stepsOf, switched, switchedBuiltin, isBuiltinOff, withSteps, without, writeLibrary, type Library } from './logic';

const active = (id: string, order = 0): JsonObject => ({ id, name: id, type: 'active', enabled: true, order, executor: 'x' });
const passive = (id: string, timing: string, order = 0): JsonObject => ({ ...active(id, order), type: 'passive', timing });
const rule = (id: string): JsonObject => ({ id, name: id, enabled: true, trigger: 'after_parse', actions: [] });

const LIBRARY: Library = {
  functions: [active('A', 10), passive('B', 'before_active', 5), active('C', 20), passive('D', 'after_active'), active('E', 10)],
  rules: [rule('R')],
  off: ['UNSET'],
};
const names = (library: Library, group: Parameters<typeof entriesOf>[1]): string[] => entriesOf(library, group).map((entry) => entry.name);

describe('the list', () => {
  it('is grouped by when things run, in their order, ties by place', () => {
    expect([names(LIBRARY, 'before'), names(LIBRARY, 'calls'), names(LIBRARY, 'after'), names(LIBRARY, 'rules')]).toEqual([['B'], ['A', 'E', 'C'], ['D'], ['R']]);
  });
  it('survives reading and writing, and reads nonsense as empty', () => {
    expect(readLibrary(writeLibrary(LIBRARY))).toEqual(LIBRARY);
    expect(readLibrary('x')).toEqual({ functions: [], rules: [], off: [] });
    expect(readLibrary({ functions: [1, { name: 'a' }], off: [1, 'x'] })).toEqual({ functions: [{ name: 'a' }], rules: [], off: ['x'] });
  });
  it('is searched in names, words and code', () => {
    const entry = entryOf({ ...active('Heal'), description: 'refill hp', executor: 'snapshot.hp = 100' });
    expect([matches(entry, 'heal HP'), matches(entry, 'snapshot'), matches(entry, 'gold')]).toEqual([true, true, false]);
  });
});

describe('moving', () => {
  it('puts an entry between its neighbours', () => {
    expect(names(moved(LIBRARY, 'C', 'calls', 'A'), 'calls')).toEqual(['C', 'A', 'E']);
    expect(names(moved(LIBRARY, 'A', 'calls', null), 'calls')).toEqual(['E', 'C', 'A']);
    expect(entriesOf(moved(LIBRARY, 'A', 'calls', 'C'), 'calls').map((entry) => entry.order)).toEqual([10, 15, 20]);
  });
  it('numbers a group anew where there is no room', () => {
    const next = moved(LIBRARY, 'C', 'calls', 'E');
    expect([names(next, 'calls'), entriesOf(next, 'calls').map((entry) => entry.order)]).toEqual([['A', 'C', 'E'], [10, 20, 30]]);
  });
  it('into another group changes when it runs', () => {
    const next = moved(LIBRARY, 'A', 'before', null);
    expect(names(next, 'before')).toEqual(['B', 'A']);
    expect(entriesOf(next, 'before')[1]?.definition).toMatchObject({ type: 'passive', timing: 'before_active' });
    expect(names(moved(LIBRARY, 'D', 'calls', null), 'calls')).toContain('D');
  });
  it('leaves a rule a rule, and an unknown id alone', () => {
    expect(moved(LIBRARY, 'R', 'calls', null)).toBe(LIBRARY);
    expect(moved(LIBRARY, 'A', 'rules', null)).toBe(LIBRARY);
    expect(moved(LIBRARY, 'nobody', 'calls', null)).toBe(LIBRARY);
  });
  it('any number of times gives every order, without losing anything', () => {
    let library = LIBRARY;
    let seed = 7;
    const random = (n: number): number => (seed = (seed * 48271) % 2147483647) % n;
    for (let step = 0; step < 300; step++) {
      const all = allEntries(library).filter((entry) => entry.group !== 'rules');
      const entry = all[random(all.length)];
      const group = (['before', 'calls', 'after'] as const)[random(3)];
      const others = entriesOf(library, group ?? 'calls').filter((one) => one.id !== entry?.id);
      const before = others[random(others.length + 1)]?.id ?? null;
      library = moved(library, entry?.id ?? '', group ?? 'calls', before);
      const place = entriesOf(library, group ?? 'calls').map((one) => one.id);
      expect(place[place.indexOf(entry?.id ?? '') + 1] ?? null).toBe(before);
    }
    expect(allEntries(library).map((entry) => entry.id).sort()).toEqual(['A', 'B', 'C', 'D', 'E', 'R']);
  });
});

describe('changes', () => {
  it('put, take out, pick, switch and copy', () => {
    expect(put(LIBRARY, { ...active('C'), name: 'new' }).functions[2]?.['name']).toBe('new');
    expect(put(LIBRARY, active('Z')).functions).toHaveLength(6);
    expect(allEntries(without(LIBRARY, new Set(['A', 'R']))).map((entry) => entry.id)).toEqual(['B', 'E', 'C', 'D']);
    expect(only(LIBRARY, new Set(['A', 'R']))).toEqual({ functions: [active('A', 10)], rules: [rule('R')], off: [] });
    expect(allEntries(switched(LIBRARY, new Set(['A']), false)).filter((entry) => !entry.enabled).map((entry) => entry.id)).toEqual(['A']);
    const copied = allEntries(duplicate(duplicate(LIBRARY, 'A', 'x'), 'A', 'y'));
    expect(copied.filter((entry) => entry.name.startsWith('A')).map(({ name, enabled }) => [name, enabled])).toEqual([['A', true], ['A_2', false], ['A_3', false]]);
  });
  it('switch built-ins by any of their names', () => {
    const off = switchedBuiltin(LIBRARY, 'ASSIGN', ['UPDATE'], false);
    expect([isBuiltinOff(off, 'ASSIGN', ['UPDATE']), isBuiltinOff(LIBRARY, 'unset', []), isBuiltinOff(LIBRARY, 'SET', [])]).toEqual([true, true, false]);
    expect(switchedBuiltin({ ...off, off: ['update'] }, 'ASSIGN', ['UPDATE'], true).off).toEqual([]);
  });
  it('of an edit reach a definition that was switched meanwhile', () => {
    const base = { ...active('A'), pattern: 'p' };
    const { pattern: _, ...edited } = { ...base, executor: 'y' };
    expect(mergedEdit({ ...base, enabled: false }, base, edited)).toEqual({ ...active('A'), enabled: false, executor: 'y' });
  });
  it('are taken back one by one, whatever came after', () => {
    const made = put(LIBRARY, active('N'));
    const edited = put(made, { ...active('C', 20), executor: 'y' });
    const gone = { ...without(edited, new Set(['D'])), off: [] };
    expect(allEntries(reverted(gone, LIBRARY, made)).map((entry) => entry.id).sort()).toEqual(['A', 'B', 'C', 'E', 'R']);
    expect(reverted(gone, made, edited).functions.find((one) => one['id'] === 'C')).toEqual(active('C', 20));
    const back = reverted(put(gone, active('Z')), edited, gone);
    expect([allEntries(back).some((entry) => entry.id === 'D'), allEntries(back).some((entry) => entry.id === 'Z'), back.off]).toEqual([true, true, ['UNSET']]);
    expect(reverted(made, LIBRARY, made)).toEqual(LIBRARY);
  });
  it('are told between two libraries', () => {
    const after = put(put(without(LIBRARY, new Set(['D'])), active('N')), { ...active('C', 20), executor: 'y' });
    const told = difference(LIBRARY, after);
    expect([told.added, told.removed, told.changed.map(({ name }) => name)]).toEqual([['N'], ['D'], ['C']]);
    expect(difference(LIBRARY, LIBRARY)).toEqual({ added: [], removed: [], changed: [] });
  });
});

describe('a definition', () => {
  it('says what it lacks', () => {
    expect(problemOf(newDefinition('active', 'i'), LIBRARY)).toBe('noName');
    expect(problemOf({ ...newDefinition('active', 'i'), name: 'X' }, LIBRARY)).toBe('noCode');
    expect(problemOf({ ...newDefinition('steps', 'i'), name: 'X' }, LIBRARY)).toBe('noSteps');
    expect(problemOf({ ...newDefinition('rule', 'i'), name: 'X' }, LIBRARY)).toBe('noSteps');
    expect(problemOf(active('A'), LIBRARY)).toBeNull();
  });
  it('may not call itself through others', () => {
    const composite = (name: string, calls: string): JsonObject => withSteps({ ...newDefinition('steps', name), name }, [{ function: calls, args: [] }]);
    const library = put(put(LIBRARY, composite('X', 'Y')), composite('Y', 'SET'));
    expect(problemOf(composite('Y', 'SET'), library)).toBeNull();
    expect(problemOf(composite('Y', 'x'), library)).toBe('cycle');
    expect(problemOf(composite('Y', 'Y'), library)).toBe('cycle');
    expect(stepsOf(composite('X', 'Y'))).toEqual([{ function: 'Y', args: [] }]);
  });
  it('shares its name with one of the other scope', () => {
    expect(sameName({ id: 'q', name: 'a', group: 'calls' }, LIBRARY)?.id).toBe('A');
    expect(sameName({ id: 'A', name: 'A', group: 'calls' }, LIBRARY)).toBeNull();
    expect(sameName({ id: 'q', name: 'B', group: 'before' }, LIBRARY)).toBeNull();
  });
  it('has a rough number of tokens', () => {
    expect([roughTokens('你好'), roughTokens('abcdefgh'), roughTokens('')]).toEqual([2, 2, 0]);
  });
});
