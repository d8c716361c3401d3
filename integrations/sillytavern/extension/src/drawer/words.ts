// The texts of the drawer, the status bar and the other places in the host, in Chinese and English. Terms follow
// docs/glossary.md.
import type { Words } from 'storeyline-client';

const both = (zh: string, en: string): Words => ({ zh, en });
const calls = (count: number): string => (count === 1 ? '1 call' : `${count} calls`);

export const SAY = {
  openDrawer: both('变量系统 · Storeyline', 'Storeyline'),
  openFloor: both('查看这一层的状态', 'Show the state of this floor'),
  floors: both('楼层快照', 'Floors'),
  reprocess: both('重新处理变量', 'Re-process variables'),
  commandHelp: both('打开楼层快照；写数字就打开那一层。例：/vs 96', 'Opens the floors; with a number, that floor. Example: /vs 96'),
  commandFloor: both('楼层号码', 'Number of the floor'),
  noSuchFloor: (floor: number, last: number) => both(`没有第 ${floor} 层：这个聊天到 #${last} 为止。`, `There is no floor ${floor}: this chat ends at #${last}.`),
  notAFloor: both('请写楼层的号码，例如 /vs 96。', 'Write the number of a floor, for example /vs 96.'),

  noChat: both('打开一个聊天，就能看到它的状态。', 'Open a chat to see its state.'),
  cardOff: both('这张角色卡没有使用变量。', 'This card does not use variables.'),
  cardOffWhy: both('打开后，从这个聊天起记录状态。', 'Turned on, the state of this chat is kept from now on.'),
  turnOn: (card: string) => both(`为“${card}”启用`, `Turn on for "${card}"`),
  notYet: both('引擎里还没有这个聊天。', 'The engine does not have this chat yet.'),
  reading: both('正在读取…', 'Loading…'),

  branch: both('分支', 'Branch'),
  undo: both('撤销', 'Undo'),
  redo: both('重做', 'Redo'),
  deleteFloor: both('删除这一层', 'Delete this floor'),
  save: both('保存', 'Save'),
  cancel: both('取消', 'Cancel'),
  chatAndCard: both('聊天与角色卡', 'Chat and card'),
  template: (card: string) => both(`“${card}”卡里的模板…`, `Template in "${card}"…`),
  templateTitle: (card: string) => both(`“${card}”的模板`, `Template of "${card}"`),
  templateHint: both('新的故事从这个状态开始。进行中的故事在“重新处理”整个聊天时采用。', 'New stories begin with this state. A story that runs takes it when the whole chat is re-processed.'),
  badTemplate: both('模板必须是一个 JSON 对象：', 'The template must be a JSON object:'),
  cardSwitch: (card: string) => both(`为“${card}”启用变量系统`, `Variable system on for "${card}"`),
  problems: (count: number) => both(`最近的问题：${count}`, count === 1 ? '1 recent problem' : `${count} recent problems`),
  noProblems: both('最近没有问题。', 'No recent problems.'),

  barOpen: (floor: number) => both(`打开 #${floor} 的状态`, `Open the state of #${floor}`),
  barNone: both('没有变化', 'No change'),
  barNoPins: both('没有固定的值', 'No pinned values'),
  barWaiting: (floor: number) => (floor < 0 ? both('模板状态，等待回复', 'State of the template, waiting for the reply') : both(`#${floor} 的状态，等待回复`, `State of #${floor}, waiting for the reply`)),
  barStale: both('◌ 文字被编辑过，状态是之前的。', '◌ The text was edited; the state is older.'),
  barAway: both('状态没有更新：引擎未连接。', 'State not updated: engine not reachable.'),
  barFailed: (count: number) => both(`${count} 个调用失败`, `${calls(count)} failed`),
  barMore: (count: number) => both(`还有 ${count} 项`, `+${count} more`),
  retry: both('重试', 'Retry'),
  reprocessShort: both('重新处理', 'Re-process'),

  folded: (count: number) => both(`${count} 个调用`, calls(count)),
};
