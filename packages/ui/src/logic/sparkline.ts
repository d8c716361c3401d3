// A line through the numbers that a value had, for a small picture of its history.
import { ExactNumber, type ValueChange } from 'storeyline-client';

export interface Point {
  x: number;
  y: number;
}

/**
 * The corners of a stepped line from the first to the last change, inside `width` × `height`; null if the value was not
 * a number all the time or changed less than twice.
 */
export function sparkline(changes: readonly ValueChange[], last: number, width: number, height: number): Point[] | null {
  const numbers = changes.map(({ floor, after }) => ({ floor, value: numberOf(after) }));
  if (numbers.length < 2 || numbers.some(({ value }) => value === null)) return null;
  const values = numbers.map(({ value }) => value ?? 0);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const first = numbers[0]?.floor ?? 0;
  const x = (floor: number): number => (width * (floor - first)) / Math.max(1, last - first);
  const y = (value: number): number => (high === low ? height / 2 : height - (height * (value - low)) / (high - low));
  const points: Point[] = [];
  numbers.forEach(({ floor, value }, index) => {
    const before = values[index - 1];
    if (before !== undefined) points.push({ x: x(floor), y: y(before) });
    points.push({ x: x(floor), y: y(value ?? 0) });
  });
  points.push({ x: width, y: y(values.at(-1) ?? 0) });
  return points;
}

function numberOf(value: unknown): number | null {
  const number = value instanceof ExactNumber ? Number(value.text) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}
