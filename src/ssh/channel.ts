import { once } from "node:events";
import type { Socket } from "node:net";
import type { ServerChannel } from "ssh2";
import { type ForgeError, isForgeError, unavailable } from "../core/errors.ts";
import type { SshInput } from "./ports.ts";

/** The two directions of one command's channel. */
export interface Conversation {
  readonly input: SshInput;
  write(bytes: Uint8Array | string): Promise<void>;
}

/** The user's pre-push checks may run between the advertisement and the push. No resources are reserved in the meantime. */
const firstPatienceMs = 600_000;
/** How long a client may leave sent data unread. Other requests may wait for the resources it occupies. */
const takeWithinMs = 120_000;
/** Maximum number of unsent bytes in the socket. The window of a channel is set by the client, so it is not a limit. */
const maxWaitingBytes = 1_048_576;

const gone = (why: unknown): ForgeError => (isForgeError(why) ? why : unavailable("the client disconnected", { meta: { reason: "aborted" }, cause: why }));

/**
 * Wraps a channel. Its streams end and fail in inconsistent ways (a write on a lost channel never returns), so only their data is used:
 * pending operations are woken by the signal too.
 * @param giveUp ends a client that neither sends nor reads
 */
export function converse(channel: ServerChannel, socket: Socket, signal: AbortSignal, giveUp: (why: Error) => void): Conversation {
  let patienceMs = firstPatienceMs;
  let hasEnded = false;
  let waiting: (() => void)[] = [];
  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    for (const resolve of woken) resolve();
  };
  channel.on("readable", wake);
  channel.once("end", () => {
    hasEnded = true;
    wake();
  });
  channel.on("error", giveUp);
  channel.stderr.on("error", giveUp);
  signal.addEventListener("abort", wake, { once: true });

  async function* read(): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      const chunk = channel.read() as Buffer | null;
      if (chunk !== null) yield chunk;
      else if (signal.aborted) throw gone(signal.reason);
      else if (hasEnded) return;
      else {
        const timer = setTimeout(() => giveUp(unavailable("the client sent no data for too long", { meta: { reason: "time_limit" } })), patienceMs);
        await new Promise<void>((resolve) => waiting.push(resolve));
        clearTimeout(timer);
      }
    }
  }

  async function write(bytes: Uint8Array | string): Promise<void> {
    if (bytes.length === 0) return;
    if (signal.aborted) throw gone(signal.reason);
    const timer = setTimeout(() => giveUp(unavailable("the client did not read its data for too long", { meta: { reason: "time_limit" } })), takeWithinMs);
    const lost = Promise.withResolvers<never>();
    const onAbort = (): void => lost.reject(gone(signal.reason));
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      await Promise.race([new Promise<void>((resolve) => channel.write(bytes, () => resolve())), lost.promise]);
      if (socket.writableLength > maxWaitingBytes) await once(socket, "drain", { signal });
    } catch (error) {
      throw gone(error);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    }
  }

  return {
    // A reader that stops early leaves the rest to the next one.
    input: {
      [Symbol.asyncIterator]: read,
      setPatience(ms) {
        patienceMs = ms;
      },
    },
    write,
  };
}
