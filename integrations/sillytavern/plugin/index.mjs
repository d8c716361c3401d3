// SillyTavern server plugin: starts the Storeyline engine beside the host and forwards a short list of
// requests to it. The page talks to the host only; neither the engine's address nor its token ever leaves
// this process.
import { fileURLToPath } from 'node:url';
import path from 'node:path';

import { readConfig } from './src/config.mjs';
import { makeEngine } from './src/engine.mjs';
import { addRoutes } from './src/routes.mjs';

export const info = {
  id: 'storeyline',
  name: 'Storeyline',
  description: 'Starts the Storeyline engine and connects it to the Storeyline extension.',
};

const folder = path.dirname(fileURLToPath(import.meta.url));
let engine = null;

/** The engine of this plugin, for the routes of `var-manager.mjs`. */
export function sharedEngine() {
  engine ??= makeEngine(() => readConfig(folder));
  return engine;
}

/** Called once by the host. @param {import('express').Router} router */
export async function init(router) {
  addRoutes(router, sharedEngine());
  sharedEngine().start();
}

/** Called by the host before it ends. */
export async function exit() {
  await engine?.stop();
}
