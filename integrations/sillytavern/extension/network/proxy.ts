// A bad network between the tabs and the engine: a real HTTP proxy that delays, doubles and loses requests and answers. Because
// every request waits for a time of its own, they also overtake each other. Each tab has its own luck, from its seed.
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Engine } from './engine';
import type { Random } from './random';

export interface Weather {
  random: Random;
  /** How many of the requests something happens to, from 0 to 1. */
  bad: number;
  /** The longest delay in milliseconds. */
  delay: number;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export class Proxy {
  /** How often each thing happened. */
  readonly counts = { passed: 0, doubled: 0, lostRequests: 0, lostAnswers: 0 };
  private readonly weathers = new Map<string, Weather>();
  private names = 0;

  private constructor(
    private readonly server: Server,
    private readonly engine: Engine,
  ) {}

  static async start(engine: Engine): Promise<Proxy> {
    const server = createServer();
    const proxy = new Proxy(server, engine);
    server.on('request', (request, response) => {
      proxy.handle(request, response).catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** Makes a `fetch` that goes through this weather. */
  fetcher(weather: Weather): typeof fetch {
    const name = String(this.names++);
    this.weathers.set(name, weather);
    const base = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return (input, init) => fetch(base + String(input), { ...init, headers: { ...(init?.headers as Record<string, string>), 'X-Weather': name } });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const weather = this.weathers.get(String(request.headers['x-weather']))!;
    const { random } = weather;
    const path = request.url!.replace('/api/plugins/storeyline/v1', '/api/v1');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = request.method === 'GET' ? undefined : Buffer.concat(chunks).toString('utf8');
    const fate = random.next() < weather.bad ? random.pick(['lost request', 'lost answer', 'doubled'] as const) : 'passed';
    await pause(random.next() * weather.delay);
    if (fate === 'lost request') {
      this.counts.lostRequests++;
      return void response.destroy();
    }
    // The copy comes whenever it likes, long after the answer, too.
    if (fate === 'doubled') void pause(random.next() * weather.delay * 10).then(() => this.forward(request.method!, path, body)).catch(() => undefined);
    const { status, text } = await this.forward(request.method!, path, body);
    await pause(random.next() * weather.delay);
    if (fate === 'lost answer') {
      this.counts.lostAnswers++;
      return void response.destroy();
    }
    this.counts[fate === 'doubled' ? 'doubled' : 'passed']++;
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(text);
  }

  private async forward(method: string, path: string, body: string | undefined): Promise<{ status: number; text: string }> {
    const headers = { Authorization: `Bearer ${this.engine.token}`, 'X-Storeyline': '1', 'Content-Type': 'application/json' };
    const answer = await fetch(this.engine.url + path, { method, headers, ...(body === undefined ? {} : { body }) });
    return { status: answer.status, text: await answer.text() };
  }
}
