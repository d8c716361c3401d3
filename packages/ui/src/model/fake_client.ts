// A client for tests: answers by method and path, every request recorded, failures on demand.
import { Away, Refused, type Client } from 'storeyline-client';

export type Answerer = (given: { path: Record<string, string>; query: Record<string, unknown>; body: unknown }) => unknown;

export class FakeClient {
  /** `put /api/v1/templates/{card}` → what it answers. */
  answers = new Map<string, Answerer>();
  asked: string[] = [];
  trouble: 'none' | 'away' | 'refused' = 'none';

  readonly client = (async (method: string, path: string, given: { params?: { path?: object; query?: object }; body?: unknown } = {}) => {
    this.asked.push(`${method} ${path.replace('/api/v1/', '')}`);
    if (this.trouble === 'away') throw new Away();
    if (this.trouble === 'refused') throw new Refused(400, 'too_large', { zh: '太大', en: 'too large' }, { zh: '小些', en: 'smaller' });
    const answer = this.answers.get(`${method} ${path.replace('/api/v1/', '')}`);
    if (!answer) throw new Refused(404, 'not_found', { zh: '没有', en: 'none' });
    // Like the wire: what comes back is a copy.
    return structuredClone(answer({ path: { ...given.params?.path }, query: { ...given.params?.query }, body: structuredClone(given.body) }));
  }) as unknown as Client;
}
