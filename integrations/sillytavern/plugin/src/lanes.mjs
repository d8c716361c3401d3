// Connections to the engine, shared fairly: every account has a number of its own, so that the long polls and
// streams of one cannot keep another waiting.
import http from 'node:http';

/** What an account may have under way at a time. */
const MOST = { request: 64, poll: 16, stream: 16 };
/** More requests than these wait for each other. */
const SOCKETS = 16;
/** Idle connections are closed before the engine closes them, so that no request meets a closing one. */
const IDLE_MS = 15_000;
/** Above this number of accounts, those that wait for nothing are forgotten. */
const MANY = 64;

/** Long polls and streams have connections of their own; their number is limited by account. */
const waiting = new http.Agent({ keepAlive: false });

export function makeLanes(most = MOST) {
  const accounts = new Map();

  function laneOf(owner) {
    const key = owner ?? '';
    if (!accounts.has(key)) {
      const agent = new http.Agent({ keepAlive: true, maxSockets: SOCKETS, timeout: IDLE_MS });
      accounts.set(key, { agent, busy: { request: 0, poll: 0, stream: 0 } });
    }
    return accounts.get(key);
  }

  function forgetIdle() {
    if (accounts.size <= MANY) return;
    for (const [key, { agent, busy }] of accounts) {
      if (Object.values(busy).some((count) => count > 0)) continue;
      agent.destroy();
      accounts.delete(key);
    }
  }

  /**
   * Returns `{ agent, leave }` for one request, or null if the account has too many under way.
   *
   * @param {string|null} owner
   * @param {'request'|'poll'|'stream'} kind
   */
  return function enter(owner, kind) {
    forgetIdle();
    const { agent, busy } = laneOf(owner);
    if (busy[kind] >= most[kind]) return null;
    busy[kind]++;
    let left = false;
    const leave = () => {
      if (!left) busy[kind]--;
      left = true;
    };
    return { agent: kind === 'request' ? agent : waiting, leave };
  };
}
