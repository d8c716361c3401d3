// Shows another branch in the host: opens its chat file, or writes one. A branch is a file there.
import type { SwitchTo } from 'storeyline-client';
import type { Host } from '../host/host';
import type { Api } from './api';
import type { Settings } from './settings';

const TRIES = 50;
const NAME_LENGTH = 80;

/** Converts the name of a branch to a valid file name on every file system. */
export function fileName(name: string, number: number): string {
  // eslint-disable-next-line no-control-regex
  const safe = [...name.replace(/[\\/:*?"<>|\u0000-\u001f\u007f]/g, ' ').replace(/\s+/g, ' ').trim()].slice(0, NAME_LENGTH).join('').replace(/[. ]+$/, '');
  return `${safe || 'Storeyline'}${number > 1 ? ` (${number})` : ''}`;
}

/** Shows the branch; false if the host could not. */
export async function show(host: Host, api: Api, settings: Settings, to: SwitchTo): Promise<boolean> {
  const open = host.open();
  if (!open) return false;
  // Before anything is opened: the chat that opens must not be told to switch again.
  settings.handled = to.operation;
  if (to.file && (await host.openFile(to.owner ?? open.owner, to.file))) return true;
  const file = await freeName(host, open.owner, to.name);
  const made = await api.fileOfBranch(to, file, open.owner);
  return (await host.writeFile(open.owner, file, made.header, made.messages)) && (await host.openFile(open.owner, file));
}

async function freeName(host: Host, owner: string, name: string): Promise<string> {
  for (let number = 1; number < TRIES; number++) {
    const file = fileName(name, number);
    if (!(await host.fileExists(owner, file))) return file;
  }
  return fileName(name, Date.now());
}
