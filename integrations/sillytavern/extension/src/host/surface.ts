// The places in the host's page where we show something: a drawer in the top bar, a bar under a message, a button
// on every message, entries of the wand menu. Everything here is about the host's elements; what is shown there is
// decided elsewhere. The facts behind it were seen in SillyTavern 1.19.

export interface HostDrawer {
  /** The parent element of what the drawer shows. */
  readonly content: HTMLElement;
  isOpen(): boolean;
  open(): void;
  close(): void;
  /** Shows or hides the icon in the top bar; the drawer can be opened either way. */
  showIcon(shown: boolean): void;
  /** Tells whether every icon of the top bar is fully visible when ours is shown. */
  iconFits(): boolean;
  /** Calls back when the drawer was opened or closed, by whomever. */
  onToggle(listener: (open: boolean) => void): void;
  /** Calls back when the room for icons may have changed. */
  onRoom(listener: () => void): void;
}

export interface Surface {
  addDrawer(id: string, icon: string, title: string): HostDrawer | null;
  /** Adds a button to every message, also to those that are drawn later. */
  addMessageButton(name: string, icon: string, title: string, run: (floor: number) => void): void;
  /** Adds an entry to the wand menu. */
  addWandItem(id: string, icon: string, text: string, run: () => void): void;
  /** Tells whether an element is under the text of a message, without forcing a layout. */
  isUnder(floor: number, element: HTMLElement): boolean;
  /** Puts an element under the text of a message; false if the message is not on screen. */
  putUnder(floor: number, element: HTMLElement): boolean;
  /** The drawn texts of the replies that are on screen and not being edited. */
  replies(): HTMLElement[];
  /** Runs work that changes the height of the chat; if the chat was at its end, it is afterwards too. */
  keepEnd(work: () => void): void;
  /** Calls back when the user's theme may have changed. */
  onTheme(listener: () => void): void;
}

type Navbar = { doNavbarIconClick?: (this: HTMLElement) => Promise<void> };

/** By a variable, so that the bundler does not include the host's file. */
const HOST_SCRIPT: string = '/script.js';
/** How far from its end the chat still counts as scrolled to it, in pixels. */
const NEAR_END = 8;

/** Makes the places in the page of SillyTavern. */
export function surfaceOf(page: Document): Surface {
  const element = (className: string): HTMLDivElement => Object.assign(page.createElement('div'), { className });
  const textOf = (floor: number): Element | null => page.querySelector(`#chat .mes[mesid="${floor}"] .mes_block > .mes_text`);
  return {
    addDrawer(id, icon, title) {
      const holder = page.querySelector<HTMLElement>('#top-settings-holder');
      const before = page.querySelector('#extensions-settings-button');
      if (!holder || page.getElementById(id)) return null;
      const sign = element(`drawer-icon fa-solid ${icon} fa-fw closedIcon`);
      sign.title = title;
      const toggle = element('drawer-toggle');
      toggle.append(sign);
      const content = element('drawer-content closedDrawer');
      content.id = id;
      const drawer = element('drawer');
      drawer.id = `${id}_button`;
      drawer.append(toggle, content);
      if (before?.parentElement === holder) before.after(drawer);
      else holder.append(drawer);
      return handle(page, holder, toggle, content);
    },

    addMessageButton(name, icon, title, run) {
      const make = (): HTMLElement => {
        const button = element(`mes_button ${name} fa-solid ${icon}`);
        button.title = title;
        return button;
      };
      for (const row of page.querySelectorAll('#message_template .extraMesButtons, #chat .extraMesButtons')) {
        if (!row.querySelector(`.${name}`)) row.prepend(make());
      }
      // The host copies its template, without listeners.
      page.addEventListener('click', (event) => {
        const message = event.target instanceof Element && event.target.closest(`.${name}`)?.closest('.mes');
        const floor = message ? Number(message.getAttribute('mesid')) : Number.NaN;
        if (Number.isInteger(floor)) run(floor);
      });
    },

    addWandItem(id, icon, text, run) {
      const menu = page.querySelector('#extensionsMenu');
      if (!menu || page.getElementById(id)) return;
      const item = element('list-group-item flex-container flexGap5 interactable');
      item.id = id;
      item.tabIndex = 0;
      const label = page.createElement('span');
      label.textContent = text;
      item.append(element(`fa-solid ${icon} extensionsMenuExtensionButton`), label);
      item.addEventListener('click', run);
      menu.append(item);
    },

    isUnder: (floor, bar) => bar.isConnected && bar.previousElementSibling === textOf(floor),

    putUnder(floor, bar) {
      const text = textOf(floor);
      if (text && text.nextElementSibling !== bar) text.after(bar);
      return text !== null;
    },

    replies() {
      const texts = page.querySelectorAll<HTMLElement>('#chat .mes[is_user="false"] .mes_block > .mes_text');
      return [...texts].filter((text) => !text.querySelector('#curEditTextarea'));
    },

    keepEnd(work) {
      const chat = page.querySelector<HTMLElement>('#chat');
      const atEnd = chat !== null && chat.scrollHeight - chat.scrollTop - chat.clientHeight <= NEAR_END;
      work();
      if (atEnd) chat.scrollTop = chat.scrollHeight;
    },

    onTheme(listener) {
      new MutationObserver(listener).observe(page.documentElement, { attributes: true, attributeFilter: ['style', 'class'] });
    },
  };
}

function handle(page: Document, holder: HTMLElement, toggle: HTMLElement, content: HTMLElement): HostDrawer {
  const isOpen = (): boolean => content.classList.contains('openDrawer');
  let navbar: Navbar = {};
  void import(/* @vite-ignore */ HOST_SCRIPT).then((lent: Navbar) => void (navbar = lent), () => undefined);
  // The host binds its own toggles once, at its start.
  const click = (): void => {
    if (navbar.doNavbarIconClick) return void navbar.doNavbarIconClick.call(toggle);
    // Another version of the host: the drawer opens all the same.
    toggle.firstElementChild?.classList.toggle('openIcon');
    toggle.firstElementChild?.classList.toggle('closedIcon');
    content.classList.toggle('openDrawer');
    content.classList.toggle('closedDrawer');
  };
  toggle.addEventListener('click', click);
  return {
    content,
    isOpen,
    open: () => void (isOpen() || click()),
    close: () => void (isOpen() && click()),
    showIcon: (shown) => void (toggle.style.display = shown ? '' : 'none'),
    iconFits() {
      const before = toggle.style.display;
      toggle.style.display = '';
      const icons = [...holder.querySelectorAll(':scope > .drawer > .drawer-toggle')].map((one) => one.getBoundingClientRect()).filter(({ width }) => width > 0);
      toggle.style.display = before;
      return icons.every(({ left, right }) => left >= -0.5 && right <= page.documentElement.clientWidth + 0.5);
    },
    onToggle(listener) {
      let was = isOpen();
      new MutationObserver(() => {
        if (isOpen() === was) return;
        was = isOpen();
        listener(was);
      }).observe(content, { attributes: true, attributeFilter: ['class'] });
    },
    onRoom(listener) {
      new ResizeObserver(listener).observe(holder);
      new MutationObserver(listener).observe(holder, { childList: true });
    },
  };
}
