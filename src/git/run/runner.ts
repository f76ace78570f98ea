import { availableParallelism, totalmem } from "node:os";
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { aborted } from "../../core/aborted.ts";
import { type ForgeError, isForgeError, unavailable } from "../../core/errors.ts";
import type { Log } from "../../core/log.ts";
import { type CommandDescription, type CommandName, commandLine, commands, type GitCommand, type Lane } from "./commands.ts";
import type { GitHome } from "./environment.ts";
import { createLimiter, type LaneLimits, type Limiter } from "./limiter.ts";
import type { Program, Spawned, Spawner } from "./spawner.ts";
import type { Exit } from "./spawner-messages.ts";
import { createWorkplaces } from "./workplaces.ts";

/** Target of a command: a store, or a quarantine on top of one. */
export interface GitTarget {
  readonly runner: GitRunner;
  /** Limits and queues of processes are per key. */
  readonly key: string;
  /** The environment variables that select the repository. */
  environment(): Promise<Readonly<Record<string, string>>>;
  /** The git directory of a snapshot of refs. Without one a process sees no refs, and commands that need refs do not start. */
  readonly refsDirectory?: string;
}

export type GitInput = string | Uint8Array | AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

export interface GitOptions {
  /** Default: empty input. */
  readonly stdin?: GitInput | undefined;
  /** `version=[012]`, see `gitProtocol` of environment.ts. */
  readonly protocol?: string | undefined;
  /** Aborting ends the entire process group. */
  readonly signal?: AbortSignal | undefined;
  /** Exit codes that count as success; `any` accepts all of them, and signals. Default: only 0. */
  readonly accept?: readonly number[] | "any";
  /** Maximum bytes of standard output, after which git is ended. {@link runGit}: 64 MiB; {@link streamGit}: unlimited. */
  readonly maxOutputBytes?: number;
  /** Total time limit. {@link runGit}: 60 s; {@link streamGit}: unlimited. */
  readonly timeoutMs?: number;
  /** Only {@link streamGit}: the longest time without output while the reader waits. Default 120 s. */
  readonly idleMs?: number;
}

export interface GitOutcome {
  /** Null if it was ended by a signal. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The first 16 KiB of standard error. */
  readonly stderr: string;
}

export interface GitResult extends GitOutcome {
  readonly stdout: Buffer;
}

export interface GitStream {
  /**
   * Ends if git succeeds; fails with a ForgeError otherwise, so truncated output is never mistaken for complete output. Destroying it ends
   * git.
   */
  readonly stdout: Readable;
  /** Settles after the process has ended. Rejects as `stdout` does; need not be awaited. */
  readonly done: Promise<GitOutcome>;
}

export interface GitCounters {
  /** Processes started since the server started. */
  processes: number;
  /** Processes running now. */
  running: number;
  /** CPU time of the maintenance processes that have ended. */
  maintenanceCpuMs: number;
}

export interface GitRunner {
  readonly counters: GitCounters;
  readonly limiters: Readonly<Record<Lane, Limiter>>;
  /** Starts a process outside the lanes: only for pools with their own limits. Rejects if it cannot be started. */
  launch(launch: GitLaunch): Promise<GitProcess>;
  readonly log: Log;
  /** Whether a process reads or writes objects below a directory. */
  isWorkingIn(directory: string): boolean;
  /** Ends every process and waits for them. */
  close(): Promise<void>;
}

export interface GitLaunch {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin: "pipe" | "ignore";
  readonly hasBoundedMemory?: boolean | undefined;
  /** Other work of the machine goes first. */
  readonly isBackground?: boolean | undefined;
}

export interface GitProcess {
  readonly stdin: Writable | undefined;
  readonly stdout: Readable;
  /** Settles when the process has ended and its pipes are closed; never rejects. `error` is set if its end is not known. */
  readonly ended: Promise<GitOutcome & { readonly error?: Error }>;
  /** SIGTERM to the process group, SIGKILL {@link graceMs} later. */
  terminate(): void;
}

