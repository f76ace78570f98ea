import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Page, Paged } from "../../../../core/paging.ts";
import { anyOf } from "../../../../db/any-of.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { CollaboratorsTable } from "../../../../db/tables/repositories.ts";

export type CollaboratorMode = CollaboratorsTable["mode"];

/** Ids of a page of the collaborators, in the order in which they were added. At most two statements. */
export async function pageCollaboratorIds(db: Reader, repoId: number, page: Page): Promise<Paged<number>> {
  const query = db.sql.selectFrom("collaborators").where("repo_id", "=", repoId);
  const rows = await query.select("account_id").orderBy("created_ms").orderBy("account_id").limit(page.limit).offset(page.offset).execute();
  const items = rows.map((row) => row.account_id);
  if (items.length < page.limit && (items.length > 0 || page.offset === 0)) return { items, total: page.offset + items.length };
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  return { items, total: Number(total) };
}

/** The permission of a collaborator; undefined for other accounts. */
export async function findCollaboratorMode(db: Reader, repoId: number, accountId: number): Promise<CollaboratorMode | undefined> {
  const row = await db.sql.selectFrom("collaborators").select("mode").where("repo_id", "=", repoId).where("account_id", "=", accountId).executeTakeFirst();
  return row?.mode;
}

/** The permissions of collaborators by account. One statement. */
export async function loadCollaboratorModes(db: Reader, repoId: number, accountIds: readonly number[]): Promise<ReadonlyMap<number, CollaboratorMode>> {
  const rows = await db.sql
    .selectFrom("collaborators")
    .select(["account_id", "mode"])
    .where("repo_id", "=", repoId)
    .where((eb) => anyOf(db, eb.ref("account_id"), accountIds))
    .execute();
  return new Map(rows.map((row) => [row.account_id, row.mode]));
}

export async function upsertCollaborator(tx: Tx, repoId: number, accountId: number, mode: CollaboratorMode): Promise<void> {
  await tx.sql
    .insertInto("collaborators")
    .values({ repo_id: repoId, account_id: accountId, mode, created_ms: tx.nowMs })
    .onConflict((conflict) => conflict.columns(["repo_id", "account_id"]).doUpdateSet({ mode }))
    .execute();
}

/** @returns whether the account was a collaborator */
export async function deleteCollaborator(tx: Tx, repoId: number, accountId: number): Promise<boolean> {
  const { numDeletedRows } = await tx.sql
    .deleteFrom("collaborators")
    .where("repo_id", "=", repoId)
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Removes an account from all repositories of an owner. @returns the affected repositories */
export async function deleteCollaborationsOf(tx: Tx, ownerId: number, accountId: number): Promise<readonly { readonly id: number; readonly name: string }[]> {
  const repositories = await tx.sql
    .selectFrom("collaborators as c")
    .innerJoin("repositories as r", "r.id", "c.repo_id")
    .select(["r.id", "r.name"])
    .where("c.account_id", "=", accountId)
    .where("r.owner_id", "=", ownerId)
    .orderBy("r.id")
    .execute();
  const ids = repositories.map(({ id }) => id);
  await tx.sql
    .deleteFrom("collaborators")
    .where("account_id", "=", accountId)
    .where((eb) => anyOf(tx, eb.ref("repo_id"), ids))
    .execute();
  return repositories;
}

/** Whether an account administers all repositories of an organization through a team. */
export async function administersAll(db: Reader, orgId: number, accountId: number): Promise<boolean> {
  const row = await db.sql
    .selectFrom("teams as t")
    .innerJoin("team_members as tm", "tm.team_id", "t.id")
    .select("t.id")
    .where("t.org_id", "=", orgId)
    .where("tm.account_id", "=", accountId)
    .where((eb) => eb.or([eb("t.mode", "=", "owner"), eb.and([eb("t.mode", "=", "admin"), eb("t.includes_all_repositories", "=", 1)])]))
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether an account can create repositories in an organization. */
export async function mayCreateIn(db: Reader, orgId: number, accountId: number): Promise<boolean> {
  const row = await db.sql
    .selectFrom("teams as t")
    .innerJoin("team_members as tm", "tm.team_id", "t.id")
    .select("t.id")
    .where("t.org_id", "=", orgId)
    .where("tm.account_id", "=", accountId)
    .where((eb) => eb.or([eb("t.mode", "=", "owner"), eb("t.can_create_org_repo", "=", 1)]))
    .executeTakeFirst();
  return row !== undefined;
}

/** Those of some organizations in which an account can create repositories by its teams. One statement. */
export async function creatableAmong(db: Reader, orgIds: readonly number[], accountId: number): Promise<ReadonlySet<number>> {
  const rows = await db.sql
    .selectFrom("teams as t")
    .innerJoin("team_members as tm", "tm.team_id", "t.id")
    .select("t.org_id")
    .distinct()
    .where("tm.account_id", "=", accountId)
    .where((eb) => anyOf(db, eb.ref("t.org_id"), orgIds))
    .where((eb) => eb.or([eb("t.mode", "=", "owner"), eb("t.can_create_org_repo", "=", 1)]))
    .execute();
  return new Set(rows.map((row) => row.org_id));
}

/**
 * Ids of the active users with at least a given permission on a repository, by name: the owner, collaborators, and members of teams
 * with that permission on one of `units`. One statement.
 */
export async function listUserIdsWith(
  db: Reader,
  repository: { readonly id: number; readonly ownerId: number },
  least: "read" | "write",
  units: readonly string[],
): Promise<readonly number[]> {
  const { id, ownerId } = repository;
  const isEnough = (mode: RawBuilder<unknown>): RawBuilder<SqlBool> => (least === "read" ? sql`${mode} <> 'none'` : sql`${mode} not in ('none', 'read')`);
  // The ids come first: a condition on each account would read all accounts.
  const ids = sql<SqlBool>`a.id in (select r.owner_id from repositories r where r.id = ${id}
    union select c.account_id from collaborators c where c.repo_id = ${id} and ${isEnough(sql`c.mode`)}
    union select tm.account_id from teams t join team_members tm on tm.team_id = t.id where t.org_id = ${ownerId}
      and (t.mode = 'owner' or t.includes_all_repositories = 1 or exists (select 1 from team_repositories tr where tr.team_id = t.id and tr.repo_id = ${id}))
      and (t.mode <> 'none' or exists (select 1 from team_units u where u.team_id = t.id and u.unit in (${sql.join([...units])}) and ${isEnough(sql`u.mode`)})))`;
  const rows = await db.sql
    .selectFrom("accounts as a")
    .select("a.id")
    .where("a.kind", "=", "user")
    .where("a.is_active", "=", 1)
    .where("a.prohibit_login", "=", 0)
    .where(ids)
    .orderBy("a.name_folded")
    .execute();
  return rows.map((row) => row.id);
}
