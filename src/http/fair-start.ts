import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Requests that start as soon as they are read, before the next ones wait for a turn of the event loop. */
const burst = 8;

type Arrival = readonly [IncomingMessage, ServerResponse];

/**
 * Bounds the requests that start in one turn of the event loop. Node.js accepts one connection in a turn, after it has served all
 * connections with data: without a bound, a turn takes as long as the requests of all busy connections, and new ones wait for many turns.
 *
 * While requests wait, a turn starts two of them: the oldest of a connection that has not been served yet, and the oldest of the others. So
 * a new connection waits for few other responses, and a flood of new ones delays the others by half.
 */
export function startFairly(handle: RequestListener): RequestListener {
  const served = new WeakSet<Socket>();
  const fromNew: Arrival[] = [];
  const fromServed: Arrival[] = [];
  /** Requests started since the last turn that was waited for. */
  let started = 0;

  const start = (arrival: Arrival | undefined): void => {
    if (arrival === undefined) return;
    started += 1;
    // The client has disconnected.
    if (!arrival[1].destroyed) handle(...arrival);
  };

  const takeTurn = (): void => {
    started = 0;
    start(fromNew.shift());
    start(fromServed.shift());
    if (fromNew.length + fromServed.length > 0) waitForTurn();
  };

  const waitForTurn = (): void => {
    started = burst;
    setImmediate(takeTurn);
  };

  return (request, response) => {
    const { socket } = request;
    const isNew = !served.has(socket);
    if (isNew) served.add(socket);
    if (started < burst) {
      start([request, response]);
      if (started === burst) waitForTurn();
    } else (isNew ? fromNew : fromServed).push([request, response]);
  };
}
