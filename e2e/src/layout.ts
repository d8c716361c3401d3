// A layout is the shape of a chat, written by hand for every step: `g0 *g1 | u1 | a1 *a1b`. Floors are
// separated by `|`, a label names one page permanently, `*` marks the active page if a floor has several. The
// first letter of a label gives the speaker: `u` the user, `n` a narrator, `o` a comment or another page that
// is no part of the story, any other a reply.

import type { Role } from "storeyline-client";

export interface Floor {
  labels: string[];
  active: number;
}

export function parseLayout(layout: string): Floor[] {
  return layout.split("|").map((floor) => {
    const words = floor.trim().split(/\s+/);
    const marked = words.findIndex((word) => word.startsWith("*"));
    if (words.length > 1 && marked < 0) throw new Error(`layout ${layout}: which page of "${floor.trim()}" is shown?`);
    return { labels: words.map((word) => word.replace("*", "")), active: Math.max(marked, 0) };
  });
}

export function activeLabels(floors: Floor[]): string[] {
  return floors.map(({ labels, active }) => labels[active]);
}

export function roleOfLabel(label: string): Role {
  const roles: Record<string, Role> = { u: "user", n: "narrator", o: "other" };
  return roles[label[0]] ?? "assistant";
}
