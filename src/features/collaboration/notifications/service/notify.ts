import { atLeast, type RepositoryRight, type Unit } from "../../../../access/repository.ts";
import type { Tx } from "../../../../db/db.ts";
import type { RecordedEvent } from "../../../../events/events.ts";
import { announcedEventTypes } from "../../../../events/issue-events.ts";
import { loadUsers } from "../../../accounts/users/service/accounts.ts";
import { listOwnerIds } from "../../../organizations/orgs/service/owners.ts";
import { rightsOfUsers } from "../../../repositories/repos/service/user-rights.ts";
import { unitOf } from "../../issues/rights.ts";
import {
  type Candidate,
  findFollowers,
  type Named,
  type News,
  notify,
  notifyFollowersAmong,
  notifyOfCommit,
  notifyOfCommitComment,
  notifyOfRepository,
  notifyOpenFollowers,
} from "../store/recipients.ts";
import { deleteReleaseThreads, findGuardedWatchers, notifyReleaseWatchers } from "../store/release-recipients.ts";
import { moveThreads } from "../store/threads.ts";

/** Events that notify subscribers or named users. */
export const newsTypes = announcedEventTypes;
export type NewsEvent = RecordedEvent<(typeof announcedEventTypes)[number]>;

/**
 * Writes the notifications for a transaction's events before it commits: threads for subscribers, mentioned users and assignees who
 * can read the subject. One statement, one more with subscribers and one for named users, for any number of issues and subscribers;
 * three more for each repository that is not public, and one for each transferred issue.
 */
export async function notifyOfNews(tx: Tx, events: readonly NewsEvent[]): Promise<void> {
  for (const { payload } of events) if ("formerRepoId" in payload) await moveThreads(tx, payload.issueId, payload.repoId);
  for (const news of broadcasts(events)) {
    const { hasOpen, guarded } = await findFollowers(tx, news);
    if (hasOpen) await notifyOpenFollowers(tx, news);
    if (guarded.length > 0) await notifyReaders(tx, news, guarded);
  }
  for (const { news, named } of addressed(events)) await notify(tx, news, named);
}

const followedTypes: ReadonlySet<string> = new Set<NewsEvent["type"]>([
  "issue.created",
  "issue.closed",
  "issue.reopened",
  "issue.received",
  "comment.created",
  "review.submitted",
]);

/** Notifications for all subscribers, by author and comment: a push that closes many issues is one notification. */
function broadcasts(events: readonly NewsEvent[]): readonly News[] {
  const followed = events.filter(({ type }) => followedTypes.has(type));
  const groups = Map.groupBy(followed, (event) => `${event.actorId} ${commentOf(event)}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    return { issueIds: [...new Set(group.map(({ payload }) => payload.issueId))], actorId: first.actorId ?? 0, commentId: commentOf(first) };
  });
}

const commentOf = ({ payload }: NewsEvent): number | null => ("commentId" in payload ? payload.commentId : null);

interface Addressed {
  readonly news: News;
  readonly named: Named;
}

/** Users whom an issue mentions or is assigned to, by issue and comment. Their access was checked when they were named. */
function addressed(events: readonly NewsEvent[]): readonly Addressed[] {
  const groups = Map.groupBy(events, (event) => `${event.actorId} ${event.payload.issueId} ${commentOf(event)}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    const payloads = group.map(({ payload }) => payload);
    const named = {
      mentionedIds: payloads.flatMap((payload) => ("mentionedIds" in payload ? payload.mentionedIds : [])),
      askedIds: payloads.flatMap((payload) => ("askedIds" in payload ? payload.askedIds : [])),
      assigneeIds: payloads.flatMap((payload) => ("assigneeId" in payload ? [payload.assigneeId] : [])),
    };
    if (first === undefined || Object.values(named).every((ids) => ids.length === 0)) return [];
    return { news: { issueIds: [first.payload.issueId], actorId: first.actorId ?? 0, commentId: commentOf(first) }, named };
  });
}

