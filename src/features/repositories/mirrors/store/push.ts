import { sql } from "kysely";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { PushMirrorView, SealedRemote } from "../model.ts";
import { type SyncFailure, wentWell, wentWrong } from "./outcome.ts";
import { type MirrorRow, mirrorColumns, toMirrorRow } from "./remote.ts";

export interface NewPushMirror extends SealedRemote {
  readonly repoId: number;
  readonly name: string;
  readonly intervalMs: number;
  readonly syncsOnCommit: boolean;
}

/** @returns the id */
export async function insertPushMirror(tx: Tx, mirror: NewPushMirror): Promise<number> {
  const { id } = await tx.sql
    .insertInto("push_mirrors")
    .values({
      repo_id: mirror.repoId,
      name: mirror.name,
      address: mirror.address,
      credentials: mirror.credentials,
      interval_ms: mirror.intervalMs,
      syncs_on_commit: mirror.syncsOnCommit ? 1 : 0,
      next_sync_ms: mirror.intervalMs === 0 ? null : tx.nowMs + mirror.intervalMs,
      created_ms: tx.nowMs,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

const shown = ["name", "address", "interval_ms", "syncs_on_commit", "created_ms", "synced_ms", "last_error", "failure"] as const;

interface ShownRow {
  readonly name: string;
  readonly address: string;
  readonly interval_ms: number;
  readonly syncs_on_commit: number;
  readonly created_ms: number;
  readonly synced_ms: number;
  readonly last_error: string;
  readonly failure: string;
}

const toView = (row: ShownRow): PushMirrorView => ({
  name: row.name,
  address: row.address,
  intervalMs: row.interval_ms,
  syncsOnCommit: row.syncs_on_commit === 1,
  createdMs: row.created_ms,
  syncedMs: row.synced_ms,
  lastError: row.last_error,
  failure: row.failure,
});

export async function pagePushMirrors(db: Reader, repoId: number, { offset, limit }: Page): Promise<Paged<PushMirrorView>> {
  const rows = await db.sql
    .selectFrom("push_mirrors")
    .select(shown)
    .select((eb) => eb.fn.countAll<number>().over().as("total"))
    .where("repo_id", "=", repoId)
    .orderBy("id")
    .limit(limit)
    .offset(offset)
    .execute();
  const total = rows[0]?.total ?? (offset === 0 ? 0 : await countPushMirrors(db, repoId));
  return { total: Number(total), items: rows.map(toView) };
}

async function countPushMirrors(db: Reader, repoId: number): Promise<number> {
  const { total } = await db.sql
    .selectFrom("push_mirrors")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("repo_id", "=", repoId)
    .executeTakeFirstOrThrow();
  return Number(total);
}

export async function findPushMirrorByName(db: Reader, repoId: number, name: string): Promise<PushMirrorView | undefined> {
  const row = await db.sql.selectFrom("push_mirrors").select(shown).where("repo_id", "=", repoId).where("name", "=", name).executeTakeFirst();
  return row && toView(row);
}

/** @returns the address of the deleted mirror; undefined if it did not exist */
export async function deletePushMirrorRow(tx: Tx, repoId: number, name: string): Promise<string | undefined> {
  const row = await tx.sql.deleteFrom("push_mirrors").where("repo_id", "=", repoId).where("name", "=", name).returning("address").executeTakeFirst();
  return row?.address;
}

/** A mirror with its git store. */
export interface PushMirrorRow extends MirrorRow {
  readonly id: number;
}

export async function findPushMirror(db: Reader, id: number): Promise<PushMirrorRow | undefined> {
  const row = await db.sql
    .selectFrom("push_mirrors as m")
    .innerJoin("repositories as r", "r.id", "m.repo_id")
    .innerJoin("git_stores as s", "s.id", "r.code_store_id")
    .select([...mirrorColumns, "m.id"])
    .where("m.id", "=", id)
    .where("r.deleted_ms", "is", null)
    .executeTakeFirst();
  return row && { ...toMirrorRow(row), id: row.id };
}

/** Ids of a repository's push mirrors: all, or those that follow every change. */
export async function listPushMirrorIds(db: Reader, repoId: number, which: "all" | "on-commit"): Promise<readonly number[]> {
  const rows = await db.sql
    .selectFrom("push_mirrors")
    .select("id")
    .where("repo_id", "=", repoId)
    .$if(which === "on-commit", (query) => query.where("syncs_on_commit", "=", 1))
    .execute();
  return rows.map(({ id }) => id);
}

/** Push mirrors that are due, in ascending order. */
export async function listDuePushMirrors(db: Reader, nowMs: number, afterId: number, limit: number): Promise<readonly number[]> {
  const rows = await db.sql
    .selectFrom("push_mirrors as m")
    .innerJoin("repositories as r", "r.id", "m.repo_id")
    .select("m.id")
    .where("m.next_sync_ms", "is not", null)
    .where("m.next_sync_ms", "<=", nowMs)
    .where("m.id", ">", afterId)
    .where("r.deleted_ms", "is", null)
    .orderBy("m.id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Those that follow every change. */
export async function markDueThatFollow(tx: Tx): Promise<void> {
  await tx.sql.updateTable("push_mirrors").set({ next_sync_ms: tx.nowMs }).where("syncs_on_commit", "=", 1).execute();
}

export async function markPushed(tx: Tx, id: number): Promise<void> {
  await tx.sql.updateTable("push_mirrors").set(wentWell(tx.nowMs)).where("id", "=", id).execute();
}

/** Mirrors that follow every change are retried, too. */
export async function markPushFailed(tx: Tx, id: number, failure: SyncFailure): Promise<void> {
  await tx.sql
    .updateTable("push_mirrors")
    .set(wentWrong(tx.nowMs, failure, sql`(interval_ms = 0 and syncs_on_commit = 0)`))
    .where("id", "=", id)
    .execute();
}
