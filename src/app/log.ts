import { pino } from "pino";
import type { Log } from "../core/log.ts";
import type { WriteRequestLine } from "../http/server.ts";
import { openLogSink } from "./log-sink.ts";

const infoLevel = 30;
const errorLevel = 50;

/** The log alone, for commands that serve no requests. */
export const createLog = (level: string): Log => createLogs(level).log;

export interface Logs {
  readonly log: Log;
  readonly writeRequestLine: WriteRequestLine;
  /** Lines dropped because standard error failed or was too slow. */
  droppedLines(): number;
  /** Waits a short time for the last lines to be written. */
  close(): Promise<void>;
}

/**
 * JSON lines on standard error, with secrets redacted. A standard error that is full, slow or closed costs log lines, never requests.
 * A line of the level error is written without the usual delay.
 */
export function createLogs(level: string): Logs {
  const sink = openLogSink({ fd: 2, onDropped: (lines) => log.warn({ lines }, `${lines} log lines dropped`) });
  process.once("exit", () => sink.flushSync());
  const log = pino(
    {
      level,
      redact: { paths: ["password", "token", "authorization", "*.password", "*.token", "*.authorization"], censor: "[redacted]" },
      hooks: {
        logMethod(given, method, lineLevel) {
          method.apply(this, given);
          if (lineLevel >= errorLevel) sink.flush();
        },
      },
    },
    sink,
  );
  // A request line has no member that can hold a secret, so it skips the redaction, which costs as much as the rest of the line.
  const requests = pino({ level }, sink);
  return {
    log,
    writeRequestLine: log.levelVal <= infoLevel ? (line) => requests.info(line, "request") : () => {},
    droppedLines: sink.dropped,
    close: sink.close,
  };
}
