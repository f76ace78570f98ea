import type { Page, Paged } from "../../../../core/paging.ts";
import { anyOf } from "../../../../db/any-of.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { NewNotice, NoticeDetails, NoticeKind, NoticeView } from "./model.ts";

export async function insertNotices(tx: Tx, notices: readonly NewNotice[]): Promise<void> {
  if (notices.length === 0) return;
  await tx.sql
    .insertInto("system_notices")
    .values(notices.map(({ kind, createdMs, ...details }) => ({ kind, details: JSON.stringify(details), created_ms: createdMs })))
    .execute();
}

/** `owner/name` of repositories, by id. One statement, none without ids. */
export async function loadRepositoryNames(db: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.sql
    .selectFrom("repositories as r")
    .innerJoin("accounts as o", "o.id", "r.owner_id")
    .select(["r.id", "o.name as owner", "r.name"])
    .where((eb) => anyOf(db, eb.ref("r.id"), ids))
    .execute();
  return new Map(rows.map(({ id, owner, name }) => [id, `${owner}/${name}`]));
}

/** Newest first. Two statements. */
export async function pageNotices(db: Reader, { offset, limit }: Page): Promise<Paged<NoticeView>> {
  const rows = await db.sql
    .selectFrom("system_notices")
    .select(["id", "kind", "details", "created_ms"])
    .orderBy("id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
  const items = rows.map((row) => ({
    ...(JSON.parse(row.details) as NoticeDetails),
    id: row.id,
    kind: row.kind as NoticeKind,
    createdMs: row.created_ms,
  }));
  return { items, total: await countNotices(db) };
}

export async function countNotices(db: Reader): Promise<number> {
  const { total } = await db.sql
    .selectFrom("system_notices")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return Number(total);
}

export async function deleteNotice(tx: Tx, id: number): Promise<void> {
  await tx.sql.deleteFrom("system_notices").where("id", "=", id).execute();
}

/** Deletes the notices up to one, so that those recorded meanwhile stay. */
export async function deleteNoticesUpTo(tx: Tx, id: number): Promise<void> {
  await tx.sql.deleteFrom("system_notices").where("id", "<=", id).execute();
}

export async function deleteNoticesBefore(tx: Tx, createdBeforeMs: number): Promise<void> {
  await tx.sql.deleteFrom("system_notices").where("created_ms", "<", createdBeforeMs).execute();
}
