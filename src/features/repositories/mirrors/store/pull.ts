import { sql } from "kysely";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { SealedRemote, SyncProblem } from "../model.ts";
import { type SyncFailure, wentWell, wentWrong } from "./outcome.ts";
import { type MirrorRow, mirrorColumns, toMirrorRow } from "./remote.ts";

export interface NewPullMirror extends SealedRemote {
  readonly repoId: number;
  readonly wikiAddress: string | null;
  readonly intervalMs: number;
}

/** Inserts a mirror that has just been fetched. */
export async function insertPullMirror(tx: Tx, mirror: NewPullMirror): Promise<void> {
  await tx.sql
    .insertInto("pull_mirrors")
    .values({
      repo_id: mirror.repoId,
      address: mirror.address,
      credentials: mirror.credentials,
      wiki_address: mirror.wikiAddress,
      interval_ms: mirror.intervalMs,
      next_sync_ms: mirror.intervalMs === 0 ? null : tx.nowMs + mirror.intervalMs,
      synced_ms: tx.nowMs,
    })
    .execute();
}

/** A mirror with its git stores. */
export interface PullMirrorRow extends MirrorRow {
  readonly ownerId: number;
  readonly wikiAddress: string | null;
  readonly wikiStoreId: number | null;
  readonly defaultBranch: string;
}

export async function findPullMirror(db: Reader, repoId: number): Promise<PullMirrorRow | undefined> {
  const row = await db.sql
    .selectFrom("pull_mirrors as m")
    .innerJoin("repositories as r", "r.id", "m.repo_id")
    .innerJoin("git_stores as s", "s.id", "r.code_store_id")
    .select([...mirrorColumns, "m.wiki_address", "r.owner_id", "r.wiki_store_id", "r.default_branch"])
    .where("m.repo_id", "=", repoId)
    .where("r.deleted_ms", "is", null)
    .executeTakeFirst();
  return (
    row && {
      ...toMirrorRow(row),
      ownerId: row.owner_id,
      wikiAddress: row.wiki_address,
      wikiStoreId: row.wiki_store_id,
      defaultBranch: row.default_branch,
    }
  );
}

/** Repositories whose mirrors are due, in ascending order. */
export async function listDuePullMirrors(db: Reader, nowMs: number, afterId: number, limit: number): Promise<readonly number[]> {
  const rows = await db.sql
    .selectFrom("pull_mirrors as m")
    .innerJoin("repositories as r", "r.id", "m.repo_id")
    .select("m.repo_id")
    .where("m.next_sync_ms", "is not", null)
    .where("m.next_sync_ms", "<=", nowMs)
    .where("m.repo_id", ">", afterId)
    .where("r.deleted_ms", "is", null)
    .where("r.is_archived", "=", 0)
    .orderBy("m.repo_id")
    .limit(limit)
    .execute();
  return rows.map(({ repo_id }) => repo_id);
}

export async function markPulled(tx: Tx, repoId: number): Promise<void> {
  await tx.sql.updateTable("pull_mirrors").set(wentWell(tx.nowMs)).where("repo_id", "=", repoId).execute();
}

/** A mirror without an interval is only retried on request. */
export async function markPullFailed(tx: Tx, repoId: number, failure: SyncFailure): Promise<void> {
  await tx.sql
    .updateTable("pull_mirrors")
    .set(wentWrong(tx.nowMs, failure, sql`interval_ms = 0`))
    .where("repo_id", "=", repoId)
    .execute();
}

export async function findPullProblem(db: Reader, repoId: number): Promise<SyncProblem | undefined> {
  const row = await db.sql
    .selectFrom("pull_mirrors")
    .select(["last_error", "failure"])
    .where("repo_id", "=", repoId)
    .where("last_error", "<>", "")
    .executeTakeFirst();
  return row && { lastError: row.last_error, failure: row.failure };
}
