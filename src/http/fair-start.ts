import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { performance } from "node:perf_hooks";

/** Requests that start in the turn of the event loop in which they are read. Further ones wait for turns of their own. */
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
  /** The turn in which `started` was counted. */
  let turn = -1;
  let started = 0;
  let isWaiting = false;

  const start = (arrival: Arrival | undefined): void => {
    // The client may have disconnected.
    if (arrival !== undefined && !arrival[1].destroyed) handle(...arrival);
  };

  const takeTurn = (): void => {
    start(fromNew.shift());
    start(fromServed.shift());
    isWaiting = fromNew.length + fromServed.length > 0;
    if (isWaiting) setImmediate(takeTurn);
  };

  return (request, response) => {
    const { socket } = request;
    const isNew = !served.has(socket);
    if (isNew) served.add(socket);
    const present = performance.nodeTiming.uvMetricsInfo.loopCount;
    if (present !== turn) {
      turn = present;
      started = 0;
    }
    started += 1;
    if (!isWaiting && started <= burst) return start([request, response]);
    (isNew ? fromNew : fromServed).push([request, response]);
    if (isWaiting) return;
    isWaiting = true;
    setImmediate(takeTurn);
  };
}
