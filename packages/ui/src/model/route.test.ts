import { expect, test } from 'vitest';
import { NOWHERE, readRoute, writeRoute } from './route';

const story = '0b9ad2de-6f0c-4c0e-9d9f-1a2b3c4d5e6f';
const ref = '7c1de2f4-0000-4000-8000-000000000001';

test('every place has an address that leads back to it', () => {
  const places = [
    NOWHERE,
    { ...NOWHERE, story },
    { ...NOWHERE, story, ref, tab: 'template' as const },
    { ...NOWHERE, story, ref, floor: 0 },
    { ...NOWHERE, story, ref, floor: 128, page: 2, tab: 'settings' as const },
  ];
  for (const place of places) expect(readRoute(writeRoute(place))).toEqual(place);
  expect(writeRoute({ ...NOWHERE, story, ref, floor: 128, page: 2 })).toBe(`#/story/${story}/${ref}/floor/128?page=2`);
});

test('what makes no sense is left out, the rest is kept', () => {
  expect(readRoute('')).toEqual(NOWHERE);
  expect(readRoute('#/story/../../etc')).toEqual(NOWHERE);
  expect(readRoute(`#/story/${story}/nonsense/floor/3`)).toEqual({ ...NOWHERE, story });
  expect(readRoute(`#/story/${story}/${ref}/floor/-1?page=2`)).toEqual({ ...NOWHERE, story, ref });
  expect(readRoute(`#/story/${story}/${ref}/floor/5?page=0`)).toEqual({ ...NOWHERE, story, ref, floor: 5 });
});
