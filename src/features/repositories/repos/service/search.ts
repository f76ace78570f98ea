import { type Actor, isSelf, isSiteAdmin, isUser, type UserActor } from "../../../../access/actor.ts";
import { invalid } from "../../../../core/errors.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Reader } from "../../../../db/db.ts";
import type { RepositoryView } from "../model.ts";
import { countGiven, firstGivenIds, firstGivenPlaces, type GivenPlace, pageGivenByName } from "../store/given.ts";
import { type AccessibleFilter, type RepositoryFilter, type RepositoryKind, type RepositorySort, searchRepositoryIds } from "../store/search.ts";
import { loadRepositoryViews } from "./loaders.ts";

export type { GivenPlace };

export interface SearchDeps {
  readonly db: Reader;
}

export interface RepositoryQuery {
  readonly text: string;
  readonly searchesTopics: boolean;
  readonly searchesDescriptions: boolean;
  /** Only repositories of this account and those shared with it. */
  readonly accountId?: number | undefined;
  /** Only repositories owned by {@link accountId}. */
  readonly isOwnedOnly: boolean;
  readonly priorityOwnerId?: number | undefined;
  readonly teamId?: number | undefined;
  readonly starredBy?: number | undefined;
  /** If false, private repositories are excluded. */
  readonly includesPrivate: boolean;
  readonly isPrivate?: boolean | undefined;
  readonly isTemplate?: boolean | undefined;
  readonly isArchived?: boolean | undefined;
  /** `source`, `fork`, `mirror`, `collaborative`; empty for all. */
  readonly mode: string;
  readonly sort: string;
  readonly order: string;
}

const kinds: readonly RepositoryKind[] = ["source", "fork", "mirror"];
const sorts: readonly RepositorySort[] = ["alpha", "created", "updated", "size", "git_size", "lfs_size", "stars", "forks", "id"];

/**
 * Repositories that a caller can read and that match a query.
 * @throws ForgeError `invalid` for an unknown mode, sort or order
 */
export async function searchRepositories(deps: SearchDeps, actor: Actor, query: RepositoryQuery, page: Page): Promise<Paged<RepositoryView>> {
  return listPage(deps, actor, toFilter(query, actor), page);
}

/** Repositories that the caller owns, and those shared with them, by name. */
export async function listOwnRepositories(deps: SearchDeps, actor: UserActor, page: Page): Promise<Paged<RepositoryView>> {
  const { items, total } = await pageGivenByName(deps.db, actor, page);
  return { items: await loadRepositoryViews(deps, actor, items), total };
}

/** The ids of the first repositories that the caller owns or has access to, last updated first. One statement. */
export const lastUpdatedIds = (deps: SearchDeps, actor: UserActor, limit: number): Promise<readonly number[]> => firstGivenIds(deps.db, actor, limit);

/** The names of those whose issues or pull requests the caller can read. One statement. */
export const listLastUpdatedPlaces = (deps: SearchDeps, actor: UserActor, kind: "issues" | "pulls", limit: number): Promise<readonly GivenPlace[]> =>
  firstGivenPlaces(deps.db, actor, kind, limit);

/** The ids of the repositories of an account that the caller can read, last updated first. */
export const lastUpdatedIdsOf = (deps: SearchDeps, actor: Actor, ownerId: number, page: Page): Promise<Paged<number>> =>
  searchRepositoryIds(deps.db, actor, { ownerId, sort: "updated", direction: "desc" }, page);

/** The number of repositories that the caller owns or has access to. */
export const countOwnRepositories = (deps: SearchDeps, actor: UserActor): Promise<number> => countGiven(deps.db, actor);

/** Templates that the caller can read. */
export const listTemplates = (deps: SearchDeps, actor: UserActor, page: Page): Promise<Paged<RepositoryView>> =>
  listPage(deps, actor, { isTemplate: true, sort: "alpha", direction: "asc" }, page);

/** All repositories that the caller can read: for site administrators. */
export const listAllRepositories = (deps: SearchDeps, actor: Actor, page: Page): Promise<Paged<RepositoryView>> =>
  listPage(deps, actor, { sort: "alpha", direction: "asc" }, page);

