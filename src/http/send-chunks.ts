import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { arePieces, type Pieces, type PreparedReply } from "./answers.ts";

/** The client went away before it had the whole answer. */
export class ClientGone extends Error {}

/**
 * Sends a body piece by piece: each has left the process before the next one is asked for, so that whoever makes them can do with one buffer.
 * A failure before the first piece is thrown with nothing sent; one behind it leaves the answer cut short, for the caller to end its connection.
 * @throws ClientGone, or what the pieces throw
 */
export async function sendPieces(response: ServerResponse, { status, headers, body }: PreparedReply & { readonly body: Pieces | Readable }): Promise<void> {
  // A stream waits for what may never come, so it hears of its reader's leave at once.
  if (body instanceof Readable) {
    if (response.destroyed) body.destroy();
    response.once("close", () => body.destroy());
  }
  const pieces: AsyncIterator<Uint8Array> = (arePieces(body) ? body.pieces : body)[Symbol.asyncIterator]();
  try {
    let next = await pieces.next();
    response.writeHead(status, headers);
    for (const write = writerOf(response); next.done !== true; next = await pieces.next()) await write(next.value);
    response.end();
  } finally {
    await pieces.return?.();
  }
}

/** @returns a write that resolves when its piece has been handed to the system; on a lost connection that may never come, so its end counts too */
function writerOf(response: ServerResponse): (piece: Uint8Array) => Promise<void> {
  let leave = (): void => undefined;
  response.once("close", () => leave());
  return (piece) =>
    new Promise((resolve, reject) => {
      leave = () => reject(new ClientGone("the client has gone away"));
      if (response.destroyed) leave();
      else response.write(piece, (error) => (error ? leave() : resolve()));
    });
}
