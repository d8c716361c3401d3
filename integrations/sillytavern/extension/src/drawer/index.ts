// Everything that we show in the host, put together.
import type { App } from '../app/app';
import { SchemaMacro } from '../app/schema_macro';
import type { Surface } from '../host/surface';
import { addEntries } from './entries';
import { Folding } from './folding';
import { Frame } from './frame';
import { DisplaySettings } from './settings';
import { StatusBar } from './status_bar';

export function showInHost(app: App, surface: Surface): void {
  const settings = new DisplaySettings(app.host);
  const frame = new Frame(app, surface, settings);
  const open = (floor: number | null): void => void frame.show(floor);
  const bar = new StatusBar(app, surface, settings, open);
  addEntries(app, surface, open);
  new Folding(app, surface, settings);
  const paint = (): void => {
    const colours = frame.look();
    if (!colours) return;
    frame.paint(colours);
    bar.paint(colours);
  };
  const schema = new SchemaMacro(app, () => settings.schemaMacro);
  settings.onChange(() => {
    bar.update();
    schema.update(true);
  });
  surface.onTheme(paint);
  paint();
}
