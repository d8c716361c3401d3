// Which floor set a value. The engine names the floor for each path that was set; a value inside a container
// that was set as a whole has the container's cause, unless it was set later itself.
import type { FloorDetail, Key, Path } from '../api/types';

export type Cause = { kind: 'here' } | { kind: 'greeting' } | { kind: 'template' } | { kind: 'floor'; floor: number };

export interface CauseNode {
  /** Floor that set this very path, or NEVER. */
  own: number;
  /** Latest floor that set this path or anything inside it. */
  inside: number;
  kids: Map<Key, CauseNode>;
}

export const NEVER = -1;

export function causesOf(causes: FloorDetail['causes']): CauseNode {
  const root = emptyNode();
  for (const [text, floor] of Object.entries(causes)) {
    let node = root;
    node.inside = Math.max(node.inside, floor);
    for (const key of readPath(text)) {
      let kid = node.kids.get(key);
      if (!kid) node.kids.set(key, (kid = emptyNode()));
      node = kid;
      node.inside = Math.max(node.inside, floor);
    }
    node.own = Math.max(node.own, floor);
  }
  return root;
}

export function causeAt(setBy: number, here: number): Cause {
  if (setBy === NEVER) return { kind: 'template' };
  if (setBy === here) return { kind: 'here' };
  return setBy === 0 ? { kind: 'greeting' } : { kind: 'floor', floor: setBy };
}

function emptyNode(): CauseNode {
  return { own: NEVER, inside: NEVER, kids: new Map() };
}

function readPath(text: string): Path {
  try {
    const path: unknown = JSON.parse(text);
    return Array.isArray(path) ? (path as Path) : [];
  } catch {
    return [];
  }
}
