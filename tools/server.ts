import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { get } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repositoryRoot } from "./repository.ts";
import { serverFlags } from "./server-flags.mjs";

/** The built program, running in a process of its own on a free loopback port. */
export interface RunningServer {
  readonly url: string;
  readonly pid: number;
  /** A token of the first administrator, with all scopes. */
  readonly token: string;
  /** Time from the start of the process to the first response. */
  readonly startMs: number;
  /** The lines that the server has printed so far. */
  log(): string[];
  stop(): Promise<void>;
}

const bundle = join(repositoryRoot, "dist/hearth.js");
const startLimitMs = 20_000;
const stopLimitMs = 10_000;

export interface ServerOptions {
  /** Further environment variables, `HEARTH_...`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Folder for data and log; it is kept when the server stops. Default: a new folder that is deleted. */
  readonly folder?: string;
  /** Default: a free one. */
  readonly port?: number;
}

/** Starts the program. @throws Error with the server's output, when it exits or does not respond */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), "hearth-"));
  const port = options.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    HEARTH_HOST: "127.0.0.1",
    HEARTH_PORT: String(port),
    HEARTH_SSH_ENABLED: "false",
    HEARTH_DATA: join(folder, "data"),
    HEARTH_ADMIN_USERNAME: "root1",
    HEARTH_ADMIN_EMAIL: "root1@example.org",
    HEARTH_ADMIN_PASSWORD: randomBytes(12).toString("hex"),
    HEARTH_ADMIN_TOKEN: randomBytes(20).toString("hex"),
    ...options.settings,
  };

  const logPath = join(folder, "server.log");
  const log = openSync(logPath, "w");
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...serverFlags, bundle, "serve"], { cwd: folder, env, stdio: ["ignore", log, log] });
  closeSync(log);
  const stop = stopper(child, () => options.folder === undefined && rmSync(folder, { recursive: true, force: true }));
  let startMs = 0;
  try {
    await firstAnswer(`${url}/api/v1/version`, child);
    startMs = performance.now() - startedAt;
  } catch (error) {
    const printed = readLines(logPath).slice(-20);
    await stop();
    throw new Error(["the server did not start:", (error as Error).message, ...printed].join("\n"), { cause: error });
  }
  return { url, pid: child.pid ?? 0, token: env.HEARTH_ADMIN_TOKEN, startMs, log: () => readLines(logPath), stop };
}

const readLines = (path: string): string[] => readFileSync(path, "utf8").trimEnd().split("\n");

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("no free port on 127.0.0.1");
  return address.port;
}

/** Retries every few milliseconds until there is a response. */
async function firstAnswer(url: string, child: ChildProcess): Promise<void> {
  let failure: Error | undefined;
  child.once("error", (error) => {
    failure = error;
  });
  const limit = performance.now() + startLimitMs;
  while (!(await answers(url))) {
    if (failure !== undefined) throw failure;
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`it ended with ${child.exitCode ?? child.signalCode}`);
    if (performance.now() > limit) throw new Error(`no response within ${startLimitMs / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 4));
  }
}

function answers(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false }, (response) => {
      response.resume();
      response.once("end", () => resolve(true));
    });
    request.once("error", () => resolve(false));
  });
}

/** Stops the process, by force when it takes too long, and at the latest when this process exits. */
function stopper(child: ChildProcess, cleanUp: () => void): () => Promise<void> {
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  const atExit = (): void => {
    if (!hasEnded()) child.kill("SIGKILL");
    cleanUp();
  };
  const atSignal = (): void => process.exit(130);
  process.once("exit", atExit);
  process.once("SIGINT", atSignal);
  process.once("SIGTERM", atSignal);
  return async () => {
    child.kill("SIGTERM");
    const limit = setTimeout(() => child.kill("SIGKILL"), stopLimitMs);
    await ended;
    clearTimeout(limit);
    process.removeListener("exit", atExit);
    process.removeListener("SIGINT", atSignal);
    process.removeListener("SIGTERM", atSignal);
    cleanUp();
  };
}
