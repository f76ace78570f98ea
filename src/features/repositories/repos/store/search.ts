import { type RawBuilder, type SqlBool, sql } from "kysely";
import { type Actor, isUser } from "../../../../access/actor.ts";
import { foldName } from "../../../../core/names.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Reader } from "../../../../db/db.ts";
import { candidatesOf, givenIds, givenTo, leastAudience, sharedWith, visibleTo } from "./visible.ts";

export type RepositorySort = "alpha" | "created" | "updated" | "size" | "git_size" | "lfs_size" | "stars" | "forks" | "id";
export type RepositoryKind = "source" | "fork" | "mirror";

/** Omitted filters do not apply. */
export interface RepositoryFilter {
  /** Names and descriptions are searched together with topics; `topics` requires a topic of exactly this name. */
  readonly text?: { readonly value: string; readonly within: "names" | "names and descriptions" | "topics" };
  readonly ownerId?: number;
  /** Repositories of an account and those shared with it. */
  readonly accessible?: AccessibleFilter;
  readonly kind?: RepositoryKind;
  /** Forks of this repository. */
  readonly forkOf?: number;
  readonly isPrivate?: boolean;
  readonly isTemplate?: boolean;
  readonly isArchived?: boolean;
  /** Only public repositories of public owners, regardless of the actor's permissions. */
  readonly isOpenOnly?: boolean;
  readonly starredBy?: number;
  readonly teamId?: number;
  /** The owner whose repositories are listed first. */
  readonly priorityOwnerId?: number;
  readonly sort: RepositorySort;
  readonly direction: "asc" | "desc";
}

export interface AccessibleFilter {
  readonly accountId: number;
  readonly includesOwn: boolean;
  /** Includes repositories through teams and memberships. This reveals memberships, so it is only for the account itself. */
  readonly includesTeams: boolean;
}

