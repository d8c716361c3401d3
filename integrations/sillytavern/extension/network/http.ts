// A request without `fetch`, which sets its own timers: the virtual clock would take them for those of the
// tabs.
import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true });

export interface Answer {
  status: number;
  text: string;
}

export function ask(url: string, method: string, headers: Record<string, string>, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text })).on('error', reject);
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

/** The answer as `fetch` gives it, but at once: reading a real one takes time that is not on the virtual clock. */
export function answerOf({ status, text }: Answer): Response {
  return { ok: status < 400, status, headers: new Headers(), text: async () => text } as Response;
}
