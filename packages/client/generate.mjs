// Makes `src/generated.ts`, the types of the API, from its description. Two things differ from a plain run of
// openapi-typescript: any JSON is our `Json`, whose numbers are exact, and headers are left out, because the
// client sets them by itself.
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const description = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'));
for (const operation of Object.values(description.paths).flatMap(Object.values)) {
  operation.parameters = operation.parameters?.filter((parameter) => parameter.in !== 'header');
}

const reference = (name) => ts.factory.createTypeReferenceNode(name);
const nullable = (type) => ts.factory.createUnionTypeNode([type, ts.factory.createLiteralTypeNode(ts.factory.createNull())]);

/** An object of which the description says nothing else: it holds any JSON. */
function isAnyObject({ type, properties, additionalProperties }) {
  return [type].flat().includes('object') && properties === undefined && (additionalProperties === undefined || additionalProperties === true);
}

function transform(schema, { path }) {
  if (path === '#/components/schemas/Json') return reference('Json');
  if (!isAnyObject(schema)) return undefined;
  return Array.isArray(schema.type) ? nullable(reference('JsonObject')) : reference('JsonObject');
}

const tree = await openapiTS(description, {
  transform,
  alphabetize: true,
  defaultNonNullable: false,
  inject: "import type { Json, JsonObject } from './exact_json.ts';",
});
writeFileSync(new URL('src/generated.ts', import.meta.url), `// Made from docs/openapi.json by generate.mjs. Do not edit.\n${astToString(tree)}`);
