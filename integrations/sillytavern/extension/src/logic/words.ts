// All texts of the extension in Chinese and English: labels, notices, questions, and the note about an old state that
// goes into the prompt. Terms follow docs/glossary.md: 引擎 / engine = the Storeyline server, 楼层 / floor = a place in
// the chat, 页 / page = one of the alternative messages there.
import type { Words } from 'storeyline-client';

export type Language = 'zh' | 'en';

/** Selects the sentence in a language; the other one if it is missing. */
export function say(words: Words | string | null | undefined, language: Language): string {
  if (!words) return '';
  return typeof words === 'string' ? words : words[language] || words.en || words.zh || '';
}

const both = (zh: string, en: string): Words => ({ zh, en });

export const WORDS = {
  title: both('变量系统 / Storeyline', 'Storeyline'),
  away: both('引擎未连接。消息照常保存，恢复后会自动补算状态。', 'Engine not reachable. Messages are kept; the state catches up when it is back.'),
  noPlugin: both(
    '没有找到 Storeyline 服务器插件。请安装插件，并在 config.yaml 中设置 enableServerPlugins: true，然后重启酒馆。',
    'The Storeyline server plugin was not found. Install it, set enableServerPlugins: true in config.yaml and restart SillyTavern.',
  ),
  refused: both('引擎拒绝了请求', 'The engine refused the request'),
  noChat: both('没有打开的对话。', 'No chat is open.'),
  stale: (floor: number) =>
    floor < 0
      ? both('状态没有及时更新，提示词里没有最新状态。', 'The state was not ready in time; the prompt does not have the newest state.')
      : both(`状态没有及时更新：提示词使用的是 #${floor} 的状态。`, `The state was not ready in time: the prompt has the state of #${floor}.`),
  noState: both('还没有状态', 'No state yet'),
  failedCalls: (count: number) => both(`${count} 个调用没有成功：`, count === 1 ? '1 call failed:' : `${count} calls failed:`),
  more: (count: number) => both(`还有 ${count} 项`, `${count} more`),
  goOnWaiting: both('继续等待', 'Keep waiting'),
  sendWithout: both('不带状态发送', 'Send without the state'),
  sendOld: (floor: number) => both(`用 #${floor} 的旧状态发送`, `Send with the old state of #${floor}`),
  late: both('最新的状态还没有算好。算好后会自动发送。', 'The newest state is not ready yet. The message is sent by itself when it is.'),
  lateAway: both('引擎没有回答，最新的状态还没有算好。引擎恢复后会自动发送；在它恢复之前，你的选择一直有效。', 'The engine does not answer, so the newest state is missing. The message is sent by itself when it is back; until then your choice stays.'),
  oldState: (floor: number) => both(`注意：上文给出的状态是第 ${floor} 楼的旧状态，之后的变化没有算进去。`, `Note: the state shown above is the old one of floor ${floor}; what happened after it is not included.`),
  cardFunctions: (card: string, count: number, names: string) =>
    both(`角色卡“${card}”带有 ${count} 个函数（代码）：${names}\n它们在隔离的环境里运行，不能访问文件和网络。要允许它们改变状态吗？`,
      `The card "${card}" brings ${count} functions (code): ${names}\nThey run in a sandbox without files or network. May they change the state?`),
  notNow: both('以后再说', 'Not now'),
  allow: both('允许', 'Allow'),
  never: both('不允许', 'Do not allow'),
  held: (count: number) => both(`角色卡的 ${count} 个函数等待允许`, `${count} functions of the card wait to be allowed`),
  otherKeeper: (names: string) =>
    both(`${names} 也在这个页面里保存状态。两个系统同时改同一份状态会互相覆盖。这张角色卡的状态由谁保存？\n选 Storeyline 的话，请在对应的扩展或脚本里把它关掉。`,
      `${names} keeps state in this page too. Two systems on one state overwrite each other. Who keeps the state of this card?\nIf you choose Storeyline, turn the other one off where it comes from.`),
  keepOurs: both('Storeyline', 'Storeyline'),
  keepTheirs: (names: string) => both(names, names),
  theirs: both('这张角色卡的状态由另一个系统保存。', 'Another system keeps the state of this card.'),
  chooseAgain: both('重新选择', 'Choose again'),
  foreignFunctions: (count: number) =>
    both(`在 ST-VarSystem 的设置里找到 ${count} 个全局函数。可以在抽屉的“函数库”里选择要接管哪些。`, `ST-VarSystem's settings hold ${count} global functions. Choose in the drawer, under "Functions", which to take over.`),
  functionsChanged: (cards: string) =>
    both(`“${cards}”里的函数和你保存的都改过。请在抽屉的“函数库”里选择用哪一个。`, `The functions in "${cards}" and those you saved both changed. Choose in the drawer, under "Functions".`),
  foundProfile: (card: string, profile: string) =>
    both(`在“${card}”里发现 ${profile} 的写法，已自动启用。可以在抽屉的“聊天与角色卡”里关闭。`, `Found ${profile} conventions in "${card}" and turned Storeyline on. It can be turned off in the drawer, under "Chat and card".`),
  notInStep: both('现在做不了：聊天内容还没有同步到引擎。', 'Not now: the chat is not in step with the engine yet.'),
  done: both('完成', 'Done'),
  undone: both('已撤销', 'Undone'),
  redone: both('已重做', 'Redone'),
  reprocessed: both('已重新处理变量', 'Variables re-processed'),
  reprocess: both('重新处理变量', 'Re-process variables'),
  switched: (name: string) => both(`已切换到分支“${name}”`, `Now on branch "${name}"`),
  switchFailed: (name: string) => both(`无法打开分支“${name}”的聊天文件。`, `The chat file of branch "${name}" could not be opened.`),
  bookEntry: (book: string) => both(`已在世界书“${book}”中写入条目 __vs_stat_data__`, `Wrote the entry __vs_stat_data__ into the world book "${book}"`),
  noBookEntry: both('没有可写的世界书：请先打开一个角色的聊天。', 'No world book to write to: open a chat with a character first.'),
  pending: both('角色卡的函数还在运行，显示的是运行前的状态。', 'Functions of the card are still running; this is the state from before.'),
  firstSync: (done: number, total: number) => both(`第一次读取这个聊天：${done} / ${total}`, `Reading this chat for the first time: ${done} / ${total}`),
  badValue: both('用法：/vs-set 路径 值', 'Usage: /vs-set path value'),
};
