// Colours of the user's theme as the screens need them: the panel without transparency, whether it is light or dark,
// and an accent that cannot be taken for the mark of a change. In: colours as the browser computes them.

export interface Rgba {
  r: number;
  g: number;
  b: number;
  /** 0 to 1. */
  a: number;
}

export interface Paint {
  tone: 'dark' | 'light';
  /** The panel as it appears over the page, opaque. */
  panel: string;
  /** Null: the information colour is used instead. */
  accent: string | null;
  /** How much of the text's colour dim text has, in percent, to be readable on every tint. */
  dim: number;
}

const BLACK: Rgba = { r: 0, g: 0, b: 0, a: 1 };
/** Closer than this, an accent looks like a mark of change or failure. */
const HUE_DISTANCE = 25;
/** Colours of `changed`, `removed`, `added`, `by hand` and of information, as in tokens.css. */
const MARKS = {
  dark: ['#f0b35a', '#ff8a80', '#5cc8a0', '#c3b1ff', '#8ab4ff'],
  light: ['#8a5200', '#b3261e', '#0a6e4d', '#6244b8', '#1b5fc1'],
};
const TINT = 0.16;
const DIM = 76;
const READABLE = 4.6;
/** Below this saturation a colour has no visible hue. */
const GREY = 0.15;

/** Reads `rgb(…)`, `rgba(…)` and `color(srgb …)`, which is what computed styles contain. */
export function readColour(text: string): Rgba | null {
  const [r, g, b, a = 1] = (text.match(/-?[\d.]+(e-?\d+)?/gi) ?? []).map(Number);
  if (r === undefined || g === undefined || b === undefined || [r, g, b, a].some(Number.isNaN)) return null;
  if (/^rgba?\(/i.test(text)) return { r, g, b, a };
  return /^color\(srgb /i.test(text) ? { r: r * 255, g: g * 255, b: b * 255, a } : null;
}

/** Lays one colour over an opaque one. */
export function over(top: Rgba, below: Rgba): Rgba {
  const mix = (a: number, b: number): number => Math.round(a * top.a + b * (1 - top.a));
  return { r: mix(top.r, below.r), g: mix(top.g, below.g), b: mix(top.b, below.b), a: 1 };
}

/** Relative luminance as WCAG defines it, 0 to 1. */
export function luminance({ r, g, b }: Rgba): number {
  const linear = (value: number): number => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

export function contrast(a: Rgba, b: Rgba): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

/** Hue in degrees; null for greys. */
export function hue({ r, g, b }: Rgba): number | null {
  const max = Math.max(r, g, b);
  const range = max - Math.min(r, g, b);
  if (max === 0 || range / max < GREY) return null;
  const sixth = max === r ? (g - b) / range : max === g ? 2 + (b - r) / range : 4 + (r - g) / range;
  return (sixth * 60 + 360) % 360;
}

/** Works out how the panel is painted, from its colour, the page's below it, its text's, and the theme's accent. */
export function paint(panelText: string, pageText: string, textText: string, accentText: string): Paint {
  const page = over(readColour(pageText) ?? BLACK, BLACK);
  const panel = over(readColour(panelText) ?? page, page);
  const tone = luminance(panel) > 0.18 ? 'light' : 'dark';
  const asked = readColour(accentText);
  const accent = asked && usable(asked, panel, tone) ? asked : null;
  const text = over(readColour(textText) ?? { ...panel, a: 0 }, panel);
  return { tone, panel: css(panel), accent: accent && css(accent), dim: dimShare(text, panel, [...MARKS[tone].map(readHex), ...(accent ? [accent] : [])]) };
}

function dimShare(text: Rgba, panel: Rgba, colours: Rgba[]): number {
  const tints = [panel, ...colours.map((colour) => over({ ...colour, a: TINT }, panel))];
  for (let share = DIM; share < 100; share += 4) {
    const dim = over({ ...text, a: share / 100 }, panel);
    if (tints.every((tint) => contrast(dim, tint) >= READABLE)) return share;
  }
  return 100;
}

function readHex(text: string): Rgba {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16));
  return { r, g, b, a: 1 };
}

function usable(accent: Rgba, panel: Rgba, tone: Paint['tone']): boolean {
  const angle = hue(accent);
  const marks = MARKS[tone].slice(0, 2).map((mark) => hue(readHex(mark)) ?? 0);
  const apart = angle === null || marks.every((mark) => Math.abs(((angle - mark + 540) % 360) - 180) >= HUE_DISTANCE);
  return apart && contrast(accent, panel) >= 3;
}

const css = ({ r, g, b }: Rgba): string => `rgb(${Math.round(r)} ${Math.round(g)} ${Math.round(b)})`;

/** Reads the colours of the page and sets them on our own elements. */
export function lookAt(content: HTMLElement): Paint {
  const root = getComputedStyle(document.documentElement);
  // The variable is what the user typed; only a computed colour is in a known form.
  const probe = document.createElement('i');
  probe.style.color = root.getPropertyValue('--SmartThemeQuoteColor');
  content.append(probe);
  const accent = getComputedStyle(probe).color;
  probe.remove();
  const { backgroundColor, color } = getComputedStyle(content);
  return paint(backgroundColor, getComputedStyle(document.body).backgroundColor, color, accent);
}
