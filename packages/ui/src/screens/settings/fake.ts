// For tests of the settings: a client that answers by method and path as the engine would, and records what was
// asked. Every answer is checked against the description of the API.
import { Away, Refused, type Client, type Schemas } from 'storeyline-client';
import { conforms } from 'storeyline-client/testing';

type Given = { params?: { path?: Record<string, string> }; body?: unknown };
type Answer = [schema: keyof Schemas, value: unknown];

export class FakeClient {
  asked: string[] = [];
  bodies: unknown[] = [];
  /** `get status` → what it answers. */
  answers: Record<string, (given: Given) => Answer> = {};
  trouble: 'none' | 'away' | 'refused' = 'none';
  /** Answers are held back until this is called. */
  #held: (() => void)[] | null = null;

  readonly client = (async (method: string, path: string, given: Given = {}) => {
    const name = `${method} ${path.replace('/api/v1/', '')}`;
    this.asked.push(name);
    if (given.body !== undefined) this.bodies.push(given.body);
    if (this.#held) await new Promise<void>((resolve) => this.#held?.push(resolve));
    if (this.trouble === 'away') throw new Away();
    if (this.trouble === 'refused') throw new Refused(400, 'bad_request', { zh: '不行', en: 'no' }, { zh: '改', en: 'change it' });
    const answer = this.answers[name];
    if (!answer) throw new Refused(404, 'not_found', { zh: '没有', en: 'none' });
    const [schema, value] = answer(given);
    return structuredClone(conforms(schema, value));
  }) as unknown as Client;

  hold(): void {
    this.#held = [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const go of held) go();
  }
}
