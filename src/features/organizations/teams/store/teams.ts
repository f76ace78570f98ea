import { type SqlBool, sql, type Updateable } from "kysely";
import type { Mode, Unit } from "../../../../access/repository.ts";
import { foldName } from "../../../../core/names.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import { anyOf } from "../../../../db/any-of.ts";
import type { Reader, Tx } from "../../../../db/db.ts";
import type { TeamsTable } from "../../../../db/tables/organizations.ts";
import type { TeamView } from "../model.ts";

/** A team with its organization and an actor's role in both. */
export interface LocatedTeam {
  readonly team: TeamView;
  readonly isTeamMember: boolean;
  readonly organization: {
    readonly id: number;
    readonly name: string;
    readonly visibility: "public" | "limited" | "private";
    readonly isMember: boolean;
    readonly isOwner: boolean;
  };
}

const columns = ["t.id", "t.org_id", "t.name", "t.description", "t.mode", "t.includes_all_repositories", "t.can_create_org_repo"] as const;

/** `unit=mode,...`. Unit and mode names contain neither separator. */
const grants = sql<string | null>`(select string_agg(u.unit || '=' || u.mode, ',') from team_units u where u.team_id = t.id)`;

interface TeamRow {
  readonly id: number;
  readonly org_id: number;
  readonly name: string;
  readonly description: string;
  readonly mode: TeamView["mode"];
  readonly includes_all_repositories: number;
  readonly can_create_org_repo: number;
  readonly grants: string | null;
}

const toView = (row: TeamRow): TeamView => ({
  id: row.id,
  orgId: row.org_id,
  name: row.name,
  description: row.description,
  mode: row.mode,
  units: parseGrants(row.grants ?? ""),
  includesAllRepositories: row.includes_all_repositories === 1,
  canCreateRepositories: row.can_create_org_repo === 1,
});

const parseGrants = (text: string): ReadonlyMap<Unit, Mode> =>
  new Map(
    (text === "" ? [] : text.split(",")).map((grant) => {
      const [unit, mode] = grant.split("=");
      return [unit as Unit, mode as Mode];
    }),
  );

/** One statement. */
export async function locateTeam(db: Reader, id: number, actorId: number): Promise<LocatedTeam | undefined> {
  const row = await db.sql
    .selectFrom("teams as t")
    .innerJoin("accounts as o", "o.id", "t.org_id")
    .leftJoin("organization_members as m", (join) => join.onRef("m.org_id", "=", "o.id").on("m.account_id", "=", actorId))
    .leftJoin("team_members as tm", (join) => join.onRef("tm.team_id", "=", "t.id").on("tm.account_id", "=", actorId))
    .select((eb) => [
      ...columns,
      grants.as("grants"),
      "o.name as org_name",
      "o.visibility",
      "m.account_id as member_id",
      "tm.account_id as team_member_id",
      eb
        .selectFrom("teams as ot")
        .innerJoin("team_members as otm", "otm.team_id", "ot.id")
        .select(eb.fn.countAll<number>().as("n"))
        .whereRef("ot.org_id", "=", "o.id")
        .where("ot.mode", "=", "owner")
        .where("otm.account_id", "=", actorId)
        .as("owner_teams"),
    ])
    .where("t.id", "=", id)
    .executeTakeFirst();
  return (
    row && {
      team: toView(row),
      isTeamMember: row.team_member_id !== null,
      organization: {
        id: row.org_id,
        name: row.org_name,
        visibility: row.visibility,
        isMember: row.member_id !== null,
        isOwner: Number(row.owner_teams) > 0,
      },
    }
  );
}

/** Absent fields do not filter. */
export interface TeamFilter {
  readonly orgId?: number;
  /** Only teams of this account. */
  readonly memberId?: number;
  /** Only teams that have this repository. */
  readonly repository?: { readonly id: number; readonly ownerId: number };
  readonly name?: string;
  readonly text?: { readonly value: string; readonly searchesDescriptions: boolean };
  /** Only teams of organizations that are not private. */
  readonly isOpenOnly?: boolean;
}

