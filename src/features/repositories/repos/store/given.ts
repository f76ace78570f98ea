import { type RawBuilder, sql } from "kysely";
import type { UserActor } from "../../../../access/actor.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Reader } from "../../../../db/db.ts";
import { type CountedRow, readCounted } from "./counted-page.ts";
import { searchRepositoryIds } from "./search.ts";
import { givenTo, hasAllOf, readableUnits, sharedIds, visibleIfGiven, visibleTo } from "./visible.ts";

/**
 * Ids of the repositories that an actor owns or has access to, last updated first. One statement. An index yields the first owned ones in this order, and
 * those of organizations that were updated since.
 */
export async function firstGivenIds(db: Reader, actor: UserActor, limit: number): Promise<readonly number[]> {
  const { rows } = await firstGiven(db, actor, limit).execute(db.sql);
  return rows.map(({ id }) => Number(id));
}

function firstGiven(db: Reader, actor: UserActor, limit: number): RawBuilder<{ readonly id: number }> {
  const order = sql`r.updated_ms desc, r.id desc`;
  const since = sql`coalesce((select min(updated_ms) from own having count(*) >= ${limit}), 0)`;
  return sql<{ id: number }>`with own as materialized (
      select r.id, r.updated_ms from repositories r where r.owner_id = ${actor.id} and ${isGiven(actor)} order by ${order} limit ${limit}),
    candidates (id) as (select id from own
      union select p.id from organization_members m cross join repositories p where m.account_id = ${actor.id} and p.owner_id = m.org_id and p.updated_ms >= ${since}
      union ${sharedIds(actor.id)})
    select r.id from candidates c ${givenCandidates(db, actor)} order by ${order} limit ${limit}`;
}

/** The name of a repository, and its owner. */
export interface GivenPlace {
  readonly id: number;
  readonly ownerId: number;
  readonly fullName: string;
}

/** Those of {@link firstGivenIds} whose issues or pull requests the actor can read. One statement. */
export async function firstGivenPlaces(db: Reader, actor: UserActor, kind: "issues" | "pulls", limit: number): Promise<readonly GivenPlace[]> {
  const { rows } = await sql<GivenPlace>`select r.id, r.owner_id as "ownerId", o.name || '/' || r.name as "fullName"
    from (${firstGiven(db, actor, limit)}) first join repositories r on r.id = first.id join accounts o on o.id = r.owner_id
    where ${readableUnits(actor, {})[kind]} order by r.updated_ms desc, r.id desc`.execute(db.sql);
  return rows.map((row) => ({ ...row, id: Number(row.id), ownerId: Number(row.ownerId) }));
}

/**
 * The number of repositories that an actor owns or has access to. One statement. Those of the actor and of organizations whose repositories are all given
 * to them are counted in an index; the rights on others are checked.
 */
export async function countGiven(db: Reader, actor: UserActor): Promise<number> {
  const { rows } = await sql<{ n: number }>`select ${numberOfGiven(actor)} as n`.execute(db.sql);
  return Number(rows[0]?.n);
}

function numberOfGiven(actor: UserActor): RawBuilder<unknown> {
  const countOf = (condition: RawBuilder<unknown>): RawBuilder<unknown> => sql`(select count(*) from repositories r where ${condition})`;
  const ofMembership = sql`r.owner_id = m.org_id`;
  const isMember = sql`exists (select 1 from organization_members m where ${ofMembership} and m.account_id = ${actor.id})`;
  return sql`${countOf(sql`r.owner_id = ${actor.id} and ${visibleIfGiven(actor)}`)}
    + (select coalesce(sum(case when ${hasAllOf(actor.id)} then ${countOf(sql`${ofMembership} and ${visibleIfGiven(actor)}`)}
      else ${countOf(sql`${ofMembership} and ${isGiven(actor)}`)} end), 0) from organization_members m where m.account_id = ${actor.id})
    + ${countOf(sql`r.id in (${sharedIds(actor.id)}) and r.owner_id <> ${actor.id} and not ${isMember} and ${isGiven(actor)}`)}`;
}

/**
 * A page of the repositories that an actor owns or has access to, by name, and their number. SQLite reads the names of each owner from an index, and checks
 * the rights in the order of names until the page is full. PostgreSQL takes longer to plan this than to sort all of them. One statement, or two after the
 * last page.
 */
export function pageGivenByName(db: Reader, actor: UserActor, page: Page): Promise<Paged<number>> {
  const accessible = { accountId: actor.id, includesOwn: true, includesTeams: true };
  if (db.dialect === "postgres") return searchRepositoryIds(db, actor, { accessible, sort: "name", direction: "asc" }, page);
  const select = sql`select p.id, p.name_folded from`;
  const named = sql`repositories p indexed by repositories_name`;
  // SQLite keeps the order of a subquery with a limit. Its own order would make the statement sort again, after the rights on all were checked.
  const candidates = sql`${select} ${named} where p.owner_id = ${actor.id} and p.deleted_ms is null
    union ${select} organization_members m cross join ${named} where m.account_id = ${actor.id} and p.owner_id = m.org_id and p.deleted_ms is null
    union ${select} (${sharedIds(actor.id)}) s cross join repositories p where p.id = s.repo_id and p.deleted_ms is null
    order by name_folded, id limit -1`;
  return readCounted(page, async ({ limit, offset }) => {
    const { rows } = await sql<CountedRow>`select r.id, (${numberOfGiven(actor)}) as total from (${candidates}) c ${givenCandidates(db, actor)}
      limit ${limit} offset ${offset}`.execute(db.sql);
    return rows;
  });
}

const isGiven = (actor: UserActor): RawBuilder<unknown> => sql`${givenTo(actor.id)} and ${visibleTo(actor)}`;

/** Joins candidates `c` with their repositories `r`. PostgreSQL cannot estimate the conditions, and would read all repositories without the subquery. */
const givenCandidates = (db: Reader, actor: UserActor): RawBuilder<unknown> =>
  db.dialect === "sqlite"
    ? sql`cross join repositories r where r.id = c.id and ${isGiven(actor)}`
    : sql`cross join lateral (select r.id, r.updated_ms from repositories r where r.id = c.id and ${isGiven(actor)} offset 0) r`;
