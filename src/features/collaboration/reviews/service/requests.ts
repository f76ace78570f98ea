import { isSelf, type UserActor } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { type ForgeError, forbidden, invalid, notFound } from "../../../../core/errors.ts";
import type { Tx } from "../../../../db/db.ts";
import { recordEvent } from "../../../../events/events.ts";
import type { UserView } from "../../../accounts/users/model.ts";
import { blockersAmong } from "../../../accounts/users/service/blocks.ts";
import { findUsersByNames } from "../../../accounts/users/service/by-names.ts";
import type { TeamView } from "../../../organizations/teams/model.ts";
import { calledMembersOf, findTeamsOfRepository } from "../../../organizations/teams/service/load.ts";
import { type Approvers, loadApprovers } from "../../../repositories/protections/service/approvers.ts";
import { rightsOfUsers } from "../../../repositories/repos/service/user-rights.ts";
import { addEntries, noteActivity } from "../../issues/conversation/service/entries.ts";
import type { FoundPull } from "../../pulls/model.ts";
import { choosesReviewers, type RequestedReviewers } from "../../pulls/reviewing.ts";
import { findPull } from "../../pulls/service/find.ts";
import type { ReviewRow, ReviewView } from "../model.ts";
import { deleteReviews, findReviewRow, insertReview, listRequestedTeams, listReviewsOf, supersede, updateReview } from "../store/reviews.ts";
import type { ReviewDeps } from "./find.ts";
import { loadReviewViews } from "./loaders.ts";

const maxReviewers = 50;

/**
 * Requests reviews from users and teams; existing requests stay.
 * @returns the new requests
 * @throws ForgeError `not_found` for an unknown name, `invalid` for a user who cannot be requested and for callers who cannot
 * request
 */
export async function requestReviews(
  deps: ReviewDeps,
  actor: UserActor,
  repository: RepositorySubject,
  number: string,
  wanted: RequestedReviewers,
): Promise<readonly ReviewView[]> {
  const { pull, ids } = await deps.db.tx(async (tx) => {
    const found = await findPull({ db: tx }, repository, number);
    return { pull: found, ids: await addRequests(tx, actor, repository, found, wanted) };
  });
  const rows: ReviewRow[] = [];
  for (const id of ids) rows.push(...[(await findReviewRow(deps.db, repository.id, id)) ?? []].flat());
  return loadReviewViews(deps, repository, pull, rows);
}

/** The same within a transaction. @returns the ids of the new requests */
export async function addRequests(
  tx: Tx,
  actor: UserActor,
  repository: RepositorySubject,
  pull: FoundPull,
  wanted: RequestedReviewers,
): Promise<readonly number[]> {
  const { users, teams } = await resolveNames(tx, repository, wanted);
  if (users.length + teams.length === 0) return [];
  const approvers = await loadApprovers(tx, repository.id, pull.baseBranch);
  const reviews = await listReviewsOf(
    tx,
    pull.issueId,
    users.map(({ id }) => id),
  );
  await requireAskable(tx, actor, repository, pull, users);
  if (teams.length > 0 && !choosesReviewers(actor, repository, pull.issue)) throw cannot("Doer can't choose reviewer", actor.id, repository);
  return insertRequests(tx, actor.id, repository, pull, { users, teams, approvers, reviews });
}

interface Reviewers {
  readonly users: readonly UserView[];
  readonly teams: readonly TeamView[];
}

/** @throws ForgeError `not_found` for an unknown name, `invalid` for too many */
async function resolveNames(tx: Tx, repository: RepositorySubject, wanted: RequestedReviewers): Promise<Reviewers> {
  if (wanted.users.length + wanted.teams.length > maxReviewers)
    throw invalid(`reviewers: at most ${maxReviewers} can be requested at once`, { reason: { code: "too_many_items", max: maxReviewers } });
  const userByName = wanted.users.length === 0 ? () => undefined : await findUsersByNames({ db: tx }, wanted.users);
  const users = wanted.users.map((name) => {
    const user = userByName(name);
    if (user === undefined) throw notFound(`User '${name}' not exist`, { reason: "user_not_found" });
    return user;
  });
  // @compat users have no teams, so teams named for a user's repository are ignored (reviews/api/requests.test.ts)
  if (wanted.teams.length === 0 || repository.ownerKind === "user") return { users: unique(users), teams: [] };
  const teamByName = await findTeamsOfRepository({ db: tx }, repository);
  const teams = wanted.teams.map((name) => {
    const team = teamByName(name);
    if (team === undefined) throw notFound(`Team '${name}' not exist`, { reason: "team_not_found" });
    return team;
  });
  return { users: unique(users), teams: unique(teams) };
}

