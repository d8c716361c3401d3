// Operations in plain words: `Deleted 88 floors from #43 on`. In: an operation as it is in the log. The detail is not
// stable, so every part of it may be missing.
import type { Schemas } from 'storeyline-client';

type Operation = Schemas['Operation'];
type Kind = Operation['kind'];

interface Detail {
  floor?: number;
  from?: number;
  to?: number;
  file?: string;
  before?: unknown;
  after?: unknown;
}

interface Sentences {
  at: (floor: number) => string;
  kinds: Record<Kind, (place: Place) => string>;
}

/** What is known about an operation, for its sentence. */
interface Place {
  /** `#12`, or nothing. */
  at: string;
  /** How many floors came or went. */
  count: number;
  /** A new name, the title of a file. */
  name: string;
  number: number | null;
}

const plural = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

const zh: Sentences = {
  at: (floor) => ` #${floor}`,
  kinds: {
    sync: ({ count }) => (count > 0 ? `酒馆里多了 ${count} 层` : count < 0 ? `酒馆里少了 ${-count} 层` : '酒馆里改了聊天'),
    import: ({ name }) => (name ? `导入了 ${name}` : '导入了聊天'),
    select: ({ at }) => `换了${at}的页`,
    edit: ({ at }) => `改了${at}的正文`,
    append: ({ at }) => `写了${at}`,
    add_page: ({ at }) => `给${at}加了一页`,
    delete: ({ at, count }) => `删除了${at}起的 ${Math.max(1, -count)} 层`,
    delete_page: ({ at }) => `删除了${at}的一页`,
    keep_only: ({ at }) => `${at}只留下一页`,
    move: ({ at }) => `移动了${at}`,
    hide: ({ at }) => `隐藏或重新显示了${at}`,
    insert: ({ at }) => `在${at}插入了一层`,
    graft: ({ at, count }) => `从别的分支接来 ${Math.max(1, count)} 层，在${at}`,
    override: ({ at }) => `手改了${at}的状态`,
    reprocess: () => '重新处理了状态',
    merge: () => '合并了另一条分支的状态',
    swipe: ({ at }) => `换到${at}的另一页，恢复它之后的楼层`,
    create_branch: ({ name }) => (name ? `建了分支“${name}”` : '建了分支'),
    change: ({ name }) => (name ? `改了“${name}”的名称、备注或颜色` : '改了名称、备注或颜色'),
    trash: () => '移入回收站',
    restore: () => '从回收站恢复',
    create_tag: () => '打了标签',
    rules: () => '改了规则',
    switch: () => '切换到这条分支',
    undo: ({ number }) => `撤销了操作 ${number ?? ''}`.trim(),
    redo: ({ number }) => `重做了操作 ${number ?? ''}`.trim(),
    reset: () => '重置了分支',
    settings: () => '改了故事的设置',
    rename: ({ name }) => (name ? `故事改名为“${name}”` : '改了故事的标题'),
    trash_story: () => '删除了故事',
    restore_story: () => '恢复了故事',
    validity: ({ at }) => `把${at}的一页标为无效或有效`,
  },
};

const en: Sentences = {
  at: (floor) => ` #${floor}`,
  kinds: {
    sync: ({ count }) => (count > 0 ? `SillyTavern added ${plural(count, 'floor')}` : count < 0 ? `SillyTavern took ${plural(-count, 'floor')} away` : 'SillyTavern changed the chat'),
    import: ({ name }) => (name ? `Imported ${name}` : 'Imported a chat'),
    select: ({ at }) => `Chose another page of${at}`,
    edit: ({ at }) => `Edited the text of${at}`,
    append: ({ at }) => `Wrote${at}`,
    add_page: ({ at }) => `Added a page to${at}`,
    delete: ({ at, count }) => `Deleted ${plural(Math.max(1, -count), 'floor')} from${at} on`,
    delete_page: ({ at }) => `Deleted a page of${at}`,
    keep_only: ({ at }) => `Kept only one page of${at}`,
    move: ({ at }) => `Moved a floor at${at}`,
    hide: ({ at }) => `Hid or showed${at}`,
    insert: ({ at }) => `Inserted a floor at${at}`,
    graft: ({ at, count }) => `Grafted ${plural(Math.max(1, count), 'floor')} of another branch at${at}`,
    override: ({ at }) => `Edited the state of${at} by hand`,
    reprocess: () => 'Re-processed states',
    merge: () => 'Merged the state of another branch',
    swipe: ({ at }) => `Swiped to another page of${at}, with what followed it`,
    create_branch: ({ name }) => (name ? `Made the branch "${name}"` : 'Made a branch'),
    change: ({ name }) => (name ? `Changed name, note or colour of "${name}"` : 'Changed name, note or colour'),
    trash: () => 'Moved to the trash',
    restore: () => 'Restored from the trash',
    create_tag: () => 'Set a tag',
    rules: () => 'Changed the rules',
    switch: () => 'Switched to this branch',
    undo: ({ number }) => `Undid operation ${number ?? ''}`.trim(),
    redo: ({ number }) => `Redid operation ${number ?? ''}`.trim(),
    reset: () => 'Reset the branch',
    settings: () => 'Changed the settings of the story',
    rename: ({ name }) => (name ? `Renamed the story to "${name}"` : 'Changed the title of the story'),
    trash_story: () => 'Deleted the story',
    restore_story: () => 'Restored the story',
    validity: ({ at }) => `Marked a page of${at} as not valid, or as valid again`,
  },
};

const SENTENCES = { zh, en };

export function operationWords(operation: Operation, language: 'zh' | 'en'): string {
  const words = SENTENCES[language];
  const detail = (typeof operation.detail === 'object' && operation.detail !== null && !Array.isArray(operation.detail) ? operation.detail : {}) as Detail;
  const floor = numberOf(detail.floor ?? detail.from);
  const place: Place = {
    at: floor === null ? '' : words.at(floor),
    count: operation.floors,
    name: nameOf(detail),
    number: operation.undoes ?? null,
  };
  const say = Object.hasOwn(words.kinds, operation.kind) ? words.kinds[operation.kind] : null;
  return say ? say(place).replace(/\s+/gu, ' ').trim() : operation.kind;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}

function nameOf({ file, after }: Detail): string {
  if (typeof file === 'string') return file;
  if (typeof after === 'string') return after;
  const name = typeof after === 'object' && after !== null ? (after as { name?: unknown }).name : null;
  return typeof name === 'string' ? name : '';
}
