import { hostname } from "node:os";
import { destination, pino } from "pino";
import type { Log } from "../core/log.ts";
import type { WriteRequestLine } from "../http/server.ts";

/** Lines are gathered so long or so many bytes: a write for each request would cost more than many a request. */
const flushMs = 500;
const flushBytes = 8_192;
const infoLevel = 30;
const errorLevel = 50;

/**
 * JSON lines on standard error. Members that can hold a secret are struck out.
 * What is an error is written at once, with all lines before it: it may be the last thing this process says.
 */
export const createLog = (level: string): Log => createLogs(level).log;

export interface Logs {
  readonly log: Log;
  readonly writeRequestLine: WriteRequestLine;
}

export function createLogs(level: string): Logs {
  const output = destination({ dest: 2, sync: false, minLength: flushBytes });
  setInterval(() => output.flush(), flushMs).unref();
  process.once("exit", () => output.flushSync());
  const log = pino(
    {
      level,
      redact: { paths: ["password", "token", "authorization", "*.password", "*.token", "*.authorization"], censor: "[redacted]" },
      hooks: {
        logMethod(given, method, lineLevel) {
          method.apply(this, given);
          if (lineLevel >= errorLevel) output.flushSync();
        },
      },
    },
    output,
  );
  // The members of the line are few and known: neither looked through for secrets nor written by the library, it costs a third.
  const place = `"pid":${process.pid},"hostname":${JSON.stringify(hostname())}`;
  const writeRequestLine: WriteRequestLine = ({ requestId, method, path, status, ms, route }) =>
    output.write(
      `{"level":${infoLevel},"time":${Date.now()},${place},"requestId":"${requestId}","method":"${method}","path":${JSON.stringify(path)},"status":${status},"ms":${ms}${route === undefined ? "" : `,"route":"${route}"`},"msg":"request"}\n`,
    );
  return { log, writeRequestLine: log.levelVal <= infoLevel ? writeRequestLine : () => {} };
}
