// Which floor set a value. The calls of this floor tell what it set; for everything else the engine is asked.
// A value inside a container that was set as a whole was set with it.
import type { Call, Path, Step } from 'storeyline-client';

export type Cause = { kind: 'here' } | { kind: 'greeting' } | { kind: 'template' } | { kind: 'floor'; floor: number };

/** A path of the state, and whether this floor set it. */
export interface SetNode {
  own: boolean;
  /** This path or anything inside it. */
  inside: boolean;
  kids: Map<Step, SetNode>;
}

export function setHere(calls: readonly Pick<Call, 'ops'>[]): SetNode {
  const root = emptyNode();
  for (const op of calls.flatMap((call) => call.ops)) {
    // Removing an item of a list moves the others.
    const moved = op.kind === 'removed' && typeof op.path.at(-1) === 'number';
    note(root, moved ? op.path.slice(0, -1) : op.path);
  }
  return root;
}

/** The cause of what an earlier floor set; null: the first state. */
export function causeAbove(floor: number | null): Cause {
  if (floor === null) return { kind: 'template' };
  return floor === 0 ? { kind: 'greeting' } : { kind: 'floor', floor };
}

function note(root: SetNode, path: Path): void {
  let node = root;
  node.inside = true;
  for (const key of path) {
    let kid = node.kids.get(key);
    if (!kid) node.kids.set(key, (kid = emptyNode()));
    node = kid;
    node.inside = true;
  }
  node.own = true;
}

function emptyNode(): SetNode {
  return { own: false, inside: false, kids: new Map() };
}
