import { randomInt } from "node:crypto";
import { sql } from "kysely";
import { compiled, type Slots } from "../../../../db/compiled.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { ObjectFormat } from "../../../../git/types.ts";
import type { StoreView } from "../model.ts";
import { deleteOldMoves, recordMoves } from "./ref-moves.ts";

const columns = ["id", "object_format", "head_ref", "refs_version", "packs_version", "projected_version"] as const;

const insertRow = compiled((tx: Tx, given: Slots<{ format: ObjectFormat; headRef: string; nowMs: number }>) =>
  tx.sql.insertInto("git_stores").values({ object_format: given.format, head_ref: given.headRef, created_ms: given.nowMs }).returning("id"),
);

/** @returns the id, which is never reused */
export async function insertStore(tx: Tx, store: { readonly format: ObjectFormat; readonly headRef: string }): Promise<number> {
  const [row] = await insertRow(tx, { ...store, nowMs: tx.nowMs });
  if (row === undefined) throw new Error("an inserted store has no id");
  return row.id;
}

const byId = compiled((db, given: Slots<{ id: number }>) => db.sql.selectFrom("git_stores").select(columns).where("id", "=", given.id));

export async function findStore(db: Reader, id: number): Promise<StoreView | undefined> {
  const [row] = await byId(db, { id });
  return (
    row && {
      id: row.id,
      format: row.object_format,
      headRef: row.head_ref,
      refsVersion: row.refs_version,
      packsVersion: row.packs_version,
      projectedVersion: row.projected_version,
    }
  );
}

export interface StoreChange {
  /** HEAD's new branch, full name. */
  readonly headRef?: string | undefined;
  /** Number of bytes added to the store on disk. */
  readonly addedBytes: number;
  /** The disk has the refs as they are after the first change. */
  readonly isShown?: boolean | undefined;
  /** Full names of the moved refs, or `HEAD`. */
  readonly movedNames: readonly string[];
}

const changeRow = compiled((tx: Tx, given: Slots<{ id: number; addedBytes: number; headRef: string | null; isShown: number; token: number }>) =>
  tx.sql
    .updateTable("git_stores")
    .set((eb) => ({
      refs_version: eb("refs_version", "+", 1),
      refs_token: given.token,
      writes_since_housekeeping: eb("writes_since_housekeeping", "+", 1),
      size_bytes: eb("size_bytes", "+", given.addedBytes),
      head_ref: sql<string>`coalesce(${given.headRef}, head_ref)`,
      projected_version: sql<number>`case when refs_version = 0 and cast(${given.isShown} as bigint) = 1 then 1 else projected_version end`,
    }))
    .where("id", "=", given.id)
    .returning(["refs_version as version", "set_aside_ms as setAsideMs", "writes_since_housekeeping as writes"]),
);

export interface ChangedStore {
  /** Objects of the store are set aside, or a collection that does so is running. */
  readonly hasSetAside: boolean;
  /** Writes since the store was last tidied. */
  readonly writes: number;
}

/** The largest range that `randomInt` has. */
const maxToken = 2 ** 48 - 1;

/** Increments the version for a change of the refs or of HEAD, and records the names. Two statements. */
export async function changeStore(tx: Tx, id: number, { addedBytes, headRef, isShown = false, movedNames }: StoreChange): Promise<ChangedStore> {
  const token = randomInt(1, maxToken);
  const [row] = await changeRow(tx, { id, addedBytes, headRef: headRef ?? null, isShown: Number(isShown), token });
  if (row !== undefined) await recordMoves(tx, id, { version: row.version, token }, movedNames);
  return { hasSetAside: row !== undefined && row.setAsideMs !== null, writes: row?.writes ?? 0 };
}

/** Counts objects that were written although no ref has moved. @returns the number of writes since the store was last tidied */
export async function countWrite(tx: Tx, id: number): Promise<number> {
  const row = await tx.sql
    .updateTable("git_stores")
    .set((eb) => ({ writes_since_housekeeping: eb("writes_since_housekeeping", "+", 1) }))
    .where("id", "=", id)
    .returning("writes_since_housekeeping as writes")
    .executeTakeFirst();
  return row?.writes ?? 0;
}

const markRows = compiled((tx: Tx, given: Slots<{ shown: string }>) => {
  const shown =
    tx.dialect === "sqlite"
      ? sql<{ id: number; version: number }>`(select value ->> 0 as id, value ->> 1 as version from json_each(${given.shown}))`
      : sql<{
          id: number;
          version: number;
        }>`(select (value ->> 0)::bigint as id, (value ->> 1)::bigint as version from jsonb_array_elements(${given.shown}::jsonb))`;
  return tx.sql
    .updateTable("git_stores")
    .from(shown.as("shown"))
    .set((eb) => ({ projected_version: eb.ref("shown.version") }))
    .whereRef("git_stores.id", "=", "shown.id")
    .whereRef("git_stores.projected_version", "<", "shown.version")
    .returning(["git_stores.id", "git_stores.refs_version as refsVersion", "git_stores.projected_version as projectedVersion"]);
});

/** The version of a store's refs on disk. */
export interface ShownRefs {
  readonly id: number;
  readonly version: number;
}

/** Records the versions on disk of any number of stores; newer versions are kept. One statement. @returns the stores whose refs have not moved since */
export async function markProjected(tx: Tx, shown: readonly ShownRefs[]): Promise<ReadonlySet<number>> {
  if (shown.length === 0) return new Set();
  const rows = await markRows(tx, { shown: JSON.stringify(shown.map(({ id, version }) => [id, version])) });
  return new Set(rows.filter(({ refsVersion, projectedVersion }) => refsVersion === projectedVersion).map(({ id }) => id));
}

