import { expect, test } from 'vitest';
import { FakeHost } from '../app/fakes';
import { DisplaySettings } from './settings';

test('settings have defaults, and what is not a choice changes nothing', () => {
  const host = new FakeHost();
  const settings = new DisplaySettings(host);
  expect([settings.statusBar, settings.topIcon, settings.foldCalls]).toEqual(['changes', 'auto', false]);
  let told = 0;
  settings.onChange(() => told++);
  settings.set('statusBar', 'off');
  settings.set('statusBar', 'loud');
  settings.set('topIcon', true);
  settings.set('toString', 'x');
  expect([settings.get('statusBar'), settings.get('topIcon'), settings.get('toString'), told]).toEqual(['off', 'auto', undefined, 1]);
  host.settings()['foldCalls'] = 'yes';
  expect(settings.foldCalls).toBe(false);
});
