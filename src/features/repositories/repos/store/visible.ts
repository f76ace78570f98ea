import { type RawBuilder, type SqlBool, sql } from "kysely";
import { type Actor, isSiteAdmin, isUser, limitOf, seesPrivate } from "../../../../access/actor.ts";

/**
 * The repositories that an actor can read, as a condition on the aliases `r` (repositories) and `o` (their owners). It is equivalent to
 * `evaluateRepositoryRight`, so that lists, counts and look-ups agree. Every list of repositories or of their contents uses it in SQL.
 */
export function visibleTo(actor: Actor): RawBuilder<SqlBool> {
  if (!isUser(actor)) return sql`(r.deleted_ms is null and r.is_private = 0 and o.visibility = 'public')`;
  const exists = sql`r.deleted_ms is null${seesPrivate(actor) ? sql`` : sql` and r.is_private = 0 and o.visibility <> 'private'`}${named(actor)}`;
  if (isSiteAdmin(actor)) return sql`(${exists})`;
  const open = sql`r.is_private = 0 and o.visibility <> 'private'`;
  return sql`(${exists} and (${actor.isRestricted ? sql`` : sql`${open} or `}${givenTo(actor.id)}))`;
}

/** The permitted repositories of a token that is limited to some. */
function named(actor: Actor): RawBuilder<unknown> {
  const limit = limitOf(actor);
  return limit === undefined ? sql`` : sql` and r.id in (select tr.repo_id from access_token_repositories tr where tr.token_id = ${limit.tokenId})`;
}

/** The repositories that an account owns or has access to: as a collaborator, through a team, or as a member of the owning organization. */
export const givenTo = (accountId: number): RawBuilder<SqlBool> => sql`(
  r.owner_id = ${accountId}
  or ${sharedWith(accountId)}
  or (r.is_private = 0 and r.owner_id in (select m.org_id from organization_members m where m.account_id = ${accountId}))
  or r.owner_id in (select t.org_id from teams t join team_members tm on tm.team_id = t.id
    where tm.account_id = ${accountId} and (t.mode = 'owner' or t.includes_all_repositories = 1) and ${grants})
  or (r.id, r.owner_id) in (select tr.repo_id, t.org_id from team_repositories tr join teams t on t.id = tr.team_id join team_members tm on tm.team_id = t.id
    where tm.account_id = ${accountId} and ${grants}))`;

/** The repositories of which an account is a collaborator. */
export const sharedWith = (accountId: number): RawBuilder<SqlBool> => sql`r.id in (select c.repo_id from collaborators c where c.account_id = ${accountId})`;

/** Whether a team `t` grants any access. */
const grants = sql`(t.mode <> 'none' or exists (select 1 from team_units u where u.team_id = t.id and u.mode <> 'none'))`;
