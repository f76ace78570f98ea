import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { performance } from "node:perf_hooks";

/** Requests that start in the turn of the event loop in which they are read. Further ones wait for turns of their own. */
const burst = 8;
/** The first request of a connection without credentials starts in every second turn, and one of the other connections in the turns between. */
const anonymousKinds = 2;

type Arrival = readonly [IncomingMessage, ServerResponse];

/** Waiting requests, of connections that have not been served yet and of the others. */
interface Waiting {
  readonly fromNew: Arrival[];
  readonly fromServed: Arrival[];
}

const noRequests = (): Waiting => ({ fromNew: [], fromServed: [] });
const count = ({ fromNew, fromServed }: Waiting): number => fromNew.length + fromServed.length;

/** Whether the credentials are valid is not known yet. */
const hasCredentials = ({ headers }: IncomingMessage): boolean => headers.authorization !== undefined || headers.cookie !== undefined;

/**
 * Bounds the requests that start in one turn of the event loop. Node.js accepts one connection in a turn, after it has served all
 * connections with data: without a bound, a turn takes as long as the requests of all busy connections, and new ones wait for many turns.
 *
 * While requests wait, a turn starts two of them: the oldest of a connection that has not been served yet, and the oldest of the others. So
 * a new connection waits for few other responses, and a flood of new ones delays the others by half. Requests with credentials come first:
 * while some wait, a turn starts only one request without.
 */
export function startFairly(handle: RequestListener): RequestListener {
  const served = new WeakSet<Socket>();
  const presented = noRequests();
  const anonymous = noRequests();
  /** The turn in which `started` was counted. */
  let turn = -1;
  let started = 0;
  let isWaiting = false;
  let ownTurns = 0;

  const start = (arrival: Arrival | undefined): void => {
    // The client may have disconnected.
    if (arrival !== undefined && !arrival[1].destroyed) handle(...arrival);
  };

  const takeTurn = (): void => {
    ownTurns += 1;
    const isShared = count(presented) > 0;
    start(presented.fromNew.shift());
    start(presented.fromServed.shift());
    if (!isShared) {
      start(anonymous.fromNew.shift());
      start(anonymous.fromServed.shift());
    } else if (ownTurns % anonymousKinds === 0) start(anonymous.fromNew.shift() ?? anonymous.fromServed.shift());
    else start(anonymous.fromServed.shift() ?? anonymous.fromNew.shift());
    isWaiting = count(presented) + count(anonymous) > 0;
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
    const waiting = hasCredentials(request) ? presented : anonymous;
    (isNew ? waiting.fromNew : waiting.fromServed).push([request, response]);
    if (isWaiting) return;
    isWaiting = true;
    setImmediate(takeTurn);
  };
}
