import { sql } from "kysely";
import type { Page, Paged } from "../../../core/paging.ts";
import { anyOf } from "../../../db/any-of.ts";
import { compiled, type Slots } from "../../../db/compiled.ts";
import type { Reader, Tx } from "../../../db/db.ts";
import type { MilestonesTable } from "../../../db/tables/labels-and-milestones.ts";
import type { MilestoneFilter, MilestoneView } from "./model.ts";

const columns = [
  "m.id",
  "m.repo_id",
  "m.title",
  "m.description",
  "m.is_closed",
  "m.due_ms",
  "m.closed_ms",
  "m.open_issues_count",
  "m.closed_issues_count",
  "m.created_ms",
  "m.updated_ms",
] as const;

type Row = Omit<MilestonesTable, "id" | "title_folded" | "open_issues_count" | "closed_issues_count"> & {
  readonly id: number;
  readonly open_issues_count: number;
  readonly closed_issues_count: number;
};

const toView = (row: Row): MilestoneView => ({
  id: row.id,
  repoId: row.repo_id,
  title: row.title,
  description: row.description,
  isClosed: row.is_closed === 1,
  dueMs: row.due_ms,
  closedMs: row.closed_ms,
  openIssuesCount: row.open_issues_count,
  closedIssuesCount: row.closed_issues_count,
  createdMs: row.created_ms,
  updatedMs: row.updated_ms,
});

const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`;
const fold = (title: string): string => title.toLowerCase();

const openTitles = compiled((db, given: Slots<{ repoIds: readonly number[]; limit: number }>) =>
  db.sql
    .selectFrom("milestones as m")
    .select((eb) => eb.fn.min<string>("m.title").as("title"))
    .where((eb) => anyOf(db, eb.ref("m.repo_id"), given.repoIds))
    .where("m.is_closed", "=", 0)
    .groupBy("m.title_folded")
    .orderBy("m.title_folded")
    .limit(given.limit),
);

/** Titles of open milestones, each once. One statement. */
export async function listTitles(db: Reader, repoIds: readonly number[], limit: number): Promise<readonly string[]> {
  const rows = await openTitles(db, { repoIds, limit });
  return rows.map(({ title }) => title);
}

/** A repository's milestones: without due date first, then by date, then by title. At most two statements. */
export async function pageMilestones(db: Reader, repoId: number, filter: MilestoneFilter, page: Page): Promise<Paged<MilestoneView>> {
  let query = db.sql.selectFrom("milestones as m").where("m.repo_id", "=", repoId);
  if (filter.state !== "all") query = query.where("m.is_closed", "=", filter.state === "closed" ? 1 : 0);
  if (filter.text !== "") query = query.where(sql<boolean>`m.title_folded like ${likePattern(fold(filter.text))} escape '\\'`);
  const rows = await query
    .select(columns)
    .orderBy(sql`coalesce(m.due_ms, 0)`)
    .orderBy("m.title")
    .orderBy("m.id")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const items = rows.map(toView);
  if (items.length < page.limit && (items.length > 0 || page.offset === 0)) return { items, total: page.offset + items.length };
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  return { items, total: Number(total) };
}

/** Finds a milestone by id, else the oldest with this title. One statement. */
export async function findMilestone(db: Reader, repoId: number, wanted: { readonly id: number; readonly title: string }): Promise<MilestoneView | undefined> {
  const row = await db.sql
    .selectFrom("milestones as m")
    .select(columns)
    .where("m.repo_id", "=", repoId)
    .where((eb) => eb.or([eb("m.id", "=", wanted.id), eb("m.title", "=", wanted.title)]))
    .orderBy(sql`case when m.id = ${wanted.id} then 0 else 1 end`)
    .orderBy("m.id")
    .limit(1)
    .executeTakeFirst();
  return row && toView(row);
}

const selectByIds = compiled((db, given: Slots<{ ids: readonly number[] }>) =>
  db.sql
    .selectFrom("milestones as m")
    .select(columns)
    .where((eb) => anyOf(db, eb.ref("m.id"), given.ids)),
);

export async function loadMilestones(db: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, MilestoneView>> {
  const rows = await selectByIds(db, { ids });
  return new Map(rows.map((row) => [row.id, toView(row)]));
}

export type MilestoneInput = Pick<MilestoneView, "title" | "description" | "isClosed" | "dueMs" | "closedMs">;

const rowOf = (input: MilestoneInput, nowMs: number) => ({
  title: input.title,
  title_folded: fold(input.title),
  description: input.description,
  is_closed: input.isClosed ? 1 : 0,
  due_ms: input.dueMs,
  closed_ms: input.closedMs,
  updated_ms: nowMs,
});

/** @param createdMs creation time of an imported milestone; defaults to now */
export async function insertMilestone(tx: Tx, repoId: number, input: MilestoneInput, createdMs = tx.nowMs): Promise<number> {
  const { id } = await tx.sql
    .insertInto("milestones")
    .values({ ...rowOf(input, tx.nowMs), repo_id: repoId, created_ms: createdMs })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateMilestone(tx: Tx, id: number, input: MilestoneInput): Promise<void> {
  await tx.sql.updateTable("milestones").set(rowOf(input, tx.nowMs)).where("id", "=", id).execute();
}

export async function deleteMilestone(tx: Tx, id: number): Promise<void> {
  await tx.sql.deleteFrom("milestones").where("id", "=", id).execute();
}

export async function addToCounts(tx: Tx, id: number, by: { readonly open: number; readonly closed: number }): Promise<void> {
  await tx.sql
    .updateTable("milestones")
    .set((eb) => ({ open_issues_count: eb("open_issues_count", "+", by.open), closed_issues_count: eb("closed_issues_count", "+", by.closed) }))
    .where("id", "=", id)
    .execute();
}
