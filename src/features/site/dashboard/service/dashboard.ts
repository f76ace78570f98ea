import type { UserActor } from "../../../../access/actor.ts";
import type { Clock } from "../../../../core/clock.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Db } from "../../../../db/db.ts";
import type { IssueView } from "../../../collaboration/issues/model.ts";
import { readTypedQuery, type TypedQuery } from "../../../collaboration/issues/search/query-language.ts";
import { type IssueSearch, searchIssues } from "../../../collaboration/issues/search/service/search.ts";
import { type FoundIssues, searchTyped } from "../../../collaboration/issues/search/service/typed-search.ts";
import { loadTaskProgress } from "../../../collaboration/issues/tasks/service/progress.ts";
import { countNews } from "../../../collaboration/notifications/service/threads.ts";
import { listOrganizationsOf } from "../../../organizations/orgs/service/lists.ts";
import { countOwnRepositories, listLastUpdated } from "../../../repositories/repos/service/search.ts";
import { type FeedDeps, listOwnFeed } from "../../activities/service/feeds.ts";
import type { DashboardView, ListedKind, WaitingKind } from "../model.ts";

export interface DashboardDeps extends FeedDeps {
  readonly db: Db;
}

const maxActivities = 15;
/** Maximum number of repositories and of organizations. */
const maxOwn = 10;

const firstFew = (limit: number): Page => ({ page: 1, limit, offset: 0 });

/** The data of a user's dashboard. A constant number of statements. */
export async function loadDashboard(deps: DashboardDeps, actor: UserActor): Promise<DashboardView> {
  const [reviews, assigned, mentioned, pulls, newsCount, items, total, organizations, activities] = await Promise.all([
    find(deps, actor, { type: "pulls", isRequested: true }),
    find(deps, actor, { isAssigned: true }),
    find(deps, actor, { isMentioned: true }),
    find(deps, actor, { type: "pulls", isOwn: true }),
    countNews(deps, actor),
    listLastUpdated(deps, actor, maxOwn),
    countOwnRepositories(deps, actor),
    listOrganizationsOf(deps, actor, actor.id, firstFew(maxOwn)),
    listOwnFeed(deps, actor, maxActivities),
  ]);
  const waiting = Object.entries({ reviews, assigned, mentioned, pulls }).map(([kind, { items, total }]) => ({
    kind: kind as WaitingKind,
    issues: items,
    total,
  }));
  const progress = await loadTaskProgress(
    deps.db,
    waiting.flatMap(({ issues }) => issues),
  );
  return { waiting, progress, newsCount, repositories: { items, total }, organizations, activities };
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

const find = (deps: DashboardDeps, actor: UserActor, wanted: Partial<IssueSearch>): Promise<Paged<IssueView>> =>
  searchIssues(deps, actor, { ...everything, ...wanted }, firstFew(maxWaiting));

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
