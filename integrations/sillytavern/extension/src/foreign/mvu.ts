// MVU's interface for cards and scripts: its two macros, the mark at which cards draw their status bar,
// `window.Mvu` and its events. Reading uses the states that the page has; writing makes a correction by hand
// in the story.
import type { Host } from '../host/host';
import { changedLeaves } from '../logic/diff';
import { exactAgain, forYaml, plainNumbers } from '../logic/exact';
import { type Json, isObject } from '../logic/json';
import { type ChatMessage, activePage } from '../logic/message';
import { getPath } from '../logic/path';
import type { Acked } from '../logic/plan';
import { withoutMacros } from '../logic/macros';

/** What MVU's names need to know of the story. */
export interface MvuStory {
  acked(): Acked | null;
  /** Requests the state of a floor that is not in memory; undefined until it is there. */
  stateAt(floor: number, arrived: () => void): Json | undefined;
  setState(page: string, state: Json): Promise<unknown>;
  evaluate(state: Json, message: string): Promise<Json>;
}

/** The record that MVU stores for a message. */
export interface MvuData {
  initialized_lorebooks: Record<string, Json>;
  stat_data: Json;
  display_data: Json;
  delta_data: Json;
  schema: Json;
}

export const EVENTS = {
  VARIABLE_INITIALIZED: 'mag_variable_initialized',
  VARIABLE_UPDATE_STARTED: 'mag_variable_update_started',
  COMMAND_PARSED: 'mag_command_parsed',
  VARIABLE_UPDATE_ENDED: 'mag_variable_update_ended',
  BEFORE_MESSAGE_UPDATE: 'mag_before_message_update',
  SINGLE_VARIABLE_UPDATED: 'mag_variable_updated',
} as const;

const MARK = '<StatusPlaceHolderImpl/>';
const READY = 'global_Mvu_initialized';
const INVOKE = 'mag_invoke_mvu';

export class Mvu {
  private on = false;
  private added = false;
  private last: { hash: string; state: Json } | null = null;
  /** The reply that was just received and is not acknowledged yet. */
  private unacknowledged: ChatMessage | null = null;
  /** What a script made of the newest state, until the engine acknowledges it. */
  private corrected: string | null = null;

  constructor(
    private readonly host: Host,
    private readonly story: MvuStory,
    private readonly shownState: () => Json | null,
  ) {}

  offer(): void {
    this.on = true;
    this.last = this.unacknowledged = this.corrected = null;
    this.addNames();
    this.host.offer('Mvu', this.api());
    void this.host.emit(READY);
  }

  withdraw(): void {
    this.on = false;
    this.host.offer('Mvu', null);
    this.host.removeMacro('get_message_variable');
    this.host.removeMacro('format_message_variable');
  }

  /**
   * Notifies scripts of a new state, and of every new reply. A correction by hand is reported the same way,
   * but not a script's own correction of what it was just told, which would never end.
   */
  acknowledged(acked: Acked): void {
    const before = this.last;
    const chat = this.host.chat();
    const isNew = this.unacknowledged !== null && this.unacknowledged === chat[chat.length - 1] && acked.rows.length === chat.length;
    if (before?.hash === acked.state.hash && !isNew) return;
    this.last = { hash: acked.state.hash, state: acked.state.value };
    if (isNew) this.unacknowledged = null;
    else if (this.corrected !== null && this.corrected === JSON.stringify(plainNumbers(acked.state.value))) {
      this.corrected = null;
      return;
    }
    const page = isNew ? acked.rows[acked.rows.length - 1]?.id : undefined;
    void this.tell(acked.state.value, before ? before.state : null, page);
  }

  /** `page` is the new reply: what scripts make of its state is applied, once. */
  private async tell(state: Json, last: Json | null, page?: string): Promise<void> {
    const now = record(state);
    const before = last === null ? null : record(last);
    if (!before) {
      await this.host.emit(EVENTS.VARIABLE_INITIALIZED, now, 0);
      return;
    }
    const untouched = page === undefined ? '' : JSON.stringify(now.stat_data);
    await this.host.emit(EVENTS.VARIABLE_UPDATE_STARTED, before, false);
    for (const change of page === undefined ? [] : changedLeaves(before.stat_data, now.stat_data)) {
      await this.host.emit(EVENTS.SINGLE_VARIABLE_UPDATED, now.stat_data, change.path.join('.'), change.old, change.new);
    }
    await this.host.emit(EVENTS.VARIABLE_UPDATE_ENDED, now, before);
    if (page === undefined || !this.on || !isObject(now.stat_data)) return;
    const touched = JSON.stringify(now.stat_data);
    if (touched === untouched) return;
    this.corrected = touched;
    await this.story.setState(page, exactAgain(state, JSON.parse(touched) as Json));
  }

  /** Cards draw their status bar at this mark at the end of a reply. */
  received(message: ChatMessage): boolean {
    const text = typeof message.mes === 'string' ? message.mes : '';
    if (message.is_user || message.is_system || text.trim() === '') return false;
    this.unacknowledged = message;
    const bare = text.replaceAll(MARK, '').trimEnd();
    const marked = `${bare}\n\n${MARK}`;
    if (text === marked) return false;
    message.mes = marked;
    const page = activePage(message);
    if (typeof message.swipes?.[page] === 'string') message.swipes[page] = marked;
    return true;
  }

