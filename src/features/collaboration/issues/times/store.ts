import type { RawBuilder, SqlBool } from "kysely";
import type { Page, Paged } from "../../../../core/paging.ts";
import { anyOf } from "../../../../db/any-of.ts";
import { compiled, type Slots } from "../../../../db/compiled.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import { parseSettings, type RepositorySettings } from "../../../repositories/repos/settings.ts";
import type { UpdatedRange } from "../conversation/store/comments.ts";
import type { StopwatchView, TrackedTimeRow } from "../model.ts";

const selectRows = (db: Reader) =>
  db.sql
    .selectFrom("tracked_times as t")
    .innerJoin("accounts as a", "a.id", "t.account_id")
    .select(["t.id", "t.issue_id", "t.repo_id", "t.account_id", "a.name as user_name", "t.seconds", "t.is_deleted", "t.created_ms"]);

type Row = Awaited<ReturnType<ReturnType<typeof selectRows>["executeTakeFirstOrThrow"]>>;

export type NamedTimeRow = TrackedTimeRow & { readonly userName: string };

const toRow = (row: Row): NamedTimeRow => ({
  id: row.id,
  issueId: row.issue_id,
  repoId: row.repo_id,
  accountId: row.account_id,
  userName: row.user_name,
  seconds: row.seconds,
  isDeleted: row.is_deleted === 1,
  createdMs: row.created_ms,
});

/** Scope of listed times. An account's times are limited to repositories that the reader can read (aliases `r` and `o`). */
export type TimeScope = { readonly issueId: number } | { readonly repoId: number } | { readonly readable: RawBuilder<SqlBool> };

export interface TimeFilter extends UpdatedRange {
  readonly scope: TimeScope;
  /** Only times of this account. */
  readonly accountId: number | undefined;
}

/** A page of tracked times, or all of them, in order of creation. At most two statements. */
export async function pageTimes(db: Reader, { scope, accountId, sinceMs, beforeMs }: TimeFilter, page: Page | undefined): Promise<Paged<NamedTimeRow>> {
  let query = selectRows(db).where("t.is_deleted", "=", 0);
  if ("issueId" in scope) query = query.where("t.issue_id", "=", scope.issueId);
  if ("repoId" in scope) query = query.where("t.repo_id", "=", scope.repoId);
  if (accountId !== undefined) query = query.where("t.account_id", "=", accountId);
  if (sinceMs !== undefined) query = query.where("t.created_ms", ">=", sinceMs);
  if (beforeMs !== undefined) query = query.where("t.created_ms", "<=", beforeMs);
  if ("readable" in scope) {
    query = query.innerJoin("repositories as r", "r.id", "t.repo_id").innerJoin("accounts as o", "o.id", "r.owner_id").where(scope.readable);
  }
  const ordered = query.orderBy("t.id");
  const rows = await (page === undefined ? ordered : ordered.limit(page.limit).offset(page.offset)).execute();
  const items = rows.map(toRow);
  if (page === undefined) return { items, total: items.length };
  if (items.length < page.limit && (items.length > 0 || page.offset === 0)) return { items, total: page.offset + items.length };
  const { total } = await query
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return { items, total: Number(total) };
}

/** Latest times of an account on an issue. One statement. */
export async function listLastTimes(
  db: Reader,
  { issueId, accountId }: { readonly issueId: number; readonly accountId: number },
  limit: number,
): Promise<NamedTimeRow[]> {
  const query = selectRows(db).where("t.issue_id", "=", issueId).where("t.account_id", "=", accountId).where("t.is_deleted", "=", 0);
  return (await query.orderBy("t.id", "desc").limit(limit).execute()).map(toRow);
}

const byIds = compiled((db, given: Slots<{ ids: readonly number[] }>) => selectRows(db).where((eb) => anyOf(db, eb.ref("t.id"), given.ids)));

