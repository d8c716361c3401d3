// Every sentence of the UI in English: sentence case, straight quotes, no exclamation marks.
import type { Tab } from '../model/route';
import type { Words } from './zh';

const plural = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

export const en: Words = {
  locale: 'en-GB',
  today: 'today',
  yesterday: 'yesterday',

  chooseStory: 'Choose a story',
  chooseBranch: 'Choose a branch',
  untitled: 'Untitled story',
  refKind: (kind) => kind,
  floorsCount: (n) => plural(n, 'floor'),
  otherLanguage: '中',
  switchLanguage: '切换到中文',
  keys: 'Keyboard',
  close: 'Close',

  engineOk: 'Engine ok',
  engineConnecting: 'Connecting to the engine…',
  engineLost: 'Engine not reachable',
  engineLocked: 'No access',
  lostBanner: (clock) =>
    clock === null ? 'Engine not reachable.' : `Engine not reachable. You see the state of ${clock}.`,
  retry: 'Retry',
  lockedTitle: 'This browser has no access yet.',
  lockedWhy: 'The engine lets in only who opens a link of its own. Run the command below and open the link that it prints.',
  linkUsedTitle: 'This link was used already, or it has expired.',
  linkUsedWhy: 'Each link works once, within an hour. Run the command below and open the new link that it prints.',
  noStoryTitle: 'No story yet.',
  noStoryWhy: 'Install it into SillyTavern and open a chat: the story appears by itself. Or import a chat file.',
  openExample: 'Open the example story',
  exampleWhy: 'A short story of 40 floors, with alternative pages, a failed call, a value edited by hand and two branches. Change what you like: everything can be undone.',
  noStoryInstall: 'Install into SillyTavern',
  noStoryImport: 'Import a chat file',
  missingTitle: 'This story or branch was not found.',
  missingWhy: 'It may have been moved, or the link comes from another machine.',
  toNewest: 'Open the newest story',
  noFloorsTitle: 'This branch has no floors yet.',
  noFloorsWhy: 'Write the first message in SillyTavern and it appears here.',
  loading: 'Loading…',

  tabs: 'Screens',
  tab: (tab: Tab): string => ({ floors: 'Floors', history: 'History', functions: 'Functions', template: 'Template', snapshots: 'Snapshots', settings: 'Settings' })[tab],

  floorTitle: (n) => `Floor ${n}`,
  previousFloor: 'Previous floor with a state',
  nextFloor: 'Next floor with a state',
  page: (at, of) => `Page ${at}/${of}`,
  pageHint: "page (the host's swipe)",
  previousPage: 'Previous page',
  nextPage: 'Next page',
  failedCalls: (n) => `${plural(n, 'call')} failed`,
  hidden: 'hidden',
  hiddenHint: 'SillyTavern does not send this message to the model; the state is not affected.',
  lookingAtPage: (at, active) => `You look at page ${at} · the chat uses page ${active}`,
  usePage: 'Use this page',
  backToActive: (active) => `Back to page ${active}`,
  lookingAtFloor: (at, chat) => `You look at #${at} · the chat is at #${chat}`,
  follow: 'Follow the chat',

  timeline: 'Timeline',
  timelineText: (floor, changes, failed) =>
    `Floor ${floor}, ${plural(changes, 'change')}${failed > 0 ? `, ${failed} failed` : ''}`,
  timelineHint: (floor, changes, failed) =>
    `#${floor} · ${plural(changes, 'change')}${failed > 0 ? ` · ${failed} failed` : ''}`,
  announce: (floor, changes, failed) =>
    `Floor ${floor}: ${plural(changes, 'change')}${failed > 0 ? `, ${failed} failed` : ''}`,

  segments: 'View',
  segmentChanges: 'Changes',
  segmentValues: 'All values',
  segmentFloors: 'Floors',

  floorList: 'Floors',
  floorLabel: (floor, name, page, pages) => `Floor ${floor} · ${name} · page ${page}/${pages}`,
  goToFloor: 'Go to floor #',
  notANumber: 'Type the number of a floor.',
  branchEnds: (last) => `This branch ends at #${last}.`,
  counts: (changed, added, removed, failed) =>
    `${changed} changed, ${added} added, ${removed} removed, ${failed} failed`,

  stateTree: 'State',
  find: 'Find key or value',
  onlyChanges: 'Only changes',
  noOwnState: (floor, from) =>
    `Floor ${floor} is your message; it has no state of its own. Showing ${from === null ? 'the template' : `#${from}`}, which it builds on.`,
  notEvaluated: (floor, from) =>
    `Floor ${floor} is not evaluated; it has no state of its own. Showing ${from === null ? 'the template' : `#${from}`}, which it builds on.`,
  nothingSet: 'Nothing has set a value yet.',
  nothingSetWhy: 'State begins with a template or with the first call in a reply.',
  nothingChanged: 'This floor changed no value.',
  nothingFound: (query) => `No key or value contains "${query}".`,
  cause: (cause) =>
    cause.kind === 'floor' ? `#${cause.floor}` : { here: 'here', greeting: 'greeting', template: 'template' }[cause.kind],
  causeHint: (cause) =>
    cause.kind === 'floor'
      ? `Set by #${cause.floor}, click to go there`
      : { here: 'Set by this floor', greeting: 'Set by the greeting, click to go there', template: 'From the template' }[
          cause.kind
        ],
  mark: (mark) => mark,
  changesInside: 'changes inside',
  before: 'before',
  showAll: 'show all',
  copy: 'Copy',
  editValue: 'Edit',
  fullHistory: 'Full history',
  deleteValue: 'Delete',
  copyMacro: 'Copy macro',
  copyPath: 'Copy path',
  copyValue: 'Copy value',
  locked: 'locked: replies cannot change it',
  rowMenu: 'Menu of this value',
  lastChanges: 'Last changes',
  copied: 'Copied',
  goToCause: (floor) => `Go to #${floor}`,

  handMark: 'edited by hand',
  staleMark: 'stale',
  byHand: 'by hand',
  whatHappened: 'What happened here',
  verdict: (verdict) => verdict,
  passive: 'passive',
  noCalls: 'This floor has no calls.',
  emptyText: '(no text)',
  expand: 'Show the whole text',
  collapse: 'Show less',
  moreOps: (n) => `Show ${n} more`,
  moreCalls: (n) => `Show ${plural(n, 'more call')}`,
  computedFrom: (from) => (from === null ? 'from the template + this reply' : `from #${from} + this reply`),

  keyList: [
    ['[  ]', 'previous / next AI floor'],
    [',  .', 'previous / next page'],
    ['G', 'go to floor #'],
    ['/', 'find key or value'],
    ['C', 'only changes'],
    ['E', 'edit the state of this floor'],
    ['F3  Shift+F3', 'next / previous hit'],
    ['B', 'in the tree: where a value comes from'],
    ['Shift+F10', 'in the tree: menu of the value'],
    ['↑ ↓ ← →', 'move in the tree, the floor list and the timeline; fold and unfold'],
    ['Enter', 'in the tree: the whole value and where it comes from'],
    ['Enter  F2  Insert  Delete', 'in an editor: change, rename, add, delete'],
    ['Ctrl+D  Ctrl+Z', 'in an editor: duplicate, undo'],
    ['Alt+↑ ↓ ← →', 'in an editor: move the row, out of its container or into the one above'],
    ['Ctrl+S', 'save'],
    ['?', 'this list'],
  ],
};
