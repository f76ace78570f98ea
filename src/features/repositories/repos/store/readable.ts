import { sql } from "kysely";
import type { Actor } from "../../../../access/actor.ts";
import { foldName } from "../../../../core/names.ts";
import type { Reader } from "../../../../db/db.ts";
import { type LocatedRepository, selectLocated, toLocated } from "./located.ts";
import { visibleTo } from "./visible.ts";

/** Filters for repositories; omitted ones do not apply. */
export interface ReadableFilter {
  readonly ownerId?: number | undefined;
  /** Only repositories of a team with this name, in an organization that the actor belongs to. */
  readonly team?: string | undefined;
  /** Only repositories that have had issues or pull requests. */
  readonly hasIssues?: boolean | undefined;
}

/** Repositories that an actor can read, with the facts about the actor. One statement. */
export async function locateReadable(db: Reader, actor: Actor, actorId: number, filter: ReadableFilter): Promise<readonly LocatedRepository[]> {
  let query = selectLocated(db, sql<number>`${actorId}`).where(visibleTo(actor));
  if (filter.ownerId !== undefined) query = query.where("r.owner_id", "=", filter.ownerId);
  if (filter.hasIssues === true) query = query.where("r.last_issue_number", ">", 0);
  if (filter.team !== undefined)
    query = query.where(sql<boolean>`exists (select 1 from teams t join organization_members tm on tm.org_id = t.org_id and tm.account_id = ${actorId}
      where t.org_id = r.owner_id and t.name_folded = ${foldName(filter.team)} and (t.mode = 'owner' or t.includes_all_repositories = 1
      or exists (select 1 from team_repositories tr where tr.team_id = t.id and tr.repo_id = r.id)))`);
  return (await query.execute()).map(toLocated);
}
