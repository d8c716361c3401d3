// The frame of the drawer: its icon, its keys, and when the screens inside are loaded, shown and painted.
import type { App } from '../app/app';
import type { HostDrawer, Surface } from '../host/surface';
import { say } from '../logic/words';
import type { Shell } from './mount';
import type { DisplaySettings } from './settings';
import { type Paint, lookAt } from './tone';
import { SAY } from './words';

export const DRAWER_ID = 'storeyline_drawer';

export class Frame {
  private readonly drawer: HostDrawer | null;
  private readonly target = document.createElement('div');
  private loading: Promise<Shell> | null = null;
  private shell: Shell | null = null;
  /** The last thing that the user touched is in the drawer. */
  private inside = false;
  /** What had the focus before the drawer. */
  private before: Element | null = null;

  constructor(
    private readonly app: App,
    surface: Surface,
    private readonly settings: DisplaySettings,
  ) {
    this.drawer = surface.addDrawer(DRAWER_ID, 'fa-layer-group', say(SAY.openDrawer, app.host.language()));
    if (!this.drawer) return;
    const { content } = this.drawer;
    this.target.className = 'sl-host-target';
    content.append(this.target);
    // Without it a click on something that takes no focus leaves the focus with the page, and keys go to the host.
    content.tabIndex = -1;
    this.guard(content);
    this.drawer.onToggle((open) => void this.toggled(open));
    this.drawer.onRoom(() => this.placeIcon());
    settings.onChange(() => this.placeIcon());
    this.placeIcon();
  }

  /** Opens the drawer, at a floor if one is given. */
  async show(floor: number | null = null): Promise<void> {
    this.drawer?.open();
    const shell = await this.load();
    if (floor !== null) shell?.go(floor);
  }

  /** Colours of the panel as they are now. */
  look(): Paint | null {
    return this.drawer && lookAt(this.drawer.content);
  }

  paint(paint: Paint): void {
    this.shell?.paint(paint);
  }

  private async toggled(open: boolean): Promise<void> {
    this.inside = open;
    if (open) {
      this.before = document.activeElement;
      this.drawer?.content.focus({ preventScroll: true });
      await this.load();
    }
    this.shell?.show(this.drawer?.isOpen() ?? false);
  }

  private async load(): Promise<Shell | null> {
    if (!this.drawer) return null;
    this.loading ??= import('./mount').then(({ mountDrawer }) => mountDrawer(this.target, this.app, this.settings));
    try {
      this.shell = await this.loading;
      const paint = this.look();
      if (paint) this.shell.paint(paint);
    } catch (error) {
      // The files of the extension could not be loaded: the next opening tries again.
      this.loading = null;
      console.error('[Storeyline]', error);
    }
    return this.shell;
  }

  private placeIcon(): void {
    const choice = this.settings.topIcon;
    this.drawer?.showIcon(choice === 'always' || (choice === 'auto' && this.drawer.iconFits()));
  }

  // The host swipes on arrow keys, regenerates on Ctrl+Enter, closes drawers on Escape and on a press outside of
  // them. What was pressed in here must not reach it; our own parts have handled it before it comes here.
  private guard(content: HTMLElement): void {
    content.addEventListener('keydown', (event) => this.key(event));
    for (const kind of ['mousedown', 'touchstart'] as const) content.addEventListener(kind, (event) => event.stopPropagation(), { passive: true });
    document.addEventListener('pointerdown', (event) => (this.inside = event.target instanceof Node && content.contains(event.target)), { capture: true });
    document.addEventListener('focusin', (event) => (this.inside = event.target instanceof Node && content.contains(event.target)), { capture: true });
    // A part that had the focus may be gone; then the browser gives the key to the page.
    document.addEventListener('keydown', (event) => {
      if (!this.inside || !this.drawer?.isOpen() || document.activeElement !== document.body) return;
      content.focus({ preventScroll: true });
      this.key(event);
    }, { capture: true });
  }

  private key(event: KeyboardEvent): void {
    event.stopPropagation();
    if (event.isComposing || event.defaultPrevented) return;
    if (event.key === 'Escape') this.escape(event.target);
    else this.shell?.press(event);
  }

  // The topmost thing closes: a dialog does it by itself, a field is left, then the drawer.
  private escape(target: EventTarget | null): void {
    const content = this.drawer?.content;
    if (content?.querySelector('dialog[open]')) return;
    if (target instanceof Element && target.matches('input, textarea, [contenteditable]')) content?.focus({ preventScroll: true });
    else {
      this.drawer?.close();
      if (this.before instanceof HTMLElement) this.before.focus({ preventScroll: true });
    }
  }
}
