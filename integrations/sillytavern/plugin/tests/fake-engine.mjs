// Replaces the engine binary in the plugin's tests: prints its greeting, requires the token, ends when its
// input closes. FAKE_ENGINE selects its behaviour: `good`, `dies` (right after the greeting), `silent` (no
// greeting), `stubborn` (ignores its input).
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';

const mode = process.env.FAKE_ENGINE ?? 'good';
const data = process.argv[process.argv.indexOf('--data') + 1];
const token = `secret-${process.pid}`;
const tokenFile = path.join(data, 'token');
fs.writeFileSync(tokenFile, `${token}\n`);

const server = http.createServer((request, response) => {
  const answer = (status, body) => {
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  const refuse = (status, code) => answer(status, { error: { code, message: { zh: '不行', en: 'no' }, hint: { zh: '', en: '' }, request: 'r' } });
  if (request.url === '/healthz') return answer(200, { name: 'storeyline', ok: true, version: '9.9.9' });
  if (request.headers.authorization !== `Bearer ${token}`) return refuse(401, 'no_token');
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    if (request.url.startsWith('/api/v1/events')) {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write('id: 4\n\n');
      return;
    }
    if (request.url.startsWith('/api/v1/changes')) {
      response.on('close', () => fs.writeFileSync(path.join(data, 'left'), 'the client went away'));
      return;
    }
    if (body.includes('"old"')) return refuse(409, 'old_seq');
    answer(200, { pid: process.pid, url: request.url, header: request.headers['x-storeyline'], owner: request.headers['x-storeyline-owner'] ?? null, type: request.headers['content-type'], body, arguments: process.argv.slice(2) });
  });
});

if (mode !== 'stubborn') process.stdin.on('end', () => process.exit(0)).resume();
if (mode === 'stubborn') setInterval(() => {}, 1000);
if (mode === 'silent') process.exit(3);
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}`, token_file: tokenFile }));
  if (mode === 'dies') setTimeout(() => process.exit(1), 20);
});