  /** Removes marks from the prompt that only the screen needs. */
  prompt(chat: ChatMessage[]): void {
    for (const message of chat) {
      if (message.mes?.includes(MARK)) message.mes = message.mes.replaceAll(MARK, '').trimEnd();
    }
  }

  private addNames(): void {
    const argument = { name: 'path', help: 'Path in the record of the newest message, e.g. stat_data.hero.gold.' };
    this.host.addMacro({ name: 'get_message_variable', help: 'MVU: a value as JSON.', argument, text: (path) => this.text(path, (value) => JSON.stringify(value)) });
    this.host.addMacro({ name: 'format_message_variable', help: 'MVU: a value as YAML.', argument, text: (path) => this.text(path, (value) => this.host.yaml(forYaml(value)).trimEnd()) });
    if (this.added) return;
    this.added = true;
    this.host.onForeign(INVOKE, async (text, data) => {
      if (!this.on || typeof text !== 'string' || !isObject(data)) return;
      Object.assign(data, await this.parse(text, data as unknown as MvuData));
    });
  }

  // MVU leaves out values that a card marks as private by a leading `$`.
  private text(path: string, write: (value: Json) => string): string {
    const state = this.shownState();
    const value = state === null ? undefined : getPath({ stat_data: state } as Json, path);
    if (value === undefined || value === null) return '';
    const shown = withoutMacros(withoutPrivate(value));
    return typeof shown === 'string' ? shown : write(shown);
  }

  private api(): object {
    const current = (): MvuData => this.read({ type: 'message', message_id: 'latest' });
    const replace = (data: MvuData, options?: Where): Promise<boolean> => this.replace(data, options);
    return {
      events: EVENTS,
      getMvuData: (options?: Where) => this.read(options),
      replaceMvuData: replace,
      parseMessage: (message: string, data: MvuData) => this.parse(message, data),
      isDuringExtraAnalysis: () => false,
      reloadInitVar: () => false,
      getCurrentMvuData: current,
      replaceCurrentMvuData: (data: MvuData) => replace(data),
      getMvuVariable: (data: MvuData, path: string, options?: { default_value?: Json }) => {
        const value = getPath(data?.stat_data ?? {}, path);
        const plain = Array.isArray(value) && value.length === 2 && typeof value[1] === 'string' ? value[0] : value;
        return plain ?? options?.default_value;
      },
      setMvuVariable: async (data: MvuData, path: string, value: Json) => {
        const parsed = await this.parse(`_.set(${JSON.stringify(path)}, ${JSON.stringify(value)});`, data);
        Object.assign(data, parsed);
        return true;
      },
      getRecordFromMvuData: (data: MvuData) => data?.stat_data ?? {},
    };
  }

  private read(options?: Where): MvuData {
    const acked = this.story.acked();
    const floor = this.floor(options, acked);
    return record((acked && floor !== null ? this.state(acked, floor) : undefined) ?? {});
  }

  private state(acked: Acked, floor: number): Json | undefined {
    if (floor === acked.rows.length - 1) return acked.state.value;
    if (floor === acked.rows.length - 2) return acked.parent.value;
    return this.story.stateAt(floor, () => {
      // A script that got nothing reads again when it is notified of a change.
      const now = this.story.acked();
      if (this.on && now) void this.tell(now.state.value, now.state.value);
    });
  }

  private async replace(data: MvuData, options?: Where): Promise<boolean> {
    const acked = this.story.acked();
    const floor = this.floor(options, acked);
    if (!acked || floor === null || !isObject(data?.stat_data)) return false;
    const written = exactAgain(this.state(acked, floor) ?? {}, data.stat_data as Json);
    await this.story.setState(acked.rows[floor]!.id, written);
    return true;
  }

  private async parse(message: string, data: MvuData): Promise<MvuData> {
    return { ...data, ...record(await this.story.evaluate(data?.stat_data ?? {}, message)) };
  }

  private floor(options: Where | undefined, acked: Acked | null): number | null {
    const floors = acked?.rows.length ?? 0;
    if (options?.type && options.type !== 'message' && options.type !== 'chat') return null;
    const id = options?.message_id ?? 'latest';
    const floor = id === 'latest' ? floors - 1 : Number(id) < 0 ? floors + Number(id) : Number(id);
    return Number.isInteger(floor) && floor >= 0 && floor < floors ? floor : null;
  }
}

interface Where {
  type?: string;
  message_id?: number | 'latest';
}

// A copy: scripts change what they are given before they return it.
function record(state: Json): MvuData {
  return { initialized_lorebooks: {}, stat_data: plainNumbers(state), display_data: plainNumbers(state), delta_data: {}, schema: { type: 'object', properties: {} } };
}

function withoutPrivate(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutPrivate);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !key.startsWith('$')).map(([key, child]) => [key, withoutPrivate(child as Json)]));
}
