// A bad network between the tabs and the engine: it delays, doubles and loses requests and answers. Every
// request has its own delay, so they also overtake each other. Each tab has its own random numbers, from its
// seed. Requests reach the engine over HTTP one after the other, so that their order depends on the schedule
// and not on the machine.
import type { LastOperation, Schemas, SyncAnswer } from 'storeyline-client';
import type { WholeRequest } from '../src/logic/plan';
import type { Clock } from './clock';
import type { Engine } from './engine';
import { type Answer, answerOf, ask } from './http';
import type { Journal } from './journal';
import type { Random } from './random';

export interface Weather {
  random: Random;
  /** Share of disturbed requests, from 0 to 1. */
  bad: number;
  /** Maximum delay in milliseconds. */
  delay: number;
  /** Maximum time of the host, in milliseconds, for half of a save or a load. */
  file: number;
}

interface Sent {
  method: string;
  path: string;
  body: string | undefined;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** How often each disturbance happened. */
export const counts = { passed: 0, doubled: 0, lostRequests: 0, lostAnswers: 0 };

export class Proxy {
  private before: Promise<unknown> = Promise.resolve();
  private listeners: (() => void)[] = [];

  constructor(
    private readonly engine: Engine,
    private readonly clock: Clock,
    private readonly journal: Journal,
    private readonly heard: (request: WholeRequest, answer: SyncAnswer) => void,
  ) {}

  /** Makes a `fetch` that goes through this network. */
  fetcher(name: string, weather: Weather): (request: Request) => Promise<Response> {
    return async (request) => {
      const { method, url, signal } = request;
      const path = url.replace('http://host/api/plugins/storeyline/v1', '/api/v1');
      const body = method === 'GET' ? undefined : await this.clock.outside(request.text());
      const given = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('given up'))));
      return answerOf(await Promise.race([this.carry(name, weather, { method, path, body }), given]));
    };
  }

  private async carry(name: string, weather: Weather, sent: Sent): Promise<Answer> {
    const { random } = weather;
    const fate = random.next() < weather.bad ? random.pick(['lost request', 'lost answer', 'doubled'] as const) : 'passed';
    await pause(random.next() * weather.delay);
    if (fate === 'lost request') {
      counts.lostRequests++;
      throw new Error('lost');
    }
    // The copy may arrive long after the answer.
    if (fate === 'doubled') void pause(random.next() * weather.delay * 10).then(() => this.deliver(`${name} ×2`, sent)).catch(() => undefined);
    const answer = await this.deliver(name, sent);
    await pause(random.next() * weather.delay);
    if (fate === 'lost answer') {
      counts.lostAnswers++;
      if (sent.path.endsWith('/sync')) this.journal.note(name, '(the last answer is lost)');
      throw new Error('lost');
    }
    counts[fate === 'doubled' ? 'doubled' : 'passed']++;
    return answer;
  }

  /** The feed of changes waits here and not in the engine, which has another clock. */
  private async deliver(name: string, sent: Sent): Promise<Answer> {
    const wait = /^(.*\/changes\?(?:after=(\w+)&)?client=[\w%-]*&wait=)(\d+)$/.exec(sent.path);
    if (!wait) return this.ask(name, sent);
    const over = this.clock.now + Number(wait[3]) * 1000;
    for (;;) {
      const answer = await this.ask(name, { ...sent, path: `${wait[1]}0` });
      const { last } = JSON.parse(answer.text) as LastOperation;
      if (last !== wait[2] || this.clock.now >= over) return answer;
      await Promise.race([pause(over - this.clock.now), new Promise<void>((resolve) => this.listeners.push(resolve))]);
    }
  }

  private ask(name: string, sent: Sent): Promise<Answer> {
    const answer = this.clock.outside(this.before.then(() => this.forward(sent)));
    this.before = answer.catch(() => undefined);
    return answer.then((answer) => this.passed(name, sent, answer));
  }

  private passed(name: string, sent: Sent, answer: Answer): Answer {
    if (sent.path.endsWith('/sync')) {
      const [request, said] = [JSON.parse(sent.body!) as WholeRequest, JSON.parse(answer.text) as SyncAnswer | Schemas['Error']];
      this.journal.note(name, `${this.journal.request(request)} → ${this.journal.answer(said)}`);
      if (!('error' in said)) this.heard(request, said);
    }
    if (sent.method !== 'GET') {
      for (const listener of this.listeners.splice(0)) listener();
    }
    return answer;
  }

  private forward({ method, path, body }: Sent): Promise<Answer> {
    const headers = { Authorization: `Bearer ${this.engine.token}`, 'X-Storeyline': '1', 'Content-Type': 'application/json' };
    return ask(this.engine.url + path, method, headers, body);
  }
}
