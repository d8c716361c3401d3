// Every sentence of the UI in Chinese. The English list must have the type of this one.
import type { Call, Ref } from 'storeyline-client';
import type { Cause } from '../logic/causes';
import type { Tab } from '../model/route';

export const zh = {
  locale: 'zh-CN',
  today: '今天',
  yesterday: '昨天',

  chooseStory: '选择故事',
  chooseBranch: '选择分支',
  untitled: '未命名的故事',
  refKind: (kind: Ref['kind']): string => (kind === 'tag' ? '标签' : '分支'),
  floorsCount: (n: number) => `${n} 层`,
  otherLanguage: 'EN',
  switchLanguage: 'Switch to English',
  keys: '键盘',
  close: '关闭',

  engineOk: '引擎正常',
  engineConnecting: '正在连接引擎…',
  engineLost: '引擎未连接',
  engineLocked: '没有访问权限',
  lostBanner: (clock: string | null) =>
    clock === null ? '引擎未连接。' : `引擎未连接。显示的是 ${clock} 的状态。`,
  retry: '重试',
  lockedTitle: '这个浏览器还没有访问权限。',
  lockedWhy: '引擎只认它自己给出的链接。请运行下面的命令，再打开它打印的链接。',
  linkUsedTitle: '这个链接已经用过，或者过期了。',
  linkUsedWhy: '每个链接只能用一次，一小时内有效。请运行下面的命令，再打开它打印的新链接。',
  noStoryTitle: '还没有故事。',
  noStoryWhy: '装进酒馆后打开一个聊天，故事会自己出现；也可以导入一个聊天文件。',
  openExample: '打开示例故事',
  exampleWhy: '一个四十层的短故事：有备选的页、一个失败的调用、一处手改和两条分支。可以随便改，都能撤销。',
  noStoryInstall: '装进 SillyTavern',
  noStoryImport: '导入聊天文件',
  missingTitle: '找不到这个故事或分支。',
  missingWhy: '它可能已经被移走，或者链接来自另一台机器。',
  toNewest: '打开最近的故事',
  noFloorsTitle: '这个分支还没有楼层。',
  noFloorsWhy: '在酒馆里写下第一条消息，它就会出现在这里。',
  loading: '正在读取…',

  tabs: '界面',
  tab: (tab: Tab): string => ({ floors: '楼层快照', history: '历史', functions: '函数库', template: '角色模板', snapshots: '全局快照', settings: '设置' })[tab],

  floorTitle: (n: number) => `第 ${n} 层`,
  previousFloor: '上一个有状态的楼层',
  nextFloor: '下一个有状态的楼层',
  page: (at: number, of: number) => `页 ${at}/${of}`,
  pageHint: '消息页（酒馆的“备选回复”）',
  previousPage: '上一页',
  nextPage: '下一页',
  failedCalls: (n: number) => `${n} 个调用失败`,
  hidden: '已隐藏',
  hiddenHint: '酒馆不把这条消息发给模型；状态不受影响。',
  lookingAtPage: (at: number, active: number) => `你在看第 ${at} 页，对话用的是第 ${active} 页。`,
  usePage: '选用此页',
  backToActive: (active: number) => `回到第 ${active} 页`,
  lookingAtFloor: (at: number, chat: number) => `你在看 #${at} · 对话在 #${chat}`,
  follow: '跟随对话',

  timeline: '时间线',
  timelineText: (floor: number, changes: number, failed: number) =>
    `第 ${floor} 层，${changes} 处变化${failed > 0 ? `，${failed} 个失败` : ''}`,
  timelineHint: (floor: number, changes: number, failed: number) =>
    `#${floor} · ${changes} 处变化${failed > 0 ? ` · ${failed} 个失败` : ''}`,
  announce: (floor: number, changes: number, failed: number) =>
    `第 ${floor} 层：${changes} 处变化${failed > 0 ? `，${failed} 个失败` : ''}`,

  segments: '视图',
  segmentChanges: '变化',
  segmentValues: '全部值',
  segmentFloors: '楼层',

  floorList: '楼层',
  floorLabel: (floor: number, name: string, page: number, pages: number) => `第 ${floor} 层 · ${name} · 页 ${page}/${pages}`,
  goToFloor: '跳到楼层 #',
  notANumber: '请输入楼层的号码。',
  branchEnds: (last: number) => `本分支到 #${last} 为止。`,
  counts: (changed: number, added: number, removed: number, failed: number) =>
    `改变 ${changed}，新增 ${added}，删除 ${removed}，失败 ${failed}`,

  stateTree: '状态',
  find: '查找键或值',
  onlyChanges: '只看变化',
  noOwnState: (floor: number, from: number | null) =>
    `第 ${floor} 层是你的消息，没有自己的状态。显示它所依据的${from === null ? '模板' : ` #${from}`}。`,
  notEvaluated: (floor: number, from: number | null) =>
    `第 ${floor} 层不参与计算，没有自己的状态。显示它所依据的${from === null ? '模板' : ` #${from}`}。`,
  nothingSet: '还没有任何值。',
  nothingSetWhy: '状态从模板或回复里的第一个调用开始。',
  nothingChanged: '这一层没有改变任何值。',
  nothingFound: (query: string) => `没有键或值含有“${query}”。`,
  cause: (cause: Cause) =>
    cause.kind === 'floor' ? `#${cause.floor}` : { here: '本层', greeting: '开场白', template: '模板' }[cause.kind],
  causeHint: (cause: Cause) =>
    cause.kind === 'floor'
      ? `由 #${cause.floor} 设置，点击前往`
      : { here: '由这一层设置', greeting: '由开场白设置，点击前往', template: '来自模板' }[cause.kind],
  mark: (mark: 'changed' | 'added' | 'removed') => ({ changed: '已改变', added: '新增', removed: '已删除' })[mark],
  changesInside: '里面有变化',
  before: '之前',
  showAll: '显示全部',
  copy: '复制',
  editValue: '修改',
  fullHistory: '全部历史',
  deleteValue: '删除',
  copyMacro: '复制宏',
  copyPath: '复制路径',
  copyValue: '复制值',
  locked: '已锁定：回复不能改它',
  rowMenu: '这个值的菜单',
  lastChanges: '最近的变化',
  copied: '已复制',
  goToCause: (floor: number) => `跳到 #${floor}`,

  handMark: '有手动修改',
  staleMark: '已过期',
  byHand: '手改',
  whatHappened: '这一层发生了什么',
  verdict: (verdict: Call['verdict']): string => (verdict === 'failed' ? '失败' : verdict === 'repaired' ? '已修正' : '成功'),
  passive: '被动',
  noCalls: '这一层没有调用。',
  emptyText: '（没有文字）',
  expand: '展开全文',
  collapse: '收起',
  moreOps: (n: number) => `显示其余 ${n} 处`,
  moreCalls: (n: number) => `显示其余 ${n} 个调用`,
  computedFrom: (from: number | null) =>
    from === null ? '由模板 + 本回复算出' : `由 #${from} 的状态 + 本回复算出`,

  keyList: [
    ['[  ]', '上一个 / 下一个 AI 楼层'],
    [',  .', '上一页 / 下一页'],
    ['G', '跳到楼层 #'],
    ['/', '查找键或值'],
    ['C', '只看变化'],
    ['E', '编辑这一层的状态'],
    ['F3  Shift+F3', '下一处 / 上一处找到的'],
    ['B', '在状态树里：值的来历'],
    ['Shift+F10', '在状态树里：这个值的菜单'],
    ['↑ ↓ ← →', '在状态树、楼层列表、时间线里移动，折叠与展开'],
    ['Enter', '在状态树里：查看整个值和它的来处'],
    ['Enter  F2  Insert  Delete', '编辑时：改值、改名、添加、删除'],
    ['Ctrl+D  Ctrl+Z', '编辑时：复制一份、撤销'],
    ['Alt+↑ ↓ ← →', '编辑时：移动这一行，移出、移入'],
    ['Ctrl+S', '保存'],
    ['?', '这张表'],
  ] as readonly (readonly [string, string])[],
};

export type Words = typeof zh;
