import { type RawBuilder, type SqlBool, sql } from "kysely";
import { type Actor, isUser } from "../../../../access/actor.ts";
import { foldName } from "../../../../core/names.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Reader } from "../../../../db/db.ts";
import { givenTo, sharedWith, visibleTo } from "./visible.ts";

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

const sortKeys: Readonly<Record<RepositorySort, readonly RawBuilder<unknown>[]>> = {
  alpha: [sql`o.name_folded`, sql`r.name_folded`],
  created: [sql`r.created_ms`],
  updated: [sql`r.updated_ms`],
  size: [sql`(select s.size_bytes from git_stores s where s.id = r.code_store_id)`],
  git_size: [sql`(select s.size_bytes from git_stores s where s.id = r.code_store_id)`],
  // The size of Git LFS files is not stored separately yet.
  lfs_size: [],
  stars: [sql`r.stars_count`],
  forks: [sql`r.forks_count`],
  id: [],
};

/** Ids of a page of the repositories that an actor can read, and their total number. At most two statements. */
export async function searchRepositoryIds(db: Reader, actor: Actor, filter: RepositoryFilter, page: Page): Promise<Paged<number>> {
  let query = db.sql.selectFrom("repositories as r").innerJoin("accounts as o", "o.id", "r.owner_id").where(visibleTo(actor));
  for (const condition of conditionsOf(filter, actor)) query = query.where(condition);
  let ordered = query.select("r.id");
  if (filter.priorityOwnerId !== undefined) ordered = ordered.orderBy(sql`case when r.owner_id = ${filter.priorityOwnerId} then 0 else 1 end`);
  for (const key of sortKeys[filter.sort]) ordered = ordered.orderBy(key, filter.direction);
  const rows = await ordered.orderBy("r.id", filter.direction).limit(page.limit).offset(page.offset).execute();
  const items = rows.map((row) => row.id);
  if (items.length < page.limit && (items.length > 0 || page.offset === 0)) return { items, total: page.offset + items.length };
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  return { items, total: Number(total) };
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
  if (filter.isOpenOnly === true) yield sql`r.is_private = 0 and o.visibility = 'public'`;
  if (filter.starredBy !== undefined) yield sql`r.id in (select st.repo_id from stars st where st.account_id = ${filter.starredBy})`;
  if (filter.teamId !== undefined) yield ofTeam(filter.teamId, actor);
}

/** Each keyword adds conditions to the statement; further keywords are ignored. */
const maxKeywords = 20;

/** @compat commas separate keywords, of which one has to match */
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
