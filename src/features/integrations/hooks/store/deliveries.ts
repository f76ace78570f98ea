import type { DeliveryFailure } from "../../../../core/failures.ts";
import { anyOf } from "../../../../db/any-of.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { HookDeliveriesTable } from "../../../../db/tables/hooks.ts";
import { type StoredHook, storedHookColumns, toStoredHook } from "./hooks.ts";

/** A webhook with the data for sending. */
export interface CalledHook extends StoredHook {
  /** Null: it belongs to an account or the server. */
  readonly repoId: number | null;
  /** The owning account, or the repository's owner; null: the server. */
  readonly ownerId: number | null;
  readonly failures: number;
  readonly blockedUntilMs: number;
  /** `owner/name` of a repository, the name of an account, or empty. */
  readonly ownerName: string;
  readonly isOfOrganization: boolean;
}

export async function findCalledHook(db: Reader, id: number): Promise<CalledHook | undefined> {
  const row = await db.sql
    .selectFrom("hooks as h")
    .leftJoin("repositories as r", "r.id", "h.repo_id")
    .leftJoin("accounts as o", (join) => join.on((eb) => eb("o.id", "=", eb.fn.coalesce("h.owner_id", "r.owner_id"))))
    .select(storedHookColumns.map((name) => `h.${name}` as const))
    .select(["h.failures", "h.blocked_until_ms"])
    .select(["o.id as account_id", "o.name as owner_name", "o.kind as owner_kind", "r.name as repo_name"])
    .where("h.id", "=", id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { failures, blocked_until_ms: blockedUntilMs } = row;
  const ownerName = [row.owner_name, row.repo_name].filter((name) => name !== null).join("/");
  return {
    ...toStoredHook(row),
    repoId: row.repo_id,
    ownerId: row.account_id,
    failures,
    blockedUntilMs,
    ownerName,
    isOfOrganization: row.owner_kind === "organization",
  };
}

/** A composed delivery. */
export interface DueDelivery {
  readonly id: number;
  readonly uuid: string;
  readonly sequence: number;
  readonly state: "waiting" | "refused";
  readonly event: string;
  readonly eventType: string;
  readonly payload: string;
  readonly attempts: number;
  /** Time of the first attempt. */
  readonly sinceMs: number;
}

/** The next due deliveries in order; retries come first. */
export async function listDue(db: Reader, hookId: number, nowMs: number, limit: number): Promise<readonly DueDelivery[]> {
  const query = db.sql
    .selectFrom("hook_deliveries as d")
    .innerJoin("hook_messages as m", "m.id", "d.message_id")
    .select(["d.id", "d.uuid", "d.sequence", "d.state", "m.event", "m.event_type", "m.payload", "d.attempts", "m.composed_ms"])
    .where("d.hook_id", "=", hookId)
    .where("d.sequence", "is not", null);
  const refused = await query.where("d.state", "=", "refused").where("d.next_attempt_ms", "<=", nowMs).orderBy("d.sequence").limit(limit).execute();
  const waiting = await query.where("d.state", "=", "waiting").orderBy("d.sequence").limit(limit).execute();
  return [...refused, ...waiting].map((row) => ({
    id: row.id,
    uuid: row.uuid,
    sequence: row.sequence ?? 0,
    state: row.state as DueDelivery["state"],
    event: row.event,
    eventType: row.event_type,
    payload: row.payload ?? "",
    attempts: row.attempts,
    sinceMs: row.composed_ms ?? 0,
  }));
}

/** When a webhook has the next due delivery: the next retry, and whether others wait. */
export async function findNext(db: Reader, hookId: number): Promise<{ readonly refusedMs: number | null; readonly hasWaiting: boolean }> {
  const row = await db.sql
    .selectNoFrom((eb) => [
      eb
        .selectFrom("hook_deliveries")
        .select((of) => of.fn.min("next_attempt_ms").as("at"))
        .where("hook_id", "=", hookId)
        .where("state", "=", "refused")
        .as("refused"),
      eb
        .selectFrom("hook_deliveries")
        .select((of) => of.fn.min("sequence").as("sequence"))
        .where("hook_id", "=", hookId)
        .where("state", "=", "waiting")
        .where("sequence", "is not", null)
        .as("waiting"),
    ])
    .executeTakeFirstOrThrow();
  return { refusedMs: row.refused === null ? null : Number(row.refused), hasWaiting: row.waiting !== null };
}

export interface AttemptRecord {
  readonly state: HookDeliveriesTable["state"];
  readonly nextAttemptMs: number;
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  readonly error: string | null;
  readonly failure: DeliveryFailure | "";
  readonly durationMs: number;
}

type FailureRecord = Pick<AttemptRecord, "error" | "failure">;

/** Records the result of an attempt. */
export async function recordAttempt(tx: Tx, id: number, attempt: AttemptRecord): Promise<void> {
  await tx.sql
    .updateTable("hook_deliveries")
    .set((eb) => ({
      attempts: eb("attempts", "+", 1),
      attempted_ms: tx.nowMs,
      state: attempt.state,
      next_attempt_ms: attempt.nextAttemptMs,
      response_status: attempt.responseStatus,
      response_body: attempt.responseBody,
      error: attempt.error,
      failure: attempt.failure,
      duration_ms: attempt.durationMs,
    }))
    .where("id", "=", id)
    .execute();
}

/** Records whether a webhook responds, and from when it may be called again. After a success a new failure is reported again. */
export async function recordHealth(tx: Tx, hookId: number, health: { readonly failures: number; readonly blockedUntilMs: number }): Promise<void> {
  const { failures, blockedUntilMs } = health;
  await tx.sql
    .updateTable("hooks")
    .set({ failures, blocked_until_ms: blockedUntilMs, ...(failures === 0 && { failure_notified_ms: null }) })
    .where("id", "=", hookId)
    .execute();
}

/** Records that a webhook's owners are notified of a failure. @returns false if they already were since the given time */
export async function noteFailureReported(tx: Tx, hookId: number, sinceMs: number): Promise<boolean> {
  const row = await tx.sql
    .updateTable("hooks")
    .set({ failure_notified_ms: tx.nowMs })
    .where("id", "=", hookId)
    .where((eb) => eb.or([eb("failure_notified_ms", "is", null), eb("failure_notified_ms", "<", sinceMs)]))
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function deactivateHook(tx: Tx, hookId: number): Promise<void> {
  await tx.sql.updateTable("hooks").set({ is_active: 0, updated_ms: tx.nowMs }).where("id", "=", hookId).execute();
}

/** Abandons deliveries first attempted before a time. */
export async function giveUp(tx: Tx, hookId: number, sinceMs: number, { error, failure }: FailureRecord): Promise<void> {
  await tx.sql
    .updateTable("hook_deliveries")
    .set({ state: "failed", error, failure })
    .where("hook_id", "=", hookId)
    .where((eb) => anyOf(tx, eb.ref("state"), ["waiting", "refused"]))
    .where("message_id", "in", (eb) => eb.selectFrom("hook_messages").select("id").where("composed_ms", "<=", sinceMs))
    .execute();
}

/** Abandons all waiting deliveries. */
export async function giveUpAll(tx: Tx, hookId: number, { error, failure }: FailureRecord): Promise<void> {
  await tx.sql
    .updateTable("hook_deliveries")
    .set({ state: "failed", error, failure })
    .where("hook_id", "=", hookId)
    .where((eb) => anyOf(tx, eb.ref("state"), ["waiting", "refused"]))
    .execute();
}
