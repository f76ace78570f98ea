import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { performance } from "node:perf_hooks";
import { type CallerClass, callerClasses } from "../core/lanes.ts";

/** Requests that start in the turn of the event loop in which they are read. Further ones wait for turns of their own. */
const burst = 8;
type Arrival = readonly [IncomingMessage, ServerResponse];

/** Waiting requests, of connections that have not been served yet and of the others. */
interface Waiting {
  readonly fromNew: Arrival[];
  readonly fromServed: Arrival[];
}

const noRequests = (): Waiting => ({ fromNew: [], fromServed: [] });

/** Whether the credentials are valid is not known yet. */
function classOf({ headers }: IncomingMessage): CallerClass {
  if (headers.authorization !== undefined) return "automated";
  return headers.cookie === undefined ? "anonymous" : "interactive";
}

/**
 * Bounds the requests that start in one turn of the event loop. Node.js accepts one connection in a turn, after it has served all
 * connections with data: without a bound, a turn takes as long as the requests of all busy connections, and new ones wait for many turns.
 *
 * While requests wait, a turn starts two of them: the oldest of a connection that has not been served yet, and the oldest of the others. So
 * a new connection waits for few other responses, and a flood of new ones delays the others by half. Both are of the first class of callers
 * that waits: a turn starts only one request of each later class, of a new connection in every second turn.
 */
export function startFairly(handle: RequestListener): RequestListener {
  const served = new WeakSet<Socket>();
  const byClass: Readonly<Record<CallerClass, Waiting>> = { interactive: noRequests(), automated: noRequests(), anonymous: noRequests() };
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
    let isFirst = true;
    let left = 0;
    for (const kind of callerClasses) {
      const { fromNew, fromServed } = byClass[kind];
      if (fromNew.length + fromServed.length === 0) continue;
      if (isFirst) {
        start(fromNew.shift());
        start(fromServed.shift());
      } else start(ownTurns % 2 === 0 ? (fromNew.shift() ?? fromServed.shift()) : (fromServed.shift() ?? fromNew.shift()));
      isFirst = false;
      left += fromNew.length + fromServed.length;
    }
    isWaiting = left > 0;
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
    const waiting = byClass[classOf(request)];
    (isNew ? waiting.fromNew : waiting.fromServed).push([request, response]);
    if (isWaiting) return;
    isWaiting = true;
    setImmediate(takeTurn);
  };
}

/** Maximum number of waiting requests per connection before reading pauses. A single read can add about 2,000. */
const maxWaiting = 100;

/** Interval of the checks whether the client of a paused connection is still connected. */
const defaultProbeMs = 10_000;

interface Line {
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[];
  /** The response that the others wait for. */
  current: ServerResponse | undefined;
  probe: NodeJS.Timeout | undefined;
  isBusy: boolean;
  isPaused: boolean;
}

/**
 * Handles the requests of a connection one after another. Node.js emits all pipelined requests of a read at once, so a client could start
 * thousands of them before any other connection is served. The next request starts after the previous response, in a separate turn of the
 * event loop.
 */
export function handleInTurn(handle: RequestListener, probeMs = defaultProbeMs): RequestListener {
  const lines = new WeakMap<Socket, Line>();

  function begin(line: Line, request: IncomingMessage, response: ServerResponse): void {
    line.isBusy = true;
    line.current = response;
    response.once("close", () => {
      if (line.waiting.length === 0) line.isBusy = false;
      else setImmediate(next, line, request.socket);
    });
    handle(request, response);
  }

  function next(line: Line, socket: Socket): void {
    const [request, response] = line.waiting.shift() ?? [];
    if (socket.destroyed) line.waiting.length = 0;
    else if (request !== undefined && response !== undefined) {
      if (line.isPaused && line.waiting.length === 0) readAgain(line, socket);
      begin(line, request, response);
    }
  }

  return (request, response) => {
    const { socket } = request;
    let line = lines.get(socket);
    if (line === undefined) {
      line = { waiting: [], current: undefined, probe: undefined, isBusy: false, isPaused: false };
      lines.set(socket, line);
    }
    if (!line.isBusy) return begin(line, request, response);
    line.waiting.push([request, response]);
    if (!line.isPaused && line.waiting.length >= maxWaiting) stopReading(line, socket, probeMs);
  };
}

/**
 * Node.js resumes a socket after each request that it has parsed, so a single pause does not last. The disconnection of a paused client is
 * detected only by a write. Therefore an interim response is sent, which clients accept before any response (RFC 9110, 15.2).
 */
function stopReading(line: Line, socket: Socket, probeMs: number): void {
  line.isPaused = true;
  socket.pause();
  socket.resume = () => socket;
  line.probe = setInterval(() => {
    if (line.current?.headersSent === false && !line.current.writableEnded) line.current.writeContinue();
  }, probeMs).unref();
  socket.once("close", () => clearInterval(line.probe));
}

function readAgain(line: Line, socket: Socket): void {
  line.isPaused = false;
  clearInterval(line.probe);
  Reflect.deleteProperty(socket, "resume");
  // While a response is not read, Node.js has paused the socket itself and resumes it at this event.
  if (socket.writableNeedDrain) return;
  socket.resume();
}