/** Notifies those subscribers who can read the subject. */
async function notifyReaders(tx: Tx, news: News, guarded: readonly Candidate[]): Promise<void> {
  for (const [repoId, candidates] of Map.groupBy(guarded, (candidate) => candidate.repoId)) {
    const users = await loadUsers({ db: tx }, [...new Set(candidates.map(({ accountId }) => accountId))]);
    const rights = await rightsOfUsers({ db: tx }, repoId, [...users.values()]);
    for (const [isPull, group] of Map.groupBy(candidates, (candidate) => candidate.isPull)) {
      const readers = readersAmong(rights, unitOf({ isPull }));
      await notifyFollowersAmong(tx, { ...news, issueIds: [...new Set(group.map(({ issueId }) => issueId))] }, readers);
    }
  }
}

const readersAmong = (rights: ReadonlyMap<number, RepositoryRight>, unit: Unit): readonly number[] =>
  [...rights].filter(([, right]) => atLeast(right.unit(unit), "read")).map(([id]) => id);

/** Those of the accounts who can read a unit of a repository. Two statements, none without accounts. */
async function readersOf(tx: Tx, repoId: number, unit: Unit, accountIds: readonly number[]): Promise<readonly number[]> {
  if (accountIds.length === 0) return [];
  const users = await loadUsers({ db: tx }, accountIds);
  return readersAmong(await rightsOfUsers({ db: tx }, repoId, [...users.values()]), unit);
}

/** Notifies users mentioned in commit messages. One statement for each commit that mentions users. */
export async function notifyMentioned(tx: Tx, events: readonly RecordedEvent<"commit.mentioned">[]): Promise<void> {
  for (const { payload } of events) await notifyOfCommit(tx, payload.repoId, payload.oid, payload.mentionedIds);
}

/** Notifies users of a comment on a commit. One statement for each reason. */
export async function notifyCommented(tx: Tx, events: readonly RecordedEvent<"commit.commented">[]): Promise<void> {
  for (const { payload } of events) {
    const { repoId, oid, authorIds, commenterIds, mentionedIds } = payload;
    await notifyOfCommitComment(tx, { repoId, oid, reason: "mention" }, mentionedIds);
    await notifyOfCommitComment(tx, { repoId, oid, reason: "author" }, authorIds);
    await notifyOfCommitComment(tx, { repoId, oid, reason: "comment" }, commenterIds);
  }
}

/**
 * Notifies watchers of published releases, and deletes the threads about releases that became drafts. Pre-releases notify no one, as in
 * Gitea. Two statements for each published release, two more with watchers whose access is checked, and one for all drafts.
 */
export async function notifyOfReleases(tx: Tx, events: readonly RecordedEvent<"release.published" | "release.drafted">[]): Promise<void> {
  const drafted = events.filter(({ type }) => type === "release.drafted");
  if (drafted.length > 0)
    await deleteReleaseThreads(
      tx,
      drafted.map(({ payload }) => payload.releaseId),
    );
  for (const { type, payload, actorId } of events) {
    if (type !== "release.published" || payload.isPrerelease) continue;
    const { repoId, releaseId } = payload;
    const news = { repoId, releaseId, actorId };
    await notifyReleaseWatchers(tx, news, await readersOf(tx, repoId, "repo.releases", await findGuardedWatchers(tx, news)));
  }
}

/** Notifies the new owner of a transferred repository, or the owners of the organization. */
export async function notifyNewOwners(tx: Tx, events: readonly RecordedEvent<"repo.transferred" | "repo.transfer_requested">[]): Promise<void> {
  for (const { payload, actorId } of events) {
    const owners = await listOwnerIds({ db: tx }, "memberId" in payload ? payload.memberId : payload.ownerId);
    await notifyOfRepository(
      tx,
      payload.repoId,
      owners.filter((id) => id !== actorId),
    );
  }
}
