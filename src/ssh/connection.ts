import type { Socket } from "node:net";
import type { Connection, ServerChannel, Session } from "ssh2";
import { isForgeError, unavailable } from "../core/errors.ts";
import { terminalText } from "../git/send/side-band.ts";
import { type AuthenticationDeps, createAuthentication } from "./authentication.ts";
import { converse } from "./channel.ts";
import type { KnownKey, SshHandler } from "./ports.ts";

export interface ConnectionDeps extends AuthenticationDeps {
  readonly handler: SshHandler;
}

/** A connected client. */
export interface ServedConnection {
  /** Closes the connection after its last running command; immediately if there is none. */
  endWhenDone(): void;
  /** Aborts its commands. */
  abort(why: Error): void;
}

/** The same as OpenSSH's server: enough for connection sharing, and low enough to prevent hundreds of commands. */
const maxSessions = 10;
const maxCommandLength = 4_096;
const loggedCommandLength = 200;
const answersEndWithinMs = 2_000;
/** Idle timeout of a connection that is kept for later commands. */
const unusedForMs = 600_000;

/** @param onKnown called when the client has authenticated */
export function serveConnection(deps: ConnectionDeps, client: Connection, socket: Socket, onKnown: () => void): ServedConnection {
  const address = socket.remoteAddress ?? "";
  const sessions = new Set<AbortController>();
  let key: KnownKey | undefined;
  let isEnding = false;
  let unused: NodeJS.Timeout | undefined;

  let running = 0;
  const rest = (): void => {
    clearTimeout(unused);
    if (running > 0) return;
    if (isEnding) client.end();
    else unused = setTimeout(() => client.end(), unusedForMs);
  };
  const abort = (why: Error): void => {
    for (const session of sessions) session.abort(why);
  };
  const accepted = (found: KnownKey): void => {
    key = found;
  };

  client.on("authentication", createAuthentication(deps, { address, onAccepted: accepted, onExhausted: () => client.end() }));
  client.on("ready", () => {
    onKnown();
    rest();
  });
  client.on("session", (accept, reject) => {
    if (key === undefined || isEnding || sessions.size >= maxSessions) return reject();
    const controller = new AbortController();
    sessions.add(controller);
    controller.signal.addEventListener("abort", () => sessions.delete(controller), { once: true });
    runSession({ ...deps, key, address, socket, controller }, accept(), (change) => {
      running += change;
      rest();
    });
  });
  client.on("error", (error: Error) => deps.log.debug({ err: error, address }, "an SSH connection failed"));
  socket.once("close", () => {
    clearTimeout(unused);
    isEnding = true;
    abort(unavailable("the client disconnected", { meta: { reason: "aborted" } }));
  });

  return {
    endWhenDone() {
      isEnding = true;
      rest();
    },
    abort,
  };
}

interface SessionDeps extends ConnectionDeps {
  readonly key: KnownKey;
  readonly address: string;
  readonly socket: Socket;
  readonly controller: AbortController;
}

/**
 * Runs one session: environment variables, then one command. Terminals, forwarding and subsystems have no listener, so the library rejects
 * them. The session's signal is aborted when it is over.
 * @param onRunning called with 1 when its command begins, and with -1 when it ends
 */
function runSession(deps: SessionDeps, session: Session, onRunning: (change: 1 | -1) => void): void {
  const { controller } = deps;
  let gitProtocol: string | undefined;
  session.on("env", (accept, reject, { key, val }: { key: string; val: string }) => {
    const isTaken = key === "GIT_PROTOCOL" && /^version=[012]$/.test(val);
    if (isTaken) gitProtocol = val;
    // Absent if the client does not want a reply.
    (isTaken ? accept : reject)?.();
  });
  const begin = (channel: ServerChannel | undefined, command: string | undefined): void => {
    // The library creates one channel per session, and none for a closed session.
    if (channel === undefined) return;
    onRunning(1);
    void runCommand(deps, channel, { command, gitProtocol }).finally(() => {
      controller.abort();
      onRunning(-1);
    });
  };
  session.on("exec", (accept, _reject, { command }) => begin(accept(), command));
  session.on("shell", (accept) => begin(accept(), undefined));
  session.on("close", () => controller.abort(unavailable("the client disconnected", { meta: { reason: "aborted" } })));
}

interface Requested {
  readonly command: string | undefined;
  readonly gitProtocol: string | undefined;
}

/** Never rejects. */
async function runCommand(deps: SessionDeps, channel: ServerChannel, { command, gitProtocol }: Requested): Promise<void> {
  const { controller, address, log } = deps;
  const startedMs = performance.now();
  const { signal } = controller;
  const giveUp = (why: Error): void => {
    controller.abort(why);
    channel.close();
  };
  const { input, write } = converse(channel, deps.socket, signal, giveUp);
  const report = (text: string): void => void (signal.aborted || channel.stderr.write(terminalText(text)));
  let code = 1;
  let account: number | undefined;
  try {
    const holder = await deps.identities.holderOf(deps.key, address);
    if (holder === undefined) report(framed("This key is not registered any more."));
    else if (command !== undefined && command.length > maxCommandLength) report(framed("The command is too long."));
    else {
      account = holder.actor.kind === "user" ? holder.actor.id : undefined;
      code = await deps.handler({ holder, command, gitProtocol, input, write, report, signal });
    }
  } catch (error) {
    if (isForgeError(error)) report(framed(error.message));
    else {
      log.error({ err: error, address }, "an SSH session failed");
      report(framed("Internal server error."));
    }
  }
  const ms = Math.round(performance.now() - startedMs);
  log.info({ address, keyId: deps.key.id, account, command: command?.slice(0, loggedCommandLength), code, ms, aborted: signal.aborted }, "ssh");
  if (signal.aborted) return;
  channel.exit(code);
  channel.end();
  await isOver(signal);
}

/** Waits for the client to close its end of the channel. A connection that ends with its last command ends after that. */
async function isOver(signal: AbortSignal): Promise<void> {
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, answersEndWithinMs);
  signal.addEventListener("abort", () => over.resolve(), { once: true });
  await over.promise;
  clearTimeout(timer);
}

/** Separated by empty lines, to be distinguishable from git's own output. */
const framed = (message: string): string =>
  `error:\n${message
    .split("\n")
    .map((line) => `error: ${line}\n`)
    .join("")}error:\n`;
