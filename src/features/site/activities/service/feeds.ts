import { type Actor, isSelf, isSiteAdmin, isUser, type UserActor } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import type { AccountSubject, OrganizationSubject, RepositorySubject, TeamSubject } from "../../../../access/subjects.ts";
import type { Clock } from "../../../../core/clock.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Reader } from "../../../../db/db.ts";
import { walkBetween, walkCommits } from "../../../../git/objects/walk.ts";
import type { GitStores } from "../../../../git/stores.ts";
import type { UserView } from "../../../accounts/users/model.ts";
import { loadUsers } from "../../../accounts/users/service/accounts.ts";
import type { CommentRow } from "../../../collaboration/issues/model.ts";
import { commentViewsOf, findCommentsInOrder, loadFilesOfComments, posterIdsOf } from "../../../collaboration/issues/service/loaders.ts";
import type { RepositoryView } from "../../../repositories/repos/model.ts";
import { prepareRepositoryViews } from "../../../repositories/repos/service/loaders.ts";
import { readableRepositories } from "../../../repositories/repos/service/visible.ts";
import { type ActivityKind, type ActivityView, activityUnits, type ContributionView, type PushView } from "../model.ts";
import { type ActivityRow, countActivities, countKinds, type FeedFilter, type FeedOf, firstActivities, pageActivities } from "../store.ts";

export type { ActivityRow };

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

/** The first activities of the caller's own feed, for {@link completeActivities}. At most two statements. */
export const findOwnActivities = ({ db }: FeedDeps, actor: UserActor, limit: number): Promise<readonly ActivityRow[]> =>
  firstActivities(db, { ...viewOf(actor, true), of: { kind: "user", accountId: actor.id } }, limit);

const showsPrivateOf = ({ isMember, isOwner }: OrganizationSubject): boolean => isMember || isOwner;

/** The activity in an organization's repositories. Private ones are visible only to members. */
export const listOrganizationFeed = (deps: FeedDeps, actor: Actor, organization: OrganizationSubject, query: FeedQuery): Promise<Paged<ActivityView>> =>
  loadFeed(deps, actor, { kind: "owner", accountId: organization.id }, showsPrivateOf(organization), query);

/** The latest of it, for {@link completeActivities}. One statement. */
export async function findOrganizationActivities(
  { db }: FeedDeps,
  actor: Actor,
  organization: OrganizationSubject,
  limit: number,
): Promise<readonly ActivityRow[]> {
  const filter: FeedFilter = { ...viewOf(actor, showsPrivateOf(organization)), of: { kind: "owner", accountId: organization.id } };
  return (await pageActivities(db, filter, { page: 1, limit, offset: 0 })).items;
}

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

/** At most four statements, and one more if transfers are pending. */
async function loadActivities(deps: FeedDeps, actor: Actor, items: readonly ActivityRow[]): Promise<readonly ActivityView[]> {
  const [repositories, comments] = await Promise.all([prepareRepositoryViews(deps, actor, repositoryIdsOf(items)), findCommentsOf(deps, items)]);
  const [users, files] = await Promise.all([
    loadUsers(deps, [...repositories.accountIds, ...accountIdsOf(items, comments)]),
    loadFilesOfComments(deps, comments),
  ]);
  return completeActivities(deps, items, { users, repositories: repositories.complete(users), comments, files });
}

export const repositoryIdsOf = (items: readonly ActivityRow[]): readonly number[] => [...new Set(items.map(({ repoId }) => repoId))];

/** The comments that activities refer to. At most one statement. */
export const findCommentsOf = (deps: FeedDeps, items: readonly ActivityRow[]): Promise<readonly CommentRow[]> =>
  findCommentsInOrder(
    deps,
    items.flatMap(({ commentId }) => commentId ?? []),
  );

export const accountIdsOf = (items: readonly ActivityRow[], comments: readonly CommentRow[]): readonly number[] => [
  ...new Set([...items.map(({ actorId }) => actorId), ...posterIdsOf(comments)]),
];

/** Records that views of activities include. */
export interface ActivityParts {
  readonly users: ReadonlyMap<number, UserView>;
  /** Those that the caller can read. */
  readonly repositories: readonly RepositoryView[];
  readonly comments: readonly CommentRow[];
  readonly files: Parameters<typeof commentViewsOf>[1];
}

/** The views of activities. No statement; the commits of pushes are read from their stores. */
export async function completeActivities(deps: FeedDeps, items: readonly ActivityRow[], parts: ActivityParts): Promise<readonly ActivityView[]> {
  const repositories = new Map(parts.repositories.map((repository) => [repository.id, repository]));
  const places = new Map(parts.repositories.map(({ id, name, owner }) => [id, { id, name, ownerId: owner.id, ownerName: owner.name }]));
  const comments = new Map(commentViewsOf(parts.comments, parts.files, parts.users, places).map((comment) => [comment.id, comment]));
  const views = await Promise.all(
    items.map(async (row) => {
      const [user, repository] = [parts.users.get(row.actorId), repositories.get(row.repoId)];
      // Deleted between two statements.
      if (user === undefined || repository === undefined) return [];
      const kind = row.kind as ActivityKind;
      const { id, createdMs, refName, subject, commentId } = row;
      const common = { id, kind, actor: user, repository, createdMs };
      if (!readsPart(repository, kind)) return [{ ...common, refName: "", subject: "", commentId: null, comment: undefined, push: undefined }];
      const comment = commentId === null ? undefined : comments.get(commentId);
      return [{ ...common, refName, subject, commentId, comment, push: kind === "commit_repo" ? await loadPush(deps, row) : undefined }];
    }),
  );
  return views.flat();
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
