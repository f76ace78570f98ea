import { sql } from "kysely";
import { anyOf } from "../../../../db/any-of.ts";
import type { Reader } from "../../../../db/db.ts";
import type { Oid } from "../../../../git/types.ts";

/** A merged pull request of a release. */
export interface MergedPull {
  readonly id: number;
  readonly number: number;
  readonly title: string;
  /** Null: the account was deleted. */
  readonly authorId: number | null;
  readonly authorName: string | null;
  readonly mergedMs: number;
  readonly labels: readonly string[];
}

/** The pull requests that were merged by some commits, in the order of their merges. Two statements. */
export async function listMergedBy(db: Reader, repoId: number, commitOids: readonly Oid[], limit: number): Promise<readonly MergedPull[]> {
  const rows = await db.sql
    .selectFrom("pull_requests as p")
    .innerJoin("issues as i", "i.id", "p.issue_id")
    .leftJoin("accounts as a", "a.id", "i.poster_id")
    .select(["i.id", "i.number", "i.title", "i.poster_id as authorId", "a.name as authorName", "p.merged_ms as mergedMs"])
    .where("p.repo_id", "=", repoId)
    .where("p.merged_ms", "is not", null)
    .where(anyOf(db, sql<string>`p.merge_commit_oid`, commitOids))
    .orderBy("p.merged_ms")
    .orderBy("i.id")
    .limit(limit)
    .execute();
  const labels = await db.sql
    .selectFrom("issue_labels as il")
    .innerJoin("labels as l", "l.id", "il.label_id")
    .select(["il.issue_id as issueId", "l.name"])
    .where((eb) =>
      anyOf(
        db,
        eb.ref("il.issue_id"),
        rows.map(({ id }) => id),
      ),
    )
    .orderBy("l.name")
    .execute();
  const namesOf = Map.groupBy(labels, ({ issueId }) => issueId);
  return rows.map((row) => ({ ...row, mergedMs: row.mergedMs ?? 0, labels: (namesOf.get(row.id) ?? []).map(({ name }) => name) }));
}

/** Those of some accounts that had a pull request merged into a repository before a time. One statement. */
export async function listEarlierAuthors(db: Reader, repoId: number, accountIds: readonly number[], beforeMs: number): Promise<ReadonlySet<number>> {
  const rows = await db.sql
    .selectFrom("issues as i")
    .innerJoin("pull_requests as p", "p.issue_id", "i.id")
    .select("i.poster_id as id")
    .distinct()
    .where("i.repo_id", "=", repoId)
    .where(anyOf(db, sql<number>`i.poster_id`, accountIds))
    .where("p.merged_ms", "<", beforeMs)
    .execute();
  return new Set(rows.flatMap(({ id }) => id ?? []));
}
