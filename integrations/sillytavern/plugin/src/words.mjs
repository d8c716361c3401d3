// The plugin's messages, in two languages.
const both = (zh, en) => ({ zh, en });

export const words = {
  notStarted: both('引擎还没有启动。', 'The engine is not started yet.'),
  starting: both('引擎正在启动。', 'The engine is starting.'),
  stopped: both('引擎已停止，正在重新启动。', 'The engine stopped; it is being started again.'),
  missing: both('没有找到引擎程序。', 'The engine program was not found.'),
  missingHint: both('请重新运行 `storeyline sillytavern install`。', 'Run `storeyline sillytavern install` again.'),
  awayHint: both('消息照常保存；引擎恢复后会自动补算。', 'Messages are kept; the state catches up when the engine is back.'),
  noFile: both('没有找到聊天文件。', 'The chat file was not found.'),
  tooMany: both('这个账号同时发出的请求太多。', 'This account has too many requests under way.'),
  tooManyHint: both('请关掉几个页面。', 'Close some pages.'),
  late: both('引擎没有及时回答。', 'The engine did not answer in time.'),
  broken: both('与引擎的连接中断了。', 'The connection to the engine broke.'),
};
