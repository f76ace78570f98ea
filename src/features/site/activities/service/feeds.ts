import { type Actor, isSelf, isSiteAdmin, isUser, type UserActor } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import type { AccountSubject, OrganizationSubject, RepositorySubject, TeamSubject } from "../../../../access/subjects.ts";
import type { Clock } from "../../../../core/clock.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Reader } from "../../../../db/db.ts";
import { walkBetween, walkCommits } from "../../../../git/objects/walk.ts";
import type { GitStores } from "../../../../git/stores.ts";
import { loadUsers } from "../../../accounts/users/service/accounts.ts";
import type { CommentView } from "../../../collaboration/issues/model.ts";
import { loadCommentsInOrder } from "../../../collaboration/issues/service/loaders.ts";
import type { RepositoryView } from "../../../repositories/repos/model.ts";
import { loadRepositoryViews } from "../../../repositories/repos/service/loaders.ts";
import { readableRepositories } from "../../../repositories/repos/service/visible.ts";
import { type ActivityKind, type ActivityView, activityUnits, type ContributionView, type PushView } from "../model.ts";
import { type ActivityRow, countActivities, countKinds, type FeedFilter, type FeedOf, firstActivities, pageActivities } from "../store.ts";

export interface FeedDeps {
  readonly db: Reader;
  readonly git: GitStores;
  readonly clock: Clock;
}

export interface FeedQuery {
  /** The start of a day. */
  readonly dayMs: number | undefined;
  /** Without a day: nothing earlier than this. */
  readonly sinceMs?: number | undefined;
  readonly page: Page;
}

const dayLengthMs = 86_400_000;

/**
 * A user's actions, and the activity in repositories that they watch. Activity in private repositories is visible only to the user
 * and to administrators.
 */
export function listUserFeed(
  deps: FeedDeps,
  actor: Actor,
  account: AccountSubject,
  query: FeedQuery & { readonly isOwnOnly: boolean },
): Promise<Paged<ActivityView>> {
  const showsPrivate = isSelf(actor, account.id) || isSiteAdmin(actor);
  if (account.kind === "organization") return loadFeed(deps, actor, { kind: "owner", accountId: account.id }, showsPrivate, query);
  return loadFeed(deps, actor, { kind: query.isOwnOnly ? "actor" : "user", accountId: account.id }, showsPrivate, query);
}

/** The first activities of the caller's own feed. */
export async function listOwnFeed(deps: FeedDeps, actor: UserActor, limit: number): Promise<readonly ActivityView[]> {
  return loadActivities(deps, actor, await firstActivities(deps.db, { ...viewOf(actor, true), of: { kind: "user", accountId: actor.id } }, limit));
}

/** The activity in an organization's repositories. Private ones are visible only to members. */
export const listOrganizationFeed = (deps: FeedDeps, actor: Actor, organization: OrganizationSubject, query: FeedQuery): Promise<Paged<ActivityView>> =>
  loadFeed(deps, actor, { kind: "owner", accountId: organization.id }, organization.isMember || organization.isOwner, query);

export const listTeamFeed = (deps: FeedDeps, actor: Actor, team: TeamSubject, query: FeedQuery): Promise<Paged<ActivityView>> =>
  loadFeed(deps, actor, { kind: "team", teamId: team.id }, true, query);

export const listRepositoryFeed = (deps: FeedDeps, actor: Actor, repository: RepositorySubject, query: FeedQuery): Promise<Paged<ActivityView>> =>
  loadFeed(deps, actor, { kind: "repository", repoId: repository.id }, true, query);

export interface ActivityCount {
  readonly kind: ActivityKind;
  /** The start of a day in UTC. */
  readonly startMs: number;
  readonly count: number;
}

/** The number of activities per day and kind in a repository since a time, limited to units that the caller can read. One statement. */
export async function countRepositoryActivities(deps: FeedDeps, actor: Actor, repository: RepositorySubject, sinceMs: number): Promise<ActivityCount[]> {
  const filter: FeedFilter = { ...viewOf(actor, true), of: { kind: "repository", repoId: repository.id }, sinceMs };
  const counts = (await countKinds(deps.db, filter, dayLengthMs)) as ActivityCount[];
  return counts.filter(({ kind }) => readsPart(repository, kind));
}

