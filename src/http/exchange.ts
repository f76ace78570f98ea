import { randomFillSync } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Place } from "../core/lanes.ts";
import { areBuffers, type PreparedReply, sizeOfBody } from "./answers.ts";
import { encodeReply } from "./content-encoding.ts";
import type { Route } from "./route.ts";
import { sendPieces } from "./send-chunks.ts";

/** A request and its response. */
export interface Exchange {
  /** Identifies the request in the log and on error pages. Unique across restarts, and does not reveal the number of requests. */
  readonly id: string;
  readonly request: IncomingMessage & { readonly method: string; readonly url: string };
  readonly response: ServerResponse;
  /** Address of the client: the peer of the connection, or the address forwarded by the trusted proxies. */
  readonly remoteAddress: string;
  /** Set when the route has been found. */
  route: Route | undefined;
  /** Headers that are sent with every response to this request, errors included. */
  headers: Readonly<Record<string, string>>;
  /** The place in a lane that the request holds. */
  place: Place | undefined;
}

const noHeaders = {};

export const openExchange = (request: IncomingMessage, response: ServerResponse, remoteAddress: string): Exchange => ({
  id: nextId(),
  request: request as Exchange["request"],
  response,
  remoteAddress,
  route: undefined,
  headers: noHeaders,
  place: undefined,
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

/** Whether the client disconnected before the response was complete. */
export const hasGone = ({ response }: Exchange): boolean => response.destroyed && !response.writableFinished;

const hasNoBody = (status: number): boolean => status === 204 || status === 304;

/**
 * Sends a response. A streamed response is complete when this resolves; other responses are handed to the socket immediately, though not
 * all bytes may have been sent.
 * @throws ClientGone, or an error of the stream: nothing has been sent if it comes before the first chunk
 */
export function send(exchange: Exchange, reply: PreparedReply): Promise<void> | void {
  const { request, response } = exchange;
  const { status, headers, body } = encodeReply(reply, request.headers["accept-encoding"], request.method === "HEAD");
  const sentHeaders: Record<string, string | number> = { ...exchange.headers, ...headers };
  // The rest of the refused body is not read.
  if (status === 413) sentHeaders.connection = "close";
  if (typeof body === "string" || Buffer.isBuffer(body)) {
    sentHeaders["content-type"] ??= typeof body === "string" ? "text/plain; charset=utf-8" : "application/octet-stream";
    if (!hasNoBody(status)) sentHeaders["content-length"] ??= sizeOfBody(body) ?? 0;
    response.writeHead(status, sentHeaders);
    response.end(body);
  } else if (areBuffers(body)) {
    sentHeaders["content-type"] ??= "application/octet-stream";
    if (!hasNoBody(status)) sentHeaders["content-length"] ??= sizeOfBody(body) ?? 0;
    response.writeHead(status, sentHeaders);
    response.cork();
    for (const part of body) response.write(part);
    response.end();
  } else if (body === undefined) {
    if (!hasNoBody(status) && request.method !== "HEAD") sentHeaders["content-length"] = 0;
    response.writeHead(status, sentHeaders);
    response.end();
  } else return sendPieces(response, { status, headers: sentHeaders, body }, exchange.place);
}
