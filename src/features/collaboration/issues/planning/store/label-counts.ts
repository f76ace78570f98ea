import { sql } from "kysely";
import type { Page, Paged } from "../../../../../core/paging.ts";
import { anyOf } from "../../../../../db/any-of.ts";
import type { Reader } from "../../../../../db/db.ts";

/** Number of open issues of a label `l`, at most `limit`. */
const openIssues = (limit: number) =>
  sql<number>`(select count(*) from (
    select 1 from issue_labels x where x.label_id = l.id and x.is_closed = 0 and x.is_pull = 0 limit ${limit}
  ) as bounded)`;

/** Ids of a page of a repository's labels, those with the most open issues first, and their total number. Two statements. */
export async function pageLabelsByUse(db: Reader, repoId: number, limit: number, page: Page): Promise<Paged<number>> {
  const query = db.sql.selectFrom("labels as l").where("l.repo_id", "=", repoId);
  const rows = await query.select("l.id").orderBy(openIssues(limit), "desc").orderBy("l.name").orderBy("l.id").limit(page.limit).offset(page.offset).execute();
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  return { items: rows.map(({ id }) => id), total: Number(total) };
}

/** Counts the open issues of a repository's labels, each up to a limit. One statement. */
export async function countOpenIssues(
  db: Reader,
  repoId: number,
  labelIds: readonly number[],
  limit: number,
): Promise<readonly { readonly labelId: number; readonly count: number }[]> {
  const rows = await db.sql
    .selectFrom("labels as l")
    .select(["l.id", openIssues(limit).as("count")])
    .where("l.repo_id", "=", repoId)
    .where((eb) => anyOf(db, eb.ref("l.id"), labelIds))
    .execute();
  return rows.map(({ id, count }) => ({ labelId: id, count: Number(count) }));
}