/** Escapes LIKE wildcards with `\`. */
const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`;
const contains = (column: RawBuilder<unknown>, text: string): RawBuilder<SqlBool> => sql`${column} like ${likePattern(foldName(text))} escape '\\'`;

interface Order {
  /** Tables in the order in which SQLite reads them, so that an index yields the order. */
  readonly from: (join: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** The last key is unique. */
  readonly keys: readonly RawBuilder<unknown>[];
}

const repositories = () => sql`repositories r`;
const byId = sql`r.id`;
const bySize: Order = { from: (join) => sql`git_stores s ${join} repositories r on r.code_store_id = s.id`, keys: [sql`s.size_bytes`, sql`s.id`] };
const orders: Readonly<Record<RepositorySort, Order>> = {
  alpha: {
    from: (join) => sql`accounts o ${join} repositories r on r.owner_id = o.id and r.deleted_ms is null`,
    keys: [sql`o.name_folded`, sql`r.name_folded`],
  },
  created: { from: repositories, keys: [sql`r.created_ms`, byId] },
  updated: { from: repositories, keys: [sql`r.updated_ms`, byId] },
  size: bySize,
  git_size: bySize,
  // The size of Git LFS files is not stored separately yet.
  lfs_size: { from: repositories, keys: [byId] },
  stars: { from: repositories, keys: [sql`r.stars_count`, byId] },
  forks: { from: repositories, keys: [sql`r.forks_count`, byId] },
  id: { from: repositories, keys: [byId] },
};

/**
 * Ids of a page of the repositories that an actor can read, and their total number. At most two statements.
 * A list without filters has a stored total and is read from the nearer end through the index of its order. Filters by account, team or
 * parent read the index of these; all other filters check each repository.
 */
export async function searchRepositoryIds(db: Reader, actor: Actor, filter: RepositoryFilter, page: Page): Promise<Paged<number>> {
  const narrow = candidatesBy(filter);
  const known = narrow === undefined && isUnfiltered(filter) ? await countVisible(db, actor, filter.isOpenOnly === true) : undefined;
  const isFew = known !== undefined && known.visible * known.visible < nearerEnd(page, known.visible) * known.all;
  const candidates = narrow ?? (isFew || leastAudience(actor) === undefined ? readableCandidates(actor, filter.isOpenOnly === true) : undefined);
  const conditions = [...(candidates === undefined ? [] : [candidates]), visibleTo(actor), ...conditionsOf(filter, actor)];
  if (known !== undefined) return pageOfKnown(db, { filter, conditions }, page, known.visible);
  const items = await readIds(db, { filter, conditions }, filter.direction, page);
  if (items.length < page.limit && (items.length > 0 || page.offset === 0)) return { items, total: page.offset + items.length };
  const { rows } = await sql<{ total: number }>`select count(*) as total from repositories r join accounts o on o.id = r.owner_id
    where ${sql.join(conditions, sql` and `)}`.execute(db.sql);
  return { items, total: Number(rows[0]?.total ?? 0) };
}

interface Query {
  readonly filter: RepositoryFilter;
  readonly conditions: readonly RawBuilder<SqlBool>[];
}

const opposite = { asc: "desc", desc: "asc" } as const;

async function pageOfKnown(db: Reader, query: Query, { limit, offset }: Page, total: number): Promise<Paged<number>> {
  const { direction } = query.filter;
  const rest = total - offset;
  if (rest <= 0) return { items: [], total };
  if (offset <= total / 2) return { items: await readIds(db, query, direction, { limit, offset }), total };
  const items = await readIds(db, query, opposite[direction], { limit: Math.min(limit, rest), offset: Math.max(0, rest - limit) });
  return { items: items.toReversed(), total };
}

/** Number of repositories that a page reads. */
const nearerEnd = ({ limit, offset }: Page, total: number): number => Math.min(offset, Math.max(0, total - offset)) + limit;

async function readIds(
  db: Reader,
  { filter, conditions }: Query,
  direction: "asc" | "desc",
  { limit, offset }: Pick<Page, "limit" | "offset">,
): Promise<readonly number[]> {
  const { from, keys } = orders[filter.sort];
  const way = direction === "asc" ? sql`asc` : sql`desc`;
  const first = filter.priorityOwnerId === undefined ? [] : [sql`case when r.owner_id = ${filter.priorityOwnerId} then 0 else 1 end`];
  const order = sql.join([...first, ...keys.map((key) => sql`${key} ${way}`)]);
  const owners = filter.sort !== "alpha" && needsOwner(filter) ? sql` join accounts o on o.id = r.owner_id` : sql``;
  const { rows } = await sql<{
    id: number;
  }>`select r.id from ${from(db.dialect === "sqlite" ? sql`cross join` : sql`join`)}${owners} where ${sql.join(conditions, sql` and `)}
    order by ${order} limit ${limit} offset ${offset}`.execute(db.sql);
  return rows.map(({ id }) => Number(id));
}

/** Whether a condition uses the owner `o`. */
const needsOwner = ({ text }: RepositoryFilter): boolean => text !== undefined && text.within !== "topics";

const isUnfiltered = ({ text, kind, isPrivate, isTemplate, isArchived, priorityOwnerId }: RepositoryFilter): boolean =>
  [text, kind, isPrivate, isTemplate, isArchived, priorityOwnerId].every((part) => part === undefined);

/** An indexed condition that all repositories of a filter by account, team or parent meet; undefined without such a filter. */
function candidatesBy({ ownerId, accessible: access, forkOf, starredBy, teamId }: RepositoryFilter): RawBuilder<SqlBool> | undefined {
  if (ownerId !== undefined) return sql`r.owner_id = ${ownerId}`;
  if (access !== undefined) return sql`r.id in (${givenIds(access.accountId)})`;
  if (forkOf !== undefined) return sql`r.fork_of = ${forkOf}`;
  if (starredBy !== undefined) return sql`r.id in (select st.repo_id from stars st where st.account_id = ${starredBy})`;
  return teamId === undefined ? undefined : sql`r.owner_id = (select t.org_id from teams t where t.id = ${teamId})`;
}

/** An indexed condition that all repositories meet that an actor can read. */
function readableCandidates(actor: Actor, isOpenOnly: boolean): RawBuilder<SqlBool> {
  const least = leastAudience(actor);
  const granted = candidatesOf(actor);
  if (isOpenOnly && least !== undefined) return sql`r.audience = 3`;
  if (least === undefined) return granted ?? sql`1 = 1`;
  const byAudience = sql`select a.id from repositories a where a.audience >= ${least}`;
  return granted === undefined ? sql`r.id in (${byAudience})` : sql`(r.id in (${byAudience}) or ${granted})`;
}

/** The number of repositories that an actor can read, and of all repositories. One statement. */
async function countVisible(db: Reader, actor: Actor, isOpenOnly: boolean): Promise<{ readonly visible: number; readonly all: number }> {
  const least = leastAudience(actor);
  const candidates = candidatesOf(actor);
  const stored = isOpenOnly && least !== undefined ? 3 : least;
  const byAudience = stored === undefined ? sql`0` : sql`(select coalesce(sum(n), 0) from repository_totals where audience >= ${stored})`;
  const isUnstored = stored === undefined ? sql`` : sql` and r.audience < ${stored}`;
  const isOpen = isOpenOnly ? sql` and r.audience = 3` : sql``;
  const byGrant =
    candidates === undefined ? sql`0` : sql`(select count(*) from repositories r where ${candidates}${isUnstored}${isOpen} and ${visibleTo(actor)})`;
  const { rows } = await sql<{ visible: number; everything: number }>`select ${byAudience} + ${byGrant} as visible,
    (select coalesce(sum(n), 0) from repository_totals) as everything`.execute(db.sql);
  return { visible: Number(rows[0]?.visible ?? 0), all: Number(rows[0]?.everything ?? 0) };
}

/** A fork of a deleted repository becomes a fork again when the parent is restored. */
const isFork = sql<SqlBool>`(r.fork_of is not null and exists (select 1 from repositories p where p.id = r.fork_of and p.deleted_ms is null))`;

function* conditionsOf(filter: RepositoryFilter, actor: Actor): Generator<RawBuilder<SqlBool>> {
  if (filter.text !== undefined) yield matches(filter.text);
  if (filter.ownerId !== undefined) yield sql`r.owner_id = ${filter.ownerId}`;
  if (filter.accessible !== undefined) yield accessible(filter.accessible);
  if (filter.kind === "fork") yield isFork;
  if (filter.kind === "mirror") yield sql`r.is_mirror = 1`;
  if (filter.kind === "source") yield sql`not ${isFork} and r.is_mirror = 0`;
  if (filter.forkOf !== undefined) yield sql`r.fork_of = ${filter.forkOf}`;
  if (filter.isPrivate !== undefined) yield sql`r.is_private = ${filter.isPrivate ? 1 : 0}`;
  if (filter.isTemplate !== undefined) yield sql`r.is_template = ${filter.isTemplate ? 1 : 0}`;
  if (filter.isArchived !== undefined) yield sql`r.is_archived = ${filter.isArchived ? 1 : 0}`;
  if (filter.isOpenOnly === true) yield sql`r.audience = 3`;
  if (filter.starredBy !== undefined) yield sql`r.id in (select st.repo_id from stars st where st.account_id = ${filter.starredBy})`;
  if (filter.teamId !== undefined) yield ofTeam(filter.teamId, actor);
}

/** Each keyword adds conditions to the statement; further keywords are ignored. */
const maxKeywords = 20;

/** @compat commas separate keywords, of which one has to match (repos/api/descriptions.test.ts) */
function matches({ value, within }: NonNullable<RepositoryFilter["text"]>): RawBuilder<SqlBool> {
  const keywords = value.split(",", maxKeywords).filter((keyword) => keyword.trim() !== "");
  const found = (keywords.length === 0 ? [value] : keywords).map((keyword) => matchesKeyword(keyword.trim(), within));
  return sql`(${sql.join(found, sql` or `)})`;
}

function matchesKeyword(value: string, within: NonNullable<RepositoryFilter["text"]>["within"]): RawBuilder<SqlBool> {
  if (within === "topics") return hasTopic(sql`t.name = ${value.toLowerCase()}`);
  const [owner = "", name, ...more] = value.split("/");
  const byName = contains(sql`r.name_folded`, value);
  const byAddress = name === undefined || more.length > 0 ? sql`` : sql` or (${contains(sql`o.name_folded`, owner)} and ${contains(sql`r.name_folded`, name)})`;
  const byDescription = within === "names" ? sql`` : sql` or ${contains(sql`lower(r.description)`, value)}`;
  return sql`(${byName}${byAddress} or ${hasTopic(contains(sql`t.name`, value))}${byDescription})`;
}

/** The subqueries do not depend on the repository: topics are searched once, and an index leads to their repositories. */
const hasTopic = (isWanted: RawBuilder<SqlBool>): RawBuilder<SqlBool> =>
  sql`r.id in (select rt.repo_id from repository_topics rt where rt.topic_id in (select t.id from topics t where ${isWanted}))`;

function accessible({ accountId, includesOwn, includesTeams }: AccessibleFilter): RawBuilder<SqlBool> {
  const given = includesTeams ? givenTo(accountId) : sql<SqlBool>`(r.owner_id = ${accountId} or ${sharedWith(accountId)})`;
  return includesOwn ? given : sql`(r.owner_id <> ${accountId} and ${given})`;
}

/** The repositories of a team are only visible to members of its organization and to administrators. */
function ofTeam(teamId: number, actor: Actor): RawBuilder<SqlBool> {
  if (!isUser(actor)) return sql`1 = 0`;
  const isKnown = actor.isAdmin ? sql`1 = 1` : sql`exists (select 1 from organization_members m where m.org_id = t.org_id and m.account_id = ${actor.id})`;
  return sql`exists (select 1 from teams t where t.id = ${teamId} and t.org_id = r.owner_id and ${isKnown} and (t.mode = 'owner'
    or t.includes_all_repositories = 1 or exists (select 1 from team_repositories tr where tr.team_id = t.id and tr.repo_id = r.id)))`;
}
