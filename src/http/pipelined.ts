import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

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
