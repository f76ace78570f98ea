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
export function createLog(level: string): Log {
  const output = destination({ dest: 2, sync: false, minLength: flushBytes });
  setInterval(() => output.flush(), flushMs).unref();
  process.once("exit", () => output.flushSync());
  return pino(
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
}
