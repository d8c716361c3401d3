// Chooses the state that a prompt must see. In: how far the acknowledged path and the chat agree, and what
// the host is about to do. Out: the state of the acknowledged head, the one before it, or none; and whether
// that is exact.

/** What the host generates; null when it does not. */
export type GenerationType = string | null;

export interface Situation {
  /** Floors of the last acknowledged path. */
  acked: number;
  /** Number of its leading floors that the chat still has. */
  common: number;
  /** Floors in the chat. */
  floors: number;
  /** The last message shows a page that does not exist yet. */
  pending: boolean;
  /** The last message is the user's. */
  lastIsUser: boolean;
  generation: GenerationType;
  /** Regenerating, and the host has removed the old reply already. */
  removed: boolean;
}

export interface Effective {
  which: 'state' | 'parent' | null;
  /** Floors that the state covers. */
  floors: number;
  /** The state is that of exactly the floor the prompt continues. */
  exact: boolean;
}

/** Chooses the state for the prompt, or for the reader when nothing is generated. */
export function effective(now: Situation): Effective {
  const target = now.floors - (replacesLast(now) ? 1 : 0);
  const usable = Math.min(now.common, target);
  if (usable >= now.acked) return { which: 'state', floors: now.acked, exact: target === now.acked };
  if (usable === now.acked - 1) return { which: 'parent', floors: now.acked - 1, exact: target === now.acked - 1 };
  return { which: null, floors: 0, exact: false };
}

// A swipe, a regenerated and a continued message are evaluated on the state before them, so the model must
// see that one.
function replacesLast(now: Situation): boolean {
  if (now.floors === 0) return false;
  if (now.pending) return true;
  if (now.generation === 'swipe' || now.generation === 'continue') return true;
  return now.generation === 'regenerate' && !now.removed && !now.lastIsUser;
}
