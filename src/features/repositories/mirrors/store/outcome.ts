import { type RawBuilder, sql } from "kysely";

export interface SyncFailure {
  readonly reason: string;
  readonly retryMs: number;
}

/** What a mirror of either kind notes when both sides are alike. */
export const wentWell = (nowMs: number) => ({
  synced_ms: nowMs,
  failures: 0,
  last_error: "",
  next_sync_ms: sql<number | null>`case when interval_ms = 0 then null else interval_ms + ${nowMs} end`,
});

/** What it notes when it could not be synchronized. @param waits whether it is tried again only when somebody asks */
export const wentWrong = (nowMs: number, { reason, retryMs }: SyncFailure, waits: RawBuilder<boolean>) => ({
  failures: sql<number>`failures + 1`,
  last_error: reason,
  next_sync_ms: sql<number | null>`case when ${waits} then null else cast(${nowMs + retryMs} as bigint) end`,
});
