// Paths: the repository, the host package, our build results, and the cache folder that is never committed.

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const repository = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** The host as npm installed it. Nothing may be written here. */
export const hostModules = join(repository, "e2e", "host", "node_modules");
export const hostPackage = join(hostModules, "sillytavern");

export const cache = join(repository, ".cache", "e2e");
export const artifacts = join(cache, "artifacts");

/** The product under test. */
export const binary = process.env.STOREYLINE_BIN ?? join(repository, "target", "debug", "storeyline");

export const chromium = process.env.STOREYLINE_CHROMIUM ?? "/usr/bin/chromium";
