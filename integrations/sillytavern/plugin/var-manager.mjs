// The routes of ST-VarSystem's own plugin (`/api/plugins/var-manager/var-manager/…`), answered by this engine, for
// a host where that plugin is absent. The host gives a plugin routes under its own id only, so this is a second
// plugin: the installer puts a file beside our folder that leads here. The host loads plugins in the order of
// their names and refuses an id that is taken; that file comes last, so ST-VarSystem's plugin always has
// precedence.
import { sharedEngine } from './index.mjs';
import { addVarManager } from './src/var_manager.mjs';

export const info = {
  id: 'var-manager',
  name: 'Storeyline for ST-VarSystem',
  description: "Answers requests of ST-VarSystem's extension where its own plugin is absent.",
};

/** Called once by the host, after the plugin `storeyline`. @param {import('express').Router} router */
export async function init(router) {
  addVarManager(router, sharedEngine());
}
