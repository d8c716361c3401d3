// The real host. The only file that touches SillyTavern's globals: everything goes through `SillyTavern.getContext()`,
// which must be asked anew each time, because the host replaces its metadata object with every chat.
import type { Card } from '../logic/card';
import { CARD_FIELD } from '../logic/card';
import type { ChatMessage } from '../logic/message';
import type { ChatMetadata, Host, OpenChat } from './host';
import { chatFileExists } from './files';

/** The parts of a host character that we read. */
export interface HostCharacter {
  name?: string;
  avatar?: string;
  first_mes?: string;
  data?: { first_mes?: string; extensions?: Record<string, unknown> };
}

export interface HostGroup {
  id: string;
  name?: string;
  members?: string[];
  chats?: string[];
}

type Listener = (...args: unknown[]) => unknown;

/** The parts of the host's context that we use. */
export interface HostContext {
  chat: ChatMessage[];
  chatMetadata: ChatMetadata;
  characters: HostCharacter[];
  groups: HostGroup[];
  name1: string;
  name2: string;
  characterId?: number | string;
  groupId?: string | null;
  chatId?: string;
  getRequestHeaders(): Record<string, string>;
  saveChat(): Promise<void>;
  reloadCurrentChat(): Promise<void>;
  updateMessageBlock(floor: number, message: ChatMessage): void;
  swipe?: { to?(event: null, direction: 'left' | 'right', options: object): Promise<void>; refresh?(): void };
  macros: { register(name: string, options: object): unknown };
  writeExtensionField(character: number, key: string, value: unknown): Promise<void>;
  constants?: { unset?: string };
  eventTypes: Record<string, string>;
  eventSource: { on(event: string, listener: Listener): void; makeLast(event: string, listener: Listener): void };
  getCurrentLocale?(): string | undefined;
}

declare const SillyTavern: { getContext(): HostContext };
declare const toastr: Record<string, (text: string, title: string, options?: object) => void>;

const INTERCEPTOR = 'storeyline_before_prompt';

/** Makes the door to the page's SillyTavern. */
export function sillyTavern(): Host {
  const context = (): HostContext => SillyTavern.getContext();
  return {
    open: () => openChat(context()),
    chat: () => context().chat,
    metadata: () => context().chatMetadata,
    fileExists: (owner, file) => chatFileExists(context(), owner, file),

    generating: () => document.body.dataset['generating'] !== undefined,
    swiping: () => document.body.dataset['swiping'] !== undefined,
    editing: () => document.querySelector('#curEditTextarea, .reasoning_edit_textarea') !== null,

    saveChat: () => context().saveChat(),
    reloadChat: () => context().reloadCurrentChat(),
    renderMessage: (floor) => renderMessage(context(), floor),
    swipeTo: (floor, index) => swipeTo(context(), floor, index),

    setVariable(name, value) {
      const variables = (context().chatMetadata['variables'] ??= {}) as Record<string, unknown>;
      variables[name] = value;
    },
    variable: (name) => (context().chatMetadata['variables'] as Record<string, unknown> | undefined)?.[name],
    registerMacros: (whole, path) => registerMacros(context(), whole, path),
    writeCardField: (index, name, value) => writeCardField(context(), index, name, value),

    on: (event, listener) => context().eventSource.on(context().eventTypes[event] ?? event, listener),
    onLast: (event, listener) => context().eventSource.makeLast(context().eventTypes[event] ?? event, listener),
    beforePrompt(listener) {
      Object.assign(globalThis, {
        [INTERCEPTOR]: (_chat: unknown, _size: unknown, _abort: unknown, type: unknown) => listener(String(type ?? 'normal')),
      });
    },

    // The host's toasts read HTML unless told otherwise, and our text quotes models and cards.
    toast: (kind, text, title) => toastr[kind]?.(text, title, { escapeHtml: true, timeOut: 8000, preventDuplicates: true }),
    headers: () => context().getRequestHeaders(),
    language: () => (language(context()).startsWith('zh') ? 'zh' : 'en'),
    panelPlace: () => document.querySelector<HTMLElement>('#extensions_settings2') ?? document.querySelector<HTMLElement>('#extensions_settings'),
  };
}

function openChat(context: HostContext): OpenChat | null {
  const file = context.chatId;
  if (!file) return null;
  const group = context.groupId ? context.groups.find((one) => one.id === context.groupId) : undefined;
  if (group) {
    const members = (group.members ?? []).map((avatar) => context.characters.findIndex((one) => one.avatar === avatar));
    const cards = members.filter((index) => index >= 0).map((index) => cardAt(context, index));
    const title = group.name || cards.map((card) => card.name).join(', ');
    return { file, owner: String(group.id), group: true, title, cards, names: { user: context.name1, char: title }, firstMessage: '' };
  }
  const index = Number(context.characterId);
  const character = context.characters[index];
  if (context.characterId === undefined || !character?.avatar) return null;
  return {
    file,
    owner: character.avatar,
    group: false,
    title: character.name ?? '',
    cards: [cardAt(context, index)],
    names: { user: context.name1, char: character.name ?? context.name2 },
    firstMessage: character.first_mes ?? character.data?.first_mes ?? '',
  };
}

function cardAt(context: HostContext, index: number): Card {
  const character = context.characters[index];
  const field = character?.data?.extensions?.[CARD_FIELD];
  return { index, avatar: character?.avatar ?? '', name: character?.name ?? '', field };
}

function messageOnScreen(floor: number): boolean {
  return document.querySelector(`#chat .mes[mesid="${floor}"] .mes_block .mes_text`) !== null;
}

function renderMessage(context: HostContext, floor: number): void {
  const message = context.chat[floor];
  if (message && messageOnScreen(floor)) context.updateMessageBlock(floor, message);
}

// The host's swipe marks itself busy before it looks for the message on screen, and stays so if it finds none.
async function swipeTo(context: HostContext, floor: number, index: number): Promise<boolean> {
  const message = context.chat[floor];
  if (!message || !context.swipe?.to || !messageOnScreen(floor)) return false;
  const direction = index > (message.swipe_id ?? 0) ? 'right' : 'left';
  await context.swipe.to(null, direction, { source: 'swipe_picker', forceMesId: floor, forceSwipeId: index, message });
  return context.chat[floor]?.swipe_id === index;
}

function registerMacros(context: HostContext, whole: () => string, path: (path: string) => string): void {
  context.macros.register('vs_stat_data', {
    category: 'variable',
    description: 'Storeyline: the whole state as compact JSON.',
    handler: () => whole(),
  });
  context.macros.register('vs_get', {
    category: 'variable',
    unnamedArgs: [{ name: 'path', description: 'Path of the value, e.g. hero.gold or bag[0].' }],
    description: 'Storeyline: one value of the state.',
    handler: ({ unnamedArgs }: { unnamedArgs: string[] }) => path(unnamedArgs[0] ?? ''),
  });
}

// The host merges objects on disk, so a removed key would come back: unset first, then write.
async function writeCardField(context: HostContext, index: number, name: string, value: object): Promise<void> {
  if (context.constants?.unset !== undefined) await context.writeExtensionField(index, name, context.constants.unset);
  await context.writeExtensionField(index, name, value);
}

function language(context: HostContext): string {
  return (context.getCurrentLocale?.() || document.documentElement.lang || navigator.language || 'en').toLowerCase();
}
