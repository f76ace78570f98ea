import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { inPlace, type Place } from "../core/lanes.ts";
import { arePieces, type Pieces, type PreparedReply } from "./answers.ts";

/** The client disconnected before the response was complete. */
export class ClientGone extends Error {}

/**
 * Sends a body chunk by chunk. Each chunk has left the process before the next one is requested, so the source can reuse one buffer.
 * A failure before the first chunk is thrown with nothing sent. A later failure leaves the response truncated; the caller closes the
 * connection.
 * @throws ClientGone, or an error of the source
 */
export async function sendPieces(
  response: ServerResponse,
  { status, headers, body }: PreparedReply & { readonly body: Pieces | Readable },
  place?: Place,
): Promise<void> {
  // A stream may wait for data that never comes, so it is destroyed as soon as the client disconnects.
  if (body instanceof Readable) {
    if (response.destroyed) body.destroy();
    response.once("close", () => body.destroy());
  }
  const source: AsyncIterable<Uint8Array> = arePieces(body) ? body.pieces : body;
  const pieces = (place === undefined ? source : inPlace(place, source))[Symbol.asyncIterator]();
  try {
    let next = await pieces.next();
    response.writeHead(status, headers);
    for (const write = writerOf(response); next.done !== true; next = await pieces.next()) await write(next.value);
    response.end();
  } finally {
    await pieces.return?.();
  }
}

/**
 * @returns a write that resolves when its chunk has been handed to the system; it also ends when the connection is lost, because the
 * callback may never come
 */
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
