import { sql } from "kysely";
import type { Reader } from "../../../../db/db.ts";

/** A stored count that differs from the actual one. */
export interface WrongCount {
  readonly what: "repository" | "milestone" | "issue" | "label" | "assignee" | "audience";
  readonly id: number;
  readonly name: string;
  readonly kept: number;
  readonly counted: number;
}

/** Maximum number of reports of each kind: a systematic error needs no longer list. */
const limit = 100;

const repositoryCounts = [
  ["open_issues_count", 0, 0],
  ["closed_issues_count", 0, 1],
  ["open_pulls_count", 1, 0],
  ["closed_pulls_count", 1, 1],
] as const;

const milestoneCounts = [
  ["open_issues_count", 0],
  ["closed_issues_count", 1],
] as const;

/**
 * Wrong counts of issues, pull requests and comments, and labels and assignees whose duplicated columns differ from their issue.
 * Also names that differ from their label or milestone, and wrong totals of an audience. Fifteen statements, each over a whole table.
 */
export async function findWrongCounts(db: Reader): Promise<WrongCount[]> {
  const wrong: WrongCount[] = [];
  const add = async (what: WrongCount["what"], name: string, query: ReturnType<typeof sql<{ id: number; kept: number; counted: number }>>): Promise<void> => {
    const { rows } = await query.execute(db.sql);
    for (const row of rows) wrong.push({ what, name, id: row.id, kept: Number(row.kept), counted: Number(row.counted) });
  };
  for (const [column, isPull, isClosed] of repositoryCounts) {
    const kept = sql.ref(`r.${column}`);
    const counted = sql`(select count(*) from issues i where i.repo_id = r.id and i.is_pull = ${isPull} and i.is_closed = ${isClosed})`;
    await add(
      "repository",
      column,
      sql`select r.id, ${kept} as kept, ${counted} as counted from repositories r where ${kept} <> ${counted} order by r.id limit ${limit}`,
    );
  }
  for (const [column, isPull, isClosed] of repositoryCounts) {
    const audience = sql.ref(isPull === 1 ? "pull_audience" : "issue_audience");
    await add(
      "audience",
      column,
      sql`select audience as id, sum(kept) as kept, sum(counted) as counted from (
          select audience, n as kept, 0 as counted from issue_totals where is_pull = ${isPull} and is_closed = ${isClosed}
          union all select ${audience}, 0, ${sql.ref(column)} from repositories) t
        group by audience having sum(kept) <> sum(counted) order by audience`,
    );
  }
  for (const [column, isClosed] of milestoneCounts) {
    const kept = sql.ref(`m.${column}`);
    const counted = sql`(select count(*) from issues i where i.milestone_id = m.id and i.is_closed = ${isClosed})`;
    await add(
      "milestone",
      column,
      sql`select m.id, ${kept} as kept, ${counted} as counted from milestones m where ${kept} <> ${counted} order by m.id limit ${limit}`,
    );
  }
  const comments = sql`(select count(*) from comments c where c.issue_id = i.id and c.kind in ('comment', 'review', 'code'))`;
  await add(
    "issue",
    "comments",
    sql`select i.id, i.comments_count as kept, ${comments} as counted from issues i where i.comments_count <> ${comments} order by i.id limit ${limit}`,
  );
  for (const [what, table, owner] of [
    ["label", "issue_labels", "label_id"],
    ["assignee", "issue_assignees", "account_id"],
  ] as const) {
    await add(
      what,
      "wrongly listed issues",
      sql`select l.${sql.ref(owner)} as id, 0 as kept, count(*) as counted from ${sql.table(table)} l join issues i on i.id = l.issue_id
        where l.repo_id <> i.repo_id or l.is_pull <> i.is_pull or l.is_closed <> i.is_closed group by 1 order by 1 limit ${limit}`,
    );
  }
  await add(
    "label",
    "wrongly named issues",
    sql`select l.id, 0 as kept, count(*) as counted from issue_labels d join labels l on l.id = d.label_id where d.name <> l.name
      group by 1 order by 1 limit ${limit}`,
  );
  await add(
    "milestone",
    "wrongly named issues",
    sql`select m.id, 0 as kept, count(*) as counted from issues i join milestones m on m.id = i.milestone_id
      where i.milestone_title is null or i.milestone_title <> m.title_folded group by 1 order by 1 limit ${limit}`,
  );
  return wrong;
}
