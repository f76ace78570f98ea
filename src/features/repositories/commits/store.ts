import { anyOf } from "../../../db/any-of.ts";
import { compiled, type Slots } from "../../../db/compiled.ts";
import type { Reader, Tx } from "../../../db/db.ts";
import type { Oid } from "../../../git/types.ts";

/** What was computed about commits once and follows from their ids: rows that can be dropped at any time and are never stale. */

/** The commits that made some entries of a directory what they are, as seen from a tip. */
export interface LastCommitsRow {
  readonly tipOid: Oid;
  /** By the entry's name. */
  readonly byName: ReadonlyMap<string, Oid>;
}

/** A row and the path that it is kept under. */
export interface KeptLastCommits extends LastCommitsRow {
  readonly path: string;
}

const selectLastCommits = compiled((db, given: Slots<{ storeId: number; tipOids: readonly string[]; paths: readonly string[] }>) =>
  db.sql
    .selectFrom("last_commits")
    .select(["tip_oid", "path", "entries"])
    .where("store_id", "=", given.storeId)
    .where((eb) => anyOf(db, eb.ref("tip_oid"), given.tipOids))
    .where((eb) => anyOf(db, eb.ref("path"), given.paths)),
);

/** Rows of any of the tips for any of the paths. One statement. */
export async function loadLastCommits(db: Reader, storeId: number, tipOids: readonly Oid[], paths: readonly string[]): Promise<KeptLastCommits[]> {
  const rows = await selectLastCommits(db, { storeId, tipOids, paths });
  return rows.map((row) => ({ tipOid: row.tip_oid, path: row.path, byName: new Map(JSON.parse(row.entries) as [string, Oid][]) }));
}

/** Keeps what was found for a path, and forgets what is kept for it of tips that no ref has any more. */
export async function saveLastCommits(tx: Tx, storeId: number, path: string, { tipOid, byName }: LastCommitsRow): Promise<void> {
  await tx.sql
    .deleteFrom("last_commits")
    .where("store_id", "=", storeId)
    .where("path", "=", path)
    .where("tip_oid", "not in", (eb) => eb.selectFrom("refs").select("oid").where("refs.store_id", "=", storeId))
    .execute();
  await tx.sql
    .insertInto("last_commits")
    .values({ store_id: storeId, tip_oid: tipOid, path, entries: JSON.stringify([...byName]) })
    .onConflict((on) => on.columns(["store_id", "tip_oid", "path"]).doNothing())
    .execute();
}

/** How many commits each of these leads to, itself included, as far as it is known. One statement. */
export async function loadCommitCounts(db: Reader, storeId: number, oids: readonly Oid[]): Promise<ReadonlyMap<Oid, number>> {
  const rows = await db.sql
    .selectFrom("commit_counts")
    .select(["oid", "count"])
    .where("store_id", "=", storeId)
    .where((eb) => anyOf(db, eb.ref("oid"), oids))
    .execute();
  return new Map(rows.map(({ oid, count }) => [oid, count]));
}

/** Keeps a count, and forgets those of commits that no ref has any more. */
export async function saveCommitCount(tx: Tx, storeId: number, oid: Oid, count: number): Promise<void> {
  await tx.sql
    .deleteFrom("commit_counts")
    .where("store_id", "=", storeId)
    .where("oid", "not in", (eb) => eb.selectFrom("refs").select("oid").where("refs.store_id", "=", storeId))
    .execute();
  await tx.sql
    .insertInto("commit_counts")
    .values({ store_id: storeId, oid, count })
    .onConflict((on) => on.columns(["store_id", "oid"]).doNothing())
    .execute();
}

/** The texts of what commits changed, as far as they are kept. One statement. */
export async function loadCommitChanges(db: Reader, storeId: number, oids: readonly Oid[]): Promise<ReadonlyMap<Oid, string>> {
  const rows = await db.sql
    .selectFrom("commit_changes")
    .select(["oid", "changes"])
    .where("store_id", "=", storeId)
    .where((eb) => anyOf(db, eb.ref("oid"), oids))
    .execute();
  return new Map(rows.map(({ oid, changes }) => [oid, changes]));
}

/** One statement for any number of commits of a page. */
export async function saveCommitChanges(tx: Tx, storeId: number, changes: ReadonlyMap<Oid, string>): Promise<void> {
  if (changes.size === 0) return;
  await tx.sql
    .insertInto("commit_changes")
    .values([...changes].map(([oid, text]) => ({ store_id: storeId, oid, changes: text })))
    .onConflict((on) => on.columns(["store_id", "oid"]).doNothing())
    .execute();
}
