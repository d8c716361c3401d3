// For tests: tells where an answer differs from the description of the API. Fakes and recordings are checked with
// it, so that no test passes on an answer that the engine never gives.
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Schemas } from './types.ts';

type Schema = Record<string, unknown>;

const description = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8')) as {
  components: { schemas: Record<string, Schema> };
};
const { schemas } = description.components;

// Formats (`int64`) are for other readers; numbers are exact here.
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema({ $id: 'api', components: { schemas: closed(schemas) } });
const known = new Map<string, ValidateFunction>();

/** Returns the differences between a value and a schema, as sentences; none if it fits. */
export function differences(schema: keyof Schemas, value: unknown): string[] {
  const validate = known.get(schema) ?? ajv.compile({ $ref: `api#/components/schemas/${schema}` });
  known.set(schema, validate);
  // As on the wire: without what is undefined, and with exact numbers as numbers.
  if (validate(JSON.parse(JSON.stringify(value)))) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => `${schema}${instancePath} ${message} ${JSON.stringify(params)}`);
}

/** Throws if a value is not as the description says. Returns the value. */
export function conforms<Name extends keyof Schemas, Value>(schema: Name, value: Value): Value {
  const found = differences(schema, value);
  if (found.length > 0) throw new Error(found.join('\n'));
  return value;
}

/** The same schemas, in which an object has no fields but those that are named. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (!isSchema(node)) return node;
  if (Array.isArray(node['allOf'])) return closed(joined(node['allOf']));
  const copy = Object.fromEntries(Object.entries(node).flatMap(([key, child]) => (isPattern(key, child) ? [] : [[key, closed(child)]])));
  const open = copy['type'] === 'object' && copy['properties'] !== undefined && copy['additionalProperties'] === undefined;
  return open ? { ...copy, additionalProperties: false } : copy;
}

/** One object with the fields of all parts. */
function joined(parts: unknown[]): Schema {
  const all = parts.filter(isSchema).map((part) => schemas[String(part['$ref']).split('/').at(-1)!] ?? part);
  const required = all.flatMap((part) => (part['required'] as string[] | undefined) ?? []);
  return { type: 'object', required, properties: Object.assign({}, ...all.map((part) => part['properties'])) };
}

/** Ids have patterns; fakes may use names that people read, and nothing here looks into an id. */
function isPattern(key: string, child: unknown): boolean {
  return key === 'pattern' && typeof child === 'string';
}

function isSchema(node: unknown): node is Schema {
  return typeof node === 'object' && node !== null;
}
