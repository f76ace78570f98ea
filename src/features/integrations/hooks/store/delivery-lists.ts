import type { Page, Paged } from "../../../../core/paging.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { DeliveryState, DeliveryView, EventView } from "../model.ts";

export interface DeliveryFilter {
  readonly state: DeliveryState | undefined;
  readonly event: string | undefined;
}

const columns = [
  "d.id",
  "d.uuid",
  "d.sequence",
  "d.state",
  "m.event",
  "m.event_type",
  "d.attempts",
  "d.next_attempt_ms",
  "d.response_status",
  "d.response_body",
  "d.error",
  "d.failure",
  "d.duration_ms",
  "d.created_ms",
  "d.attempted_ms",
] as const;

const deliveriesOf = (db: Reader, hookId: number) =>
  db.sql.selectFrom("hook_deliveries as d").innerJoin("hook_messages as m", "m.id", "d.message_id").where("d.hook_id", "=", hookId);

/** Two statements. */
export async function pageDeliveries(db: Reader, hookId: number, { state, event }: DeliveryFilter, page: Page): Promise<Paged<DeliveryView>> {
  let query = deliveriesOf(db, hookId);
  if (state !== undefined) query = query.where("d.state", "=", state);
  if (event !== undefined) query = query.where("m.event", "=", event);
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await query.select(columns).orderBy("d.id", "desc").limit(page.limit).offset(page.offset).execute();
  return { total: Number(total), items: rows.map((row) => toView(row)) };
}

/** The states of the newest attempted deliveries, by webhook. One statement that reads three entries of an index for each webhook. */
export async function latestStates(db: Reader, hookIds: readonly number[]): Promise<ReadonlyMap<number, DeliveryState>> {
  if (hookIds.length === 0) return new Map();
  const rows = await db.sql
    .selectFrom("hooks as h")
    .where("h.id", "in", hookIds)
    .select((eb) => {
      const newest = (state: DeliveryState) =>
        eb
          .selectFrom("hook_deliveries as d")
          .select((d) => d.fn.max("d.sequence").as("at"))
          .whereRef("d.hook_id", "=", "h.id")
          .where("d.state", "=", state);
      return ["h.id", newest("delivered").as("delivered"), newest("refused").as("refused"), newest("failed").as("failed")];
    })
    .execute();
  return new Map(
    rows.flatMap(({ id, ...at }) => {
      const [state, sequence] = attempted.map((one) => [one, at[one] ?? 0] as const).reduce((a, b) => (b[1] > a[1] ? b : a));
      return sequence === 0 ? [] : [[id, state] as const];
    }),
  );
}

const attempted = ["delivered", "refused", "failed"] as const;

export async function findDelivery(db: Reader, hookId: number, id: number): Promise<DeliveryView | undefined> {
  const row = await deliveriesOf(db, hookId)
    .select([...columns, "m.payload"])
    .where("d.id", "=", id)
    .executeTakeFirst();
  return row && toView(row, row.payload ?? "");
}

const selected = (db: Reader, hookId: number) => deliveriesOf(db, hookId).select(columns);
type Row = Awaited<ReturnType<ReturnType<typeof selected>["executeTakeFirstOrThrow"]>>;

const toView = (row: Row, payload?: string): DeliveryView => ({
  id: row.id,
  uuid: row.uuid,
  sequence: row.sequence,
  state: row.state,
  event: row.event,
  eventType: row.event_type,
  attempts: row.attempts,
  nextAttemptMs: row.next_attempt_ms,
  responseStatus: row.response_status,
  responseBody: row.response_body,
  error: row.error,
  failure: row.failure,
  durationMs: row.duration_ms,
  createdMs: row.created_ms,
  attemptedMs: row.attempted_ms,
  payload,
});

/** Makes a delivery pending and its webhook due. @returns false for one that is not composed */
export async function sendAgain(tx: Tx, hookId: number, id: number): Promise<boolean> {
  const { numUpdatedRows } = await tx.sql
    .updateTable("hook_deliveries")
    .set({ state: "waiting", next_attempt_ms: 0 })
    .where("hook_id", "=", hookId)
    .where("id", "=", id)
    .where("message_id", "in", (eb) => eb.selectFrom("hook_messages").select("id").where("payload", "<>", ""))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) await tx.sql.updateTable("hooks").set({ blocked_until_ms: 0 }).where("id", "=", hookId).execute();
  return numUpdatedRows > 0n;
}

/** In order of their sequence. One statement. */
export async function listSince(db: Reader, hookId: number, since: number, limit: number): Promise<readonly EventView[]> {
  const rows = await deliveriesOf(db, hookId)
    .select(["d.uuid", "d.sequence", "m.event", "m.event_type", "m.payload", "d.created_ms"])
    .where("d.sequence", ">", since)
    .where("m.payload", "<>", "")
    .orderBy("d.sequence")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    uuid: row.uuid,
    sequence: row.sequence ?? 0,
    event: row.event,
    eventType: row.event_type,
    payload: row.payload ?? "",
    createdMs: row.created_ms,
  }));
}
