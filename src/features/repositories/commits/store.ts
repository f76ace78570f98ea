import { anyOf } from "../../../db/any-of.ts";
import { compiled, type Slots } from "../../../db/compiled.ts";
import type { Reader, Tx } from "../../../db/db.ts";
import type { Oid } from "../../../git/types.ts";

/** Derived data about commits. It follows from object ids, so rows are never stale and can be deleted at any time. */

/** The commits that last changed some entries of a directory, as seen from a tip. */
export interface LastCommitsRow {
  readonly tipOid: Oid;
  /** By entry name. */
  readonly byName: ReadonlyMap<string, Oid>;
}

/** A row with the path under which it is stored. */
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

/** The rows of the tips and paths. One statement. */
export async function loadLastCommits(db: Reader, storeId: number, tipOids: readonly Oid[], paths: readonly string[]): Promise<KeptLastCommits[]> {
  const rows = await selectLastCommits(db, { storeId, tipOids, paths });
  return rows.map((row) => ({ tipOid: row.tip_oid, path: row.path, byName: new Map(JSON.parse(row.entries) as [string, Oid][]) }));
}

const selectTips = compiled((db, given: Slots<{ storeId: number; paths: readonly string[]; limit: number }>) =>
  db.sql
    .selectFrom("last_commits")
    .select("tip_oid")
    .distinct()
    .where("store_id", "=", given.storeId)
    .where((eb) => anyOf(db, eb.ref("path"), given.paths))
    .limit(given.limit),
);

/** At most `limit` tips with a stored result for one of the paths. One statement. */
export const listLastCommitsTips = async (db: Reader, storeId: number, paths: readonly string[], limit: number): Promise<readonly Oid[]> =>
  (await selectTips(db, { storeId, paths, limit })).map((row) => row.tip_oid);

/** Stores the result for a path, replaces an earlier result for the same tip, and deletes its results for tips without a ref. */
export async function saveLastCommits(tx: Tx, storeId: number, path: string, { tipOid, byName }: LastCommitsRow): Promise<void> {
  await tx.sql
    .deleteFrom("last_commits")
    .where("store_id", "=", storeId)
    .where("path", "=", path)
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom("refs").select("name").where("refs.store_id", "=", storeId).whereRef("refs.oid", "=", "last_commits.tip_oid"))),
    )
    .execute();
  const entries = JSON.stringify([...byName]);
  await tx.sql
    .insertInto("last_commits")
    .values({ store_id: storeId, tip_oid: tipOid, path, entries })
    .onConflict((on) => on.columns(["store_id", "tip_oid", "path"]).doUpdateSet({ entries }))
    .execute();
}

/** The stored numbers of commits reachable from each commit, including itself. One statement. */
export async function loadCommitCounts(db: Reader, storeId: number, oids: readonly Oid[]): Promise<ReadonlyMap<Oid, number>> {
  const rows = await db.sql
    .selectFrom("commit_counts")
    .select(["oid", "count"])
    .where("store_id", "=", storeId)
    .where((eb) => anyOf(db, eb.ref("oid"), oids))
    .execute();
  return new Map(rows.map(({ oid, count }) => [oid, count]));
}

const selectCommitCounts = compiled((db, given: Slots<{ storeId: number; limit: number }>) =>
  db.sql.selectFrom("commit_counts").select(["oid", "count"]).where("store_id", "=", given.storeId).limit(given.limit),
);

/** At most `limit` of the stored numbers of commits. One statement. */
export const listCommitCounts = async (db: Reader, storeId: number, limit: number): Promise<ReadonlyMap<Oid, number>> =>
  new Map((await selectCommitCounts(db, { storeId, limit })).map(({ oid, count }) => [oid, count]));

/** Stores a count, and deletes those of commits without a ref. */
export async function saveCommitCount(tx: Tx, storeId: number, oid: Oid, count: number): Promise<void> {
  await tx.sql
    .deleteFrom("commit_counts")
    .where("store_id", "=", storeId)
    .where((eb) => eb.not(eb.exists(eb.selectFrom("refs").select("name").where("refs.store_id", "=", storeId).whereRef("refs.oid", "=", "commit_counts.oid"))))
    .execute();
  await tx.sql
    .insertInto("commit_counts")
    .values({ store_id: storeId, oid, count })
    .onConflict((on) => on.columns(["store_id", "oid"]).doNothing())
    .execute();
}

const selectPathCounts = compiled((db, given: Slots<{ storeId: number; path: string; tipOids: readonly string[] }>) =>
  db.sql
    .selectFrom("path_counts")
    .select(["tip_oid", "count"])
    .where("store_id", "=", given.storeId)
    .where("path", "=", given.path)
    .where((eb) => anyOf(db, eb.ref("tip_oid"), given.tipOids)),
);

/** The stored numbers of commits in the history of a path, by tip. One statement. */
export async function loadPathCounts(db: Reader, storeId: number, path: string, tipOids: readonly Oid[]): Promise<ReadonlyMap<Oid, number>> {
  return new Map((await selectPathCounts(db, { storeId, path, tipOids })).map((row) => [row.tip_oid, row.count]));
}

const selectCountsOfPath = compiled((db, given: Slots<{ storeId: number; path: string; limit: number }>) =>
  db.sql.selectFrom("path_counts").select(["tip_oid", "count"]).where("store_id", "=", given.storeId).where("path", "=", given.path).limit(given.limit),
);

/** At most `limit` of the stored numbers of commits in the history of a path, by tip. One statement. */
export const listPathCounts = async (db: Reader, storeId: number, path: string, limit: number): Promise<ReadonlyMap<Oid, number>> =>
  new Map((await selectCountsOfPath(db, { storeId, path, limit })).map((row) => [row.tip_oid, row.count]));

/** Stores a count, and deletes those of the path for tips without a ref. */
export async function savePathCount(
  tx: Tx,
  storeId: number,
  { tipOid, path, count }: { readonly tipOid: Oid; readonly path: string; readonly count: number },
): Promise<void> {
  await tx.sql
    .deleteFrom("path_counts")
    .where("store_id", "=", storeId)
    .where("path", "=", path)
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom("refs").select("name").where("refs.store_id", "=", storeId).whereRef("refs.oid", "=", "path_counts.tip_oid"))),
    )
    .execute();
  await tx.sql
    .insertInto("path_counts")
    .values({ store_id: storeId, tip_oid: tipOid, path, count })
    .onConflict((on) => on.columns(["store_id", "path", "tip_oid"]).doNothing())
    .execute();
}

/** The stored changes of commits, serialized. One statement. */
export async function loadCommitChanges(db: Reader, storeId: number, oids: readonly Oid[]): Promise<ReadonlyMap<Oid, string>> {
  const rows = await db.sql
    .selectFrom("commit_changes")
    .select(["oid", "changes"])
    .where("store_id", "=", storeId)
    .where((eb) => anyOf(db, eb.ref("oid"), oids))
    .execute();
  return new Map(rows.map(({ oid, changes }) => [oid, changes]));
}

/** One statement for any number of commits. */
export async function saveCommitChanges(tx: Tx, storeId: number, changes: ReadonlyMap<Oid, string>): Promise<void> {
  if (changes.size === 0) return;
  await tx.sql
    .insertInto("commit_changes")
    .values([...changes].map(([oid, text]) => ({ store_id: storeId, oid, changes: text })))
    .onConflict((on) => on.columns(["store_id", "oid"]).doNothing())
    .execute();
}
