import { keepPace, type Pace } from "../core/pace.ts";
import { type Exchange, send } from "./exchange.ts";
import { jsonType } from "./replies.ts";
import type { Route } from "./route.ts";

/** Minimum transfer rates of request bodies. Uploads and pushes may be slower because a client may compress objects in between. */
export interface BodyPaces {
  readonly small: Pace;
  readonly upload: Pace;
}

export const defaultBodyPaces: BodyPaces = {
  small: { bytesPerSecond: 500, windowMs: 30_000, idleMs: 30_000 },
  upload: { bytesPerSecond: 500, windowMs: 300_000, idleMs: 300_000 },
};

const tooSlow = "the request body arrived too slowly: send the request again";

/**
 * Answers 408 and closes the connection when a request body arrives too slowly. Time in which the body waits for its reader does not
 * count.
 */
export function keepBodyPace(exchange: Exchange, route: Route, paces: BodyPaces, problemUrl: string): void {
  const { request, response } = exchange;
  const { "content-length": length = "0", "transfer-encoding": encoding } = request.headers;
  if (length === "0" && encoding === undefined) return;
  const cutOff = (): void => {
    if (response.headersSent) {
      request.destroy();
      return;
    }
    // The response closes the connection, which also ends the work that reads the body.
    const headers = { connection: "close", ...(route.mount === "api" && { "content-type": jsonType }) };
    void send(exchange, { status: 408, headers, body: route.mount === "api" ? JSON.stringify({ message: tooSlow, url: problemUrl }) : `${tooSlow}\n` });
  };
  const { socket } = request;
  const isOurTurn = (): boolean => request.complete || request.readableLength > 0;
  const stream = { destroy: cutOff, once: (_event: "close", listener: () => void) => request.once("close", listener) };
  const pace = route.streamsBody || route.formUploads > 0 ? paces.upload : paces.small;
  keepPace({ stream, moved: () => socket.bytesRead, isOurTurn, late: () => new Error(tooSlow) }, pace);
}
