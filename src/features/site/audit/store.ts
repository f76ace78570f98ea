import type { Selectable } from "kysely";
import { foldName } from "../../../core/names.ts";
import { anyOf } from "../../../db/any-of.ts";
import { compiledRows, type Slots } from "../../../db/compiled.ts";
import type { Reader, Tx } from "../../../db/db.ts";
import type { AuditLogTable } from "../../../db/tables/audit.ts";
import type { AuditEntry, Named } from "./model.ts";

/** Rows per statement: databases limit its parameters. */
const batch = 500;

/** Keys are column names. */
const rowOf = (entry: Omit<AuditEntry, "id">) => ({
  created_ms: entry.createdMs,
  action: entry.action,
  actor_id: entry.actor.id,
  actor_name: entry.actor.name,
  actor_folded: foldName(entry.actor.name),
  acting_as_id: entry.actingAs?.id ?? null,
  acting_as_name: entry.actingAs?.name ?? "",
  carrier: entry.carrier,
  credential_id: entry.credentialId,
  address: entry.address,
  target_kind: entry.target.kind,
  target_id: entry.target.id,
  target_name: entry.target.name,
  target_folded: foldName(entry.target.name),
  account_id: entry.account?.id ?? null,
  account_name: entry.account?.name ?? "",
  account_folded: foldName(entry.account?.name ?? ""),
  details: JSON.stringify(entry.details),
});

const insertRows = compiledRows((tx, rows: readonly Slots<ReturnType<typeof rowOf>>[]) =>
  tx.sql.insertInto("audit_log").values(
    rows.map((row) => ({
      created_ms: row.created_ms,
      action: row.action,
      actor_id: row.actor_id,
      actor_name: row.actor_name,
      actor_folded: row.actor_folded,
      acting_as_id: row.acting_as_id,
      acting_as_name: row.acting_as_name,
      carrier: row.carrier,
      credential_id: row.credential_id,
      address: row.address,
      target_kind: row.target_kind,
      target_id: row.target_id,
      target_name: row.target_name,
      target_folded: row.target_folded,
      account_id: row.account_id,
      account_name: row.account_name,
      account_folded: row.account_folded,
      details: row.details,
    })),
  ),
);

/** Appends to the log. One statement for most transactions. */
export async function insertEntries(tx: Tx, entries: readonly Omit<AuditEntry, "id">[]): Promise<void> {
  for (let from = 0; from < entries.length; from += batch) {
    await insertRows(tx, entries.slice(from, from + batch).map(rowOf));
  }
}

/** The names of accounts, by id. */
export async function loadNames(db: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.sql
    .selectFrom("accounts")
    .select(["id", "name"])
    .where((eb) => anyOf(db, eb.ref("id"), ids))
    .execute();
  return new Map(rows.map((row) => [row.id, row.name]));
}

/** An existing account, or the name of a deleted one. */
export type Person = { readonly id: number } | { readonly name: string };

export interface EntryFilter {
  readonly actor?: Person | undefined;
  readonly account?: Person | undefined;
  readonly action?: string | undefined;
  readonly target?: string | undefined;
  readonly sinceMs?: number | undefined;
  readonly beforeMs?: number | undefined;
  readonly olderThanId?: number | undefined;
  /** Its own entries, and those of its teams and repositories, which have names below its name. */
  readonly organization?: { readonly id: number; readonly name: string } | undefined;
}

/** Entries of the log, newest first. One statement. */
export async function listEntries(db: Reader, filter: EntryFilter, limit: number): Promise<readonly AuditEntry[]> {
  let query = db.sql.selectFrom("audit_log").selectAll();
  const { actor, account, action, target } = filter;
  if (actor !== undefined) query = "id" in actor ? query.where("actor_id", "=", actor.id) : query.where("actor_folded", "=", foldName(actor.name));
  if (account !== undefined) query = "id" in account ? query.where("account_id", "=", account.id) : query.where("account_folded", "=", foldName(account.name));
  if (action !== undefined) {
    // `/` is the character after `.`, so this matches everything with the prefix `team.`.
    query = action.includes(".") ? query.where("action", "=", action) : query.where("action", ">", `${action}.`).where("action", "<", `${action}/`);
  }
  if (target !== undefined) query = query.where("target_folded", "=", foldName(target));
  const { organization } = filter;
  if (organization !== undefined) {
    const folded = foldName(organization.name);
    query = query.where((eb) =>
      eb.or([
        eb("account_id", "=", organization.id),
        eb.and([eb("target_folded", "=", folded), eb("target_id", "=", organization.id)]),
        // Each range ends at the character after the separator. An earlier organization may have had the name.
        eb.and([
          eb.or([
            eb.and([eb("target_folded", ">", `${folded}/`), eb("target_folded", "<", `${folded}0`)]),
            eb.and([eb("target_folded", ">", `${folded}:`), eb("target_folded", "<", `${folded};`)]),
          ]),
          eb("created_ms", ">=", eb.selectFrom("accounts").select("accounts.created_ms").where("accounts.id", "=", organization.id)),
        ]),
      ]),
    );
  }
  if (filter.sinceMs !== undefined) query = query.where("created_ms", ">=", filter.sinceMs);
  if (filter.beforeMs !== undefined) query = query.where("created_ms", "<", filter.beforeMs);
  if (filter.olderThanId !== undefined) query = query.where("id", "<", filter.olderThanId);
  return (await query.orderBy("id", "desc").limit(limit).execute()).map(toEntry);
}

/** Deletes rows from before a time. @returns the number of deleted rows */
export async function deleteEntriesBefore(tx: Tx, beforeMs: number): Promise<number> {
  await tx.sql.insertInto("audit_prunings").values({ before_ms: beforeMs, created_ms: tx.nowMs }).execute();
  const { numDeletedRows } = await tx.sql.deleteFrom("audit_log").where("created_ms", "<", beforeMs).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

const named = (id: number | null, name: string): Named | null => (id === null ? null : { id, name });

const toEntry = (row: Selectable<AuditLogTable>): AuditEntry => ({
  id: row.id,
  createdMs: row.created_ms,
  action: row.action,
  actor: { id: row.actor_id, name: row.actor_name },
  actingAs: named(row.acting_as_id, row.acting_as_name),
  carrier: row.carrier,
  credentialId: row.credential_id,
  address: row.address,
  target: { kind: row.target_kind, id: row.target_id, name: row.target_name },
  account: named(row.account_id, row.account_name),
  details: JSON.parse(row.details),
});
