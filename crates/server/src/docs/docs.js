// Shows the description of the API. Nothing is fetched from elsewhere.
const api = await (await fetch('/docs/openapi.json')).json();
const chinese = navigator.language.startsWith('zh');
const say = (zh, en) => (chinese ? zh : en);
document.documentElement.lang = chinese ? 'zh' : 'en';

function make(tag, properties = {}, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children.filter((child) => child !== null));
  return node;
}

const named = (schema) => schema?.$ref?.split('/').pop();
const resolve = (schema) => (schema?.$ref ? api.components.schemas[named(schema)] : schema) ?? {};

function typeOf(schema) {
  if (named(schema)) return named(schema);
  if (schema.oneOf) return schema.oneOf.map(typeOf).join(' | ');
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const types = [schema.type ?? say('任意', 'any')].flat();
  return types.map((type) => (type === 'array' ? `${typeOf(schema.items ?? {})}[]` : type)).join(' | ');
}

// The fields of a schema; one that stands in itself is shown once.
function fields(schema, above = []) {
  const name = named(schema);
  if (name && above.includes(name)) return null;
  const own = resolve(schema);
  const inside = name ? [...above, name] : above;
  if (own.oneOf) return make('ul', {}, ...own.oneOf.filter((one) => one.type !== 'null').map((one) => make('li', {}, make('code', {}, kindOf(one)), words(one), fields(one, inside) ?? '')));
  if (own.type === 'array' || own.type?.includes?.('array')) return fields(own.items ?? {}, inside);
  if (own.allOf) return make('ul', {}, ...own.allOf.map((part) => make('li', {}, fields(part, inside) ?? '')));
  if (!own.properties) return null;
  const rows = Object.entries(own.properties).map(([key, value]) =>
    make('li', {}, make('code', {}, key), make('i', {}, ` ${typeOf(value)}${own.required?.includes(key) ? '' : ' ?'}`), words(value), fields(value, inside) ?? ''));
  return make('ul', {}, ...rows);
}

const kindOf = (schema) => named(schema) ?? resolve(schema).properties?.kind?.enum?.[0] ?? resolve(schema).properties?.op?.enum?.[0] ?? typeOf(schema);
const words = (schema) => (schema.description ? make('p', {}, schema.description) : '');

function content(title, body) {
  const parts = Object.entries(body?.content ?? {});
  return parts.flatMap(([type, { schema }]) => [make('h3', {}, `${title} · ${type} · ${typeOf(schema ?? {})}`), fields(schema ?? {}) ?? '']);
}

function operation(path, method, about) {
  const parameters = (about.parameters ?? []).filter((parameter) => parameter.in !== 'header');
  const shown = parameters.map((parameter) => make('li', {}, make('code', {}, parameter.name), make('i', {}, ` ${parameter.in} · ${typeOf(parameter.schema)}${parameter.required ? '' : ' ?'}`), words(parameter)));
  const answers = Object.entries(about.responses).filter(([status]) => status !== 'default').flatMap(([status, response]) => content(`${say('应答', 'answer')} ${status}`, response));
  return make('details', { id: about.operationId },
    make('summary', {}, make('b', { className: `method ${method}` }, method), make('code', {}, path), make('span', {}, about.summary ?? '')),
    make('div', { className: 'inside' },
      about.description ? make('p', {}, about.description) : null,
      shown.length ? make('h3', {}, say('参数', 'parameters')) : null, make('ul', {}, ...shown),
      ...content(say('请求', 'body'), about.requestBody), ...answers));
}

const groups = new Map();
for (const [path, item] of Object.entries(api.paths)) {
  for (const [method, about] of Object.entries(item)) {
    const tag = about.tags?.[0] ?? '';
    groups.set(tag, [...(groups.get(tag) ?? []), operation(path, method.toUpperCase(), about)]);
  }
}
const all = document.getElementById('all');
for (const [tag, list] of [...groups].sort(([one], [other]) => one.localeCompare(other))) all.append(make('section', {}, make('h2', {}, tag), ...list));

const open = () => { const node = document.getElementById(location.hash.slice(1)); if (node) { node.open = true; node.scrollIntoView(); } };
addEventListener('hashchange', open);
open();
document.getElementById('find').addEventListener('input', ({ target }) => {
  const wanted = target.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const section of all.children) {
    let any = false;
    for (const node of section.querySelectorAll('details')) {
      node.hidden = !wanted.every((word) => node.querySelector('summary').textContent.toLowerCase().includes(word));
      any ||= !node.hidden;
    }
    section.hidden = !any;
  }
});