/** One statement. */
export async function markAllUnprojected(tx: Tx): Promise<void> {
  await tx.sql.updateTable("git_stores").set({ projected_version: 0 }).where("projected_version", ">", 0).execute();
}

/** Ids of stores whose refs on disk are outdated, in ascending order. */
export async function listStoresBehind(db: Reader, afterId: number, limit: number): Promise<readonly number[]> {
  const rows = await db.sql
    .selectFrom("git_stores")
    .select("id")
    .where("id", ">", afterId)
    .where(sql<boolean>`projected_version < refs_version`)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Ids of all stores, in ascending order. */
export async function listStoreIds(db: Reader, afterId: number, limit: number): Promise<readonly number[]> {
  const rows = await db.sql.selectFrom("git_stores").select("id").where("id", ">", afterId).orderBy("id").limit(limit).execute();
  return rows.map(({ id }) => id);
}

export interface UntidyStore {
  readonly id: number;
  readonly writes: number;
}

/** Stores whose refs have moved at least `leastWrites` times since they were last tidied, in ascending order of ids. */
export async function listUntidyStores(db: Reader, leastWrites: number, afterId: number, limit: number): Promise<readonly UntidyStore[]> {
  return (
    db.sql
      .selectFrom("git_stores")
      .select(["id", "writes_since_housekeeping as writes"])
      // A literal, because the condition must equal that of the partial index for the database to use it.
      .where("writes_since_housekeeping", ">", sql.lit(0))
      .where("writes_since_housekeeping", ">=", leastWrites)
      .where("id", ">", afterId)
      .orderBy("id")
      .limit(limit)
      .execute()
  );
}

/** Subtracts the tidied writes and records the resulting size; concurrent writes are kept for the next run. Two statements. */
export async function markTidied(tx: Tx, { id, writes }: UntidyStore, sizeBytes: number): Promise<void> {
  await tx.sql
    .updateTable("git_stores")
    .set((eb) => ({ writes_since_housekeeping: eb("writes_since_housekeeping", "-", writes), size_bytes: sizeBytes }))
    .where("id", "=", id)
    .execute();
  await deleteOldMoves(tx, id, recordedVersions);
}

/** A listing that is older is read as a whole. */
const recordedVersions = 1_000;

/** Stores whose refs have moved since their last garbage collection, in ascending order of ids. */
export async function listUncollectedStores(db: Reader, afterId: number, limit: number): Promise<readonly number[]> {
  const rows = await db.sql
    .selectFrom("git_stores")
    .select("id")
    .where(sql<boolean>`collected_version < refs_version`)
    .where("id", ">", afterId)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Records that a collection begins, which may set objects aside. @returns the time that names its objects; undefined for an unknown store */
export async function beginSetAside(tx: Tx, id: number): Promise<number | undefined> {
  const { numUpdatedRows } = await tx.sql.updateTable("git_stores").set({ set_aside_ms: tx.nowMs }).where("id", "=", id).executeTakeFirst();
  return numUpdatedRows === 0n ? undefined : tx.nowMs;
}

/** Records that no objects are set aside, unless a later collection has begun. */
export async function endSetAside(tx: Tx, id: number, sinceMs: number): Promise<void> {
  await tx.sql.updateTable("git_stores").set({ set_aside_ms: null }).where("id", "=", id).where("set_aside_ms", "=", sinceMs).execute();
}

/** Null if no objects are set aside; undefined for an unknown store. */
export async function findSetAsideMs(db: Reader, id: number): Promise<number | null | undefined> {
  const row = await db.sql.selectFrom("git_stores").select("set_aside_ms").where("id", "=", id).executeTakeFirst();
  return row?.set_aside_ms;
}

export async function markCollected(tx: Tx, id: number, version: number, sizeBytes: number): Promise<void> {
  await tx.sql.updateTable("git_stores").set({ collected_version: version, size_bytes: sizeBytes }).where("id", "=", id).execute();
}

const beginRow = compiled((tx: Tx, given: Slots<{ id: number; fromId: number; collectedVersion: number; shownVersion: number | null }>) =>
  tx.sql
    .updateTable("git_stores")
    .set((eb) => ({
      refs_version: 1,
      projected_version: sql<number>`case cast(${given.shownVersion} as bigint) when ${eb.selectFrom("git_stores as v").select("v.refs_version").where("v.id", "=", given.fromId)} then 1 else 0 end`,
      collected_version: given.collectedVersion,
      size_bytes: eb.selectFrom("git_stores as f").select("f.size_bytes").where("f.id", "=", given.fromId),
    }))
    .where("id", "=", given.id)
    .returning("projected_version as projectedVersion"),
);

export interface CopyState {
  /** The copy has no unreachable objects that must be removed before the next ref update. */
  readonly isCollected: boolean;
  /** The version of the other store's refs that the copy has on disk, if any. */
  readonly shownVersion: number | undefined;
}

/** Sets the initial state of a store with copied refs and objects. @returns whether its refs on disk are current: the other store's have not moved since */
export async function beginAsCopy(tx: Tx, id: number, fromId: number, { isCollected, shownVersion }: CopyState): Promise<boolean> {
  const [row] = await beginRow(tx, { id, fromId, collectedVersion: isCollected ? 1 : 0, shownVersion: shownVersion ?? null });
  return row?.projectedVersion === 1;
}

/** Deletes the row of a store. The database rejects this while a repository references it. */
export async function deleteStore(tx: Tx, id: number): Promise<void> {
  await tx.sql.deleteFrom("git_stores").where("id", "=", id).execute();
}
