import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";
import type { Pieces, PreparedReply } from "./answers.ts";

/** The client went away before it had the whole answer. */
export class ClientGone extends Error {}

/**
 * Sends a body piece by piece: each has left the process before the next one is asked for, so that whoever makes them can do with one buffer.
 * A failure before the first piece is thrown with nothing sent; one behind it leaves the answer cut short, for the caller to end its connection.
 * @throws ClientGone, or what the pieces throw
 */
export async function sendPieces(reply: FastifyReply, { status, headers, body }: PreparedReply & { readonly body: Pieces }): Promise<void> {
  const pieces = body.pieces[Symbol.asyncIterator]();
  const { raw } = reply;
  try {
    let next = await pieces.next();
    reply.hijack();
    raw.writeHead(status, { ...(reply.getHeaders() as Record<string, string>), ...headers });
    for (const write = writerOf(raw); next.done !== true; next = await pieces.next()) await write(next.value);
    raw.end();
  } finally {
    await pieces.return?.();
  }
}

/** @returns a write that resolves when its piece has been handed to the system; on a lost connection that may never come, so its end counts too */
function writerOf(raw: ServerResponse): (piece: Uint8Array) => Promise<void> {
  let leave = (): void => undefined;
  raw.once("close", () => leave());
  return (piece) =>
    new Promise((resolve, reject) => {
      leave = () => reject(new ClientGone("the client has gone away"));
      if (raw.destroyed) leave();
      else raw.write(piece, (error) => (error ? leave() : resolve()));
    });
}
