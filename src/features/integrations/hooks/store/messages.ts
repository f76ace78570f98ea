import { sql } from "kysely";
import { anyOf } from "../../../../db/any-of.ts";
import { compiled, type Slots } from "../../../../db/compiled.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { HookDeliveriesTable } from "../../../../db/tables/hooks.ts";
import type { MessageDraft } from "../messages.ts";

/** A webhook of a repository. Webhooks of the server or of an account occur once for each repository. */
export interface Listening {
  readonly id: number;
  readonly repoId: number;
  readonly events: readonly string[];
  readonly branchFilter: string;
  /** Nothing is sent; the receiver fetches. */
  readonly isFetched: boolean;
}

const selectListening = compiled((db, given: Slots<{ repoIds: readonly number[] }>) => {
  const among = anyOf(db, sql.ref<number>("r.id"), given.repoIds);
  const columns = sql`h.id as id, h.events as events, h.branch_filter as branch_filter, h.url as url, r.id as repo_id`;
  const heard = sql<{ id: number; events: string; branch_filter: string; url: string; repo_id: number }>`(
    select ${columns} from repositories r join hooks h on h.repo_id = r.id where h.repo_id is not null and h.is_active = 1 and ${among}
    union all
    select ${columns} from repositories r join hooks h on h.owner_id = r.owner_id where h.owner_id is not null and h.is_active = 1 and ${among}
    union all
    select ${columns} from hooks h cross join repositories r
      where h.repo_id is null and h.owner_id is null and h.scope = 'system' and h.is_active = 1 and ${among})`;
  return db.sql.selectFrom(heard.as("heard")).selectAll().orderBy("id");
});

/** The webhooks of some repositories, including deleted ones. One statement. */
export async function findListening(db: Reader, repoIds: readonly number[]): Promise<readonly Listening[]> {
  const rows = await selectListening(db, { repoIds });
  return rows.map((row) => ({
    id: row.id,
    repoId: row.repo_id,
    events: JSON.parse(row.events),
    branchFilter: row.branch_filter,
    isFetched: row.url === "",
  }));
}

/** Rows of one INSERT: PostgreSQL allows 65,535 parameters. */
const chunk = 4_000;

/** @returns their ids, in order. One statement for thousands of rows. */
export async function insertMessages(tx: Tx, messages: readonly MessageDraft[]): Promise<readonly number[]> {
  const ids = new Map<string, number>();
  for (let at = 0; at < messages.length; at += chunk) {
    const rows = await tx.sql
      .insertInto("hook_messages")
      .values(
        messages.slice(at, at + chunk).map(({ eventId, position, event, eventType, subject, repoId, actorId }) => ({
          event_id: eventId,
          position,
          event,
          event_type: eventType,
          subject,
          repo_id: repoId,
          actor_id: actorId,
          payload: null,
          composed_ms: null,
          created_ms: tx.nowMs,
        })),
      )
      .returning(["id", "event_id", "position"])
      .execute();
    for (const row of rows) ids.set(`${row.event_id} ${row.position}`, row.id);
  }
  return messages.map(({ eventId, position }) => ids.get(`${eventId} ${position}`) ?? 0);
}

export interface NewDelivery {
  readonly hookId: number;
  readonly messageId: number;
  readonly uuid: string;
  readonly state: Extract<HookDeliveriesTable["state"], "waiting" | "kept">;
}

/** One statement for thousands of rows. */
export async function insertDeliveries(tx: Tx, deliveries: readonly NewDelivery[]): Promise<void> {
  for (let at = 0; at < deliveries.length; at += chunk) {
    await tx.sql
      .insertInto("hook_deliveries")
      .values(
        deliveries
          .slice(at, at + chunk)
          .map(({ hookId, messageId, uuid, state }) => ({ hook_id: hookId, message_id: messageId, uuid, state, created_ms: tx.nowMs })),
      )
      .execute();
  }
}

