import { destination, pino } from "pino";
import type { Log } from "../core/log.ts";

/** Lines are gathered so long or so many bytes: a write for each request would cost more than many a request. */
const flushMs = 500;
const flushBytes = 8_192;
const errorLevel = 50;

/**
 * JSON lines on standard error. Members that can hold a secret are struck out.
 * What is an error is written at once, with all lines before it: it may be the last thing this process says.
 */
export const createLog = (level: string): Log => createLogs(level).log;

export interface Logs {
  readonly log: Log;
  /** For the line of each request, whose members are all known: looking through it for secrets would cost more than writing it. */
  readonly requestLog: Log;
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
  return { log, requestLog: log.child({}, { redact: [] }) };
}
