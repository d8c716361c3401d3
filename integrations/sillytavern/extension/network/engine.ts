// The real engine: the binary, started on its own folder, used over HTTP and by its command line.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { type Engine as Client, type Floor, type Ref, makeClient, makeEngine } from 'storeyline-client';
import type { Json, JsonObject } from '../src/logic/json';
import { answerOf, ask } from './http';

const run = promisify(execFile);

/** The card of every story, as in its file. */
export const card: JsonObject = {
  spec: 'chara_card_v2', spec_version: '2.0',
  data: { name: 'Aria', first_mes: 'Hello {{user}}', extensions: { st_var_system: { enabled: true, templateBody: { gold: 1 } } } },
};

export class Engine {
  private readonly client: Client;

  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    private readonly binary: string,
    readonly url: string,
    readonly token: string,
  ) {
    const headers = { Authorization: `Bearer ${token}` };
    const fetch = async (request: Request): Promise<Response> => answerOf(await ask(request.url, request.method, headers));
    this.client = makeEngine(makeClient({ api: `${url}/api`, fetch }));
  }

  static async start(binary: string): Promise<Engine> {
    const folder = mkdtempSync(join(tmpdir(), 'storeyline-network-'));
    writeFileSync(join(folder, 'card.json'), JSON.stringify(card));
    const data = join(folder, 'data');
    const child = spawn(binary, ['serve', '--port', '0', '--json', '--exit-with-stdin', '--data', data], { stdio: ['pipe', 'pipe', 'inherit'] });
    const line = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout! }).once('line', resolve);
      child.once('exit', (code) => reject(new Error(`the engine ended with ${code}`)));
    });
    const { url, token_file } = JSON.parse(line) as { url: string; token_file: string };
    return new Engine(child, folder, binary, url.replace(/\/$/, ''), readFileSync(token_file, 'utf8').trim());
  }

  async refs(story: string): Promise<Ref[]> {
    return (await this.client.story(story)).refs;
  }

  floors(story: string, { ref, floors }: Ref): Promise<Floor[]> {
    return Promise.all(Array.from({ length: floors }, (_, floor) => this.client.floor({ story, ref }, floor)));
  }

  /** Computes the state at every floor of a chat file from its texts alone. */
  async replay(name: string, lines: string): Promise<Json[]> {
    const file = join(this.folder, `${name}.jsonl`);
    writeFileSync(file, lines);
    const { stdout } = await run(this.binary, ['replay', file, '--card', join(this.folder, 'card.json'), '--json', '--data', join(this.folder, 'none')]);
    rmSync(file);
    return stdout.split('\n').filter((line) => line !== '').map((line) => (JSON.parse(line) as { state: Json }).state);
  }

  async stop(): Promise<void> {
    const gone = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.stdin!.end();
    await gone;
    rmSync(this.folder, { recursive: true, force: true });
  }
}
