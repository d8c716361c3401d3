// Reads `config.json` beside the plugin, which the installer writes: the path of the engine, and its data
// folder.
import fs from 'node:fs';
import path from 'node:path';

/**
 * Returns `{ binary, data }` with absolute paths. `binary` is null when no usable path is configured; it
 * never throws, because a broken file must not keep the host from starting.
 */
export function readConfig(folder) {
  let config = {};
  try {
    config = JSON.parse(fs.readFileSync(path.join(folder, 'config.json'), 'utf8'));
  } catch {
    // Missing or unreadable: the same as an empty one.
  }
  const binary = absolute(folder, config?.binary);
  return { binary: binary !== null && isFile(binary) ? binary : null, data: absolute(folder, config?.data) };
}

function absolute(folder, value) {
  return typeof value === 'string' && value !== '' ? path.resolve(folder, value) : null;
}

function isFile(file) {
  try {
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
