import { describe, expect, it } from 'vitest';
import cases from '../../../../../corpus/cards/on.json';
import { cardIsOn } from './card';

describe('cardIsOn', () => {
  it.each(cases as { name: string; field?: unknown; on: boolean; alone: boolean }[])('$name', ({ field, on, alone }) => {
    expect(cardIsOn(field, on)).toBe(on);
    expect(cardIsOn(field)).toBe(alone);
  });
});
