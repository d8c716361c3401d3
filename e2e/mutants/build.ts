// Builds the extension, or a mutant of it, from a copy of its sources.

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { cache, repository } from "../src/paths.ts";
import type { Mutant } from "./mutants.ts";

const extension = join(repository, "integrations", "sillytavern", "extension");

/** Returns the folder with the built extension. */
export function build(changes: Mutant["changes"]): string {
  const folder = join(cache, "mutant");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const part of ["src", "static", "package.json", "tsconfig.json", "vite.config.ts"]) {
    cpSync(join(extension, part), join(folder, part), { recursive: true });
  }
  for (const change of changes) apply(folder, change);
  execFileSync(process.execPath, [vite(), "build", "--logLevel", "error"], { cwd: folder, stdio: "pipe" });
  return join(folder, "dist");
}

function apply(folder: string, { file, search, replace }: Mutant["changes"][number]): void {
  const path = join(folder, file);
  const parts = readFileSync(path, "utf8").split(search);
  if (parts.length !== 2) throw new Error(`${file}: ${parts.length - 1} places instead of one have ${JSON.stringify(search)}`);
  writeFileSync(path, parts.join(replace));
}

function vite(): string {
  const manifest = createRequire(join(extension, "package.json")).resolve("vite/package.json");
  return join(dirname(manifest), "bin", "vite.js");
}