export async function loadTimes(db: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, NamedTimeRow>> {
  if (ids.length === 0) return new Map();
  return new Map((await byIds(db, { ids })).map((row) => [row.id, toRow(row)]));
}

export async function insertTime(
  tx: Tx,
  time: { readonly issueId: number; readonly repoId: number; readonly accountId: number; readonly seconds: number; readonly createdMs: number },
): Promise<number> {
  const { id } = await tx.sql
    .insertInto("tracked_times")
    .values({ issue_id: time.issueId, repo_id: time.repoId, account_id: time.accountId, seconds: time.seconds, created_ms: time.createdMs })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Sum of tracked seconds on an issue, optionally of one account. One statement. */
export async function sumTimes(db: Reader, issueId: number, accountId: number | undefined): Promise<number> {
  const all = db.sql.selectFrom("tracked_times").where("issue_id", "=", issueId).where("is_deleted", "=", 0);
  const wanted = accountId === undefined ? all : all.where("account_id", "=", accountId);
  const { seconds } = await wanted.select((eb) => eb.fn.sum<number | null>("seconds").as("seconds")).executeTakeFirstOrThrow();
  return Number(seconds ?? 0);
}

/** @returns false if it was already deleted */
export async function deleteTime(tx: Tx, id: number): Promise<boolean> {
  const rows = await tx.sql.updateTable("tracked_times").set({ is_deleted: 1 }).where("id", "=", id).where("is_deleted", "=", 0).returning("id").execute();
  return rows.length > 0;
}

/** Deletes all times of an account on an issue. @returns their seconds */
export async function deleteTimesOf(tx: Tx, issueId: number, accountId: number): Promise<readonly number[]> {
  const rows = await tx.sql
    .updateTable("tracked_times")
    .set({ is_deleted: 1 })
    .where("issue_id", "=", issueId)
    .where("account_id", "=", accountId)
    .where("is_deleted", "=", 0)
    .returning("seconds")
    .execute();
  return rows.map(({ seconds }) => seconds);
}

const stopwatchOf = compiled((db, given: Slots<{ accountId: number }>) =>
  db.sql.selectFrom("stopwatches").select(["issue_id as issueId", "created_ms as createdMs"]).where("account_id", "=", given.accountId),
);

export async function findStopwatch(db: Reader, accountId: number): Promise<{ readonly issueId: number; readonly createdMs: number } | undefined> {
  return (await stopwatchOf(db, { accountId }))[0];
}

export async function insertStopwatch(tx: Tx, accountId: number, issueId: number): Promise<void> {
  await tx.sql.insertInto("stopwatches").values({ account_id: accountId, issue_id: issueId, created_ms: tx.nowMs }).execute();
}

export async function deleteStopwatch(tx: Tx, accountId: number): Promise<void> {
  await tx.sql.deleteFrom("stopwatches").where("account_id", "=", accountId).execute();
}

/** An account's running stopwatches, at most one. */
export async function listStopwatches(db: Reader, accountId: number, nowMs: number): Promise<readonly StopwatchView[]> {
  const rows = await db.sql
    .selectFrom("stopwatches as s")
    .innerJoin("issues as i", "i.id", "s.issue_id")
    .innerJoin("repositories as r", "r.id", "i.repo_id")
    .innerJoin("accounts as o", "o.id", "r.owner_id")
    .select(["s.created_ms", "i.number", "i.title", "i.repo_id", "i.is_pull", "o.name as owner_name", "r.name as repository_name"])
    .where("s.account_id", "=", accountId)
    .where("r.deleted_ms", "is", null)
    .execute();
  return rows.map((row) => ({
    createdMs: row.created_ms,
    seconds: Math.max(0, Math.floor((nowMs - row.created_ms) / 1_000)),
    repoId: row.repo_id,
    isPull: row.is_pull === 1,
    issueNumber: row.number,
    issueTitle: row.title,
    ownerName: row.owner_name,
    repositoryName: row.repository_name,
  }));
}

/** Issue settings of a repository; undefined if it is deleted. */
export async function findTrackerSettings(db: Reader, repoId: number): Promise<RepositorySettings["internalTracker"] | undefined> {
  const row = await db.sql.selectFrom("repositories").select("settings").where("id", "=", repoId).where("deleted_ms", "is", null).executeTakeFirst();
  return row && parseSettings(row.settings).internalTracker;
}
