// Every change of a branch goes through here. A change names the head that it was made on: if the branch moved
// meanwhile, nothing is written and the user decides between both sides. If the engine does not answer, the
// change is kept and sent when it is back; it is written once even if only its answer was lost.
import { Away, Refused, type Branch, type BranchEdit, type Edited, type Floor, type Json, type Path } from 'storeyline-client';
import { sameJson, valueAt } from '../logic/edit_value';
import type { PageEngine } from './engine';
import type { Toasts } from './toasts.svelte';

/** A change that the user made, with what is needed to send it again. */
export interface Mutation {
  branch: Branch;
  /** The head that the user saw. */
  head: string | null;
  floor: number;
  /** The state of the floor that an edit of the whole state began with: the floor may have changed since, and this window may know it. */
  seen?: Json;
  edit: BranchEdit;
  /** What was done, for the message that offers to take it back; it gets the number of such changes. */
  said: (count: number) => string;
}

export type Outcome = 'saved' | 'nothing' | 'conflict' | 'waiting';

export class Mutations {
  busy = $state(false);
  /** A change on a branch that moved since; the user chooses. */
  conflict = $state.raw<{ mutation: Mutation; theirs: Floor | null } | null>(null);
  /** A change that waits for the engine. */
  waiting = $state.raw<Mutation | null>(null);

  constructor(
    private readonly engine: Pick<PageEngine, 'change' | 'undo' | 'floor'>,
    private readonly toasts: Toasts,
    private readonly refresh: () => Promise<void>,
  ) {}

  async apply(mutation: Mutation): Promise<Outcome> {
    this.busy = true;
    this.conflict = null;
    try {
      if (await this.#changedSince(mutation)) return await this.#moved(mutation);
      return await this.#done(mutation, await this.engine.change(mutation.branch, mutation.edit, mutation.head));
    } catch (error) {
      if (error instanceof Away) {
        this.waiting = mutation;
        return 'waiting';
      }
      if (error instanceof Refused && error.code === 'ref_moved') return await this.#moved(mutation);
      throw error;
    } finally {
      this.busy = false;
    }
  }

  /** The engine answers again: sends what waits. */
  async resume(): Promise<void> {
    const mutation = this.waiting;
    if (!mutation || this.busy) return;
    this.waiting = null;
    await this.apply(mutation);
  }

  /** Makes the change on the branch as it is now. */
  async keepMine(): Promise<Outcome> {
    const { mutation } = this.conflict ?? {};
    return mutation ? this.apply({ ...mutation, head: null }) : 'nothing';
  }

  async takeTheirs(): Promise<void> {
    this.conflict = null;
    await this.refresh();
  }

  /** Whether somebody else changed the floor after the user began to edit it. Who keeps his side has seen the other. */
  async #changedSince({ branch, floor, head, seen }: Mutation): Promise<boolean> {
    if (seen === undefined || head === null) return false;
    const now = await this.engine.floor(branch, floor);
    return !sameJson(now.state as Json, seen);
  }

  async #done({ branch, said }: Mutation, { operation }: Edited): Promise<Outcome> {
    await this.refresh();
    if (operation == null) return 'nothing';
    const undo = async (): Promise<void> => {
      await this.engine.undo(branch, operation);
      await this.refresh();
    };
    this.toasts.show({ kind: said(2), text: said, undo });
    return 'saved';
  }

  /** The branch moved: perhaps by this very change, whose answer was lost. */
  async #moved(mutation: Mutation): Promise<Outcome> {
    const theirs = await this.engine.floor(mutation.branch, mutation.floor).catch(() => null);
    if (theirs && isDone(mutation.edit, theirs)) {
      await this.refresh();
      return 'saved';
    }
    this.conflict = { mutation, theirs };
    return 'conflict';
  }
}

/** Whether a floor is as a change wanted it. */
export function isDone(edit: BranchEdit, floor: Floor): boolean {
  if (!('page' in edit) || edit.page !== floor.page) return false;
  if (edit.kind === 'set') return Array.isArray(edit.path) && sameJson(valueAt(floor.state, edit.path as Path), edit.value as Json);
  if (edit.kind === 'unset') return Array.isArray(edit.path) && valueAt(floor.state, edit.path as Path) === undefined;
  if (edit.kind === 'override') return sameJson(floor.state, edit.state as Json);
  return edit.kind === 'edit' && edit.text === floor.text;
}