export type LaneBounds = Readonly<Record<Lane, LaneLimits>>;

export function defaultLanes(cpus = availableParallelism()): LaneBounds {
  return {
    read: { total: Math.max(4, cpus * 2), perStore: Math.max(3, cpus), queue: 1024, waitMs: 10_000 },
    transfer: { total: Math.max(8, cpus * 4), perStore: Math.max(6, cpus * 2), queue: 128, waitMs: 15_000 },
    maintenance: { total: Math.max(1, cpus >> 2), perStore: 1, queue: 1024, waitMs: 600_000 },
  };
}

const graceMs = 2_000;
/** Nice value of background work: a tenth of the processor while other work wants it. */
const backgroundNice = 10;
const runDefaults = { maxOutputBytes: 64 * 1024 * 1024, timeoutMs: 60_000 };
const streamIdleMs = 120_000;
const retryAfter = 5;

export interface RunnerOptions {
  readonly home: GitHome;
  readonly log: Log;
  readonly lanes?: LaneBounds;
  /** Name or path of the executable. */
  readonly program?: string;
  /** Memory limit for one process of a command with `boundedMemory`. Default: a quarter of the machine's memory, at most 4 GiB. */
  readonly memoryBytes?: number;
  readonly spawner: Spawner;
}

const defaultMemoryBytes = (): number => Math.min(4 * 1024 ** 3, Math.max(512 * 1024 ** 2, Math.floor(totalmem() / 4)));

export function createRunner(options: RunnerOptions): GitRunner {
  const lanes = options.lanes ?? defaultLanes();
  const memoryBytes = options.memoryBytes ?? defaultMemoryBytes();
  const starting = new Set<Promise<GitProcess>>();
  const live = new Set<GitProcess>();
  const counters: GitCounters = { processes: 0, running: 0, maintenanceCpuMs: 0 };
  const places = createWorkplaces(counters);
  let closed = false;

  const start = async (launch: GitLaunch): Promise<GitProcess> => {
    counters.processes += 1;
    const leave = places.enter(launch.environment.GIT_OBJECT_DIRECTORY ?? "");
    try {
      const spawned = await options.spawner.start(programOf(launch));
      const process = watch(spawned);
      if (launch.isBackground) spawned.exited.then(countMaintenance, () => {});
      live.add(process);
      void process.ended.then(() => {
        live.delete(process);
        leave();
      });
      return process;
    } catch (error) {
      leave();
      throw error;
    }
  };

  const countMaintenance = ({ cpuMs }: Exit): void => {
    counters.maintenanceCpuMs += cpuMs;
  };

  const programOf = ({ args, environment, stdin, hasBoundedMemory, isBackground }: GitLaunch): Program => {
    const line = [options.program ?? "git", ...args];
    const [file = "", ...words] = hasBoundedMemory ? ["/bin/sh", "-c", boundedScript, String(Math.ceil(memoryBytes / 1024)), ...line] : line;
    return { file, args: words, environment: { ...options.home.environment, ...environment }, stdin, nice: isBackground ? backgroundNice : 0 };
  };

  return {
    counters,
    log: options.log,
    isWorkingIn: places.isUsed,
    limiters: { read: createLimiter(lanes.read), transfer: createLimiter(lanes.transfer), maintenance: createLimiter(lanes.maintenance) },
    async launch(launch) {
      if (closed) throw unavailable("the server is stopping", { retryAfter });
      const begun = start(launch);
      starting.add(begun);
      try {
        return await begun;
      } finally {
        starting.delete(begun);
      }
    },
    async close() {
      closed = true;
      await Promise.allSettled(starting);
      const processes = [...live];
      for (const process of processes) process.terminate();
      await Promise.all(processes.map((process) => process.ended));
      await options.spawner.close();
    },
  };
}

/** Only a shell can set the limit on its own process. On systems without this limit, the command runs without one. */
const boundedScript = 'ulimit -d "$0" 2>/dev/null; exec "$@"';

