import { randomFillSync } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { PreparedReply } from "./answers.ts";
import type { Route } from "./route.ts";
import { sendPieces } from "./send-chunks.ts";

/** One request and the answer that it gets. */
export interface Exchange {
  /** Names it in the log and on the page of its refusal, whenever the server began, and tells nobody how many there were. */
  readonly id: string;
  readonly request: IncomingMessage & { readonly method: string; readonly url: string };
  readonly response: ServerResponse;
  /** Who asks: the other end of the connection, or whom the trusted proxies before it name. */
  readonly remoteAddress: string;
  /** Once it is found. */
  route: Route | undefined;
  /** Told with the answer, whatever becomes of it. */
  headers: Readonly<Record<string, string>>;
}

const noHeaders = {};

export const openExchange = (request: IncomingMessage, response: ServerResponse, remoteAddress: string): Exchange => ({
  id: nextId(),
  request: request as Exchange["request"],
  response,
  remoteAddress,
  route: undefined,
  headers: noHeaders,
});

const idBytes = 6;
const randomness = Buffer.alloc(1_000 * idBytes);
let taken = randomness.length;

function nextId(): string {
  if (taken === randomness.length) {
    randomFillSync(randomness);
    taken = 0;
  }
  taken += idBytes;
  return randomness.toString("hex", taken - idBytes, taken);
}

/** Whether the client went away before it had the whole answer. */
export const hasGone = ({ response }: Exchange): boolean => response.destroyed && !response.writableFinished;

const hasNoBody = (status: number): boolean => status === 204 || status === 304;

/**
 * Sends an answer. One that comes piece by piece is sent when this resolves; others at once, though not all of their bytes may have left.
 * @throws ClientGone, or what the pieces throw: before the first one nothing has been sent
 */
export function send(exchange: Exchange, { status, headers, body }: PreparedReply): Promise<void> | void {
  const { request, response } = exchange;
  const told: Record<string, string | number> = { ...exchange.headers, ...headers };
  // What follows the refused body is not waited for.
  if (status === 413) told.connection = "close";
  if (typeof body === "string" || Buffer.isBuffer(body)) {
    told["content-type"] ??= typeof body === "string" ? "text/plain; charset=utf-8" : "application/octet-stream";
    if (!hasNoBody(status)) told["content-length"] ??= Buffer.byteLength(body);
    response.writeHead(status, told);
    response.end(body);
  } else if (body === undefined) {
    if (!hasNoBody(status) && request.method !== "HEAD") told["content-length"] = 0;
    response.writeHead(status, told);
    response.end();
  } else return sendPieces(response, { status, headers: told, body });
}
