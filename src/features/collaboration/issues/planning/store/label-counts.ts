import { sql } from "kysely";
import { anyOf } from "../../../../../db/any-of.ts";
import type { Reader } from "../../../../../db/db.ts";

/** Counts the open issues of a repository's labels, each up to a limit. One statement. */
export async function countOpenIssues(
  db: Reader,
  repoId: number,
  labelIds: readonly number[],
  limit: number,
): Promise<readonly { readonly labelId: number; readonly count: number }[]> {
  const rows = await db.sql
    .selectFrom("labels as l")
    .select([
      "l.id",
      sql<number>`(select count(*) from (
        select 1 from issue_labels x where x.label_id = l.id and x.is_closed = 0 and x.is_pull = 0 limit ${limit}
      ) as bounded)`.as("count"),
    ])
    .where("l.repo_id", "=", repoId)
    .where((eb) => anyOf(db, eb.ref("l.id"), labelIds))
    .execute();
  return rows.map(({ id, count }) => ({ labelId: id, count: Number(count) }));
}
