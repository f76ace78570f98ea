import { keepPace, type Pace } from "../core/pace.ts";
import { type Exchange, send } from "./exchange.ts";
import { jsonType } from "./replies.ts";
import type { Route } from "./route.ts";

/** How fast a request's body has to come. Uploads and pushes may be slower: a client may compress objects in between. */
export interface BodyPaces {
  readonly small: Pace;
  readonly upload: Pace;
}

export const defaultBodyPaces: BodyPaces = {
  small: { bytesPerSecond: 500, windowMs: 30_000, idleMs: 30_000 },
  upload: { bytesPerSecond: 500, windowMs: 300_000, idleMs: 300_000 },
};

const tooSlow = "the request body came too slowly: send it again";

/** Answers 408 and ends the connection when the body of a request comes too slowly. Time in which the body waits for its reader does not count. */
export function keepBodyPace(exchange: Exchange, route: Route, paces: BodyPaces, problemUrl: string): void {
  const { request, response } = exchange;
  const { "content-length": length = "0", "transfer-encoding": encoding } = request.headers;
  if (length === "0" && encoding === undefined) return;
  const cutOff = (): void => {
    if (response.headersSent) {
      request.destroy();
      return;
    }
    // The response ends the connection, and with it the work that reads the body.
    const headers = { connection: "close", ...(route.mount === "api" && { "content-type": jsonType }) };
    void send(exchange, { status: 408, headers, body: route.mount === "api" ? JSON.stringify({ message: tooSlow, url: problemUrl }) : `${tooSlow}\n` });
  };
  const { socket } = request;
  const isOurTurn = (): boolean => request.complete || request.readableLength > 0;
  const stream = { destroy: cutOff, once: (_event: "close", listener: () => void) => request.once("close", listener) };
  const pace = route.streamsBody || route.formUploads > 0 ? paces.upload : paces.small;
  keepPace({ stream, moved: () => socket.bytesRead, isOurTurn, late: () => new Error(tooSlow) }, pace);
}
