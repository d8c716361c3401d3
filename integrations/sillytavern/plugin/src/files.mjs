// Finds a chat file of the requesting user. The page names a card or group and a file; only a plain name
// inside the user's own chat folders is ever opened.
import fs from 'node:fs';
import path from 'node:path';

/** Returns `{ name, path }` of an existing file, or null. */
export function chatFile(directories, body) {
  const { owner, file, group } = body ?? {};
  if (typeof directories?.chats !== 'string' || !isPlainName(file)) return null;
  const folder = group === true ? directories.groupChats : isPlainName(owner) ? path.join(directories.chats, owner.replace(/\.png$/, '')) : null;
  if (typeof folder !== 'string') return null;
  const found = path.join(folder, `${file}.jsonl`);
  return isFile(found) ? { name: file, path: found } : null;
}

function isPlainName(name) {
  // eslint-disable-next-line no-control-regex
  return typeof name === 'string' && name !== '' && name.length < 255 && !/[\\/\u0000-\u001f]/.test(name) && name !== '.' && name !== '..';
}

// A link could lead out of the user's folder.
function isFile(file) {
  try {
    return fs.lstatSync(file).isFile();
  } catch {
    return false;
  }
}
