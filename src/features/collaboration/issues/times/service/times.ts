import { type Actor, isSelf, isSiteAdmin, type UserActor } from "../../../../../access/actor.ts";
import { atLeast } from "../../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import type { Clock } from "../../../../../core/clock.ts";
import { conflict, type ForgeError, forbidden, invalid, malformed, notFound } from "../../../../../core/errors.ts";
import { readId } from "../../../../../core/ids.ts";
import type { Page, Paged } from "../../../../../core/paging.ts";
import type { Db, Reader, Tx } from "../../../../../db/db.ts";
import { findUserByName } from "../../../../accounts/users/service/accounts.ts";
import { findRepositoriesById } from "../../../../repositories/repos/service/find.ts";
import { readableRepositories } from "../../../../repositories/repos/service/visible.ts";
import type { UpdatedRange } from "../../conversation/store/comments.ts";
import type { IssueRow, StopwatchView, TrackedTimeView } from "../../model.ts";
import { canReadIssue, canWriteIssue } from "../../rights.ts";
import { changeIssue } from "../../service/change.ts";
import { requireIssue } from "../../service/find.ts";
import { loadIssueViews } from "../../service/loaders.ts";
import { loadIssueRows } from "../../store/rows.ts";
import {
  deleteStopwatch,
  deleteTime,
  deleteTimesOf,
  findStopwatch,
  findTrackerSettings,
  insertStopwatch,
  insertTime,
  listStopwatches,
  loadTimes,
  type NamedTimeRow,
  pageTimes,
  type TimeScope,
} from "../store.ts";
import { timeText } from "../time-text.ts";
import { stopOwnStopwatch } from "./stopwatch-steps.ts";

/** Longest accepted time, a hundred years; a negative time subtracts. */
const maxSeconds = 100 * 366 * 86_400;

export interface TimeQuery extends UpdatedRange {
  /** Name of the user whose times are listed; empty: all users. */
  readonly user: string;
  /** The user is part of the path, which does not exist for an unknown one. */
  readonly isUserInPath?: true;
}

const switchedOff = (): ForgeError => malformed("time tracking disabled", { reason: "time_tracking_off" });

/**
 * Requires time tracking. Callers who can only read see only their own times. @throws ForgeError `malformed` if time tracking is disabled
 */
async function requireTracking(db: Reader, repoId: number): Promise<{ readonly isForContributors: boolean }> {
  const settings = await findTrackerSettings(db, repoId);
  if (settings === undefined) throw notFound();
  if (!settings.enableTimeTracker) throw switchedOff();
  return { isForContributors: settings.allowOnlyContributorsToTrackTime };
}

/** The tracked times of an issue. @throws ForgeError `not_found`, `malformed`; `forbidden` for other users' times */
export async function listIssueTimes(
  deps: { readonly db: Reader },
  actor: UserActor,
  repository: RepositorySubject,
  number: string,
  query: TimeQuery,
  page: Page,
): Promise<Paged<TrackedTimeView>> {
  const issue = await requireIssue(deps, repository, number);
  return listTimes(deps, actor, repository, { issueId: issue.id }, query, page);
}

/** The tracked times of a repository; all of them without a page. @throws ForgeError as {@link listIssueTimes} */
export const listRepositoryTimes = (
  deps: { readonly db: Reader },
  actor: UserActor,
  repository: RepositorySubject,
  query: TimeQuery,
  page?: Page,
): Promise<Paged<TrackedTimeView>> => {
  if (!canReadIssue(repository, { isPull: false })) throw notFound();
  return listTimes(deps, actor, repository, { repoId: repository.id }, query, page);
};

async function listTimes(
  deps: { readonly db: Reader },
  actor: UserActor,
  repository: RepositorySubject,
  scope: TimeScope,
  query: TimeQuery,
  page: Page | undefined,
): Promise<Paged<TrackedTimeView>> {
  await requireTracking(deps.db, repository.id);
  const user = query.user === "" ? undefined : await findUserByName(deps, query.user);
  if (query.user !== "" && user === undefined) {
    const problem = `user does not exist [uid: 0, name: ${query.user}]`;
    throw query.isUserInPath === true ? notFound("not found", { details: [problem] }) : notFound(problem, { reason: "user_not_found" });
  }
  const seesAll = isSiteAdmin(actor) || canWriteIssue(repository, { isPull: false });
  if (!seesAll && user !== undefined && user.id !== actor.id) throw forbidden("query by user not allowed; not enough rights");
  const accountId = user?.id ?? (seesAll ? undefined : actor.id);
  const { items, total } = await pageTimes(deps.db, { scope, accountId, sinceMs: query.sinceMs, beforeMs: query.beforeMs }, page);
  return { items: await withIssues(deps, actor, items), total };
}