const unique = <T extends { readonly id: number }>(items: readonly T[]): readonly T[] => [...new Map(items.map((item) => [item.id, item])).values()];

const cannot = (problem: string, userId: number, repository: RepositorySubject): ForgeError =>
  invalid(`${problem} [user_id: ${userId}, repo_id: ${repository.id}]`, { reason: "reviewer_not_allowed" });

/** Requires reviewers who read pull requests and are not the author. */
async function requireAskable(tx: Tx, actor: UserActor, repository: RepositorySubject, pull: FoundPull, users: readonly UserView[]): Promise<void> {
  const rights = await rightsOfUsers({ db: tx }, repository.id, users);
  const chooses = choosesReviewers(actor, repository, pull.issue);
  for (const user of users) {
    const mode = rights.get(user.id)?.unit("repo.pulls") ?? "none";
    if (!atLeast(mode, "read") || !user.isActive || user.prohibitLogin) throw cannot("Reviewer can't read", user.id, repository);
    if (user.id === pull.issue.posterId) throw cannot("poster of pr can't be reviewer", user.id, repository);
    if (!chooses) throw cannot("Doer can't choose reviewer", actor.id, repository);
  }
  const blockers = await blockersAmong(
    { db: tx },
    users.map(({ id }) => id),
    actor.id,
  );
  if (blockers.length > 0) throw forbidden("user is blocked", { reason: "user_blocked" });
}

interface Asking extends Reviewers {
  readonly approvers: Approvers;
  /** Existing reviews and requests of the users. */
  readonly reviews: readonly ReviewRow[];
}

/** @param actorId null: the server itself */
export async function insertRequests(
  tx: Tx,
  actorId: number | null,
  repository: RepositorySubject,
  pull: FoundPull,
  { users, teams, approvers, reviews }: Asking,
): Promise<readonly number[]> {
  const requestedTeams = new Set(teams.length === 0 ? [] : (await listRequestedTeams(tx, pull.issueId)).map(({ teamId }) => teamId));
  const rights = await rightsOfUsers({ db: tx }, repository.id, users);
  const ids: number[] = [];
  const official: number[] = [];
  for (const { id } of users) {
    if (reviews.some(({ reviewerId, kind }) => reviewerId === id && kind === "request")) continue;
    const right = rights.get(id);
    const isOfficial = right !== undefined && approvers.isOfficial({ id, right });
    if (isOfficial) official.push(id);
    ids.push(await insertRequest(tx, actorId, pull, { reviewerId: id, isOfficial }));
  }
  for (const team of teams) {
    if (requestedTeams.has(team.id)) continue;
    ids.push(await insertRequest(tx, actorId, pull, { teamId: team.id, isOfficial: approvers.isOfficialTeam(team) }));
  }
  // An official verdict does not count while its author is requested again.
  await supersede(tx, pull.issueId, official, "unofficial");
  if (ids.length > 0) await noteActivity(tx, pull.issueId);
  return ids;
}

interface Requested {
  readonly reviewerId?: number;
  readonly teamId?: number;
}

async function insertRequest(tx: Tx, actorId: number | null, pull: FoundPull, requested: Requested & { readonly isOfficial: boolean }): Promise<number> {
  const { reviewerId, teamId, isOfficial } = requested;
  const { issueId, headOid: seenOid, baseBranch } = pull;
  const row = { issueId, kind: "request", reviewerId: reviewerId ?? null, content: "", commitOid: "", seenOid, baseBranch, isOfficial } as const;
  const reviewId = await insertReview(tx, { ...row, ...(teamId !== undefined && { teamId }) });
  await recordRequest(tx, actorId, pull, { id: reviewId, ...requested }, false);
  return reviewId;
}