/** Ends a process with its group, and joins its exit with the end of its output. */
function watch({ pid, stdin, stdout, exited }: Spawned): GitProcess {
  let gone = false;
  let killTimer: NodeJS.Timeout | undefined;
  const signalGroup = (signal: NodeJS.Signals): void => {
    if (gone) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // The process has already ended.
    }
  };
  const closed = new Promise<void>((resolve) => stdout.once("close", resolve));
  const outcome = exited.then(
    ({ code, signal, stderr }) => ({ code, signal, stderr }),
    (error: Error) => ({ code: null, signal: null, stderr: "", error }),
  );
  const ended = Promise.all([outcome, closed]).then(([result]) => {
    gone = true;
    clearTimeout(killTimer);
    stdin?.destroy();
    return result;
  });
  return {
    stdin,
    stdout,
    ended,
    terminate() {
      if (gone || killTimer !== undefined) return;
      signalGroup("SIGTERM");
      killTimer = setTimeout(() => signalGroup("SIGKILL"), graceMs);
      // Output without a reader: its end is that of the group.
      if (stdout.readableFlowing === null) stdout.resume();
    },
  };
}

interface Run {
  readonly process: GitProcess;
  /** Ends the process with an error, which {@link settled} then throws. */
  stop(error: ForgeError): void;
  /** The outcome, or the error passed to {@link stop}. */
  settled: Promise<GitOutcome>;
}

/** Waits for a slot in the command's lane and starts it. */
async function begin<N extends CommandName>(target: GitTarget, command: GitCommand<N>, options: GitOptions): Promise<Run> {
  const { runner } = target;
  const args = commandLine(command);
  if ((commands[command.name] as CommandDescription).readsRefs && target.refsDirectory === undefined)
    throw new TypeError(`git ${command.name} reads refs, so it needs a snapshot of them`);
  const environment: Record<string, string> = { ...(await target.environment()) };
  if (options.protocol !== undefined) {
    if (!/^version=[012]$/.test(options.protocol)) throw new TypeError("GIT_PROTOCOL is a plain version");
    environment.GIT_PROTOCOL = options.protocol;
  }
  const release = await runner.limiters[commands[command.name].lane].acquire(target.key, options.signal);
  let process: GitProcess;
  try {
    const description: CommandDescription = commands[command.name];
    process = await runner.launch({
      args,
      environment,
      stdin: options.stdin === undefined ? "ignore" : "pipe",
      hasBoundedMemory: description.boundedMemory,
      isBackground: description.lane === "maintenance",
    });
  } catch (error) {
    release();
    if (isForgeError(error)) throw error;
    throw unavailable("git cannot be started", { retryAfter, cause: error, meta: { reason: "spawn", command: command.name } });
  }
  let stopped: ForgeError | undefined;
  const stop = (error: ForgeError): void => {
    stopped ??= error;
    process.terminate();
  };
  const onAbort = (): void => stop(aborted(options.signal));
  options.signal?.addEventListener("abort", onAbort, { once: true });
  if (options.signal?.aborted) onAbort();
  const timer =
    options.timeoutMs === undefined
      ? undefined
      : setTimeout(() => stop(unavailable("git took too long", { retryAfter, meta: { reason: "time_limit", command: command.name } })), options.timeoutMs);
  feed(process, options.stdin, stop);

  const settled = process.ended.then((outcome) => {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", onAbort);
    release();
    if (outcome.error !== undefined) {
      throw unavailable("git cannot be started", { retryAfter, cause: outcome.error, meta: { reason: "spawn", command: command.name } });
    }
    if (stopped !== undefined) throw stopped;
    const accepted = options.accept ?? [0];
    if (accepted !== "any" && (outcome.code === null || !accepted.includes(outcome.code))) {
      throw unavailable("git failed", {
        meta: { reason: outcome.signal === null ? "exit" : "signal", command: command.name, ...outcome, stderr: outcome.stderr.slice(0, 2000) },
      });
    }
    return outcome;
  });
  settled.catch(() => {});
  return { process, stop, settled };
}

