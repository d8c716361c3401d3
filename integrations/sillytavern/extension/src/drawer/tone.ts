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
}

const BLACK: Rgba = { r: 0, g: 0, b: 0, a: 1 };
/** Closer than this, an accent looks like a mark of change or failure. */
const HUE_DISTANCE = 25;
/** Hues of `changed` and `removed` of both tones. */
const MARKS = { dark: [36, 5], light: [36, 3] };
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

/** Works out how the panel is painted, from its colour, the page's below it, and the theme's accent. */
export function paint(panelText: string, pageText: string, accentText: string): Paint {
  const page = over(readColour(pageText) ?? BLACK, BLACK);
  const panel = over(readColour(panelText) ?? page, page);
  const tone = luminance(panel) > 0.18 ? 'light' : 'dark';
  const accent = readColour(accentText);
  return { tone, panel: css(panel), accent: accent && usable(accent, panel, tone) ? css(accent) : null };
}

function usable(accent: Rgba, panel: Rgba, tone: Paint['tone']): boolean {
  const angle = hue(accent);
  const apart = angle === null || MARKS[tone].every((mark) => Math.abs(((angle - mark + 540) % 360) - 180) >= HUE_DISTANCE);
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
  return paint(getComputedStyle(content).backgroundColor, getComputedStyle(document.body).backgroundColor, accent);
}
