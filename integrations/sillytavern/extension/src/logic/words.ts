// Every sentence a user can read, in Chinese and English. Words follow the glossary: 引擎 / engine, 楼层 / floor, 页 / page.
import type { Words } from '../api/wire';

export type Language = 'zh' | 'en';

/** Picks the sentence in a language; the other one if it is missing. */
export function say(words: Words | string | null | undefined, language: Language): string {
  if (!words) return '';
  return typeof words === 'string' ? words : words[language] || words.en || words.zh || '';
}

const both = (zh: string, en: string): Words => ({ zh, en });

export const WORDS = {
  title: both('变量系统 / Storeyline', 'Storeyline'),
  panel: both('变量系统 · Storeyline', 'Storeyline'),
  running: both('正常', 'Ready'),
  starting: both('引擎正在启动…', 'The engine is starting…'),
  away: both('引擎未连接。消息照常保存，恢复后会自动补算状态。', 'Engine not reachable. Messages are kept; the state catches up when it is back.'),
  noPlugin: both(
    '没有找到 Storeyline 服务器插件。请安装插件，并在 config.yaml 中设置 enableServerPlugins: true，然后重启酒馆。',
    'The Storeyline server plugin was not found. Install it, set enableServerPlugins: true in config.yaml and restart SillyTavern.',
  ),
  refused: both('引擎拒绝了请求', 'The engine refused the request'),
  retry: both('重试', 'Retry'),
  noChat: both('没有打开的对话。', 'No chat is open.'),
  off: both('这张角色卡没有启用变量系统。打开开关后，从这个对话起记录状态。', 'The variable system is off for this card. Turn it on to keep the state of this chat.'),
  card: both('启用变量系统', 'Variable system on'),
  floor: (floor: number) => both(`当前楼层 #${floor}`, `Current floor #${floor}`),
  waiting: (floor: number) => both(`#${floor} 的状态，等待回复`, `State of #${floor}, waiting for the reply`),
  template: both('模板状态，等待回复', 'State of the template, waiting for the reply'),
  stale: (floor: number) =>
    floor < 0
      ? both('状态没有及时更新，提示词里没有最新状态。', 'The state was not ready in time; the prompt does not have the newest state.')
      : both(`状态没有及时更新：提示词使用的是 #${floor} 的状态。`, `The state was not ready in time: the prompt has the state of #${floor}.`),
  changes: (floor: number) => both(`#${floor} 发生了什么`, `What happened at #${floor}`),
  noChange: both('没有变化', 'No change'),
  state: both('当前状态', 'Current state'),
  noState: both('还没有状态', 'No state yet'),
  problems: both('最近的问题', 'Recent problems'),
  failedCalls: (count: number) => both(`${count} 个调用没有成功：`, count === 1 ? '1 call failed:' : `${count} calls failed:`),
  more: (count: number) => both(`还有 ${count} 项`, `${count} more`),
  floorAt: (floor: number) => both(`#${floor}`, `#${floor}`),
};
