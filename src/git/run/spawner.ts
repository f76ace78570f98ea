import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createServer, type Server, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { entryFile } from "../../core/entry-file.ts";
import type { Log } from "../../core/log.ts";
import { type Exit, type SpawnerReply, type StartMessage, socketAddress, tokenBytes } from "./spawner-messages.ts";

/**
 * Starts processes from a small process of its own. The system copies the page tables of a process that starts another one, which stops a
 * server of 800 MB for 34 ms (docs/decisions/0063-git-starts-from-a-small-process.md). The streams are sockets between the server and git.
 */
export interface Spawner {
  /** @throws Error if the program cannot be started */
  start(program: Program): Promise<Spawned>;
  /** Ends the small process, and all that it has started. */
  close(): Promise<void>;
}

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin: "pipe" | "ignore";
  readonly nice: number;
}

export interface Spawned {
  readonly pid: number;
  readonly stdin: Socket | undefined;
  readonly stdout: Socket;
  /** Settles when the process has exited. Rejects if the small process ended first, which also ends this one. */
  readonly exited: Promise<Exit>;
}

/** V8's defaults are for programs with more data. */
const engineOptions = ["--max-semi-space-size=1", "--max-old-space-size=64"];

/** The longest wait for a start, and for a connection to name its stream. */
const startWithinMs = 30_000;

interface Starting {
  readonly id: number;
  resolve(pid: number): void;
  reject(error: Error): void;
}

interface Exiting {
  readonly pid: number;
  resolve(exit: Exit): void;
  reject(error: Error): void;
}

/** One small process, and everything that it has started. */
interface Host {
  readonly child: ChildProcess;
  readonly starting: Map<number, Starting>;
  readonly exiting: Map<number, Exiting>;
}

export function createSpawner({ directory, log }: { readonly directory: string; readonly log: Log }): Spawner {
  const name = `hearth-git-${randomBytes(8).toString("hex")}`;
  /** Streams that git has not been connected to yet, by token. */
  const awaited = new Map<string, (socket: Socket) => void>();
  let listening: Promise<Server> | undefined;
  let host: Host | undefined;
  let lastId = 0;

  const listen = (): Promise<Server> =>
    new Promise((resolve, reject) => {
      const server = createServer({ allowHalfOpen: false }, (socket) => identify(socket, awaited));
      server.once("error", reject);
      server.listen(socketAddress(name), () => resolve(server.unref()));
    });

  const openHost = (): Host => {
    const file = fileURLToPath(entryFile(import.meta.url, { source: "spawner-process.ts", bundled: "git-spawner.js" }));
    // A group of its own, so that Ctrl+C on the server's terminal does not reach it. It needs no variables of the server.
    const child = spawn(process.execPath, [...engineOptions, file, name], {
      cwd: directory,
      env: {},
      detached: true,
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const opened: Host = { child, starting: new Map(), exiting: new Map() };
    const lose = (error: Error): void => {
      if (host === opened) host = undefined;
      for (const { reject } of opened.starting.values()) reject(error);
      for (const { pid, reject } of opened.exiting.values()) {
        killGroup(pid);
        reject(error);
      }
      opened.starting.clear();
      opened.exiting.clear();
    };
    child.on("message", (reply: SpawnerReply) => receive(opened, reply));
    child.once("error", lose);
    child.once("exit", (code, signal) => {
      if (host === opened) log.error({ code, signal }, "the process that starts git has ended; the next start of git starts another one");
      lose(new Error(`the process that starts git has ended (${signal ?? code})`));
    });
    return opened;
  };

  const receive = (from: Host, reply: SpawnerReply): void => {
    if (reply.kind === "started") from.starting.get(reply.id)?.resolve(reply.pid);
    else if (reply.kind === "failed") from.starting.get(reply.id)?.reject(new Error(reply.message));
    else {
      const { kind: _, id, ...exit } = reply;
      from.exiting.get(id)?.resolve(exit);
      from.exiting.delete(id);
    }
    hold(from);
  };

  /** Only running processes keep the server's process alive. */
  const hold = ({ child, starting, exiting }: Host): void => {
    const isBusy = starting.size + exiting.size > 0;
    for (const handle of [child, child.channel])
      if (isBusy) handle?.ref();
      else handle?.unref();
  };

  const openStream = (): { readonly token: string; readonly socket: Promise<Socket> } => {
    const token = randomBytes(tokenBytes).toString("hex");
    return { token, socket: new Promise((resolve) => awaited.set(token, resolve)) };
  };

  return {
    async start({ file, args, environment, stdin, nice }) {
      listening ??= listen();
      await listening;
      host ??= openHost();
      const chosen = host;
      lastId += 1;
      const id = lastId;
      const output = openStream();
      const input = stdin === "pipe" ? openStream() : undefined;
      const exited = Promise.withResolvers<Exit>();
      // The caller learns of a failure when it waits for the exit.
      exited.promise.catch(() => {});
      let timer: NodeJS.Timeout | undefined;
      try {
        const started = new Promise<number>((resolve, reject) => {
          timer = setTimeout(() => reject(new Error("the process that starts git does not respond")), startWithinMs);
          const settle = (pid: number): void => {
            chosen.exiting.set(id, { pid, resolve: exited.resolve, reject: exited.reject });
            resolve(pid);
          };
          chosen.starting.set(id, { id, resolve: settle, reject });
        });
        hold(chosen);
        const message: StartMessage = { id, file, args, environment, nice, stdin: input?.token, stdout: output.token };
        chosen.child.send(message, (error) => error && chosen.starting.get(id)?.reject(error));
        const pid = await started;
        return { pid, stdin: await input?.socket, stdout: await output.socket, exited: exited.promise };
      } catch (error) {
        awaited.delete(output.token);
        if (input !== undefined) awaited.delete(input.token);
        throw error;
      } finally {
        clearTimeout(timer);
        chosen.starting.delete(id);
        hold(chosen);
      }
    },
    async close() {
      const server = await listening?.catch(() => undefined);
      const closing = host;
      host = undefined;
      if (closing !== undefined && closing.child.exitCode === null && closing.child.signalCode === null) {
        const ended = new Promise((resolve) => closing.child.once("exit", resolve));
        closing.child.ref();
        if (closing.child.connected) closing.child.disconnect();
        await ended;
      }
      server?.close();
    },
  };
}

/** Reads the token of a connection and passes it on. The data after the token stays in the socket for its reader. */
function identify(socket: Socket, awaited: Map<string, (socket: Socket) => void>): void {
  const timer = setTimeout(() => socket.destroy(), startWithinMs).unref();
  const look = (): void => {
    const token = socket.read(tokenBytes) as Buffer | null;
    if (token === null) return;
    clearTimeout(timer);
    socket.off("readable", look);
    const key = token.toString("hex");
    const pass = awaited.get(key);
    awaited.delete(key);
    if (pass === undefined) socket.destroy();
    else pass(socket);
  };
  // The exit code carries the result; a broken pipe adds no information.
  socket.on("error", () => {});
  socket.on("readable", look);
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The process has already ended.
  }
}
