import type { Reader } from "../../../../db/db.ts";

/**
 * The workflows that the organization of a repository requires for pull requests, without a successful last run of the head. One statement.
 * @returns undefined if none is required
 */
export async function findRequiredRuns(
  db: Reader,
  { repoId, ownerId, number, headOid }: { readonly repoId: number; readonly ownerId: number; readonly number: number; readonly headOid: string },
): Promise<{ readonly missing: readonly string[] } | undefined> {
  const rows = await db.sql
    .selectFrom("action_required_workflows as q")
    .innerJoin("repositories as s", "s.id", "q.repo_id")
    .select((eb) => [
      "s.name",
      "q.path",
      eb
        .selectFrom("action_runs as a")
        .select("a.result")
        .whereRef("a.required_id", "=", "q.id")
        .where("a.repo_id", "=", repoId)
        .where("a.oid", "=", headOid)
        .where("a.ref", "=", `refs/pull/${number}/head`)
        .orderBy("a.id", "desc")
        .limit(1)
        .as("result"),
    ])
    .where("q.owner_id", "=", ownerId)
    .where("q.on_pull", "=", 1)
    .where((eb) =>
      eb.or([
        eb("q.covers_all", "=", 1),
        eb.exists(
          eb.selectFrom("action_required_repositories as c").select("c.repo_id").whereRef("c.required_id", "=", "q.id").where("c.repo_id", "=", repoId),
        ),
      ]),
    )
    .orderBy("q.id")
    .execute();
  if (rows.length === 0) return undefined;
  return { missing: rows.flatMap(({ name, path, result }) => (result === "success" || result === "skipped" ? [] : `${name}/${path}`)) };
}
