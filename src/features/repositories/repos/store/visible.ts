import { type RawBuilder, type SqlBool, sql } from "kysely";
import { type Actor, isSiteAdmin, isUser, limitOf, seesPrivate, type UserActor } from "../../../../access/actor.ts";
import { foldName } from "../../../../core/names.ts";

/** Values of `repositories.audience`, `issue_audience` and `pull_audience`. */
const audiences = { granted: 1, users: 2, everyone: 3 } as const;

/**
 * The repositories `r` that an actor can read, as a condition. It is equivalent to `evaluateRepositoryRight`, so that lists, counts and
 * look-ups agree. Every list of repositories or of their contents uses it in SQL.
 */
export const visibleTo = (actor: Actor): RawBuilder<SqlBool> => readable(actor, sql`r.audience`, grants);

/**
 * @param column the audience; a unary plus keeps it from choosing the index, which has to yield the order of the list
 * @param granted condition on a team `t`
 */
function readable(actor: Actor, column: RawBuilder<unknown>, granted: RawBuilder<unknown>): RawBuilder<SqlBool> {
  const audience = sql`+${column}`;
  if (!isUser(actor)) return sql`(${audience} >= ${audiences.everyone})`;
  const least = leastOf(actor);
  if (isSiteAdmin(actor)) return sql`(${audience} >= ${least}${named(actor)})`;
  const given = sql`(${audience} >= ${least} and ${givenBy(actor.id, granted)})`;
  return actor.isRestricted ? sql`(${given}${named(actor)})` : sql`((${audience} >= ${audiences.users} or ${given})${named(actor)})`;
}

/** As {@link visibleTo}, for repositories `r` that meet {@link givenTo}. An index has all its columns. */
export const visibleIfGiven = (actor: UserActor): RawBuilder<SqlBool> => sql`r.audience >= ${leastOf(actor)}${named(actor)}`;

/** Whether a team of an organization `m.org_id` gives an account access to all of its repositories. */
export const hasAllOf = (accountId: number): RawBuilder<SqlBool> => sql`exists (select 1 from team_members tm join teams t on t.id = tm.team_id
  where tm.org_id = m.org_id and tm.account_id = ${accountId} and ${grants} and (t.mode = 'owner' or t.includes_all_repositories = 1))`;

const leastOf = (actor: UserActor): number => (seesPrivate(actor) ? audiences.granted : audiences.users);

/** The permitted repositories of a token that is limited to some. */
function named(actor: Actor): RawBuilder<unknown> {
  const limit = limitOf(actor);
  return limit === undefined ? sql`` : sql` and r.id in (${namedIds(limit.tokenId)})`;
}

const namedIds = (tokenId: number): RawBuilder<unknown> => sql`select tr.repo_id from access_token_repositories tr where tr.token_id = ${tokenId}`;

/** The repositories that an account owns or has access to: as a collaborator, through a team, or as a member of the owning organization. */
export const givenTo = (accountId: number): RawBuilder<SqlBool> => givenBy(accountId, grants);

/**
 * Looks up the grants of one repository: reading all grants of the account first costs more than a page of repositories.
 * @param granted condition on a team `t`
 */
const givenBy = (accountId: number, granted: RawBuilder<unknown>): RawBuilder<SqlBool> => sql`(
  r.owner_id = ${accountId}
  or ${sharedWith(accountId)}
  or (r.is_private = 0 and exists (select 1 from organization_members m where m.org_id = r.owner_id and m.account_id = ${accountId}))
  or exists (select 1 from team_members tm join teams t on t.id = tm.team_id
    where tm.org_id = r.owner_id and tm.account_id = ${accountId} and ${granted} and (t.mode = 'owner' or t.includes_all_repositories = 1
    or exists (select 1 from team_repositories tr where tr.team_id = t.id and tr.repo_id = r.id))))`;

/** The repositories of which an account is a collaborator. */
export const sharedWith = (accountId: number): RawBuilder<SqlBool> =>
  sql`exists (select 1 from collaborators c where c.repo_id = r.id and c.account_id = ${accountId})`;

/** Whether a team `t` grants any access. */
const grants = sql`(t.mode <> 'none' or exists (select 1 from team_units u where u.team_id = t.id and u.mode <> 'none'))`;

/** The repositories whose issues and pull requests an actor can read, as conditions on a repository `r`. They do not need its owner. */
export interface ReadableUnits {
  readonly issues: RawBuilder<SqlBool>;
  readonly pulls: RawBuilder<SqlBool>;
  /** The least audience of which the actor reads all repositories; undefined if each one is among the candidates. */
  readonly leastAudience: number | undefined;
  /** An indexed condition that all other readable repositories meet; undefined if there are none. */
  readonly candidates: RawBuilder<SqlBool> | undefined;
}

