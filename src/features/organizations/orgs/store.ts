import { type RawBuilder, sql } from "kysely";
import { foldName } from "../../../core/names.ts";
import { anyOf } from "../../../db/any-of.ts";
import { compiled, type Slots } from "../../../db/compiled.ts";
import type { Reader, Tx } from "../../../db/db.ts";
import type { OrganizationView } from "./model.ts";

/** An organization with an actor's role in it. */
export interface LocatedOrganization {
  readonly id: number;
  readonly name: string;
  readonly visibility: "public" | "limited" | "private";
  readonly isMember: boolean;
  readonly isOwner: boolean;
}

const selectPlace = compiled((db, given: Slots<{ nameFolded: string; actorId: number }>) =>
  db.sql
    .selectFrom("accounts as o")
    .leftJoin("organization_members as m", (join) => join.onRef("m.org_id", "=", "o.id").on("m.account_id", "=", given.actorId))
    .select((select) => [
      "o.id",
      "o.name",
      "o.visibility",
      "m.account_id as member_id",
      select
        .selectFrom("teams as t")
        .innerJoin("team_members as tm", "tm.team_id", "t.id")
        .select(select.fn.countAll<number>().as("n"))
        .whereRef("t.org_id", "=", "o.id")
        .where("t.mode", "=", "owner")
        .where("tm.account_id", "=", given.actorId)
        .as("owner_teams"),
    ])
    .where("o.name_folded", "=", given.nameFolded)
    .where("o.kind", "=", "organization"),
);

/** @param actorId 0 for an anonymous actor */
export async function locateOrganization(db: Reader, name: string, actorId: number): Promise<LocatedOrganization | undefined> {
  const [row] = await selectPlace(db, { nameFolded: foldName(name), actorId });
  return row && { id: row.id, name: row.name, visibility: row.visibility, isMember: row.member_id !== null, isOwner: Number(row.owner_teams) > 0 };
}

const columns = [
  "o.id",
  "o.name",
  "o.full_name",
  "o.email",
  "o.avatar",
  "o.description",
  "o.website",
  "o.location",
  "o.visibility",
  "o.repo_admin_change_team_access",
] as const;

const selectOrganizations = (db: Reader) => db.sql.selectFrom("accounts as o").where("o.kind", "=", "organization");

interface OrganizationRow {
  readonly id: number;
  readonly name: string;
  readonly full_name: string;
  readonly email: string;
  readonly avatar: string;
  readonly description: string;
  readonly website: string;
  readonly location: string;
  readonly visibility: OrganizationView["visibility"];
  readonly repo_admin_change_team_access: number;
}

const toView = (row: OrganizationRow): OrganizationView => ({
  id: row.id,
  name: row.name,
  fullName: row.full_name,
  email: row.email,
  avatar: row.avatar,
  description: row.description,
  website: row.website,
  location: row.location,
  visibility: row.visibility,
  repoAdminChangeTeamAccess: row.repo_admin_change_team_access === 1,
});

export async function loadOrganization(db: Reader, id: number): Promise<OrganizationView | undefined> {
  const row = await selectOrganizations(db).select(columns).where("o.id", "=", id).executeTakeFirst();
  return row && toView(row);
}

const byIds = compiled((db, given: Slots<{ ids: readonly number[] }>) =>
  selectOrganizations(db)
    .select(columns)
    .where((eb) => anyOf(db, eb.ref("o.id"), given.ids)),
);

/** One statement. */
export async function loadOrganizationsById(db: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, OrganizationView>> {
  if (ids.length === 0) return new Map();
  const rows = await byIds(db, { ids: [...new Set(ids)] });
  return new Map(rows.map((row) => [row.id, toView(row)]));
}

/** A query for the ids of an account's organizations. */
export const organizationIdsOf = (accountId: number): RawBuilder<unknown> => sql`select v.org_id from organization_members v where v.account_id = ${accountId}`;

/** Those whose membership is public, or that the viewer belongs to. */
export const shownOrganizationIdsOf = (accountId: number, viewerId: number): RawBuilder<unknown> =>
  sql`select m.org_id from organization_members m where m.account_id = ${accountId} and (m.is_public = 1 or m.org_id in (${organizationIdsOf(viewerId)}))`;

export async function mayCreateOrganizations(db: Reader, accountId: number): Promise<boolean> {
  const row = await db.sql.selectFrom("accounts").select("allow_create_organization").where("id", "=", accountId).executeTakeFirst();
  return row?.allow_create_organization === 1;
}

/** Creates the team whose members own the organization. It has every repository and every right. */
export async function insertOwnersTeam(tx: Tx, orgId: number, ownerId: number): Promise<void> {
  const { id } = await tx.sql
    .insertInto("teams")
    .values({
      org_id: orgId,
      name: "Owners",
      name_folded: "owners",
      description: "",
      mode: "owner",
      includes_all_repositories: 1,
      can_create_org_repo: 1,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await tx.sql.insertInto("team_members").values({ team_id: id, account_id: ownerId, org_id: orgId }).execute();
  await tx.sql.insertInto("organization_members").values({ org_id: orgId, account_id: ownerId, is_public: 0 }).execute();
}

/** Number of repositories of an organization. */
export async function countRepositories(db: Reader, orgId: number): Promise<number> {
  const { total } = await db.sql
    .selectFrom("repositories")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("owner_id", "=", orgId)
    .where("deleted_ms", "is", null)
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** Organizations of which an account is the only owner. */
export async function listSolelyOwned(db: Reader, accountId: number): Promise<readonly { readonly id: number; readonly name: string }[]> {
  const rows = await db.sql
    .selectFrom("teams as t")
    .innerJoin("team_members as tm", "tm.team_id", "t.id")
    .innerJoin("accounts as o", "o.id", "t.org_id")
    .select(["o.id", "o.name"])
    .where("t.mode", "=", "owner")
    .where("tm.account_id", "=", accountId)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom("team_members as other").select("other.account_id").whereRef("other.team_id", "=", "t.id").where("other.account_id", "<>", accountId),
        ),
      ),
    )
    .execute();
  return rows;
}

/** Deletes all of an account's memberships. */
export async function deleteMemberships(tx: Tx, accountId: number): Promise<void> {
  await tx.sql.deleteFrom("team_members").where("account_id", "=", accountId).execute();
  await tx.sql.deleteFrom("organization_members").where("account_id", "=", accountId).execute();
}

/** A user, or the owners of an organization. One statement. */
export async function listOwners(db: Reader, accountId: number): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`select id from accounts where id = ${accountId} and kind = 'user'
    union select tm.account_id from teams t join team_members tm on tm.team_id = t.id where t.org_id = ${accountId} and t.mode = 'owner'`.execute(db.sql);
  return rows.map(({ id }) => id);
}
