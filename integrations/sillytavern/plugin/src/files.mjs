// Finds a chat file of the requesting user. The page names a card or group and a file; a file is opened only if its
// real path lies inside the user's own chat folders.
import fs from 'node:fs';
import path from 'node:path';

import { isPlainName } from './paths.mjs';

const MAX_NAME = 255;

/** Returns `{ name, path, size }` of an existing file, or null. */
export function chatFile(directories, body) {
  const { owner, file, group } = body ?? {};
  const inside = group === true ? [] : [typeof owner === 'string' ? owner.replace(/\.png$/, '') : null];
  const names = [...inside, typeof file === 'string' ? `${file}.jsonl` : null];
  if (!isPlainName(file) || !names.every((name) => isPlainName(name) && name.length <= MAX_NAME)) return null;
  const root = group === true ? directories?.groupChats : directories?.chats;
  if (typeof root !== 'string') return null;
  const found = realFile(root, names);
  return found && { name: file, ...found };
}

/** Follows all links on the way and makes sure that they lead to a file inside `root`. */
function realFile(root, names) {
  try {
    const realRoot = fs.realpathSync(root);
    const real = fs.realpathSync(path.join(realRoot, ...names));
    const stat = fs.statSync(real);
    return real.startsWith(realRoot + path.sep) && stat.isFile() ? { path: real, size: stat.size } : null;
  } catch {
    return null;
  }
}
