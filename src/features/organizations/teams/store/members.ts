import { foldName } from "../../../../core/names.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import { anyOf } from "../../../../db/any-of.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { AccountsTable } from "../../../../db/tables/accounts.ts";

export interface MemberFilter {
  readonly orgId: number;
  /** Only public memberships. */
  readonly isPublicOnly: boolean;
  /** Only accounts of these visibilities, and this account; absent: all. */
  readonly shown?: { readonly visibilities: readonly AccountsTable["visibility"][]; readonly alwaysId: number };
}

/** Ids of a page of an organization's members, by name. At most two statements. */
export async function pageMemberIds(db: Reader, filter: MemberFilter, page: Page): Promise<Paged<number>> {
  let query = db.sql.selectFrom("organization_members as m").innerJoin("accounts as a", "a.id", "m.account_id").where("m.org_id", "=", filter.orgId);
  if (filter.isPublicOnly) query = query.where("m.is_public", "=", 1);
  const { shown } = filter;
  if (shown !== undefined) query = query.where((eb) => eb.or([eb("a.visibility", "in", [...shown.visibilities]), eb("a.id", "=", shown.alwaysId)]));
  const rows = await query.select("a.id").orderBy("a.name_folded").limit(page.limit).offset(page.offset).execute();
  const items = rows.map((row) => row.id);
  if (items.length < page.limit && (items.length > 0 || page.offset === 0)) return { items, total: page.offset + items.length };
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  return { items, total: Number(total) };
}

/** Ids of a page of a team's members, by name. At most two statements. */
export async function pageTeamMemberIds(db: Reader, teamId: number, page: Page): Promise<Paged<number>> {
  const query = db.sql.selectFrom("team_members as m").innerJoin("accounts as a", "a.id", "m.account_id").where("m.team_id", "=", teamId);
  const rows = await query.select("a.id").orderBy("a.name_folded").limit(page.limit).offset(page.offset).execute();
  const items = rows.map((row) => row.id);
  if (items.length < page.limit && (items.length > 0 || page.offset === 0)) return { items, total: page.offset + items.length };
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  return { items, total: Number(total) };
}

/** Member ids of an organization's teams, by team name; none for an account outside of the organization. One statement. */
export async function listMemberIdsOfTeams(
  db: Reader,
  teams: { readonly orgId: number; readonly names: readonly string[]; readonly knownTo: number },
  limit: number,
): Promise<readonly number[]> {
  const rows = await db.sql
    .selectFrom("team_members as tm")
    .innerJoin("teams as t", "t.id", "tm.team_id")
    .innerJoin("accounts as a", "a.id", "tm.account_id")
    .innerJoin("organization_members as m", (join) => join.onRef("m.org_id", "=", "t.org_id").on("m.account_id", "=", teams.knownTo))
    .select(["a.id", "a.name_folded"])
    .distinct()
    .where("t.org_id", "=", teams.orgId)
    .where("t.name_folded", "in", teams.names.map(foldName))
    .orderBy("a.name_folded")
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

/** Whether a membership is public; undefined for an account that is not a member. */
export async function findMembership(db: Reader, orgId: number, accountId: number): Promise<{ readonly isPublic: boolean } | undefined> {
  const row = await db.sql
    .selectFrom("organization_members")
    .select("is_public")
    .where("org_id", "=", orgId)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return row && { isPublic: row.is_public === 1 };
}

/** The role of accounts in an organization, by id. One statement. */
export async function loadLocations(
  db: Reader,
  orgId: number,
  accountIds: readonly number[],
): Promise<ReadonlyMap<number, { readonly isPublic: boolean; readonly isOwner: boolean }>> {
  const rows = await db.sql
    .selectFrom("organization_members as m")
    .select((eb) => [
      "m.account_id as id",
      "m.is_public as isPublic",
      eb
        .selectFrom("teams as t")
        .innerJoin("team_members as tm", "tm.team_id", "t.id")
        .select(eb.fn.countAll<number>().as("n"))
        .whereRef("t.org_id", "=", "m.org_id")
        .where("t.mode", "=", "owner")
        .whereRef("tm.account_id", "=", "m.account_id")
        .as("ownerTeams"),
    ])
    .where("m.org_id", "=", orgId)
    .where((eb) => anyOf(db, eb.ref("m.account_id"), accountIds))
    .execute();
  return new Map(rows.map((row) => [row.id, { isPublic: row.isPublic === 1, isOwner: Number(row.ownerTeams) > 0 }]));
}

/** @returns whether the membership exists */
export async function updateMembership(tx: Tx, orgId: number, accountId: number, to: "public" | "hidden"): Promise<boolean> {
  const { numUpdatedRows } = await tx.sql
    .updateTable("organization_members")
    .set({ is_public: to === "public" ? 1 : 0 })
    .where("org_id", "=", orgId)
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function isTeamMember(db: Reader, teamId: number, accountId: number): Promise<boolean> {
  const row = await db.sql.selectFrom("team_members").select("team_id").where("team_id", "=", teamId).where("account_id", "=", accountId).executeTakeFirst();
  return row !== undefined;
}

/** Adds an account to a team and thereby to its organization. @returns whether it was added */
export async function insertTeamMember(tx: Tx, team: { readonly id: number; readonly orgId: number }, accountId: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.sql
    .insertInto("team_members")
    .values({ team_id: team.id, account_id: accountId, org_id: team.orgId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  await tx.sql
    .insertInto("organization_members")
    .values({ org_id: team.orgId, account_id: accountId, is_public: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** @returns whether it was in the team */
export async function deleteTeamMember(tx: Tx, teamId: number, accountId: number): Promise<boolean> {
  const { numDeletedRows } = await tx.sql
    .deleteFrom("team_members")
    .where("team_id", "=", teamId)
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Removes an account from all teams of an organization. @returns whether it was in any */
export async function deleteFromTeams(tx: Tx, orgId: number, accountId: number): Promise<boolean> {
  const { numDeletedRows } = await tx.sql.deleteFrom("team_members").where("org_id", "=", orgId).where("account_id", "=", accountId).executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Ends the memberships of accounts without a team in the organization. */
export async function deleteTeamless(tx: Tx, orgId: number): Promise<void> {
  await tx.sql
    .deleteFrom("organization_members")
    .where("org_id", "=", orgId)
    .where("account_id", "not in", (eb) => eb.selectFrom("team_members as tm").select("tm.account_id").where("tm.org_id", "=", orgId))
    .execute();
}

/** Whether an organization has an owner other than this account. */
export async function hasOtherOwner(tx: Tx, orgId: number, accountId: number): Promise<boolean> {
  const row = await tx.sql
    .selectFrom("teams as t")
    .innerJoin("team_members as tm", "tm.team_id", "t.id")
    .select("tm.account_id")
    .where("t.org_id", "=", orgId)
    .where("t.mode", "=", "owner")
    .where("tm.account_id", "<>", accountId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
