// Connects events of the host to the app. The traces behind each line were recorded in the real host; in
// short: most events reconcile; MESSAGE_SENT also saves; a command that inserts above the end is left to the
// CHAT_CHANGED after it.
import type { Host, HostEvent } from '../host/host';
import type { App } from './app';

const RECONCILE: HostEvent[] = [
  'CHARACTER_MESSAGE_RENDERED', 'MESSAGE_SWIPED', 'MESSAGE_SWIPE_DELETED', 'MESSAGE_DELETED', 'MESSAGE_EDITED', 'MESSAGE_UPDATED', 'CHAT_LOADED',
];

export function connect(host: Host, app: App): void {
  const insertedAbove = (floor: unknown): boolean => typeof floor === 'number' && floor < host.chat().length - 1;

  // The host waits for its listeners before it records which chat is open, so this must not wait for the
  // engine.
  host.on('CHAT_CHANGED', () => void app.open());
  for (const event of RECONCILE) host.on(event, () => app.reconcile());
  // Last, because the host's own listeners (reasoning, regular expressions) still change the text.
  host.onLast('MESSAGE_RECEIVED', (floor, type) => {
    if (type === 'command' && insertedAbove(floor)) return;
    if (app.foreign.received(host.chat()[Number(floor)])) host.renderMessage(Number(floor));
    app.reconcile();
  });
  host.on('MESSAGE_SENT', (floor) => {
    if (!insertedAbove(floor)) app.reconcileAndSave();
  });
  // Card fields are resolved after this event and before the interceptor, so a pending prompt waits here too.
  host.on('USER_MESSAGE_RENDERED', () => (app.generation.now() === null ? app.reconcile() : app.barrier(false)));

  host.on('GENERATION_STARTED', (_type, _options, dryRun) => {
    if (dryRun === true) return;
    app.generation.announce();
    app.reconcile();
  });
  host.on('GENERATION_AFTER_COMMANDS', (type, _options, dryRun) => {
    if (dryRun === true) return undefined;
    app.generation.start(String(type ?? 'normal'));
    return app.barrier(false);
  });
  host.beforePrompt(async (type, chat) => {
    app.generation.prompt(type);
    await app.barrier(true);
    app.foreign.prompt(chat);
  });
  host.on('GENERATION_ENDED', () => void app.afterGeneration());
  host.on('GENERATION_STOPPED', () => void app.afterGeneration());

  host.on('CHARACTER_EDITED', () => app.cardEdited());
  host.on('GROUP_UPDATED', () => app.cardEdited());

  // The host gives only the name of the file, after it has opened another one of the same card or group.
  host.on('CHAT_DELETED', (file) => void app.fileDeleted(null, String(file)));
  host.on('GROUP_CHAT_DELETED', (file) => void app.fileDeleted(null, String(file)));
  host.on('CHARACTER_DELETED', (gone) => {
    const avatar = (gone as { character?: { avatar?: string } } | undefined)?.character?.avatar;
    if (avatar) void app.fileDeleted(avatar, null);
  });
}
