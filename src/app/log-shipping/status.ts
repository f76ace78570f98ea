import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { formatTime } from "../../core/time.ts";
import type { MetricSource } from "../../http/metrics.ts";

/** How far the log in the bucket is behind the database. */
export interface LogStatus {
  /** Age of the oldest acknowledged change that is not in the bucket; 0 if all are. */
  readonly lagMs: number;
  /** Bytes of the log that wait. */
  readonly lagBytes: number;
  /** Time of the newest state in the bucket. */
  readonly shippedMs: number | undefined;
  /** Time of the copy of the database that it continues. */
  readonly baseMs: number | undefined;
  readonly hasBase: boolean;
  /** Why the last attempt failed; undefined if it succeeded. */
  readonly failure: string | undefined;
  readonly failedSinceMs: number | undefined;
  readonly atMs: number;
}

/** Short failures are retried at once. */
const tolerableMs = 60_000;

export const isBehind = ({ lagMs }: LogStatus): boolean => lagMs > tolerableMs;

const fileName = "log-shipping.json";

/** Lets `hearth doctor` see the status of a server. It is lost without harm. */
export function writeLogStatus(dataDirectory: string, status: LogStatus): void {
  const path = join(dataDirectory, fileName);
  writeFileSync(`${path}.new`, JSON.stringify(status));
  renameSync(`${path}.new`, path);
}

function readLogStatus(dataDirectory: string): LogStatus | undefined {
  try {
    return JSON.parse(readFileSync(join(dataDirectory, fileName), "utf8")) as LogStatus;
  } catch {
    return undefined;
  }
}

/** The problem of the log in the bucket, in one line; undefined without one, and without the setting. */
export function describeLogProblem({ log_shipping, dataDirectory }: Pick<Config, "log_shipping" | "dataDirectory">): string | undefined {
  if (log_shipping.url === "") return undefined;
  const status = readLogStatus(dataDirectory);
  // A restored data folder has no status yet.
  if (status === undefined || !isBehind(status)) return undefined;
  const reason = status.failure === undefined ? "" : `: ${status.failure}`;
  const until = status.shippedMs === undefined ? "it has no copy of the database yet" : `its newest state is of ${formatTime(status.shippedMs)}`;
  return `log in the bucket: ${Math.round(status.lagMs / 1_000)} seconds behind at ${formatTime(status.atMs)}, ${until}${reason}`;
}

export const logMetrics = (read: () => LogStatus): readonly MetricSource[] => [
  {
    name: "hearth_log_shipping_lag_seconds",
    help: "Age of the oldest acknowledged change that is not in the bucket of the log.",
    kind: "gauge",
    read: () => read().lagMs / 1_000,
  },
  { name: "hearth_log_shipping_lag_bytes", help: "Bytes of the log that are not in the bucket.", kind: "gauge", read: () => read().lagBytes },
  {
    name: "hearth_log_shipping_failing",
    help: "1 while the bucket of the log does not accept it.",
    kind: "gauge",
    read: () => (read().failure === undefined ? 0 : 1),
  },
];
