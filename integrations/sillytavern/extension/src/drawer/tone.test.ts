import { expect, test } from 'vitest';
import { contrast, hue, over, paint, readColour } from './tone';

test('colours are read as the browser computes them', () => {
  expect(readColour('rgb(1, 2, 3)')).toEqual({ r: 1, g: 2, b: 3, a: 1 });
  expect(readColour('rgba(23, 23, 23, 0.9)')).toEqual({ r: 23, g: 23, b: 23, a: 0.9 });
  expect(readColour('color(srgb 1 0.5 0 / 0.5)')).toEqual({ r: 255, g: 127.5, b: 0, a: 0.5 });
  expect(readColour('')).toBeNull();
  expect(readColour('oklch(0.5 0.1 20)')).toBeNull();
});

test('a translucent panel is laid over the page', () => {
  expect(over({ r: 255, g: 255, b: 255, a: 0.5 }, { r: 0, g: 0, b: 0, a: 1 })).toEqual({ r: 128, g: 128, b: 128, a: 1 });
  expect(paint('rgba(255, 255, 255, 0.1)', 'rgb(20, 20, 20)', '', '').tone).toBe('dark');
  expect(paint('rgba(255, 255, 255, 0.9)', 'rgb(20, 20, 20)', '', '').tone).toBe('light');
  expect(paint('rgba(0, 0, 0, 0)', 'rgb(250, 250, 250)', '', '')).toMatchObject({ tone: 'light', panel: 'rgb(250 250 250)' });
});

test('an accent that looks like a mark of change, or cannot be seen, is not used', () => {
  expect(paint('rgb(23, 23, 23)', 'rgb(0, 0, 0)', '', 'rgb(225, 138, 36)').accent).toBeNull();
  expect(paint('rgb(23, 23, 23)', 'rgb(0, 0, 0)', '', 'rgb(255, 90, 80)').accent).toBeNull();
  expect(paint('rgb(23, 23, 23)', 'rgb(0, 0, 0)', '', 'rgb(90, 200, 250)').accent).toBe('rgb(90 200 250)');
  expect(paint('rgb(23, 23, 23)', 'rgb(0, 0, 0)', '', 'rgb(40, 40, 90)').accent).toBeNull();
  expect(paint('rgb(23, 23, 23)', 'rgb(0, 0, 0)', '', 'rgb(200, 205, 205)').accent).toBe('rgb(200 205 205)');
});

test('hue and contrast', () => {
  expect(hue({ r: 255, g: 0, b: 0, a: 1 })).toBe(0);
  expect(hue({ r: 0, g: 0, b: 255, a: 1 })).toBe(240);
  expect(hue({ r: 9, g: 9, b: 9, a: 1 })).toBeNull();
  expect(Math.round(contrast({ r: 0, g: 0, b: 0, a: 1 }, { r: 255, g: 255, b: 255, a: 1 }))).toBe(21);
});

test('dim text is as dim as it can be read on every tint', () => {
  expect(paint('rgb(23, 23, 23)', 'rgb(0, 0, 0)', 'rgb(220, 220, 210)', '').dim).toBe(76);
  const pale = paint('rgb(24, 36, 52)', 'rgb(0, 0, 0)', 'rgb(229, 174, 162)', 'rgb(205, 220, 230)');
  expect(pale.dim).toBeGreaterThan(76);
  expect(paint('rgb(120, 120, 120)', 'rgb(0, 0, 0)', 'rgb(160, 160, 160)', '').dim).toBe(100);
});