/** Writes the input to the process. A failing source stops the process; a process that stops reading is ignored. */
function feed(process: GitProcess, input: GitInput | undefined, stop: (error: ForgeError) => void): void {
  const { stdin } = process;
  if (input === undefined || stdin === undefined) return;
  if (typeof input === "string" || input instanceof Uint8Array) {
    stdin.end(input);
    return;
  }
  // The source is not destroyed if git stops reading early: the request still needs a response.
  const source = input instanceof Readable ? input.iterator({ destroyOnReturn: false }) : input;
  const watched = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield* source;
    } catch (error) {
      stop(isForgeError(error) ? error : unavailable("the input ended early", { cause: error, meta: { reason: "input" } }));
      throw error;
    }
  };
  pipeline(watched, stdin).catch(() => {});
}

/**
 * Runs a command to its end and returns its output.
 * @throws ForgeError `unavailable` if it cannot be started, fails, or exceeds a limit (`meta.reason`)
 */
export async function runGit<N extends CommandName>(target: GitTarget, command: GitCommand<N>, options: GitOptions = {}): Promise<GitResult> {
  const maxOutputBytes = options.maxOutputBytes ?? runDefaults.maxOutputBytes;
  const run = await begin(target, command, { ...options, timeoutMs: options.timeoutMs ?? runDefaults.timeoutMs });
  const chunks: Buffer[] = [];
  let bytes = 0;
  run.process.stdout.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxOutputBytes) chunks.push(chunk);
    else run.stop(outputLimit(command.name, maxOutputBytes));
  });
  const outcome = await run.settled;
  return { ...outcome, stdout: Buffer.concat(chunks) };
}

/**
 * Starts a command and streams its output with backpressure.
 * @throws ForgeError as {@link runGit}, from the stream once it has started
 */
export async function streamGit<N extends CommandName>(target: GitTarget, command: GitCommand<N>, options: GitOptions = {}): Promise<GitStream> {
  const maxOutputBytes = options.maxOutputBytes ?? Number.POSITIVE_INFINITY;
  const idleMs = options.idleMs ?? streamIdleMs;
  const run = await begin(target, command, options);
  let whole = false;
  const output = async function* (): AsyncGenerator<Buffer> {
    let bytes = 0;
    // Active only while the reader waits for git: a slow reader must not time out git.
    let idle = setTimeout(silence, idleMs);
    try {
      for await (const chunk of run.process.stdout) {
        clearTimeout(idle);
        bytes += chunk.length;
        if (bytes > maxOutputBytes) {
          run.stop(outputLimit(command.name, maxOutputBytes));
          break;
        }
        yield chunk;
        idle = setTimeout(silence, idleMs);
      }
      whole = true;
      await run.settled;
    } finally {
      clearTimeout(idle);
    }
  };
  const silence = (): void => run.stop(unavailable("git fell silent", { retryAfter, meta: { reason: "time_limit", command: command.name } }));
  const stdout = Readable.from(output(), { objectMode: false });
  // Destroying only asks the generator to return, which waits for git's next bytes. Hence git is ended first.
  const destroy = stdout._destroy.bind(stdout);
  stdout._destroy = (error, callback) => {
    run.stop(readerGone());
    destroy(error, callback);
  };
  // Also if it is dropped before the first read, since the generator never runs then.
  stdout.once("close", () => {
    if (!whole) run.stop(readerGone());
  });
  // Readers receive the error; without a listener it would crash the server.
  stdout.on("error", () => {});
  return { stdout, done: run.settled };
}

function readerGone(): ForgeError {
  return unavailable("the reader closed the stream", { meta: { reason: "aborted" } });
}

function outputLimit(command: string, maxOutputBytes: number): ForgeError {
  return unavailable("the output of git exceeds the limit", { meta: { reason: "output_limit", command, maxOutputBytes } });
}
