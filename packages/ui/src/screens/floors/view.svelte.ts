// What the Floors screen remembers of itself: which part is shown, what is searched and folded.
import { SvelteMap } from 'svelte/reactivity';
import type { Look } from '../../look.svelte';

export type Segment = 'changes' | 'values' | 'floors';

export class FloorsView {
  segment = $state<Segment>('changes');
  query = $state('');
  onlyChanges = $state(false);
  folds = new SvelteMap<string, boolean>();
  /** Increases when a command wants the focus in that field. */
  focusFind = $state(0);
  focusGoTo = $state(0);

  constructor(private readonly look: Look) {}

  toggleOnlyChanges(): void {
    this.onlyChanges = !this.onlyChanges;
    if (this.look.size !== 'wide') this.segment = 'values';
  }

  goToField(): void {
    if (this.look.size !== 'wide') this.segment = 'floors';
    this.focusGoTo++;
  }

  findField(): void {
    if (this.look.size !== 'wide') this.segment = 'values';
    this.focusFind++;
  }
}
