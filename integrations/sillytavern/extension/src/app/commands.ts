// The slash commands, and the entry in the menu beside the message input.
import { ApiError, type Words, parseExact } from 'storeyline-client';
import type { Host } from '../host/host';
import type { Json } from '../logic/json';
import { renderPath, renderState } from '../logic/macros';
import { WORDS, say } from '../logic/words';
import type { App } from './app';
import { Unable } from './operations';

const ENTRY = '__vs_stat_data__';
const ENTRY_TEXT = '{{getvar::vs_stat_data}}';
const both = (zh: string, en: string): Words => ({ zh, en });

/** Adds our commands to the host. */
export function addCommands(host: Host, app: App): void {
  const tell = (words: Words): string => {
    const text = say(words, host.language());
    host.toast('info', text, say(WORDS.title, host.language()));
    return text;
  };
  const run = async (work: () => Promise<unknown>, done: Words): Promise<string> => {
    try {
      await work();
      return tell(done);
    } catch (error) {
      return fail(host, error);
    }
  };
  const reprocess = (from: number | null): Promise<string> => run(() => app.operations.reprocess(from), WORDS.reprocessed);

  host.addCommand({
    name: 'vs-get',
    help: both('读取当前状态，或其中一个值。例：/vs-get 角色.金币', 'Reads the state, or one value of it. Example: /vs-get hero.gold'),
    argument: { help: both('路径；不写是整个状态', 'Path; without one, the whole state'), required: false },
    run: (path) => (path.trim() ? renderPath(app.injector.visible(), path) : renderState(app.injector.visible())),
  });
  host.addCommand({
    name: 'vs-set',
    help: both('手工修正最新楼层的一个值，之后的楼层从它算起。例：/vs-set 角色.金币 100', 'Corrects a value at the newest floor. Example: /vs-set hero.gold 100'),
    argument: { help: both('路径和值；值按 JSON 读，读不成就当文字', 'Path and value; the value is JSON, or else text'), required: true },
    named: [{ name: 'path', help: both('路径（含空格时用）', 'The path, if it has blanks') }],
    run: (text, { path }) => {
      const given = splitValue(text, path);
      return given ? run(() => app.operations.setValue(given.path, given.value), WORDS.done) : tell(WORDS.badValue);
    },
  });
  host.addCommand({
    name: 'vs-reprocess',
    help: both('按现在的规则和函数重新处理：不写楼层是最新一条回复，写 0 是整个聊天', 'Evaluates again with the rules of today: the newest reply, or from a floor on (0: all)'),
    argument: { help: both('从哪一楼开始', 'From which floor'), required: false },
    run: (floor) => reprocess(/^\s*\d+\s*$/.test(floor) ? Number(floor) : null),
  });
  host.addCommand({ name: 'vs-undo', help: both('撤销这条分支上的最后一次改动', 'Undoes the last change of this branch'), run: () => run(app.operations.undo, WORDS.undone) });
  host.addCommand({ name: 'vs-redo', help: both('重做', 'Does again what was undone'), run: () => run(app.operations.redo, WORDS.redone) });
  host.addCommand({
    name: 'vs-branch',
    help: both('切换到一条分支；没有这个名字就新建。不写名字时列出所有分支', 'Goes to a branch, made if there is none of that name. Without a name: lists them'),
    argument: { help: both('分支名', 'Name of the branch'), required: false },
    named: [{ name: 'floor', help: both('从哪一楼分出（默认最后一楼）', 'After which floor a new one begins (default: the last)') }],
    run: (name, { floor }) => branch(app, host, name.trim(), floor === undefined ? null : Number(floor), tell),
  });
  host.addCommand({
    name: 'vs-worldbook',
    help: both(`在角色的世界书里创建条目 ${ENTRY}，把状态放进提示词`, `Makes the world book entry ${ENTRY} that puts the state into prompts`),
    run: async () => {
      const book = await host.addBookEntry(ENTRY, ENTRY_TEXT);
      return tell(book ? WORDS.bookEntry(book) : WORDS.noBookEntry);
    },
  });
  host.addMenuItem('option_storeyline_reprocess', 'fa-arrows-rotate', say(WORDS.reprocess, host.language()), () => void reprocess(null));
}

/** Shows why something could not be done; returns the sentence, which is the result of the command. */
export function fail(host: Host, error: unknown): string {
  const words = error instanceof Unable || error instanceof ApiError ? error.words : null;
  const text = say(words, host.language()) || (error instanceof Error ? error.message : String(error));
  console.error('[Storeyline]', error);
  host.toast('warning', text, say(WORDS.title, host.language()));
  return text;
}

async function branch(app: App, host: Host, name: string, floor: number | null, tell: (words: Words) => string): Promise<string> {
  const at = app.session?.branch();
  if (!at) return tell(WORDS.noChat);
  try {
    const { refs } = await app.api.story(at.story);
    const branches = refs.filter(({ kind }) => kind === 'branch');
    if (name === '') return branches.map((one) => `${one.ref === at.ref ? '* ' : ''}${one.name}`).join('\n');
    const known = branches.find((one) => one.name === name);
    if (known?.ref === at.ref) return name;
    await (known ? app.operations.switchTo(known.ref) : app.operations.branch(name, floor));
    return name;
  } catch (error) {
    return fail(host, error);
  }
}

/** Parses `path value`, or `path="…" value`. */
export function splitValue(text: string, path?: string): { path: string; value: Json } | null {
  const [, first = '', rest = ''] = path === undefined ? (/^\s*(\S+)\s+([\s\S]+)$/.exec(text) ?? []) : ['', path, text];
  if (first === '' || rest.trim() === '') return null;
  return { path: first, value: readValue(rest.trim()) };
}

function readValue(text: string): Json {
  try {
    return parseExact(text) as Json;
  } catch {
    return text;
  }
}
