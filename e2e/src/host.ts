// The real host, started in its own folder: a copy of the server (so that installing never changes e2e/host),
// its own data root with prepared settings, a free port. The host's webpack output is cached between runs,
// because compiling takes long.

import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, createWriteStream, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { cache, hostModules, hostPackage } from "./paths.ts";
import { until } from "./poll.ts";

const user = "default-user";
const webpackCache = join(cache, "webpack");

export class Host {
  private child: ChildProcess | undefined;
  private port = 0;

  private constructor(
    /** This run's folder. */
    readonly folder: string,
    private readonly modelUrl: string,
    private readonly accounts: readonly string[],
  ) {}

  /**
   * Prepares a run's folder; nothing is started. `modelUrl` is the address of the language model. With `accounts` the
   * host asks who one is; the administrator and the accounts have no passwords.
   */
  static prepare(modelUrl: string, accounts: readonly string[] = []): Host {
    mkdirSync(join(cache, "runs"), { recursive: true });
    const host = new Host(mkdtempSync(join(cache, "runs", "run-")), modelUrl, accounts);
    cpSync(hostPackage, host.serverFolder, { recursive: true });
    symlinkSync(hostModules, join(host.folder, "node_modules"), "junction");
    mkdirSync(host.userFolder, { recursive: true });
    for (const folder of host.webpackFolders()) {
      if (existsSync(webpackCache)) cpSync(webpackCache, folder, { recursive: true });
    }
    writeFileSync(join(host.folder, "config.yaml"), config + (accounts.length > 0 ? "enableUserAccounts: true\n" : ""));
    writeFileSync(join(host.userFolder, "settings.json"), JSON.stringify(settings(modelUrl)));
    return host;
  }

  get serverFolder(): string {
    return join(this.folder, "server");
  }

  get dataRoot(): string {
    return join(this.folder, "data");
  }

  get userFolder(): string {
    return join(this.dataRoot, user);
  }

  get logFile(): string {
    return join(this.folder, "host.log");
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    // A restarted host has the same address, because pages may be open.
    this.port ||= await freePort();
    const log = createWriteStream(this.logFile, { flags: "a" });
    const options = ["--configPath", join(this.folder, "config.yaml"), "--dataRoot", this.dataRoot, "--port", String(this.port)];
    const child = spawn(process.execPath, [join(this.serverFolder, "server.js"), ...options, "--browserLaunchEnabled", "false"], {
      stdio: ["ignore", "pipe", "pipe"],
      // The host names its webpack cache after the commit of the surrounding repository; ours must not be
      // used.
      env: { ...process.env, GIT_CEILING_DIRECTORIES: this.folder },
    });
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    this.child = child;
    await until("the host listens", () => this.probe(child), 240_000);
    this.keepWebpack();
    if (this.accounts.length > 0) await this.createAccounts();
  }

  /** As the administrator does on the host's page; an account that exists is refused and stays. */
  private async createAccounts(): Promise<void> {
    const given = await fetch(`${this.url}/csrf-token`);
    const { token } = (await given.json()) as { token: string };
    const cookies = new Map<string, string>();
    const remember = (response: Response): void => {
      for (const cookie of response.headers.getSetCookie()) cookies.set(cookie.split("=")[0]!, cookie.split(";")[0]!);
    };
    const ask = async (path: string, body: object): Promise<void> => {
      const headers = { "Content-Type": "application/json", "X-CSRF-Token": token, Cookie: [...cookies.values()].join("; ") };
      remember(await fetch(this.url + path, { method: "POST", headers, body: JSON.stringify(body) }));
    };
    remember(given);
    await ask("/api/users/login", { handle: user });
    for (const name of this.accounts) {
      await ask("/api/users/create", { handle: name, name });
      const folder = join(this.dataRoot, name);
      if (!existsSync(folder)) throw new Error(`the account ${name} was not made, see ${this.logFile}`);
      writeFileSync(join(folder, "settings.json"), JSON.stringify(settings(this.modelUrl)));
    }
  }

  /** Ends the host as Ctrl+C does, so that its plugins are notified. */
  async stop(): Promise<void> {
    const child = this.child;
    this.child = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGINT");
    const force = setTimeout(() => child.kill("SIGKILL"), 10_000);
    await ended;
    clearTimeout(force);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async probe(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null) throw new Error(`the host ended with ${child.exitCode}, see ${this.logFile}`);
    // With accounts it redirects to its log-in, for ever if the cookie does not come back.
    const response = await fetch(this.url, { redirect: "manual" });
    if (response.status >= 400) throw new Error(`the host answers ${response.status}`);
  }

  /** The host compiles into its data root or, if it believes to be in Docker, into the server folder. */
  private webpackFolders(): string[] {
    return [join(this.dataRoot, "_webpack"), join(this.serverFolder, "dist", "_webpack")];
  }

  /** Caches the compiled output, unless this version is cached already. */
  private keepWebpack(): void {
    const made = this.webpackFolders().find((folder) => existsSync(folder));
    if (made === undefined) return;
    for (const version of readdirSync(made)) {
      const kept = join(webpackCache, version);
      if (existsSync(kept)) continue;
      // Copied to a temporary name and then renamed, because another run may read it at the same time.
      const beside = join(cache, `webpack-${process.pid}`);
      cpSync(join(made, version), beside, { recursive: true });
      mkdirSync(webpackCache, { recursive: true });
      if (existsSync(kept)) rmSync(beside, { recursive: true });
      else renameSync(beside, kept);
    }
  }
}

const config = `listen: false
whitelistMode: true
enableServerPlugins: true
enableServerPluginsAutoUpdate: false
enableDownloadableTokenizers: false
browserLaunch:
  enabled: false
extensions:
  enabled: true
  autoUpdate: false
  models:
    autoDownload: false
`;

/** The host's own default settings with a connected model and no animations. */
function settings(modelUrl: string): object {
  const file = join(hostPackage, "default", "content", "settings.json");
  const defaults = JSON.parse(readFileSync(file, "utf8")) as { power_user: object; oai_settings: object };
  return {
    ...defaults,
    firstRun: false,
    main_api: "openai",
    username: "Ann",
    power_user: { ...defaults.power_user, auto_connect: true, expand_message_actions: true, reduced_motion: true },
    oai_settings: {
      ...defaults.oai_settings,
      chat_completion_source: "custom",
      custom_url: modelUrl,
      custom_model: "scripted",
      stream_openai: true,
      bypass_status_check: true,
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const port = (server.address() as AddressInfo).port;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
