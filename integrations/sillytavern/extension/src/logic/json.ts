// JSON values, and safe access to them.
import { ExactNumber } from 'storeyline-client';

export type { Json, JsonObject } from 'storeyline-client';

/** Tells whether a value is an object and not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}

/** Sets an own property, also if the key is `__proto__`. */
export function setOwn(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}