/** The caller's own times, in repositories that they can still read. */
export async function listOwnTimes(deps: { readonly db: Reader }, actor: UserActor, range: UpdatedRange, page: Page): Promise<Paged<TrackedTimeView>> {
  const { items, total } = await pageTimes(deps.db, { ...range, scope: { readable: readableRepositories(actor) }, accountId: actor.id }, page);
  return { items: await withIssues(deps, actor, items), total };
}

/** Adds the issues to times; leaves out issues that the caller cannot read. */
async function withIssues(deps: { readonly db: Reader }, actor: Actor, times: readonly NamedTimeRow[]): Promise<TrackedTimeView[]> {
  if (times.length === 0) return [];
  const rows = await loadIssueRows(deps.db, [...new Set(times.map(({ issueId }) => issueId))]);
  const subjects = await findRepositoriesById(
    deps,
    [...rows.values()].map(({ repoId }) => repoId),
    actor,
  );
  const readable = [...rows.values()].filter((row) => {
    const subject = subjects.get(row.repoId);
    return subject !== undefined && canReadIssue(subject, row);
  });
  const views = new Map((await loadIssueViews(deps, readable, subjects)).map((view) => [view.id, view]));
  return times.map((time) => ({ ...time, issue: views.get(time.issueId) }));
}

/** @throws ForgeError `malformed` if time tracking is disabled; `invalid` for an invalid time */
export async function requireEstimate(tx: Tx, repoId: number, seconds: number): Promise<void> {
  await requireTracking(tx, repoId);
  if (seconds < 0 || seconds > maxSeconds) throw invalid(`[TimeEstimate]: must be between 0 and ${maxSeconds} seconds`, { reason: "time_out_of_range" });
}

/** @throws ForgeError `malformed`, `forbidden` */
async function requireTracker(tx: Tx, repository: RepositorySubject, issue: IssueRow): Promise<void> {
  const { isForContributors } = await requireTracking(tx, repository.id);
  if (isForContributors && !canWriteIssue(repository, issue)) throw forbidden("only users with write access to issues may track time");
}

export interface NewTime {
  readonly seconds: number;
  /** Null: now. */
  readonly createdMs: number | null;
  /** User who spent the time; empty: the caller. */
  readonly user: string;
}

/**
 * Adds a tracked time: the caller's own, or that of another user if the caller administers the repository.
 * @throws ForgeError `not_found`, `malformed`, `invalid`, `forbidden`
 */
export async function addTime(
  deps: { readonly db: Db },
  actor: UserActor,
  repository: RepositorySubject,
  number: string,
  time: NewTime,
): Promise<TrackedTimeView> {
  if (time.seconds === 0) throw invalid("[Time]: Required", { reason: "required" });
  if (Math.abs(time.seconds) > maxSeconds) throw invalid(`[Time]: must be at most ${maxSeconds} seconds`, { reason: "time_out_of_range" });
  const row = await deps.db.tx(async (tx) => {
    const issue = await requireIssue({ db: tx }, repository, number);
    await requireTracker(tx, repository, issue);
    const accountId = await requireTimeOwner(tx, actor, repository, time.user);
    const createdMs = time.createdMs ?? tx.nowMs;
    const id = await insertTime(tx, { issueId: issue.id, repoId: issue.repoId, accountId, seconds: time.seconds, createdMs });
    const change = changeIssue(tx, actor.id, issue);
    change.note("add_time_manual", { content: timeText(time.seconds), payload: { timeId: id } });
    change.announce("issue.time_tracked", { timeId: id, accountId, seconds: time.seconds });
    await change.finish();
    return (await loadTimes(tx, [id])).get(id);
  });
  const [view] = row === undefined ? [] : await withIssues(deps, actor, [row]);
  if (view === undefined) throw notFound();
  return view;
}

/** @compat other users' names are ignored, except from administrators (conversation/discussion.test.ts) */
async function requireTimeOwner(tx: Tx, actor: UserActor, repository: RepositorySubject, name: string): Promise<number> {
  if (name === "" || !(isSiteAdmin(actor) || atLeast(repository.right.mode, "admin"))) return actor.id;
  const user = await findUserByName({ db: tx }, name);
  if (user === undefined) throw notFound(`user does not exist [uid: 0, name: ${name}]`, { reason: "user_not_found" });
  return user.id;
}

/** Deletes a tracked time: the caller's own, or any time for a site administrator. @throws ForgeError `not_found`, `malformed`, `forbidden` */
export async function removeTime(deps: { readonly db: Db }, actor: UserActor, repository: RepositorySubject, number: string, id: string): Promise<void> {
  await deps.db.tx(async (tx) => {
    const issue = await requireIssue({ db: tx }, repository, number);
    await requireTracker(tx, repository, issue);
    const time = (await loadTimes(tx, [readId(id)])).get(readId(id));
    if (time?.issueId !== issue.id) throw notFound();
    if (time.isDeleted) throw notFound("tracked time was already deleted");
    if (!isSelf(actor, time.accountId) && !isSiteAdmin(actor)) throw forbidden("only the user and site administrators may delete a tracked time");
    await deleteTime(tx, time.id);
    const change = changeIssue(tx, actor.id, issue);
    change.note("delete_time_manual", { content: timeText(time.seconds) });
    change.announce("issue.time_deleted", { accountId: time.accountId, seconds: time.seconds });
    await change.finish();
  });
}

