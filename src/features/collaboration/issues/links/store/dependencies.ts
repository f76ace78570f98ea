import { sql } from "kysely";
import { compiled, type Slots } from "../../../../../db/compiled.ts";
import type { Reader, Tx } from "../../../../../db/db.ts";

const openDependency = compiled((db, given: Slots<{ issueId: number }>) =>
  db.sql
    .selectFrom("issue_dependencies as d")
    .innerJoin("issues as i", "i.id", "d.dependency_id")
    .innerJoin("repositories as r", "r.id", "i.repo_id")
    .select("i.id")
    .where("d.issue_id", "=", given.issueId)
    .where("d.dependency_id", "<>", given.issueId)
    .where("i.is_closed", "=", 0)
    .where("r.deleted_ms", "is", null)
    .limit(1),
);

/** Whether an issue depends on another open issue. */
export const hasOpenDependency = async (db: Reader, issueId: number): Promise<boolean> => (await openDependency(db, { issueId })).length > 0;

/** @returns false if it already exists */
export async function insertDependency(tx: Tx, issueId: number, dependencyId: number): Promise<boolean> {
  const rows = await tx.sql
    .insertInto("issue_dependencies")
    .values({ issue_id: issueId, dependency_id: dependencyId, created_ms: tx.nowMs })
    .onConflict((conflict) => conflict.doNothing())
    .returning("issue_id")
    .execute();
  return rows.length > 0;
}

/** @returns false if it does not exist */
export async function deleteDependency(tx: Tx, issueId: number, dependencyId: number): Promise<boolean> {
  const rows = await tx.sql
    .deleteFrom("issue_dependencies")
    .where("issue_id", "=", issueId)
    .where("dependency_id", "=", dependencyId)
    .returning("issue_id")
    .execute();
  return rows.length > 0;
}

/** Whether an issue depends on another one, directly or transitively. One statement. */
export async function waitsFor(db: Reader, issueId: number, dependencyId: number): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    with recursive reached (id) as (
      select cast(${issueId} as bigint)
      union
      select d.dependency_id from issue_dependencies d join reached on reached.id = d.issue_id
    )
    select id from reached where id = ${dependencyId}`.execute(db.sql);
  return rows.length > 0;
}

/** `dependencies`: issues that an issue depends on; `blocks`: issues that depend on it. */
export type DependencySide = "dependencies" | "blocks";

/**
 * Issues of one side with their repositories: those of the issue's repository first, the newest of each repository first. Issues that were
 * created in the same second, as by one program, keep their order.
 */
export async function listDependencies(
  db: Reader,
  { id: issueId, repoId }: { readonly id: number; readonly repoId: number },
  side: DependencySide,
): Promise<readonly { readonly id: number; readonly repoId: number }[]> {
  const [own, other] = side === "dependencies" ? (["d.issue_id", "d.dependency_id"] as const) : (["d.dependency_id", "d.issue_id"] as const);
  return db.sql
    .selectFrom("issue_dependencies as d")
    .innerJoin("issues as i", "i.id", other)
    .innerJoin("repositories as r", "r.id", "i.repo_id")
    .select(["i.id", "i.repo_id as repoId"])
    .where(own, "=", issueId)
    .where("r.deleted_ms", "is", null)
    .orderBy(sql`case when i.repo_id = ${repoId} then 0 else i.repo_id end`)
    .orderBy(sql`i.created_ms / 1000`, "desc")
    .orderBy("i.id")
    .execute();
}
