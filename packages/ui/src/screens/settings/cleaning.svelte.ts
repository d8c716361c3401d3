// Cleaning: branches whose chat files are gone, and the trash. Both only look first.
import { Away, type Client, type Schemas } from 'storeyline-client';
import type { HostFiles } from '../../shell/host';
import { Asking } from './asking.svelte';

export type UnusedBranch = Schemas['UnusedBranch'];
type Collected = Schemas['Collected'];

/** Comparing all files may take long. */
const PATIENCE = 600;

/** Throws away what is in the trash now; operations stay undoable as usual. */
const TRASH = { trash_days: 0, undo_days: 90 };

const UNLISTED = { zh: '没能列出聊天文件。', en: 'The chat files could not be listed.' };
const UNLISTED_HINT = { zh: '没有改动任何东西，请再试一次。', en: 'Nothing was changed. Try again.' };

interface Found {
  existing: { owner: string; files: string[] }[];
  branches: UnusedBranch[];
  /** Cards and groups whose files could not be listed; their branches are left alone. */
  unlisted: string[];
}

export class Cleaning extends Asking {
  found = $state.raw<Found | null>(null);
  /** What emptying the trash would remove. */
  trash = $state.raw<Collected | null>(null);
  emptied = $state.raw<Collected | null>(null);

  constructor(private readonly client: Client) {
    super();
  }

  /** Finds unused branches; nothing is changed. */
  async look(files: () => Promise<HostFiles[]> | null): Promise<void> {
    this.found = null;
    this.found = await this.ask('look', async () => {
      const listed = await listedBy(files);
      const existing = listed.flatMap(({ owner, files: names }) => (names === null ? [] : [{ owner, files: [...names] }]));
      const unlisted = listed.filter((one) => one.files === null).map((one) => one.owner);
      const { branches } = await this.client('post', '/api/v1/chats/unused', { body: { existing, dry_run: true }, patience: PATIENCE });
      return { existing, branches, unlisted };
    });
  }

  /** Moves the branches that were found to the trash; returns those that were moved. */
  async remove(): Promise<UnusedBranch[]> {
    const { found } = this;
    if (!found) return [];
    const body = { existing: found.existing, dry_run: false };
    const done = await this.ask('remove', () => this.client('post', '/api/v1/chats/unused', { body, patience: PATIENCE }));
    if (!done) return [];
    this.found = { ...found, branches: [] };
    return done.branches;
  }

  async restore(branches: readonly UnusedBranch[]): Promise<void> {
    await this.ask('restore', async () => {
      for (const { story, ref } of branches) {
        await this.client('post', '/api/v1/stories/{story}/refs/{ref}/restore', { params: { path: { story, ref } } });
      }
      this.found = null;
    });
  }

  async countTrash(): Promise<void> {
    this.emptied = null;
    this.trash = await this.ask('count', () => this.client('post', '/api/v1/gc', { body: { dry_run: true, ...TRASH }, patience: PATIENCE }));
  }

  async emptyTrash(): Promise<void> {
    this.trash = null;
    this.emptied = await this.ask('empty', () => this.client('post', '/api/v1/gc', { body: { dry_run: false, ...TRASH }, patience: PATIENCE }));
  }
}

/** What goes wrong in the host is no answer of the engine, but the user has to know it, too. */
async function listedBy(files: () => Promise<HostFiles[]> | null): Promise<HostFiles[]> {
  try {
    return (await files()) ?? [];
  } catch (cause) {
    throw new Away('no_files', UNLISTED, UNLISTED_HINT, { cause });
  }
}
