// The real host. The only file that touches SillyTavern's globals: everything goes through
// `SillyTavern.getContext()`, which must be called anew each time, because the host replaces its metadata
// object with every chat.
import type { Card } from '../logic/card';
import { CARD_FIELD } from '../logic/card';
import type { ChatMessage } from '../logic/message';
import type { ChatMetadata, Host, OpenChat } from './host';
import { addEntry, booksOf, wholeCard } from './cards';
import { allFiles, chatFileExists, openFile, writeFile } from './files';
import { type HostScript, saveOpenChat } from './save';
import { SAM_EVENT, otherKeepers } from './keepers';
import { addCommand, addMacro, addMenuItem, setNote } from './names';
import { ask } from './question';

/** The parts of a host character that we read. */
export interface HostCharacter {
  name?: string;
  avatar?: string;
  first_mes?: string;
  data?: { first_mes?: string; alternate_greetings?: unknown; extensions?: Record<string, unknown> };
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
  getTokenCountAsync(text: string): Promise<number>;
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
  macros: { register(name: string, options: object): unknown; registry?: { unregisterMacro?(name: string): unknown } };
  SlashCommandParser: { addCommandObject(command: unknown): void };
  SlashCommand: { fromProps(props: object): unknown };
  SlashCommandArgument: { fromProps(props: object): unknown };
  SlashCommandNamedArgument: { fromProps(props: object): unknown };
  ARGUMENT_TYPE: Record<string, unknown>;
  Popup: new (content: HTMLElement, type: unknown, value: string, options: object) => {
    show(): Promise<unknown>;
    complete(result: unknown): Promise<unknown>;
  };
  POPUP_TYPE: Record<string, unknown>;
  setExtensionPrompt(key: string, text: string, position: number, depth: number, scan: boolean, role: number): void;
  extensionSettings: Record<string, unknown>;
  saveSettingsDebounced(): void;
  unshallowCharacter?(index: number): Promise<void>;
  openCharacterChat(file: string): Promise<void>;
  openGroupChat(group: string, file: string): Promise<void>;
  loadWorldInfo(name: string): Promise<unknown>;
  saveWorldInfo(name: string, book: object, now: boolean): Promise<void>;
  reloadWorldInfoEditor?(name: string): void;
  getWorldInfoNames(): string[];
  getExtensionManifest?(name: string): { display_name?: string } | undefined;
  writeExtensionField(character: number, key: string, value: unknown): Promise<void>;
  constants?: { unset?: string };
  eventTypes: Record<string, string>;
  eventSource: {
    on(event: string, listener: Listener): void;
    makeLast(event: string, listener: Listener): void;
    emit(event: string, ...args: unknown[]): Promise<void>;
  };
  getCurrentLocale?(): string | undefined;
}

declare const SillyTavern: { getContext(): HostContext; libs: { yaml: { stringify(value: unknown): string } } };
declare const toastr: Record<string, (text: string, title: string, options?: object) => void>;

/** Key of our part of the user's settings. */
const SETTINGS = 'storeyline';
const INTERCEPTOR = 'storeyline_before_prompt';
const HOST_SCRIPT: string = '/script.js';

