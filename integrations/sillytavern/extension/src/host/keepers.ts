// Detects other systems that keep state in this page. Two of them would overwrite each other, so the user is
// asked. Extensions are recognised by folder and title; scripts of a script runner by the names they leave in
// the page and by the events they emit.
import type { HostContext } from './sillytavern';

const EXTENSIONS: [RegExp, string][] = [
  [/st-?var-?system|变量管理/i, 'ST-VarSystem'],
  [/memory-enhancement|记忆增强/i, 'st-memory-enhancement'],
  [/smart-?table|智能表格/i, 'SmartTable'],
];

/** Emitted by SAM after it processed a reply. */
export const SAM_EVENT = 'SAM_RESPONSE_PROCESSING_COMPLETED';

/**
 * Returns the names of the others. `ours` is our own object offered as `Mvu`; `heard` are events of others.
 */
export async function otherKeepers(context: HostContext, ours: object | null, heard: ReadonlySet<string>): Promise<string[]> {
  const found: string[] = [];
  const mvu = (globalThis as Record<string, unknown>)['Mvu'];
  if (mvu && mvu !== ours) found.push('MVU');
  if (heard.has(SAM_EVENT)) found.push('SAM');
  for (const extension of await activeExtensions(context)) {
    const known = EXTENSIONS.find(([pattern]) => pattern.test(extension));
    if (known && !found.includes(known[1])) found.push(known[1]);
  }
  return found;
}

async function activeExtensions(context: HostContext): Promise<string[]> {
  const { extensionNames = [] } = (await import(/* @vite-ignore */ MODULE).catch(() => ({}))) as { extensionNames?: string[] };
  const off = (context.extensionSettings['disabledExtensions'] ?? []) as string[];
  const active = extensionNames.filter((name) => name.startsWith('third-party') && !off.includes(name));
  return active.map((name) => `${name} ${String(context.getExtensionManifest?.(name)?.display_name ?? '')}`);
}

const MODULE = '/scripts/extensions.js';
