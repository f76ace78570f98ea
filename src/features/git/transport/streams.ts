import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { malformed, unsupportedMedia } from "../../../core/errors.ts";
import { readBody as gather } from "../../../git/send/fetch-request.ts";

/**
 * Maximum time in which a client neither sends nor reads during a request, because it occupies limited resources such as a process.
 * Slow but active clients are not limited.
 */
export const patienceMs = 120_000;

/**
 * The decoded request body: git compresses long requests. The readers count the decoded bytes.
 * @throws ForgeError `unsupported_media`; while iterating `malformed`: an error of the client during sending is not a server failure
 */
export function received(
  request: Readable,
  encoding: string | string[] | undefined,
  silenceMs: number = patienceMs,
): AsyncGenerator<Uint8Array, void, undefined> {
  // A push that is refused early still gets its response: the socket stays open.
  if (encoding === undefined || encoding === "identity") return chunksOf(request, request.iterator({ destroyOnReturn: false }), silenceMs);
  if (encoding !== "gzip" && encoding !== "x-gzip") throw unsupportedMedia("a git request must be sent uncompressed or with gzip");
  const gunzip = createGunzip();
  request.on("error", (error: Error) => gunzip.destroy(error));
  // It can fail before the reader begins, and an error without a listener would end the process. The reader gets the error all the same.
  gunzip.on("error", () => {});
  return chunksOf(request, request.pipe(gunzip), silenceMs);
}

/** The same in one piece. @throws ForgeError also `too_large` */
export const gathered = (request: Readable, encoding: string | string[] | undefined, maxBytes: number, silenceMs?: number): Promise<Buffer> =>
  gather(received(request, encoding, silenceMs), maxBytes);

export const fellSilent = (): Error => Object.assign(new Error("the client stopped sending"), { code: "ECONNRESET" });

/**
 * Unread body bytes are drained: the client reads the response only after it has sent them, and a connection with an unread body can
 * be neither reused nor closed.
 */
async function* chunksOf(request: Readable, body: AsyncIterable<Uint8Array>, silenceMs: number): AsyncGenerator<Uint8Array, void, undefined> {
  // A client that stays silent is treated as disconnected.
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
    if (code === "ECONNRESET" || code === "ERR_STREAM_PREMATURE_CLOSE") throw malformed("the client disconnected during its request");
    if (code?.startsWith("Z_")) throw malformed("the request does not match its content encoding");
    throw error;
  } finally {
    silence.stop();
    // Deferred until the reader has released the stream.
    setImmediate(() => request.resume());
  }
}

/** The response stream to a client. @param giveUp closes the connection of a client that stops reading, which cancels its work */
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
