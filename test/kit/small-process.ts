import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";

/**
 * Starts the programs of tests from small processes. The system copies the page tables of a process that starts another one: from a test worker of
 * 500 MB this takes more than 10 ms, and tests start thousands of programs.
 */

export interface ProgramRun {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input?: string | Buffer;
}

/** A message to a small process. */
export interface ProgramRequest extends ProgramRun {
  readonly id: number;
  readonly umask: number;
}

/** Its reply. */
export interface ProgramResult {
  readonly id: number;
  /** Null if a signal ended the program. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** The program could not be started. */
  readonly failure?: string;
}

const entry = join(import.meta.dirname, "small-process-entry.ts");
const engineOptions = ["--max-semi-space-size=1", "--disable-warning=ExperimentalWarning"];

interface Host {
  readonly child: ChildProcess;
  readonly waiting: Map<number, { resolve(result: ProgramResult): void; reject(error: Error): void }>;
}

let host: Host | undefined;
let lastId = 0;

/** Runs a program without blocking this process. @throws Error if it cannot be started */
export async function runProgram(run: ProgramRun): Promise<ProgramResult> {
  host ??= openHost();
  const { child, waiting } = host;
  const request = toRequest(run);
  try {
    return await new Promise<ProgramResult>((resolve, reject) => {
      waiting.set(request.id, { resolve, reject });
      hold(host);
      child.send(request, (error) => error && reject(error));
    });
  } finally {
    waiting.delete(request.id);
    hold(host);
  }
}

function toRequest(run: ProgramRun): ProgramRequest {
  lastId += 1;
  return { ...run, env: { ...run.env }, id: lastId, umask: process.umask() };
}

function openHost(): Host {
  const child = spawn(process.execPath, [...engineOptions, entry], { env: {}, stdio: ["ignore", "ignore", "inherit", "ipc"], serialization: "advanced" });
  const opened: Host = { child, waiting: new Map() };
  const lose = (reason: unknown): void => {
    if (host === opened) host = undefined;
    for (const { reject } of opened.waiting.values()) reject(new Error(`the process that starts programs has ended (${String(reason)})`));
  };
  child.on("message", (result: ProgramResult) => {
    const waiting = opened.waiting.get(result.id);
    if (result.failure === undefined) waiting?.resolve({ ...result, stdout: Buffer.from(result.stdout), stderr: Buffer.from(result.stderr) });
    else waiting?.reject(new Error(result.failure));
  });
  child.once("error", lose);
  child.once("exit", (code, signal) => lose(signal ?? code));
  return opened;
}

/** Only running programs keep this process alive. */
function hold(opened: Host | undefined): void {
  if (opened === undefined) return;
  const { child, waiting } = opened;
  for (const handle of [child, child.channel])
    if (waiting.size > 0) handle?.ref();
    else handle?.unref();
}

/** The two pipes of a small process that answers one request after the other. */
interface Pipes {
  readonly requests: number;
  readonly results: number;
}

let pipes: Pipes | undefined;

/** Runs a program, and blocks this process until it has ended. @throws Error with `status`, `stdout` and `stderr` if it fails */
export function runProgramSync(run: ProgramRun): Buffer {
  pipes ??= openPipes();
  writeMessage(pipes.requests, toRequest(run));
  const { code, stdout, stderr, failure } = readMessage(pipes.results) as ProgramResult;
  if (failure === undefined && code === 0) return Buffer.from(stdout);
  const command = [run.file, ...run.args].join(" ");
  throw Object.assign(new Error(failure ?? `Command failed: ${command}\n${Buffer.from(stderr).toString()}`), { status: code, stdout, stderr });
}

/** Pipes with names, because those of a child process do not block. Their ends close with this process, and the small one ends. */
function openPipes(): Pipes {
  const folder = mkdtempSync(join(tmpdir(), "hearth-small-"));
  const [requests, results] = [join(folder, "requests"), join(folder, "results")];
  execFileSync("mkfifo", ["-m", "600", requests, results]);
  const child = spawn(process.execPath, [...engineOptions, entry, requests, results], { env: {}, stdio: ["ignore", "ignore", "inherit"], detached: true });
  child.unref();
  const opened = { requests: openSync(requests, "w"), results: openSync(results, "r") };
  rmSync(folder, { recursive: true });
  return opened;
}

const lengthBytes = 4;

export function writeMessage(file: number, message: unknown): void {
  const body = serialize(message);
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(body.length);
  for (const bytes of [length, body]) for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

/** @returns undefined after the last message */
export function readMessage(file: number): unknown {
  const length = readBytes(file, lengthBytes);
  const body = length && readBytes(file, length.readUInt32LE());
  return body && deserialize(body);
}

function readBytes(file: number, count: number): Buffer | undefined {
  const bytes = Buffer.alloc(count);
  for (let at = 0; at < count; ) {
    const read = readSync(file, bytes, at, count - at, null);
    if (read === 0) return undefined;
    at += read;
  }
  return bytes;
}
