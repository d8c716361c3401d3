// Mounts the screens in the drawer. This file and everything that it needs are loaded when the drawer is opened for
// the first time.
import { mount } from 'svelte';
import { makeEngine } from 'storeyline-client';
import { Look, Session, memoryAddress } from 'storeyline-ui';
import type { App } from '../app/app';
import { hostClient } from '../app/api';
import Drawer from './Drawer.svelte';
import { DrawerModel } from './model.svelte';
import { hostServices } from './services';
import type { DisplaySettings } from './settings';
import type { Paint } from './tone';

/** What the frame of the drawer does with what is inside. */
export interface Shell {
  show(visible: boolean): void;
  go(floor: number): void;
  paint(paint: Paint): void;
  /** A key was pressed inside the drawer and nothing has handled it. */
  press(event: KeyboardEvent): void;
}

export function mountDrawer(target: HTMLElement, app: App, settings: DisplaySettings): Shell {
  const client = hostClient(location.origin, () => app.host.headers());
  const address = memoryAddress();
  const session = new Session(makeEngine(client), address, { settles: false });
  const model = new DrawerModel(app, session, address);
  const look = new Look();
  look.language = app.host.language();
  look.coarse = matchMedia('(pointer: coarse)').matches;
  const props = { model, client, look, host: hostServices(app, settings) };
  const drawer = mount(Drawer, { target, props });
  return {
    show: (visible) => model.show(visible),
    go: (floor) => model.go(floor),
    press: (event) => drawer.press(event),
    paint(paint) {
      look.tone = paint.tone;
      drawer.paint(paint);
    },
  };
}
