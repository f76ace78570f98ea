import type { UserActor } from "../../../../access/actor.ts";
import type { OrganizationSubject } from "../../../../access/subjects.ts";
import type { Clock } from "../../../../core/clock.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Db } from "../../../../db/db.ts";
import { readTypedQuery, type TypedQuery } from "../../../collaboration/issues/search/query-language.ts";
import { type IssueSearch, loadReadable, searchIssueIds } from "../../../collaboration/issues/search/service/search.ts";
import { type FoundIssues, searchTyped } from "../../../collaboration/issues/search/service/typed-search.ts";
import type { TaskProgress } from "../../../collaboration/issues/tasks/service/progress.ts";
import { loadTaskProgress } from "../../../collaboration/issues/tasks/service/progress.ts";
import { countNews } from "../../../collaboration/notifications/service/threads.ts";
import { listOrganizationsOf } from "../../../organizations/orgs/service/lists.ts";
import { countOwnRepositories, listLastUpdated, listLastUpdatedOf } from "../../../repositories/repos/service/search.ts";
import { type FeedDeps, listOrganizationFeed, listOwnFeed } from "../../activities/service/feeds.ts";
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
  const [waiting, newsCount, items, total, organizations, activities] = await Promise.all([
    findWaiting(deps, actor),
    countNews(deps, actor),
    listLastUpdated(deps, actor, maxOwn),
    countOwnRepositories(deps, actor),
    listOrganizationsOf(deps, actor, actor.id, firstFew(maxOwn)),
    listOwnFeed(deps, actor, maxActivities),
  ]);
  return { waiting, progress: await progressOf(deps, waiting), newsCount, repositories: { items, total }, organizations, activities };
}

/** The same for the repositories of an organization. A constant number of statements. */
export async function loadOrganizationDashboard(deps: DashboardDeps, actor: UserActor, organization: OrganizationSubject): Promise<DashboardView> {
  const [waiting, newsCount, repositories, organizations, feed] = await Promise.all([
    findWaiting(deps, actor, organization.name),
    countNews(deps, actor),
    listLastUpdatedOf(deps, actor, organization.id, firstFew(maxOwn)),
    listOrganizationsOf(deps, actor, actor.id, firstFew(maxOwn)),
    listOrganizationFeed(deps, actor, organization, { dayMs: undefined, page: firstFew(maxActivities) }),
  ]);
  const progress = await progressOf(deps, waiting);
  return { organization: organization.name, waiting, progress, newsCount, repositories, organizations, activities: feed.items };
}

/** @param owner only in its repositories; empty: in all */
async function findWaiting(deps: DashboardDeps, actor: UserActor, owner = ""): Promise<readonly Waiting[]> {
  const [reviews, assigned, mentioned, pulls] = await Promise.all([
    find(deps, actor, { owner, type: "pulls", isRequested: true }),
    find(deps, actor, { owner, isAssigned: true }),
    find(deps, actor, { owner, isMentioned: true }),
    find(deps, actor, { owner, type: "pulls", isOwn: true }),
  ]);
  const found = Object.entries({ reviews, assigned, mentioned, pulls });
  const listed = await loadReadable(deps, actor, [...new Set(found.flatMap(([, { items }]) => items))]);
  const issues = new Map(listed.map((issue) => [issue.id, issue]));
  return found.map(([kind, { items, total }]) => ({ kind: kind as WaitingKind, issues: items.flatMap((id) => issues.get(id) ?? []), total }));
}

const progressOf = ({ db }: DashboardDeps, waiting: readonly Waiting[]): Promise<TaskProgress> =>
  loadTaskProgress(
    db,
    waiting.flatMap(({ issues }) => issues),
  );

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

const find = (deps: DashboardDeps, actor: UserActor, wanted: Partial<IssueSearch>): Promise<Paged<number>> =>
  searchIssueIds(deps, actor, { ...everything, ...wanted }, firstFew(maxWaiting));

/** The results of a search across repositories. */
export async function findEverywhere(
  deps: DashboardDeps & { readonly clock: Clock },
  actor: UserActor,
  kind: ListedKind,
  typed: string,
  page: Page,
): Promise<FoundIssues & { readonly query: TypedQuery }> {
  const query = readTypedQuery(typed, deps.clock.now());
  return { ...(await searchTyped(deps, actor, { repository: undefined, query, kind }, page)), query };
}
