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
