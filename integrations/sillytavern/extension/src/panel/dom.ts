// Small help for building elements. Only text is ever set, never HTML: what we show was written by models and cards.

/** Makes an element with a class (ours all begin with `sl-`) and children. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K, className: string, ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

/** Cuts a text to a length. */
export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
