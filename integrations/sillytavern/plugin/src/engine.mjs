// Runs the engine as a child process: starts it, reads its address, restarts it when it dies. The child ends
// when its standard input closes, so it cannot outlive the host, whatever kills the host.
import fs from 'node:fs';
import { spawn } from 'node:child_process';

import { words } from './words.mjs';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
const HEALTHY_MS = 30_000;
const HELLO_MS = 20_000;
const STOP_MS = 3000;

/**
 * Makes an engine that is not started yet.
 *
 * @param {() => {binary: string|null, data: string|null}} readConfig read again at every start
 */
export function makeEngine(readConfig, spawnChild = spawn) {
  /** @type {'running'|'starting'|'stopped'|'missing'} */
  let state = 'stopped';
  let message = words.notStarted;
  let child = null;
  let address = null; // { url, token }
  let pause = FIRST_PAUSE_MS;
  let timer = null;
  let startedAt = 0;
  let ending = false;
  let waiters = [];

  function start() {
    if (ending || state === 'running' || state === 'starting') return;
    clearTimeout(timer);
    timer = null;
    const { binary, data } = readConfig();
    if (binary === null) {
      settle('missing', words.missing);
      return;
    }
    state = 'starting';
    message = words.starting;
    startedAt = Date.now();
    launch(binary, data);
  }

  function launch(binary, data) {
    // Browsers keep their access by port.
    const options = ['serve', '--port', '0', '--json', '--exit-with-stdin', '--keep-port', ...(data === null ? [] : ['--data', data])];
    const own = spawnChild(binary, options, { stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
    child = own;
    const hello = setTimeout(() => own.kill(), HELLO_MS);
    firstLine(own.stdout, (line) => {
      clearTimeout(hello);
      greet(own, line);
    });
    let lastWords = '';
    own.stderr.on('data', (chunk) => {
      lastWords = (lastWords + chunk).slice(-2000);
      process.stderr.write(`[Storeyline] ${chunk}`);
    });
    own.stdin.on('error', () => {});
    let over = false;
    const ended = (why) => {
      if (over) return;
      over = true;
      clearTimeout(hello);
      if (own === child) died(why);
    };
    own.on('error', (error) => ended(error.message));
    own.on('exit', (code, signal) => ended(lastWords.trim().split('\n').at(-1) || `exit ${code ?? signal}`));
  }

  function greet(own, line) {
    if (own !== child) return;
    try {
      const { url, token_file: tokenFile } = JSON.parse(line);
      const token = fs.readFileSync(tokenFile, 'utf8').trim();
      if (!/^http:\/\/(127\.0\.0\.1|localhost|\[::1\]):\d+\/?$/.test(url)) throw new Error('not a loopback address');
      address = { url: url.replace(/\/$/, ''), token };
      settle('running', null);
    } catch (error) {
      console.error('[Storeyline] the engine did not say where it is:', error.message);
      own.kill();
    }
  }

  function died(why) {
    child = null;
    address = null;
    if (ending) {
      settle('stopped', words.notStarted);
      return;
    }
    if (Date.now() - startedAt > HEALTHY_MS) pause = FIRST_PAUSE_MS;
    console.error(`[Storeyline] the engine ended (${why}); starting it again in ${pause} ms`);
    settle('stopped', words.stopped);
    timer = setTimeout(start, pause);
    timer.unref?.();
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }

  function settle(next, nextMessage) {
    state = next;
    message = nextMessage;
    const waiting = waiters;
    waiters = [];
    for (const resolve of waiting) resolve(address);
  }

  /**
   * Returns the address of the engine, or null; starts it at once if it is down, and waits a moment for it.
   */
  function reach(milliseconds) {
    if (state === 'stopped' || state === 'missing') start();
    if (state !== 'starting') return Promise.resolve(address);
    return new Promise((resolve) => {
      waiters.push(resolve);
      setTimeout(() => resolve(address), milliseconds).unref?.();
    });
  }

  /** Closes the engine's standard input, waits, and kills it if it does not end. */
  async function stop() {
    ending = true;
    clearTimeout(timer);
    const own = child;
    if (own === null || own.exitCode !== null) return;
    const gone = new Promise((resolve) => own.once('exit', resolve));
    own.stdin.end();
    const late = setTimeout(() => own.kill('SIGKILL'), STOP_MS);
    await gone;
    clearTimeout(late);
  }

  return { start, stop, reach, status: () => ({ state, message }), address: () => address };
}

function firstLine(stream, use) {
  let text = '';
  let found = false;
  stream.setEncoding('utf8');
  stream.on('data', (chunk) => {
    if (found) return;
    text += chunk;
    const end = text.indexOf('\n');
    if (end < 0) return;
    found = true;
    use(text.slice(0, end));
  });
}
