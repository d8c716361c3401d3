// Installs Storeyline into a host folder as a user does: by the command of the binary. The command puts a
// copy of the binary beside the plugin; that copy is the one that runs, and that a test may remove.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Engine } from "./engine.ts";
import type { Host } from "./host.ts";
import { binary } from "./paths.ts";

export function install(host: Host): Engine {
  const data = join(host.folder, "engine");
  execFileSync(binary, ["sillytavern", "install", host.serverFolder, "--data", data], { stdio: "pipe" });
  const plugin = join(host.serverFolder, "plugins", "storeyline");
  const config = JSON.parse(readFileSync(join(plugin, "config.json"), "utf8")) as { binary: string };
  return new Engine(data, resolve(plugin, config.binary));
}