const viewOf = (actor: Actor, showsPrivate: boolean): Pick<FeedFilter, "viewer" | "readable" | "showsPrivate"> => ({
  viewer: { id: isUser(actor) ? actor.id : 0, seesAll: isSiteAdmin(actor) },
  readable: readableRepositories(actor),
  showsPrivate,
});

async function loadFeed(deps: FeedDeps, actor: Actor, of: FeedOf, showsPrivate: boolean, { dayMs, sinceMs, page }: FeedQuery): Promise<Paged<ActivityView>> {
  const range = dayMs === undefined ? { sinceMs } : { sinceMs: dayMs, untilMs: dayMs + dayLengthMs };
  const { items, total } = await pageActivities(deps.db, { ...viewOf(actor, showsPrivate), of, ...range }, page);
  return { items: await loadActivities(deps, actor, items), total };
}

async function loadActivities(deps: FeedDeps, actor: Actor, items: readonly ActivityRow[]): Promise<readonly ActivityView[]> {
  const actors = await loadUsers(deps, [...new Set(items.map(({ actorId }) => actorId))]);
  const found = items.length === 0 ? [] : await loadRepositoryViews(deps, actor, [...new Set(items.map(({ repoId }) => repoId))]);
  const repositories = new Map(found.map((repository) => [repository.id, repository]));
  const isShown = ({ repoId, kind }: ActivityRow): boolean => {
    const repository = repositories.get(repoId);
    return repository !== undefined && readsPart(repository, kind as ActivityKind);
  };
  const comments = await loadComments(deps, items.filter(isShown), repositories);
  const views = await Promise.all(
    items.map(async (row) => {
      const [user, repository] = [actors.get(row.actorId), repositories.get(row.repoId)];
      // Deleted between two statements.
      if (user === undefined || repository === undefined) return [];
      const kind = row.kind as ActivityKind;
      const { id, createdMs, refName, subject, commentId } = row;
      const common = { id, kind, actor: user, repository, createdMs };
      if (!isShown(row)) return [{ ...common, refName: "", subject: "", commentId: null, comment: undefined, push: undefined }];
      const comment = commentId === null ? undefined : comments.get(commentId);
      return [{ ...common, refName, subject, commentId, comment, push: kind === "commit_repo" ? await loadPush(deps, row) : undefined }];
    }),
  );
  return views.flat();
}

/** The comments of a page: three statements if there are any. */
async function loadComments(
  deps: FeedDeps,
  rows: readonly ActivityRow[],
  repositories: ReadonlyMap<number, RepositoryView>,
): Promise<ReadonlyMap<number, CommentView>> {
  const ids = rows.flatMap(({ commentId }) => commentId ?? []);
  const places = new Map([...repositories].map(([id, { name, owner }]) => [id, { id, name, ownerId: owner.id, ownerName: owner.name }]));
  const comments = ids.length === 0 ? [] : await loadCommentsInOrder(deps, ids, places);
  return new Map(comments.map((comment) => [comment.id, comment]));
}

/** A reader without access to the unit sees that something happened, but no details. */
function readsPart({ right }: Pick<RepositoryView, "right">, kind: ActivityKind): boolean {
  const unit = activityUnits[kind];
  return unit === undefined || atLeast(right.unit(unit), "read");
}

/** Maximum number of commits shown for a new branch. */
const newBranchCommits = 10;

/** The commits of a push, usually from the object cache. Missing ones are omitted. */
async function loadPush({ git }: FeedDeps, { storeId, objectFormat, oldOid, newOid }: ActivityRow): Promise<PushView | undefined> {
  if (newOid === null) return undefined;
  const store = git.store(storeId, objectFormat);
  const commits = oldOid === null ? await walkCommits(store, newOid, { skip: 0, limit: newBranchCommits }) : await walkBetween(store, newOid, oldOid);
  return { commits: commits ?? [], oldOid: oldOid ?? undefined, newOid };
}

/** The heatmap has quarters of an hour and covers a year. */
const spanMs = 900_000;
const heatmapMs = 373 * dayLengthMs;

/** A user's number of actions per quarter of an hour, as far as the caller may see them. */
export function loadHeatmap(deps: FeedDeps, actor: Actor, account: AccountSubject): Promise<ContributionView[]> {
  const filter = { ...viewOf(actor, true), actorId: account.id, sinceMs: deps.clock.now() - heatmapMs };
  return countActivities(deps.db, filter, spanMs);
}