export interface ReadableFilter {
  readonly ownerId?: number | undefined;
  /** Only repositories of a team with this name, in an organization that the actor belongs to. */
  readonly team?: string | undefined;
  /** Only these repositories, and those of these owners. */
  readonly among?: { readonly ownerIds: readonly number[]; readonly repositoryIds: readonly number[] } | undefined;
}

export function readableUnits(actor: Actor, filter: ReadableFilter): ReadableUnits {
  const chosen = isChosen(actor, filter);
  const and = chosen === undefined ? sql`` : sql` and ${chosen}`;
  const candidates = chosen ?? candidatesOf(actor);
  return {
    issues: sql`(${readableUnit(actor, "repo.issues")}${and})`,
    pulls: sql`(${readableUnit(actor, "repo.pulls")}${and})`,
    leastAudience: chosen === undefined ? leastAudience(actor) : undefined,
    candidates,
  };
}

function isChosen(actor: Actor, { ownerId, team, among }: ReadableFilter): RawBuilder<SqlBool> | undefined {
  if (among !== undefined) return sql`(r.owner_id in (${listed(among.ownerIds)}) or r.id in (${listed(among.repositoryIds)}))`;
  if (ownerId === undefined) return undefined;
  if (team === undefined) return sql`r.owner_id = ${ownerId}`;
  const actorId = isUser(actor) ? actor.id : 0;
  return sql`(r.owner_id = ${ownerId}
    and exists (select 1 from teams t join organization_members tm on tm.org_id = t.org_id and tm.account_id = ${actorId}
      where t.org_id = r.owner_id and t.name_folded = ${foldName(team)} and (t.mode = 'owner' or t.includes_all_repositories = 1
      or exists (select 1 from team_repositories tr where tr.team_id = t.id and tr.repo_id = r.id))))`;
}

const listed = (ids: readonly number[]): RawBuilder<unknown> => sql.join(ids.length === 0 ? [sql`0`] : ids.map((id) => sql`${id}`));

export function leastAudience(actor: Actor): number | undefined {
  if (!isUser(actor)) return audiences.everyone;
  if (limitOf(actor) !== undefined) return undefined;
  if (isSiteAdmin(actor)) return leastOf(actor);
  return actor.isRestricted ? undefined : audiences.users;
}

export function candidatesOf(actor: Actor): RawBuilder<SqlBool> | undefined {
  const ids = grantedIds(actor);
  return ids === undefined ? undefined : sql`r.id in (${ids})`;
}

/** A query for the ids of all repositories that an actor can read by a grant alone; undefined if they need none. */
export function grantedIds(actor: Actor): RawBuilder<unknown> | undefined {
  if (!isUser(actor)) return undefined;
  const limit = limitOf(actor);
  if (limit !== undefined) return namedIds(limit.tokenId);
  return isSiteAdmin(actor) ? undefined : givenIds(actor.id, leastAudience(actor));
}

/** Like {@link visibleTo}, for one unit. */
const readableUnit = (actor: Actor, unit: "repo.issues" | "repo.pulls"): RawBuilder<SqlBool> =>
  readable(actor, unit === "repo.issues" ? sql`r.issue_audience` : sql`r.pull_audience`, grantsUnit(unit));

/** Like {@link visibleTo}, for runs of workflows: a team has to grant the unit. Repositories without Actions are not excluded. */
export const actionsVisibleTo = (actor: Actor): RawBuilder<SqlBool> => readable(actor, sql`r.audience`, grantsUnit("repo.actions"));

/** Whether a team `t` grants access to a unit. */
const grantsUnit = (unit: string): RawBuilder<unknown> =>
  sql`(t.mode <> 'none' or exists (select 1 from team_units u where u.team_id = t.id and u.unit = ${unit} and u.mode <> 'none'))`;

/**
 * Ids of all repositories that {@link givenTo} can hold for, read from the indexes of an account's grants.
 * @param below only those with a smaller audience have to be included: all others are known to be readable
 */
export function givenIds(accountId: number, below?: number): RawBuilder<unknown> {
  const isWanted = below === undefined ? sql`` : sql` and p.audience < ${below}`;
  return sql`
  select p.id from repositories p where p.owner_id = ${accountId}${isWanted}
  union select p.id from organization_members m join repositories p on p.owner_id = m.org_id${isWanted} where m.account_id = ${accountId}
  union ${sharedIds(accountId)}`;
}

/** Ids of the repositories that an account has access to as a collaborator, or through a team with chosen repositories. */
export const sharedIds = (accountId: number): RawBuilder<unknown> => sql`select c.repo_id from collaborators c where c.account_id = ${accountId}
  union select tr.repo_id from team_members tm join team_repositories tr on tr.team_id = tm.team_id where tm.account_id = ${accountId}`;
