import { type RawBuilder, type SqlBool, sql } from "kysely";
import { anyOf } from "../../../db/any-of.ts";
import type { Tx } from "../../../db/db.ts";

/** A repository's counters of its audience, counted again. */
const counted = {
  watchers_count: sql<number>`(select count(*) from watches w where w.repo_id = repositories.id)`,
  stars_count: sql<number>`(select count(*) from stars s where s.repo_id = repositories.id)`,
};

/** Takes all stars off repositories. */
export async function deleteStars(tx: Tx, repoIds: readonly number[]): Promise<void> {
  const rows = await tx.sql
    .deleteFrom("stars")
    .where((eb) => anyOf(tx, eb.ref("repo_id"), repoIds))
    .returning("account_id")
    .execute();
  await recountStars(
    tx,
    rows.map((row) => row.account_id),
  );
}

/** Ends the watches and stars of accounts that no longer have a right on a private repository. */
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

async function recountStars(tx: Tx, accountIds: readonly number[]): Promise<void> {
  if (accountIds.length === 0) return;
  await tx.sql
    .updateTable("accounts")
    .set({ stars_count: sql<number>`(select count(*) from stars s where s.account_id = accounts.id)` })
    .where((eb) => anyOf(tx, eb.ref("id"), accountIds))
    .execute();
}

/** Whether an account `a` has a right on a repository that is not for being public. */
const insider = ({ id, ownerId }: { readonly id: number; readonly ownerId: number }): RawBuilder<SqlBool> => sql`(
  a.id = ${ownerId} or a.is_admin = 1
  or exists (select 1 from collaborators c where c.repo_id = ${id} and c.account_id = a.id)
  or exists (select 1 from team_members tm join teams t on t.id = tm.team_id where tm.account_id = a.id and t.org_id = ${ownerId} and ${givesRepository(id)}))`;

/** Whether a team `t` of the owner has a repository and gives anything on it. */
const givesRepository = (repoId: number): RawBuilder<SqlBool> => sql`(
  (t.mode = 'owner' or t.includes_all_repositories = 1 or exists (select 1 from team_repositories tr where tr.team_id = t.id and tr.repo_id = ${repoId}))
  and (t.mode <> 'none' or exists (select 1 from team_units u where u.team_id = t.id and u.mode <> 'none')))`;

/** Ends all watches and stars of an account. */
export async function deleteAudience(tx: Tx, accountId: number): Promise<void> {
  const unwatched = await tx.sql.deleteFrom("watches").where("account_id", "=", accountId).returning("repo_id").execute();
  const unstarred = await tx.sql.deleteFrom("stars").where("account_id", "=", accountId).returning("repo_id").execute();
  const ids = [...new Set([...unwatched, ...unstarred].map((row) => row.repo_id))];
  if (ids.length === 0) return;
  await tx.sql
    .updateTable("repositories")
    .set(counted)
    .where((eb) => anyOf(tx, eb.ref("id"), ids))
    .execute();
}
