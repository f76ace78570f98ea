import type { UserActor } from "../../../../access/actor.ts";
import type { OrganizationSubject } from "../../../../access/subjects.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Db } from "../../../../db/db.ts";
import { loadUsers } from "../../../accounts/users/service/accounts.ts";
import { readTypedQuery, type TypedQuery } from "../../../collaboration/issues/search/query-language.ts";
import { type IssueSearch, prepareReadable, searchIssueIds } from "../../../collaboration/issues/search/service/search.ts";
import { type FoundIssues, searchTyped } from "../../../collaboration/issues/search/service/typed-search.ts";
import { findIssuesInOrder, loadFilesOfComments, userIdsOf } from "../../../collaboration/issues/service/loaders.ts";
import { loadTaskProgress } from "../../../collaboration/issues/tasks/service/progress.ts";
import { countNews } from "../../../collaboration/notifications/service/threads.ts";
import { loadOrganizations, pageOrganizationIdsOf } from "../../../organizations/orgs/service/lists.ts";
import { prepareRepositoryViews } from "../../../repositories/repos/service/loaders.ts";
import { countOwnRepositories, lastUpdatedIds, lastUpdatedIdsOf } from "../../../repositories/repos/service/search.ts";
import {
  type ActivityRow,
  accountIdsOf,
  completeActivities,
  type FeedDeps,
  findCommentsOf,
  findOrganizationActivities,
  findOwnActivities,
  repositoryIdsOf,
} from "../../activities/service/feeds.ts";
import type { DashboardView, ListedKind, Waiting, WaitingKind } from "../model.ts";

export interface DashboardDeps extends FeedDeps {
  readonly db: Db;
}

const maxActivities = 15;
/** Maximum number of repositories and of organizations. */
const maxOwn = 10;

const firstFew = (limit: number): Page => ({ page: 1, limit, offset: 0 });

/** The data of a user's dashboard. A constant number of statements. */
export async function loadDashboard(deps: DashboardDeps, actor: UserActor): Promise<DashboardView> {
  const near = { ...deps, db: deps.db.together() };
  const [waiting, newsCount, items, total, organizations, activities] = await Promise.all([
    findWaiting(near, actor),
    countNews(near, actor),
    lastUpdatedIds(near, actor, maxOwn),
    countOwnRepositories(near, actor),
    pageOrganizationIdsOf(near, actor, actor.id, firstFew(maxOwn)),
    findOwnActivities(near, actor, maxActivities),
  ]);
  return complete(near, actor, { waiting, newsCount, repositories: { items, total }, organizations, activities });
}

/** The same for the repositories of an organization. A constant number of statements. */
export async function loadOrganizationDashboard(deps: DashboardDeps, actor: UserActor, organization: OrganizationSubject): Promise<DashboardView> {
  const near = { ...deps, db: deps.db.together() };
  const [waiting, newsCount, repositories, organizations, activities] = await Promise.all([
    findWaiting(near, actor, organization.name),
    countNews(near, actor),
    lastUpdatedIdsOf(near, actor, organization.id, firstFew(maxOwn)),
    pageOrganizationIdsOf(near, actor, actor.id, firstFew(maxOwn)),
    findOrganizationActivities(near, actor, organization, maxActivities),
  ]);
  return { organization: organization.name, ...(await complete(near, actor, { waiting, newsCount, repositories, organizations, activities })) };
}

/** The items of the lists, before they are loaded. */
interface Lists extends Pick<DashboardView, "newsCount"> {
  readonly waiting: readonly WaitingIds[];
  readonly repositories: Paged<number>;
  readonly organizations: Paged<number>;
  readonly activities: readonly ActivityRow[];
}

type WaitingIds = Pick<Waiting, "kind" | "total"> & { readonly ids: readonly number[] };

/** Loads the items of all lists together: each repository, issue and account once, although several lists have it. */
async function complete(deps: FeedDeps, actor: UserActor, { waiting, newsCount, repositories, organizations, activities }: Lists): Promise<DashboardView> {
  const [rows, places, own, comments] = await Promise.all([
    findIssuesInOrder(deps, [...new Set(waiting.flatMap(({ ids }) => ids))]),
    prepareRepositoryViews(deps, actor, [...new Set([...repositories.items, ...repositoryIdsOf(activities)])]),
    loadOrganizations(deps, organizations.items),
    findCommentsOf(deps, activities),
  ]);
  const [viewsOf, users, files] = await Promise.all([
    prepareReadable(deps, actor, rows),
    loadUsers(deps, [...new Set([...userIdsOf(rows), ...places.accountIds, ...accountIdsOf(activities, comments)])]),
    loadFilesOfComments(deps, comments),
  ]);
  const issues = new Map(viewsOf(users).map((issue) => [issue.id, issue]));
  const shown = places.complete(users);
  const byId = new Map(shown.map((repository) => [repository.id, repository]));
  return {
    waiting: waiting.map(({ kind, ids, total }) => ({ kind, total, issues: ids.flatMap((id) => issues.get(id) ?? []) })),
    progress: await loadTaskProgress(deps.db, [...issues.values()]),
    newsCount,
    repositories: { ...repositories, items: repositories.items.flatMap((id) => byId.get(id) ?? []) },
    organizations: { ...organizations, items: own },
    activities: await completeActivities(deps, activities, { users, repositories: shown, comments, files }),
  };
}

/** @param owner only in its repositories; empty: in all */
async function findWaiting(deps: FeedDeps, actor: UserActor, owner = ""): Promise<readonly WaitingIds[]> {
  const [reviews, assigned, mentioned, pulls] = await Promise.all([
    find(deps, actor, { owner, type: "pulls", isRequested: true }),
    find(deps, actor, { owner, isAssigned: true }),
    find(deps, actor, { owner, isMentioned: true }),
    find(deps, actor, { owner, type: "pulls", isOwn: true }),
  ]);
  return Object.entries({ reviews, assigned, mentioned, pulls }).map(([kind, { items, total }]) => ({ kind: kind as WaitingKind, ids: items, total }));
}

const everything: IssueSearch = {
  state: "open",
  type: "",
  text: "",
  labels: [],
  milestones: [],
  createdBy: "",
  owner: "",
  team: "",
  isOwn: false,
  isAssigned: false,
  isMentioned: false,
  isRequested: false,
  isReviewed: false,
  sinceMs: undefined,
  beforeMs: undefined,
  order: "newest",
};

/** Maximum number of items per section. */
const maxWaiting = 5;

const find = (deps: FeedDeps, actor: UserActor, wanted: Partial<IssueSearch>): Promise<Paged<number>> =>
  searchIssueIds(deps, actor, { ...everything, ...wanted }, firstFew(maxWaiting));

/** The results of a search across repositories. */
export async function findEverywhere(
  deps: FeedDeps,
  actor: UserActor,
  kind: ListedKind,
  typed: string,
  page: Page,
): Promise<FoundIssues & { readonly query: TypedQuery }> {
  const query = readTypedQuery(typed, deps.clock.now());
  return { ...(await searchTyped(deps, actor, { repository: undefined, query, kind }, page)), query };
}
