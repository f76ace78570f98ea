import { type RawBuilder, sql } from "kysely";
import type { UserActor } from "../../../../access/actor.ts";
import type { Reader } from "../../../../db/db.ts";
import { givenIds, givenTo, sharedIds, visibleTo } from "./visible.ts";

/**
 * Ids of the repositories that an actor owns or has access to, last updated first. One statement. An index yields the first owned ones in this order, and
 * those of organizations that were updated since.
 */
export async function firstGivenIds(db: Reader, actor: UserActor, limit: number): Promise<readonly number[]> {
  const order = sql`r.updated_ms desc, r.id desc`;
  const since = sql`coalesce((select min(updated_ms) from own having count(*) >= ${limit}), 0)`;
  const { rows } = await sql<{ id: number }>`with own as materialized (
      select r.id, r.updated_ms from repositories r where r.owner_id = ${actor.id} and ${isGiven(actor)} order by ${order} limit ${limit}),
    candidates (id) as (select id from own
      union select p.id from organization_members m cross join repositories p where m.account_id = ${actor.id} and p.owner_id = m.org_id and p.updated_ms >= ${since}
      union ${sharedIds(actor.id)})
    select r.id from candidates c ${givenCandidates(db, actor)} order by ${order} limit ${limit}`.execute(db.sql);
  return rows.map(({ id }) => Number(id));
}

/** The number of repositories that an actor owns or has access to. One statement. */
export async function countGiven(db: Reader, actor: UserActor): Promise<number> {
  const { rows } = await sql<{ n: number }>`with candidates (id) as (${givenIds(actor.id)})
    select count(*) as n from candidates c ${givenCandidates(db, actor)}`.execute(db.sql);
  return Number(rows[0]?.n);
}

const isGiven = (actor: UserActor): RawBuilder<unknown> => sql`${givenTo(actor.id)} and ${visibleTo(actor)}`;

/** Joins candidates `c` with their repositories `r`. PostgreSQL cannot estimate the conditions, and would read all repositories without the subquery. */
const givenCandidates = (db: Reader, actor: UserActor): RawBuilder<unknown> =>
  db.dialect === "sqlite"
    ? sql`cross join repositories r where r.id = c.id and ${isGiven(actor)}`
    : sql`cross join lateral (select r.id, r.updated_ms from repositories r where r.id = c.id and ${isGiven(actor)} offset 0) r`;
