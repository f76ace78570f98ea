import { type RawBuilder, type SqlBool, sql } from "kysely";
import { type Actor, isUser } from "../../../../access/actor.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import { anyOf } from "../../../../db/any-of.ts";
import type { Reader } from "../../../../db/db.ts";
import { type CountedRow, readCounted } from "./counted-page.ts";
import { candidatesOf, givenIds, givenTo, grantedIds, leastAudience, sharedWith, visibleIfGiven, visibleTo } from "./visible.ts";
import { type IndexedWords, isIndexed, matches, readWords, type SearchedText } from "./words.ts";

export type RepositorySort = "alpha" | "name" | "created" | "updated" | "size" | "git_size" | "lfs_size" | "stars" | "forks" | "id";
export type RepositoryKind = "source" | "fork" | "mirror";

/** Omitted filters do not apply. */
export interface RepositoryFilter {
  readonly text?: SearchedText | undefined;
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

interface Order {
  /** Tables in the order in which SQLite reads them, so that an index yields the order. */
  readonly from: (join: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** Join of the other table to a repository `r`. */
  readonly join: RawBuilder<unknown>;
  /** The last key is unique. */
  readonly keys: readonly RawBuilder<unknown>[];
}

const byId = sql`r.id`;
const ofRepository = { from: () => sql`repositories r`, join: sql`` };
const bySize: Order = {
  from: (join) => sql`git_stores s ${join} repositories r on r.code_store_id = s.id`,
  join: sql`join git_stores s on s.id = r.code_store_id`,
  keys: [sql`s.size_bytes`, sql`s.id`],
};
const orders: Readonly<Record<RepositorySort, Order>> = {
  alpha: {
    from: (join) => sql`accounts o ${join} repositories r on r.owner_id = o.id and r.deleted_ms is null`,
    join: sql`join accounts o on o.id = r.owner_id`,
    keys: [sql`o.name_folded`, sql`r.name_folded`],
  },
  name: { ...ofRepository, keys: [sql`r.name_folded`, byId] },
  created: { ...ofRepository, keys: [sql`r.created_ms`, byId] },
  updated: { ...ofRepository, keys: [sql`r.updated_ms`, byId] },
  size: bySize,
  git_size: bySize,
  // The size of Git LFS files is not stored separately yet.
  lfs_size: { ...ofRepository, keys: [byId] },
  stars: { ...ofRepository, keys: [sql`r.stars_count`, byId] },
  forks: { ...ofRepository, keys: [sql`r.forks_count`, byId] },
  id: { ...ofRepository, keys: [byId] },
};

/**
 * Ids of a page of the repositories that an actor can read, and their total number. At most five statements.
 * A list by kind and state has a stored total. It is read from the nearer end through the index of its order, or sorted if few repositories match.
 * Filters by account, team or parent read the index of these; a search reads the index of words, see {@link searchText}.
 */
export async function searchRepositoryIds(db: Reader, actor: Actor, filter: RepositoryFilter, page: Page): Promise<Paged<number>> {
  const { text, isOpenOnly = false, priorityOwnerId } = filter;
  const chosen = chosenIds(filter);
  if (chosen !== undefined) return pageAmong(db, actor, filter, chosen, page);
  const found = text === undefined ? undefined : await searchText(db, actor, { ...filter, text }, page);
  if (found !== undefined) return found;
  const readable = readableIds(actor, isOpenOnly, wantedTraits(filter));
  if (text !== undefined || leastAudience(actor) === undefined) return pageAmong(db, actor, filter, readable, page);
  const { visible, all } = await countVisible(db, actor, filter);
  const isFew = visible * visible < nearerEnd(page, visible) * all;
  if (isFew && page.offset < visible) return pageAmong(db, actor, filter, readable, page);
  const conditions = [visibleTo(actor), ...conditionsOf(filter, actor)];
  if (priorityOwnerId !== undefined) return pageAfterOwner(db, actor, { ...filter, priorityOwnerId }, page, visible);
  return pageOfKnown(db, { filter, conditions }, page, visible);
}

/** The repositories of an account, then all others. @param total the number of both */
async function pageAfterOwner(
  db: Reader,
  actor: Actor,
  filter: RepositoryFilter & { readonly priorityOwnerId: number },
  page: Page,
  total: number,
): Promise<Paged<number>> {
  const { priorityOwnerId, ...others } = filter;
  const own = await pageAmong(db, actor, { ...others, ownerId: priorityOwnerId }, ofOwner(priorityOwnerId), page);
  const rest = { ...page, limit: page.limit - own.items.length, offset: Math.max(0, page.offset - own.total) };
  if (rest.limit === 0) return { items: own.items, total };
  const conditions = [visibleTo(actor), ...conditionsOf(others, actor), sql<SqlBool>`r.owner_id <> ${priorityOwnerId}`];
  const { items } = await pageOfKnown(db, { filter: others, conditions }, rest, total - own.total);
  return { items: [...own.items, ...items], total };
}

/**
 * Sorts those of some repositories that match. One statement, or two after the last page. PostgreSQL cannot estimate the conditions: it would read all
 * repositories in the order of the list until the page is full. A subquery for each candidate reads these alone.
 * @param ids a query for their ids
 */
function pageAmong(db: Reader, actor: Actor, filter: RepositoryFilter, ids: RawBuilder<unknown>, page: Page): Promise<Paged<number>> {
  const isGiven = isUser(actor) && filter.accessible?.accountId === actor.id;
  const conditions = sql.join([isGiven ? visibleIfGiven(actor) : visibleTo(actor), ...conditionsOf(filter, actor)], sql` and `);
  const { join } = orders[filter.sort];
  const matching =
    db.dialect === "sqlite"
      ? sql`cross join repositories r on r.id = c.id ${join} where ${conditions}`
      : sql`cross join lateral (select r.* from repositories r where r.id = c.id and ${conditions} offset 0) r ${join}`;
  return readCounted(page, async ({ limit, offset }) => {
    const { rows } = await sql<CountedRow>`with candidates (id) as (${ids}) select r.id, count(*) over () as total from candidates c ${matching}
      order by ${orderOf(filter, filter.direction)} limit ${limit} offset ${offset}`.execute(db.sql);
    return rows;
  });
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
  const { rows } = await sql<{ id: number }>`select r.id from ${orders[filter.sort].from(inThisOrder(db))} where ${sql.join(conditions, sql` and `)}
    order by ${orderOf(filter, direction)} limit ${limit} offset ${offset}`.execute(db.sql);
  return rows.map(({ id }) => Number(id));
}

/** A join that SQLite does not reorder. */
const inThisOrder = (db: Reader): RawBuilder<unknown> => (db.dialect === "sqlite" ? sql`cross join` : sql`join`);

function orderOf({ sort, priorityOwnerId }: Pick<RepositoryFilter, "sort" | "priorityOwnerId">, direction: "asc" | "desc"): RawBuilder<unknown> {
  const way = direction === "asc" ? sql`asc` : sql`desc`;
  const first = priorityOwnerId === undefined ? [] : [sql`case when r.owner_id = ${priorityOwnerId} then 0 else 1 end`];
  return sql.join([...first, ...orders[sort].keys.map((key) => sql`${key} ${way}`)]);
}

/** Maximum number of results of a search. */
const maxFound = 500;
/** Maximum number of repositories that are compared with a frequent word, in the order of the list. */
const maxCompared = 1_000;

/**
 * Whether the readers of an audience can read so many repositories that finding {@link maxFound} of them in the index of words costs less than comparing each
 * one.
 */
const readsMany = (least: number): RawBuilder<SqlBool> => sql`(select coalesce(visible * visible >= ${maxFound} * everything, false)
  from (select sum(case when audience >= ${least} then n else 0 end) as visible, sum(n) as everything from repository_totals) t)`;

/**
 * Searches the index of words and sorts the newest {@link maxFound} matches. If there are more, or a word is too short for the index, the
 * first {@link maxCompared} repositories in the order of the list are compared too, so that the first results are those of a complete
 * search. If these fill the page, nothing is sorted. A late page of {@link maxFound} compared repositories does not read the index. Up to four
 * statements.
 * @returns undefined if the actor reads so few repositories that comparing each of them costs less
 */
async function searchText(
  db: Reader,
  actor: Actor,
  filter: RepositoryFilter & { readonly text: SearchedText },
  page: Page,
): Promise<Paged<number> | undefined> {
  const { text, priorityOwnerId } = filter;
  if (leastAudience(actor) === undefined) return undefined;
  const end = Math.min(page.offset + page.limit, maxFound);
  const isInOrder = priorityOwnerId === undefined;
  // A later page of a frequent word compares as many repositories as are found.
  const isLate = isInOrder && end > maxFound / 2;
  const first = isLate ? await readCompared(db, actor, filter, maxFound) : undefined;
  if (first !== undefined && first.length >= maxFound) return { items: first.slice(page.offset, end), total: maxFound };
  const isAll = isIndexed(text);
  // Compared repositories usually fill the first pages of a frequent word. Then its matches only have to be counted, and SQLite reads the oldest in
  // half the time.
  const isAnyOrder = isAll && isInOrder && !isLate && db.dialect === "sqlite";
  const indexed = await readIndexed(db, actor, filter, isAnyOrder ? "oldest" : "newest");
  if (indexed === undefined) return undefined;
  const isFrequent = indexed.length >= maxFound;
  if (isAll && !isFrequent) return pageOfFound(db, filter, indexed, page);
  const enough = isFrequent ? end : maxFound;
  const compared = first ?? (await readCompared(db, actor, filter, enough));
  if (isInOrder && compared.length >= enough) return { items: compared.slice(page.offset, end), total: maxFound };
  const newest = isAnyOrder ? await readIndexed(db, actor, filter, "newest") : indexed;
  return pageOfFound(db, filter, [...new Set([...(newest ?? []), ...compared])], page);
}

/**
 * Readable matches in the index of words, the first {@link maxFound} of each part of it. One statement, whose only row has all ids: PostgreSQL sends each row
 * in a message of its own.
 * @returns undefined, without reading the index, unless the actor {@link readsMany}
 */
async function readIndexed(
  db: Reader,
  actor: Actor,
  filter: RepositoryFilter & { readonly text: SearchedText },
  first: keyof IndexedWords["orders"],
): Promise<readonly number[] | undefined> {
  const { text, priorityOwnerId } = filter;
  const conditions = [visibleTo(actor), ...conditionsOf({ ...filter, text: undefined }, actor)];
  const parts = readWords(db, text).map(({ orders, ...index }) => readMatches(db, { ...index, order: orders[first] }, conditions));
  if (priorityOwnerId !== undefined) {
    const owned = { from: sql`repositories p`, where: sql`p.owner_id = ${priorityOwnerId}`, key: sql`p.id`, order: sql`p.id desc` };
    parts.push(readMatches(db, owned, [visibleTo(actor), ...conditionsOf(filter, actor)]));
  }
  const matching = parts.length === 0 ? sql`select r.id from repositories r where 1 = 0` : sql.join(parts, sql` union all `);
  const { rows } = await sql<{ ids: string | null }>`select case when ${readsMany(leastAudience(actor) ?? 0)}
    then (select coalesce(string_agg(cast(id as text), ','), '') from (${matching}) m) end as ids`.execute(db.sql);
  const ids = rows[0]?.ids ?? undefined;
  if (ids === undefined) return undefined;
  return ids === "" ? [] : [...new Set(ids.split(",").map(Number))];
}

type OrderedWords = Omit<IndexedWords, "orders"> & { readonly order: RawBuilder<unknown> };

/**
 * The first {@link maxFound} matches of an index whose repositories `r` meet all conditions. PostgreSQL cannot estimate the conditions: it would expect few
 * matches, and read and sort all of a frequent word. A subquery for each match, which it does not join in another way, leaves the choice to the
 * statistics of the words.
 */
function readMatches(db: Reader, { from, where, key, order }: OrderedWords, conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<unknown> {
  const isReadable = sql`r.id = ${key} and ${sql.join(conditions, sql` and `)}`;
  const joined =
    db.dialect === "sqlite"
      ? sql`repositories r where ${where} and ${isReadable}`
      : sql`lateral (select r.id from repositories r where ${isReadable} offset 0) r where ${where}`;
  return sql`select id from (select r.id from ${from} cross join ${joined} order by ${order} limit ${maxFound}) t`;
}

/** Readable matches among the first {@link maxCompared} repositories in the order of the list. One statement. */
async function readCompared(db: Reader, actor: Actor, filter: RepositoryFilter & { readonly text: SearchedText }, limit: number): Promise<readonly number[]> {
  const { sort, direction } = filter;
  // Most do not match, and SQLite checks conditions in this order.
  const conditions = sql.join([...conditionsOf(filter, actor), visibleTo(actor)], sql` and `);
  const { from } = orders[sort];
  const columns = db.dialect === "sqlite" ? byId : sql`r.*`;
  const first = sql`select ${columns} from ${from(inThisOrder(db))} order by ${orderOf({ sort }, direction)} limit ${maxCompared}`;
  // SQLite copies the rows of a limited subquery, which takes longer than looking them up.
  const compared = db.dialect === "sqlite" ? sql`(${first}) c cross join repositories r on r.id = c.id` : sql`(${first}) r`;
  const { rows } = await sql<{ id: number }>`select r.id from ${compared} where ${conditions} limit ${limit}`.execute(db.sql);
  return rows.map(({ id }) => Number(id));
}

/** Sorts found repositories. At most one statement. */
async function pageOfFound(db: Reader, filter: RepositoryFilter, ids: readonly number[], { limit, offset }: Page): Promise<Paged<number>> {
  const total = Math.min(ids.length, maxFound);
  const rest = Math.min(limit, total - offset);
  if (rest <= 0) return { items: [], total };
  const { rows } = await sql<{ id: number }>`select r.id from repositories r ${orders[filter.sort].join} where ${anyOf(db, sql<number>`r.id`, ids)}
    order by ${orderOf(filter, filter.direction)} limit ${rest} offset ${offset}`.execute(db.sql);
  return { items: rows.map(({ id }) => Number(id)), total };
}

/** A query for the ids of all repositories that a filter by account, team or parent can match; undefined without such a filter. */
function chosenIds({ ownerId, accessible: access, forkOf, starredBy, teamId }: RepositoryFilter): RawBuilder<unknown> | undefined {
  if (ownerId !== undefined) return ofOwner(ownerId);
  if (access !== undefined) return givenIds(access.accountId);
  if (forkOf !== undefined) return sql`select p.id from repositories p where p.fork_of = ${forkOf}`;
  if (starredBy !== undefined) return sql`select st.repo_id from stars st where st.account_id = ${starredBy}`;
  return teamId === undefined ? undefined : sql`select p.id from repositories p where p.owner_id = (select t.org_id from teams t where t.id = ${teamId})`;
}

const ofOwner = (ownerId: number): RawBuilder<unknown> => sql`select p.id from repositories p where p.owner_id = ${ownerId}`;

/**
 * A query for the ids of all repositories that an actor can read.
 * @param traits undefined: of all kinds. Repositories that the actor has a grant for are of all kinds in any case
 */
function readableIds(actor: Actor, isOpenOnly: boolean, traits: RawBuilder<unknown> | undefined): RawBuilder<unknown> {
  const least = leastAudience(actor);
  const granted = grantedIds(actor);
  const ofTraits = traits === undefined ? sql`` : sql` and a.traits in (${traits})`;
  const byAudience = (audience: number): RawBuilder<unknown> => sql`select a.id from repositories a where a.audience >= ${audience}${ofTraits}`;
  if (least === undefined) return granted ?? byAudience(0);
  if (isOpenOnly) return byAudience(3);
  return granted === undefined ? byAudience(least) : sql`${byAudience(least)} union ${granted}`;
}

/** The number of repositories of the wanted kind that an actor can read, and of all repositories. One statement. */
async function countVisible(db: Reader, actor: Actor, filter: RepositoryFilter): Promise<{ readonly visible: number; readonly all: number }> {
  const { isOpenOnly = false } = filter;
  const traits = wantedTraits(filter);
  const isWanted = traits === undefined ? sql`` : sql` and traits in (${traits})`;
  const least = leastAudience(actor);
  const candidates = candidatesOf(actor);
  const stored = isOpenOnly && least !== undefined ? 3 : least;
  const byAudience = stored === undefined ? sql`0` : sql`(select coalesce(sum(n), 0) from repository_totals where audience >= ${stored}${isWanted})`;
  const isUnstored = stored === undefined ? sql`` : sql` and r.audience < ${stored}`;
  const isOpen = isOpenOnly ? sql` and r.audience = 3` : sql``;
  const byGrant =
    candidates === undefined ? sql`0` : sql`(select count(*) from repositories r where ${candidates}${isUnstored}${isOpen}${isWanted} and ${visibleTo(actor)})`;
  const { rows } = await sql<{ visible: number; everything: number }>`select ${byAudience} + ${byGrant} as visible,
    (select coalesce(sum(n), 0) from repository_totals) as everything`.execute(db.sql);
  return { visible: Number(rows[0]?.visible ?? 0), all: Number(rows[0]?.everything ?? 0) };
}

/** The parts of `repositories.traits`. A fork of a deleted repository becomes a fork again when the parent is restored. */
const trait = { private: 1, template: 2, archived: 4, mirror: 8, fork: 16 } as const;

/** The values of `traits` that a filter accepts; undefined for all. */
function wantedTraits({ kind, isPrivate, isTemplate, isArchived }: RepositoryFilter): RawBuilder<unknown> | undefined {
  const wanted: readonly (readonly [part: number, value: boolean | undefined])[] = [
    [trait.private, isPrivate],
    [trait.template, isTemplate],
    [trait.archived, isArchived],
    [trait.mirror, kind === "mirror" ? true : kind === "source" ? false : undefined],
    [trait.fork, kind === "fork" ? true : kind === "source" ? false : undefined],
  ];
  if (wanted.every(([, value]) => value === undefined)) return undefined;
  const values = Array.from({ length: 32 }, (_, at) => at).filter((traits) =>
    wanted.every(([part, value]) => value === undefined || ((traits & part) !== 0) === value),
  );
  return sql.join(values.map((value) => sql.lit(value)));
}

function* conditionsOf(filter: RepositoryFilter, actor: Actor): Generator<RawBuilder<SqlBool>> {
  if (filter.text !== undefined) yield matches(filter.text);
  if (filter.ownerId !== undefined) yield sql`r.owner_id = ${filter.ownerId}`;
  if (filter.accessible !== undefined) yield accessible(filter.accessible);
  const traits = wantedTraits(filter);
  // The plus keeps the index of the order.
  if (traits !== undefined) yield sql`+r.traits in (${traits})`;
  if (filter.forkOf !== undefined) yield sql`r.fork_of = ${filter.forkOf}`;
  if (filter.isOpenOnly === true) yield sql`r.audience = 3`;
  if (filter.starredBy !== undefined) yield sql`r.id in (select st.repo_id from stars st where st.account_id = ${filter.starredBy})`;
  if (filter.teamId !== undefined) yield ofTeam(filter.teamId, actor);
}

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