/** Deletes all of the caller's times on an issue. @throws ForgeError `not_found`, also without any */
export async function resetTimes(deps: { readonly db: Db }, actor: UserActor, repository: RepositorySubject, number: string): Promise<void> {
  await deps.db.tx(async (tx) => {
    const issue = await requireIssue({ db: tx }, repository, number);
    await requireTracker(tx, repository, issue);
    const times = await deleteTimesOf(tx, issue.id, actor.id);
    if (times.length === 0) throw notFound("tracked_time does not exist");
    const seconds = times.reduce((sum, one) => sum + one, 0);
    const change = changeIssue(tx, actor.id, issue);
    change.note("delete_time_manual", { content: timeText(seconds) });
    change.announce("issue.time_deleted", { accountId: actor.id, seconds });
    await change.finish();
  });
}

/** The caller's running stopwatches, on issues that they can still read. */
export async function listOwnStopwatches(deps: { readonly db: Reader; readonly clock: Clock }, actor: UserActor): Promise<readonly StopwatchView[]> {
  const running = await listStopwatches(deps.db, actor.id, deps.clock.now());
  return stillRead(deps.db, actor, running);
}

/** Filters items to those whose issues an actor can read. At most one statement. */
async function stillRead<T extends Pick<IssueRow, "repoId" | "isPull">>(db: Reader, actor: Actor, things: readonly T[]): Promise<readonly T[]> {
  if (things.length === 0) return things;
  const repoIds = things.map(({ repoId }) => repoId);
  const subjects = await findRepositoriesById({ db }, repoIds, actor);
  return things.filter((thing) => {
    const subject = subjects.get(thing.repoId);
    return subject !== undefined && canReadIssue(subject, thing);
  });
}

/** Starts the caller's stopwatch; a stopwatch on another issue is stopped and saved there if the caller can still read that issue. */
export async function startStopwatch(deps: { readonly db: Db }, actor: UserActor, repository: RepositorySubject, number: string): Promise<void> {
  await withStopwatch(deps, repository, number, async (tx, issue) => {
    const running = await findStopwatch(tx, actor.id);
    if (running?.issueId === issue.id) throw conflict("cannot start a stopwatch again if it already exists", { reason: "changed_meanwhile" });
    if (running !== undefined) {
      const others = [...(await loadIssueRows(tx, [running.issueId])).values()];
      for (const other of await stillRead(tx, actor, others)) {
        const there = changeIssue(tx, actor.id, other);
        await stopOwnStopwatch(there);
        await there.finish();
      }
      await deleteStopwatch(tx, actor.id);
    }
    await insertStopwatch(tx, actor.id, issue.id);
    const change = changeIssue(tx, actor.id, issue);
    change.note("start_tracking");
    await change.finish();
  });
}

/** Stops the caller's stopwatch and saves the tracked time. */
export async function stopStopwatch(deps: { readonly db: Db }, actor: UserActor, repository: RepositorySubject, number: string): Promise<void> {
  await withStopwatch(deps, repository, number, async (tx, issue) => {
    const change = changeIssue(tx, actor.id, issue);
    if (!(await stopOwnStopwatch(change))) throw conflict("cannot stop a non-existent stopwatch", { reason: "changed_meanwhile" });
    await change.finish();
  });
}

/** Discards the caller's stopwatch. */
export async function cancelStopwatch(deps: { readonly db: Db }, actor: UserActor, repository: RepositorySubject, number: string): Promise<void> {
  await withStopwatch(deps, repository, number, async (tx, issue) => {
    const running = await findStopwatch(tx, actor.id);
    if (running?.issueId !== issue.id) throw conflict("cannot cancel a non-existent stopwatch", { reason: "changed_meanwhile" });
    await deleteStopwatch(tx, actor.id);
    const change = changeIssue(tx, actor.id, issue);
    change.note("cancel_tracking");
    await change.finish();
  });
}

/** @throws ForgeError `not_found`, `malformed`, `conflict`, `forbidden` */
const withStopwatch = (
  deps: { readonly db: Db },
  repository: RepositorySubject,
  number: string,
  work: (tx: Tx, issue: IssueRow) => Promise<void>,
): Promise<void> =>
  deps.db.tx(async (tx) => {
    const issue = await requireIssue({ db: tx }, repository, number);
    await requireTracker(tx, repository, issue);
    await work(tx, issue);
  });
