import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setPriority } from "node:os";
import { type SpawnerReply, type StartMessage, socketAddress, stderrBytes } from "./spawner-messages.ts";

// The entry point of a process, and in a bundle a separate entry: dist/git-spawner.js. It starts git for the server and is small, because the
// system copies the page tables of a process that starts another one. Git reads and writes the server's sockets itself.

const address = socketAddress(process.argv[2] ?? "");
const running = new Set<ChildProcess>();

const reply = (message: SpawnerReply): void => void process.send?.(message);

/** A connection to the server, paused: its data belongs to git. */
async function open(token: string): Promise<Socket> {
  const socket = connect({ path: address, allowHalfOpen: true }).pause();
  await once(socket, "connect");
  await new Promise<void>((resolve, reject) => socket.write(Buffer.from(token, "hex"), (error) => (error ? reject(error) : resolve())));
  return socket;
}

async function start({ id, file, args, environment, nice, stdin, stdout }: StartMessage): Promise<void> {
  const sockets: Socket[] = [];
  try {
    const input = stdin === undefined ? undefined : await open(stdin);
    if (input !== undefined) sockets.push(input);
    const output = await open(stdout);
    sockets.push(output);
    // A process group of its own: git's children (pack-objects below upload-pack) end together with it.
    const child = spawn(file, args, { env: environment, detached: true, stdio: [input ?? "ignore", output, "pipe"] });
    watch(id, child);
    if (child.pid === undefined) return;
    if (nice !== 0) setPriority(child.pid, nice);
    reply({ kind: "started", id, pid: child.pid });
  } catch (error) {
    reply({ kind: "failed", id, message: String(error) });
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

function watch(id: number, child: ChildProcess): void {
  const chunks: Buffer[] = [];
  let received = 0;
  let cpuMs = 0;
  running.add(child);
  child.stderr?.on("data", (chunk: Buffer) => {
    if (received < stderrBytes) chunks.push(chunk.subarray(0, stderrBytes - received));
    received += chunk.length;
  });
  child.stderr?.on("error", () => {});
  child.once("error", (error) => {
    running.delete(child);
    if (child.pid === undefined) reply({ kind: "failed", id, message: String(error) });
  });
  child.once("exit", () => {
    cpuMs = addedCpuMs();
  });
  child.once("close", (code, signal) => {
    running.delete(child);
    if (child.pid !== undefined) reply({ kind: "exited", id, code, signal, stderr: Buffer.concat(chunks).toString("utf8"), cpuMs });
  });
}

/** Linux counts 100 clock ticks per second in /proc/self/stat. */
const msPerTick = 10;
let countedMs = 0;

/** CPU time of the children that have ended since the last call: of the one that has just ended, since each end calls it. */
function addedCpuMs(): number {
  if (process.platform !== "linux") return 0;
  const stat = readFileSync("/proc/self/stat", "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const totalMs = (Number(fields[13]) + Number(fields[14])) * msPerTick;
  const addedMs = totalMs - countedMs;
  countedMs = totalMs;
  return addedMs;
}

process.on("message", (message: StartMessage) => void start(message));
// A signal for the server's group is the server's to handle: it ends this process by disconnecting.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
process.once("disconnect", () => {
  for (const { pid } of running) {
    if (pid === undefined) continue;
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // The process has already ended.
    }
  }
  process.exit(0);
});