const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`;

function selectTeams(db: Reader, filter: TeamFilter) {
  let query = db.sql.selectFrom("teams as t");
  if (filter.orgId !== undefined) query = query.where("t.org_id", "=", filter.orgId);
  if (filter.name !== undefined) query = query.where("t.name_folded", "=", foldName(filter.name));
  if (filter.memberId !== undefined) {
    query = query.where(sql<SqlBool>`exists (select 1 from team_members tm where tm.team_id = t.id and tm.account_id = ${filter.memberId})`);
  }
  if (filter.repository !== undefined) {
    const { id, ownerId } = filter.repository;
    query = query.where(sql<SqlBool>`(t.org_id = ${ownerId} and (t.mode = 'owner' or t.includes_all_repositories = 1
      or exists (select 1 from team_repositories tr where tr.team_id = t.id and tr.repo_id = ${id})))`);
  }
  if (filter.text !== undefined) {
    const pattern = likePattern(foldName(filter.text.value));
    const inDescription = filter.text.searchesDescriptions ? sql` or lower(t.description) like ${pattern} escape '\\'` : sql``;
    query = query.where(sql<SqlBool>`(t.name_folded like ${pattern} escape '\\'${inDescription})`);
  }
  if (filter.isOpenOnly === true) query = query.where(sql<SqlBool>`t.org_id in (select o.id from accounts o where o.visibility <> 'private')`);
  return query;
}

const byName = (query: ReturnType<typeof selectTeams>) =>
  query
    .select([...columns, grants.as("grants")])
    .orderBy("t.name_folded")
    .orderBy("t.id");

const ownersFirst = (query: ReturnType<typeof selectTeams>) => byName(query.orderBy(sql`case when t.mode = 'owner' then 0 else 1 end`));

/** A page of teams by name; with `startsWithOwners` after the owners' team. At most two statements. */
export async function pageTeams(db: Reader, filter: TeamFilter, page: Page, { startsWithOwners = false } = {}): Promise<Paged<TeamView>> {
  const query = selectTeams(db, filter);
  const rows = await (startsWithOwners ? ownersFirst : byName)(query).limit(page.limit).offset(page.offset).execute();
  const items = rows.map(toView);
  if (items.length < page.limit && (items.length > 0 || page.offset === 0)) return { items, total: page.offset + items.length };
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  return { items, total: Number(total) };
}

/** All teams that match a filter. One statement. */
export async function listTeams(db: Reader, filter: TeamFilter): Promise<readonly TeamView[]> {
  return (await ownersFirst(selectTeams(db, filter)).execute()).map(toView);
}

/** Teams by id. One statement for any number. */
export async function loadTeamViews(db: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, TeamView>> {
  if (ids.length === 0) return new Map();
  const rows = await db.sql
    .selectFrom("teams as t")
    .select([...columns, grants.as("grants")])
    .where((eb) => anyOf(db, eb.ref("t.id"), ids))
    .execute();
  return new Map(rows.map((row) => [row.id, toView(row)]));
}

/** Numbers of members, and of repositories that were added individually, by team. One statement. */
export async function countContents(
  db: Reader,
  ids: readonly number[],
): Promise<ReadonlyMap<number, { readonly members: number; readonly repositories: number }>> {
  const rows = await db.sql
    .selectFrom("teams as t")
    .select((eb) => [
      "t.id",
      eb.selectFrom("team_members as tm").select(eb.fn.countAll<number>().as("n")).whereRef("tm.team_id", "=", "t.id").as("members"),
      eb.selectFrom("team_repositories as tr").select(eb.fn.countAll<number>().as("n")).whereRef("tr.team_id", "=", "t.id").as("repositories"),
    ])
    .where((eb) => anyOf(db, eb.ref("t.id"), ids))
    .execute();
  return new Map(rows.map((row) => [row.id, { members: Number(row.members), repositories: Number(row.repositories) }]));
}

export async function loadTeam(db: Reader, id: number): Promise<TeamView | undefined> {
  const row = await ownersFirst(db.sql.selectFrom("teams as t").where("t.id", "=", id)).executeTakeFirst();
  return row && toView(row);
}

/** Throws a unique violation for a name in use. */
export async function insertTeam(tx: Tx, team: Omit<TeamView, "id">): Promise<number> {
  const { id } = await tx.sql
    .insertInto("teams")
    .values({
      org_id: team.orgId,
      name: team.name,
      name_folded: foldName(team.name),
      description: team.description,
      mode: team.mode,
      includes_all_repositories: team.includesAllRepositories ? 1 : 0,
      can_create_org_repo: team.canCreateRepositories ? 1 : 0,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await insertUnits(tx, id, team.units);
  return id;
}

export async function updateTeam(tx: Tx, id: number, changes: Updateable<TeamsTable>): Promise<void> {
  await tx.sql.updateTable("teams").set(changes).where("id", "=", id).execute();
}

export async function replaceUnits(tx: Tx, id: number, units: TeamView["units"]): Promise<void> {
  await tx.sql.deleteFrom("team_units").where("team_id", "=", id).execute();
  await insertUnits(tx, id, units);
}

async function insertUnits(tx: Tx, id: number, units: TeamView["units"]): Promise<void> {
  if (units.size === 0) return;
  await tx.sql
    .insertInto("team_units")
    .values([...units].map(([unit, mode]) => ({ team_id: id, unit, mode })))
    .execute();
}

/** Its members, units and repositories are removed by foreign keys. */
export async function deleteTeam(tx: Tx, id: number): Promise<void> {
  await tx.sql.deleteFrom("teams").where("id", "=", id).execute();
}

/** Whether a repository was added to a team individually. */
export async function hasRepository(db: Reader, teamId: number, repoId: number): Promise<boolean> {
  const row = await db.sql.selectFrom("team_repositories").select("repo_id").where("team_id", "=", teamId).where("repo_id", "=", repoId).executeTakeFirst();
  return row !== undefined;
}

/** @returns whether it was added */
export async function insertTeamRepository(tx: Tx, teamId: number, repoId: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.sql
    .insertInto("team_repositories")
    .values({ team_id: teamId, repo_id: repoId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** @returns whether it was removed */
export async function deleteTeamRepository(tx: Tx, teamId: number, repoId: number): Promise<boolean> {
  const { numDeletedRows } = await tx.sql.deleteFrom("team_repositories").where("team_id", "=", teamId).where("repo_id", "=", repoId).executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
