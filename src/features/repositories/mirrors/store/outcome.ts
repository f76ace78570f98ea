import { type RawBuilder, sql } from "kysely";
import type { RemoteFailure } from "../../../../core/failures.ts";

export interface SyncFailure {
  readonly message: string;
  readonly failure: RemoteFailure;
  readonly retryMs: number;
}

/** The columns of a successful synchronization, for both kinds of mirrors. */
export const wentWell = (nowMs: number) => ({
  synced_ms: nowMs,
  failures: 0,
  last_error: "",
  failure: "",
  next_sync_ms: sql<number | null>`case when interval_ms = 0 then null else interval_ms + ${nowMs} end`,
});

/** The columns of a failed synchronization. @param waits whether it is only retried on request */
export const wentWrong = (nowMs: number, { message, failure, retryMs }: SyncFailure, waits: RawBuilder<boolean>) => ({
  failures: sql<number>`failures + 1`,
  last_error: message,
  failure,
  next_sync_ms: sql<number | null>`case when ${waits} then null else cast(${nowMs + retryMs} as bigint) end`,
});