/** Adds a timeline entry and an event for a new or withdrawn request. */
async function recordRequest(
  tx: Tx,
  actorId: number | null,
  pull: FoundPull,
  { id, reviewerId, teamId }: Requested & { readonly id: number },
  isRemoved: boolean,
): Promise<void> {
  const { issueId, repoId, issue } = pull;
  const payload = {
    reviewId: id,
    ...(reviewerId !== undefined && { assigneeId: reviewerId }),
    ...(teamId !== undefined && { teamId }),
    ...(isRemoved && { isAssigneeRemoved: true }),
  };
  await addEntries(tx, [{ issueId, repoId, kind: "review_request", posterId: actorId, payload }]);
  const askedIds = teamId === undefined ? [reviewerId ?? []].flat() : await calledMembersOf({ db: tx }, teamId);
  const about = { repoId, issueId, number: issue.number, isPull: true, title: issue.title } as const;
  const event = { ...about, reviewId: id, reviewerId: reviewerId ?? null, teamId: teamId ?? null, askedIds };
  await recordEvent(tx, isRemoved ? "review.request_removed" : "review.requested", event, { repoId, actorId });
}

/**
 * Withdraws requests to users and teams; ignores missing ones. Their earlier verdicts count again.
 * @throws ForgeError as {@link requestReviews}
 */
export async function withdrawRequests(
  deps: ReviewDeps,
  actor: UserActor,
  repository: RepositorySubject,
  number: string,
  wanted: RequestedReviewers,
): Promise<void> {
  await deps.db.tx(async (tx) => removeRequests(tx, actor, repository, await findPull({ db: tx }, repository, number), wanted));
}

/** The same within a transaction. */
async function removeRequests(tx: Tx, actor: UserActor, repository: RepositorySubject, pull: FoundPull, wanted: RequestedReviewers): Promise<void> {
  const { users, teams } = await resolveNames(tx, repository, wanted);
  if (users.length + teams.length === 0) return;
  const isOther = users.some(({ id }) => !isSelf(actor, id)) || teams.length > 0;
  if (isOther && !choosesReviewers(actor, repository, pull.issue)) throw cannot("Doer can't remove reviewer", actor.id, repository);
  const reviews = await listReviewsOf(
    tx,
    pull.issueId,
    users.map(({ id }) => id),
  );
  const ofTeams = teams.length === 0 ? [] : (await listRequestedTeams(tx, pull.issueId)).filter(({ teamId }) => teams.some(({ id }) => id === teamId));
  const ofUsers = reviews.filter(({ kind }) => kind === "request");
  const gone = [...ofUsers.flatMap(({ id, reviewerId }) => (reviewerId === null ? [] : { id, reviewerId })), ...ofTeams];
  await deleteReviews(
    tx,
    gone.map(({ id }) => id),
  );
  for (const request of gone) await recordRequest(tx, actor.id, pull, request, true);
  for (const { reviewerId, isOfficial } of ofUsers) if (isOfficial) await countAgain(tx, reviews, reviewerId);
  if (gone.length > 0) await noteActivity(tx, pull.issueId);
}

export interface ReviewerChanges {
  readonly added: RequestedReviewers;
  readonly removed: RequestedReviewers;
}

/** Requests and withdraws reviews in one transaction. @throws ForgeError as {@link requestReviews} */
export async function changeReviewers(
  deps: ReviewDeps,
  actor: UserActor,
  repository: RepositorySubject,
  number: string,
  { added, removed }: ReviewerChanges,
): Promise<void> {
  await deps.db.tx(async (tx) => {
    const pull = await findPull({ db: tx }, repository, number);
    await removeRequests(tx, actor, repository, pull, removed);
    await addRequests(tx, actor, repository, pull, added);
  });
}

async function countAgain(tx: Tx, reviews: readonly ReviewRow[], reviewerId: number | null): Promise<void> {
  const last = reviews.findLast((one) => one.reviewerId === reviewerId && (one.kind === "approve" || one.kind === "reject"));
  if (last !== undefined && !last.isDismissed) await updateReview(tx, last.id, { is_official: 1 });
}