/** A message whose payload is not composed yet. */
export interface OpenMessage {
  readonly id: number;
  readonly eventId: number;
  readonly event: string;
  readonly eventType: string;
  readonly subject: string;
  readonly repoId: number | null;
  readonly actorId: number | null;
  readonly attempts: number;
  readonly createdMs: number;
}

/** Those of a repository, oldest first. One statement. */
export async function listOpenMessages(db: Reader, repoId: number, limit: number): Promise<readonly OpenMessage[]> {
  const rows = await db.sql
    .selectFrom("hook_messages")
    .select(["id", "event_id", "event", "event_type", "subject", "repo_id", "actor_id", "attempts", "created_ms"])
    .where("repo_id", "=", repoId)
    .where("payload", "is", null)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    eventId: row.event_id,
    event: row.event,
    eventType: row.event_type,
    subject: row.subject,
    repoId: row.repo_id,
    actorId: row.actor_id,
    attempts: row.attempts,
    createdMs: row.created_ms,
  }));
}

/** The recorded events. One statement. */
export async function findEvents(db: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, { readonly type: string; readonly payload: string }>> {
  const rows = await db.sql
    .selectFrom("events")
    .select(["id", "type", "payload"])
    .where((eb) => anyOf(db, eb.ref("id"), ids))
    .execute();
  return new Map(rows.map(({ id, type, payload }) => [id, { type, payload }]));
}

/** Stores a message's final payload and numbers its deliveries. Three statements. @returns false if that was already done */
export async function freezeMessage(tx: Tx, id: number, payload: string, composedMs: number): Promise<boolean> {
  const { numUpdatedRows } = await tx.sql
    .updateTable("hook_messages")
    .set({ payload, composed_ms: composedMs })
    .where("id", "=", id)
    .where("payload", "is", null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  await tx.sql
    .updateTable("hooks")
    .set((eb) => ({ last_sequence: eb("last_sequence", "+", 1) }))
    .where("id", "in", (eb) => eb.selectFrom("hook_deliveries").select("hook_id").where("message_id", "=", id))
    .execute();
  await tx.sql
    .updateTable("hook_deliveries")
    .set((eb) => ({ sequence: eb.selectFrom("hooks").select("last_sequence").whereRef("hooks.id", "=", "hook_deliveries.hook_id") }))
    .where("message_id", "=", id)
    .execute();
  return true;
}

const messages = { deleted: "its subject was deleted", not_composed: "its payload could not be composed" } as const;

/** Marks a message and its deliveries as failed. */
export async function failMessage(tx: Tx, id: number, failure: "deleted" | "not_composed"): Promise<void> {
  await tx.sql.updateTable("hook_deliveries").set({ state: "failed", error: messages[failure], failure }).where("message_id", "=", id).execute();
}

export async function countAttempt(tx: Tx, id: number): Promise<void> {
  await tx.sql
    .updateTable("hook_messages")
    .set((eb) => ({ attempts: eb("attempts", "+", 1) }))
    .where("id", "=", id)
    .execute();
}

/** The webhooks of some messages, and when each may next be called. One statement. */
export async function findReceivers(db: Reader, messageIds: readonly number[]): Promise<readonly { readonly id: number; readonly blockedUntilMs: number }[]> {
  const rows = await db.sql
    .selectFrom("hooks")
    .select(["id", "blocked_until_ms"])
    .where("url", "<>", "")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("hook_deliveries as d")
        .select("d.hook_id")
        .where((of) => anyOf(db, of.ref("d.message_id"), messageIds)),
    )
    .execute();
  return rows.map((row) => ({ id: row.id, blockedUntilMs: row.blocked_until_ms }));
}

/** Deletes up to `limit` messages from before a time, with their deliveries. @returns their number */
export async function deleteMessagesBefore(tx: Tx, createdBeforeMs: number, limit: number): Promise<number> {
  const oldest = tx.sql.selectFrom("hook_messages").select("id").where("created_ms", "<", createdBeforeMs).orderBy("created_ms").limit(limit);
  const { numDeletedRows } = await tx.sql.deleteFrom("hook_messages").where("id", "in", oldest).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
