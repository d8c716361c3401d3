// Helpers that build elements. Only text is ever set, never HTML: the content was written by models and
// cards.

/** Makes an element with a class (all of ours begin with `sl-`) and children. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K, className: string, ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

/** Truncates a text. */
export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
