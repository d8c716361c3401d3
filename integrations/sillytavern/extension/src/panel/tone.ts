// Detects whether the panel is light or dark from its actual colours, because the user's theme may change at
// any time.

/** Updates `data-tone` on the root whenever the host's theme variables change. */
export function followTone(root: HTMLElement): void {
  const look = (): void => {
    root.dataset['tone'] = isDarkText(getComputedStyle(root).color) ? 'light' : 'dark';
  };
  look();
  new MutationObserver(look).observe(document.documentElement, { attributes: true, attributeFilter: ['style', 'class'] });
}

// Dark text means a light panel; the text colour is opaque, the panel's may not be.
function isDarkText(color: string): boolean {
  const [red = 255, green = 255, blue = 255] = (color.match(/[\d.]+/g) ?? []).map(Number);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 110;
}