/** Repositories of an account that the caller can read. */
export const listOwnedRepositories = (deps: SearchDeps, actor: Actor, ownerId: number, page: Page): Promise<Paged<RepositoryView>> =>
  listPage(deps, actor, { ownerId, sort: "id", direction: "asc" }, page);

/** The id of the last updated repository that a caller can read, optionally of one owner; undefined if there is none. */
export async function findLatestUpdated(deps: SearchDeps, actor: Actor, ownerId?: number): Promise<number | undefined> {
  const filter: RepositoryFilter = { ...(ownerId !== undefined && { ownerId }), sort: "updated", direction: "desc" };
  return (await searchRepositoryIds(deps.db, actor, filter, { page: 1, limit: 1, offset: 0 })).items[0];
}

/** Forks of a repository that the caller can read. */
export const listForks = (deps: SearchDeps, actor: Actor, parentId: number, page: Page): Promise<Paged<RepositoryView>> =>
  listPage(deps, actor, { forkOf: parentId, sort: "id", direction: "asc" }, page);

/** Repositories of a team that the caller can read. */
export const listTeamRepositories = (deps: SearchDeps, actor: UserActor, teamId: number, page: Page): Promise<Paged<RepositoryView>> =>
  listPage(deps, actor, { teamId, sort: "alpha", direction: "asc" }, page);

async function listPage(deps: SearchDeps, actor: Actor, filter: RepositoryFilter, page: Page): Promise<Paged<RepositoryView>> {
  const { items, total } = await searchRepositoryIds(deps.db, actor, filter, page);
  return { items: await loadRepositoryViews(deps, actor, items), total };
}

function toFilter(query: RepositoryQuery, actor: Actor): RepositoryFilter {
  const kind = kinds.find((one) => one === query.mode);
  if (kind === undefined && query.mode !== "" && query.mode !== "collaborative") throw invalid(`Invalid search mode: ${JSON.stringify(query.mode)}`);
  const sort = query.sort === "" ? "alpha" : sorts.find((one) => one === query.sort);
  if (sort === undefined) throw invalid(`Invalid sort mode: ${JSON.stringify(query.sort)}`);
  // @compat the order is only used, and validated, if a sort is given (repos/api/descriptions.test.ts)
  const order = query.sort === "" || query.order === "" ? "asc" : query.order;
  if (order !== "asc" && order !== "desc") throw invalid(`Invalid sort order: ${JSON.stringify(query.order)}`);
  const text = query.text.trim();
  return {
    ...(text !== "" && {
      text: { value: text, within: query.searchesTopics ? "topics" : query.searchesDescriptions ? "names and descriptions" : "names" } as const,
    }),
    ...accountFilter(query, actor),
    ...(kind !== undefined && { kind }),
    ...(query.isPrivate !== undefined && { isPrivate: query.isPrivate }),
    ...(query.isTemplate !== undefined && { isTemplate: query.isTemplate }),
    ...(query.isArchived !== undefined && { isArchived: query.isArchived }),
    isOpenOnly: !query.includesPrivate,
    ...(isGiven(query.starredBy) && { starredBy: query.starredBy }),
    ...(isGiven(query.teamId) && { teamId: query.teamId }),
    ...(isGiven(query.priorityOwnerId) && { priorityOwnerId: query.priorityOwnerId }),
    sort,
    direction: order,
  };
}

/** @compat an id of 0 is ignored (repos/api/descriptions.test.ts) */
const isGiven = (id: number | undefined): id is number => id !== undefined && id > 0;

function accountFilter({ accountId, isOwnedOnly, mode }: RepositoryQuery, actor: Actor): { readonly ownerId?: number; readonly accessible?: AccessibleFilter } {
  if (!isGiven(accountId)) return {};
  const isCollaborative = mode === "collaborative";
  if (isOwnedOnly && !isCollaborative) return { ownerId: accountId };
  const includesTeams = isUser(actor) && (isSelf(actor, accountId) || isSiteAdmin(actor));
  return { accessible: { accountId, includesOwn: !isCollaborative, includesTeams } };
}
