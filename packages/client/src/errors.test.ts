import { expect, test } from 'vitest';
import { Away, NOT_THE_ENGINE, Refused, errorOf } from './errors.ts';

const message = { zh: '甲', en: 'a' };
const hint = { zh: '乙', en: 'b' };

test('an error of the engine keeps its code, words and hint', () => {
  const error = errorOf(409, { error: { code: 'ref_moved', message, hint } });
  expect(error).toBeInstanceOf(Refused);
  expect(error).toMatchObject({ status: 409, code: 'ref_moved', words: message, hint, message: 'ref_moved: a', unsure: false });
  expect(errorOf(500, { error: { code: 'broken', message, hint } })).toMatchObject({ status: 500, unsure: true });
});

test('a refusal without our shape is still a refusal', () => {
  expect(errorOf(401, 'no')).toMatchObject({ status: 401, code: 'http_401', hint: null });
  expect(errorOf(429, { error: { code: 'too_many' } })).toMatchObject({ code: 'too_many', words: { en: 'The engine answered 429.' } });
});

test('a plugin without its engine, a gateway and a foreign page mean: away', () => {
  expect(errorOf(503, { error: { code: 'engine_away', message, hint } })).toEqual(new Away('engine_away', message, hint));
  expect(errorOf(502, '<html>')).toMatchObject({ code: 'unreachable', unsure: true });
  expect(errorOf(404, 'Not Found')).toEqual(new Away(NOT_THE_ENGINE));
  expect(errorOf(200, '<html>')).toEqual(new Away(NOT_THE_ENGINE));
});
