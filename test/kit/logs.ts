import type { Log } from "../../src/core/log.ts";

export const silentLog: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

export interface LogEntry {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly meta: object;
  readonly message: string;
}

/** A log that records its entries for tests. */
export function createLogRecorder(): Log & { readonly entries: readonly LogEntry[] } {
  const entries: LogEntry[] = [];
  const at =
    (level: LogEntry["level"]) =>
    (meta: object, message: string): void => {
      entries.push({ level, meta, message });
    };
  return { entries, debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
