import { type RawBuilder, type SqlBool, sql } from "kysely";
import { anyOf } from "../../../../db/any-of.ts";
import type { Tx } from "../../../../db/db.ts";
import { ignores } from "../../../../db/watch-conditions.ts";

/** Subqueries that recompute a repository's counters. */
const counted = {
  watchers_count: sql<number>`(select count(*) from watches w where w.repo_id = repositories.id)`,
  stars_count: sql<number>`(select count(*) from stars s where s.repo_id = repositories.id)`,
};

/** Recomputes the number of starred repositories of accounts that starred deleted or restored ones. */
export async function recountStarsOn(tx: Tx, repoIds: readonly number[]): Promise<void> {
  const rows = await tx.sql
    .selectFrom("stars")
    .select("account_id")
    .distinct()
    .where((eb) => anyOf(tx, eb.ref("repo_id"), repoIds))
    .execute();
  await recountStars(
    tx,
    rows.map((row) => row.account_id),
  );
}

/** Deletes the watches and stars of accounts without access to a private repository. */
export async function dropOutsiders(tx: Tx, repository: { readonly id: number; readonly ownerId: number }): Promise<void> {
  const { id } = repository;
  const outsider = sql<SqlBool>`account_id in (select a.id from accounts a where not ${insider(repository)})`;
  const unwatched = await tx.sql.deleteFrom("watches").where("repo_id", "=", id).where(outsider).returning("account_id").execute();
  const unstarred = await tx.sql.deleteFrom("stars").where("repo_id", "=", id).where(outsider).returning("account_id").execute();
  if (unwatched.length + unstarred.length === 0) return;
  await tx.sql.updateTable("repositories").set(counted).where("id", "=", id).execute();
  await recountStars(
    tx,
    unstarred.map((row) => row.account_id),
  );
}

/** Makes the members of a team watch a repository, except those who ignore it, unless the team grants no access to it. */
export async function insertTeamWatches(tx: Tx, teamId: number, repoId: number): Promise<void> {
  await tx.sql
    .insertInto("watches")
    .columns(["repo_id", "account_id", "created_ms"])
    .expression((eb) =>
      eb
        .selectFrom("team_members as tm")
        .innerJoin("teams as t", "t.id", "tm.team_id")
        .select([sql<number>`cast(${repoId} as bigint)`.as("repo_id"), "tm.account_id", sql<number>`cast(${tx.nowMs} as bigint)`.as("created_ms")])
        .where("tm.team_id", "=", teamId)
        .where(sql<SqlBool>`not ${ignores(sql`${repoId}`, sql.ref("tm.account_id"))}`)
        .where(givesRepository(repoId)),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await tx.sql.updateTable("repositories").set(counted).where("id", "=", repoId).execute();
}

/**
 * Deletes watches and stars of accounts without access to an owner's repositories, after its teams or members changed.
 * @param accountId only of this account; if omitted, of all accounts
 */
export async function dropOutsidersOfOwner(tx: Tx, ownerId: number, accountId?: number): Promise<void> {
  const lost = (table: "watches" | "stars"): RawBuilder<SqlBool> => {
    const repoId = sql.ref<number>(`${table}.repo_id`);
    const account = sql.ref<number>(`${table}.account_id`);
    return sql`${repoId} in (select owned.id from repositories owned where owned.owner_id = ${ownerId})
      ${accountId === undefined ? sql`` : sql`and ${account} = ${accountId}`}
      and exists (select 1 from repositories r join accounts o on o.id = r.owner_id join accounts a on a.id = ${account}
        where r.id = ${repoId} and (r.is_private = 1 or o.visibility = 'private' or a.is_restricted = 1)
        and not (r.is_private = 0 and exists (select 1 from organization_members m where m.org_id = o.id and m.account_id = a.id))
        and not ${insider({ id: sql`r.id`, ownerId })})`;
  };
  const unwatched = await tx.sql.deleteFrom("watches").where(lost("watches")).returning("repo_id").execute();
  const unstarred = await tx.sql.deleteFrom("stars").where(lost("stars")).returning(["repo_id", "account_id"]).execute();
  const repoIds = [...new Set([...unwatched, ...unstarred].map((row) => row.repo_id))];
  if (repoIds.length === 0) return;
  await tx.sql
    .updateTable("repositories")
    .set(counted)
    .where((eb) => anyOf(tx, eb.ref("id"), repoIds))
    .execute();
  await recountStars(
    tx,
    unstarred.map((row) => row.account_id),
  );
}

async function recountStars(tx: Tx, accountIds: readonly number[]): Promise<void> {
  if (accountIds.length === 0) return;
  await tx.sql
    .updateTable("accounts")
    .set({
      stars_count: sql<number>`(select count(*) from stars s join repositories r on r.id = s.repo_id where s.account_id = accounts.id and r.deleted_ms is null)`,
    })
    .where((eb) => anyOf(tx, eb.ref("id"), accountIds))
    .execute();
}

/** Whether an account `a` has access to a repository other than by its being public. */
const insider = ({ id, ownerId }: { readonly id: number | RawBuilder<number>; readonly ownerId: number }): RawBuilder<SqlBool> => sql`(
  a.id = ${ownerId} or a.is_admin = 1
  or exists (select 1 from collaborators c where c.repo_id = ${id} and c.account_id = a.id)
  or exists (select 1 from team_members tm join teams t on t.id = tm.team_id where tm.account_id = a.id and t.org_id = ${ownerId} and ${givesRepository(id)}))`;

/** Whether a team `t` of the owner grants access to a repository. */
const givesRepository = (repoId: number | RawBuilder<number>): RawBuilder<SqlBool> => sql`(
  (t.mode = 'owner' or t.includes_all_repositories = 1 or exists (select 1 from team_repositories tr where tr.team_id = t.id and tr.repo_id = ${repoId}))
  and (t.mode <> 'none' or exists (select 1 from team_units u where u.team_id = t.id and u.mode <> 'none')))`;

export async function deleteAllMarks(tx: Tx, accountId: number): Promise<void> {
  await deleteMarks(tx, accountId, sql`1 = 1`);
}

/** Deletes an account's watches and stars on an owner's repositories. */
export async function deleteMarksOf(tx: Tx, ownerId: number, accountId: number): Promise<void> {
  const unstarred = await deleteMarks(tx, accountId, sql`repo_id in (select r.id from repositories r where r.owner_id = ${ownerId})`);
  if (unstarred > 0) await recountStars(tx, [accountId]);
}

/** @returns the number of deleted stars */
async function deleteMarks(tx: Tx, accountId: number, condition: RawBuilder<SqlBool>): Promise<number> {
  const unwatched = await tx.sql.deleteFrom("watches").where("account_id", "=", accountId).where(condition).returning("repo_id").execute();
  const unstarred = await tx.sql.deleteFrom("stars").where("account_id", "=", accountId).where(condition).returning("repo_id").execute();
  const ids = [...new Set([...unwatched, ...unstarred].map((row) => row.repo_id))];
  if (ids.length === 0) return 0;
  await tx.sql
    .updateTable("repositories")
    .set(counted)
    .where((eb) => anyOf(tx, eb.ref("id"), ids))
    .execute();
  return unstarred.length;
}