/** Makes the interface to the page's SillyTavern. */
export function sillyTavern(): Host {
  const context = (): HostContext => SillyTavern.getContext();
  const offered = new Map<string, object>();
  const heard = new Set<string>();
  let emitting = false;
  let script: HostScript | null = null;
  // By a variable, so that the bundler does not include the host's file.
  void import(/* @vite-ignore */ HOST_SCRIPT).then((lent: HostScript) => void (script = lent), () => undefined);
  // The host makes a new metadata object for every chat it opens.
  const openedAs = new WeakMap<object, string>();
  context().eventSource.on(context().eventTypes['CHAT_CHANGED'] ?? 'chat_id_changed', () => {
    const { chatMetadata, chatId } = context();
    if (chatId !== undefined) openedAs.set(chatMetadata, chatId);
  });
  context().eventSource.on(SAM_EVENT, () => emitting || heard.add(SAM_EVENT));
  return {
    open: () => openChat(context()),
    chat: () => context().chat,
    metadata: () => context().chatMetadata,
    fileExists: (owner, file) => chatFileExists(context(), owner, file),
    openFile: (owner, file) => openFile(context(), owner, file),
    writeFile: (owner, file, header, messages) => writeFile(context(), owner, file, header, messages),

    card: (index) => wholeCard(context(), index),
    greetings: (index) => greetingsOf(context().characters[index]),
    allFiles: () => allFiles(context()),
    books: (open) => booksOf(context(), open),
    addBookEntry: (title, content) => addEntry(context(), Number(context().characterId), title, content),
    settings: () => (context().extensionSettings[SETTINGS] ??= {}) as Record<string, unknown>,
    saveSettings: () => context().saveSettingsDebounced(),
    foreignSettings: (name) => context().extensionSettings[name],
    otherKeepers: () => otherKeepers(context(), offered.get('Mvu') ?? null, heard),

    generating: () => document.body.dataset['generating'] !== undefined,
    swiping: () => document.body.dataset['swiping'] !== undefined,
    occupied: () => {
      const list = document.querySelector<HTMLElement>('#select_chat_popup');
      return (list?.getClientRects().length ?? 0) > 0 || document.querySelector('dialog[open]:not(.sl-dialog), .isExecutingCommandsFromChatInput') !== null;
    },
    editing: () => document.querySelector('#curEditTextarea, .reasoning_edit_textarea') !== null,

    saveChat: () => saveOpenChat(context, script, openedAs.get(context().chatMetadata)),
    reloadChat: () => context().reloadCurrentChat(),
    renderMessage: (floor) => renderMessage(context(), floor),
    swipeTo: (floor, index) => swipeTo(context(), floor, index),

    setVariable(name, value) {
      const variables = (context().chatMetadata['variables'] ??= {}) as Record<string, unknown>;
      variables[name] = value;
    },
    variable: (name) => (context().chatMetadata['variables'] as Record<string, unknown> | undefined)?.[name],
    addMacro: (macro) => addMacro(context(), macro),
    removeMacro: (name) => void context().macros.registry?.unregisterMacro?.(name),
    addCommand: (command) => addCommand(context(), command, hostLanguage(context())),
    addMenuItem,
    writeCardField: (index, name, value) => writeCardField(context(), index, name, value),
    countTokens: (text) => context().getTokenCountAsync(text),

    on: (event, listener) => context().eventSource.on(context().eventTypes[event] ?? event, listener),
    onLast: (event, listener) => context().eventSource.makeLast(context().eventTypes[event] ?? event, listener),
    beforePrompt(listener) {
      Object.assign(globalThis, {
        [INTERCEPTOR]: (chat: ChatMessage[], _size: unknown, _abort: unknown, type: unknown) => listener(String(type ?? 'normal'), chat),
      });
    },

    note: (text) => setNote(context(), text),
    emit: (event, ...args) => context().eventSource.emit(event, ...args),
    async emitOwn(event, ...args) {
      emitting = true;
      try {
        await context().eventSource.emit(event, ...args);
      } finally {
        emitting = false;
      }
    },
    yaml: (value) => SillyTavern.libs.yaml.stringify(value),
    onForeign: (event, listener) => context().eventSource.on(event, listener),
    offer(name, value) {
      const page = globalThis as Record<string, unknown>;
      if (value) {
        offered.set(name, value);
        page[name] = value;
      } else if (offered.has(name) && page[name] === offered.get(name)) {
        delete page[name];
        offered.delete(name);
      }
    },

    // The host's toasts interpret HTML by default, and our text quotes models and cards.
    toast: (kind, text, title) => toastr[kind]?.(text, title, { escapeHtml: true, timeOut: 8000, preventDuplicates: true }),
    ask: (question) => ask(context(), question),
    headers: () => context().getRequestHeaders(),
    language: () => hostLanguage(context()),
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
  return { index, avatar: character?.avatar ?? '', name: character?.name ?? '', identity: character?.data ?? character ?? {}, field };
}

function greetingsOf(character: HostCharacter | undefined): string[] {
  const others = character?.data?.alternate_greetings;
  const all = [character?.first_mes ?? character?.data?.first_mes, ...(Array.isArray(others) ? others : [])];
  return all.filter((one): one is string => typeof one === 'string');
}

function messageOnScreen(floor: number): boolean {
  return document.querySelector(`#chat .mes[mesid="${floor}"] .mes_block .mes_text`) !== null;
}

function renderMessage(context: HostContext, floor: number): void {
  const message = context.chat[floor];
  if (message && messageOnScreen(floor)) context.updateMessageBlock(floor, message);
}

// The host's swipe marks itself busy before it searches the message on screen, and stays so if it finds none.
async function swipeTo(context: HostContext, floor: number, index: number): Promise<boolean> {
  const message = context.chat[floor];
  if (!message || !context.swipe?.to || !messageOnScreen(floor)) return false;
  const direction = index > (message.swipe_id ?? 0) ? 'right' : 'left';
  await context.swipe.to(null, direction, { source: 'swipe_picker', forceMesId: floor, forceSwipeId: index, message });
  return context.chat[floor]?.swipe_id === index;
}

// The host merges objects on disk, so a removed key would come back: unset first, then write.
async function writeCardField(context: HostContext, index: number, name: string, value: object): Promise<void> {
  if (context.constants?.unset !== undefined) await context.writeExtensionField(index, name, context.constants.unset);
  await context.writeExtensionField(index, name, value);
}

function hostLanguage(context: HostContext): 'zh' | 'en' {
  const language = context.getCurrentLocale?.() || document.documentElement.lang || navigator.language || 'en';
  return language.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}
