import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { malformed, unsupportedMedia } from "../../../core/errors.ts";
import { readBody as gather } from "../../../git/send/fetch-request.ts";

/**
 * How long a client may neither send nor take anything in the middle of a request. What it holds meanwhile (a process, a place among few)
 * others wait for. However slow, a client that goes on is waited for.
 */
export const patienceMs = 120_000;

/**
 * What a client sends, as it is meant: git compresses what it says when that is long. The readers behind count the bytes that come out.
 * @throws ForgeError `unsupported_media`; from the chunks `malformed`: what a client does wrong while it sends is no failure of the server
 */
export function received(
  request: Readable,
  encoding: string | string[] | undefined,
  silenceMs: number = patienceMs,
): AsyncGenerator<Uint8Array, void, undefined> {
  // A push that is refused before its end is read still gets its answer: the socket stays open.
  if (encoding === undefined || encoding === "identity") return chunksOf(request, request.iterator({ destroyOnReturn: false }), silenceMs);
  if (encoding !== "gzip" && encoding !== "x-gzip") throw unsupportedMedia("a git request comes as it is or compressed by gzip");
  const gunzip = createGunzip();
  request.on("error", (error: Error) => gunzip.destroy(error));
  return chunksOf(request, request.pipe(gunzip), silenceMs);
}

/** The same in one piece. @throws ForgeError also `too_large` */
export const gathered = (request: Readable, encoding: string | string[] | undefined, maxBytes: number, silenceMs?: number): Promise<Buffer> =>
  gather(received(request, encoding, silenceMs), maxBytes);

export const fellSilent = (): Error => Object.assign(new Error("the client fell silent"), { code: "ECONNRESET" });

/**
 * What nobody reads of a body is let pass: its sender hears the answer only behind it, and a connection with a body in it can neither be
 * used again nor end.
 */
async function* chunksOf(request: Readable, body: AsyncIterable<Uint8Array>, silenceMs: number): AsyncGenerator<Uint8Array, void, undefined> {
  // A client that is waited for in vain is as good as gone.
  const silence = watch(() => request.destroy(fellSilent()), silenceMs);
  try {
    silence.start();
    for await (const chunk of body) {
      silence.stop();
      yield chunk;
      silence.start();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ECONNRESET" || code === "ERR_STREAM_PREMATURE_CLOSE") throw malformed("the client went away within its request");
    if (code?.startsWith("Z_")) throw malformed("the request is not compressed as it says");
    throw error;
  } finally {
    silence.stop();
    // Once whoever has read lets go of it.
    setImmediate(() => request.resume());
  }
}

/**
 * What a client takes.
 * @param giveUp ends the connection of a client that takes nothing more, and with it all that is done for it
 */
export async function* taken(
  answer: AsyncIterable<Uint8Array>,
  giveUp: () => void,
  silenceMs: number = patienceMs,
): AsyncGenerator<Uint8Array, void, undefined> {
  const silence = watch(giveUp, silenceMs);
  try {
    for await (const chunk of answer) {
      silence.start();
      yield chunk;
      silence.stop();
    }
  } finally {
    silence.stop();
  }
}

function watch(giveUp: () => void, silenceMs: number): { start(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  return {
    start() {
      timer = setTimeout(giveUp, silenceMs);
    },
    stop: () => clearTimeout(timer),
  };
}
