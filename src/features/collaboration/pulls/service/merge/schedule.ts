import { isSelf, type UserActor } from "../../../../../access/actor.ts";
import { atLeast } from "../../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../../access/subjects.ts";
import { conflict, forbidden, isForgeError, notFound } from "../../../../../core/errors.ts";
import type { Tx } from "../../../../../db/db.ts";
import { defineJob, enqueue } from "../../../../../jobs/job.ts";
import { loadUsers } from "../../../../accounts/users/service/accounts.ts";
import { findRepositoriesById } from "../../../../repositories/repos/service/find.ts";
import { getSettings } from "../../../../repositories/repos/service/settings.ts";
import { asActor } from "../../../../repositories/repos/service/user-rights.ts";
import { changeIssue } from "../../../issues/service/change.ts";
import { isRule } from "../../mergeability.ts";
import type { FoundPull } from "../../model.ts";
import { deleteAutoMerge, findAutoMerge, insertAutoMerge, listWaiting, type WaitingPull } from "../../store/auto-merges.ts";
import type { PullDeps } from "../deps.ts";
import { recordPullEvent } from "../events.ts";
import { findPull } from "../find.ts";
import { mergeIfMet } from "./merge.ts";
import type { MergeRequest } from "./request.ts";
import { requireAll } from "./requirements.ts";

/**
 * Merges as soon as the rules of the base branch allow it: now, or when the last missing requirement is met.
 * @returns whether it is merged; otherwise it waits
 * @throws ForgeError as `mergePull`, also if a requirement is missing that is no rule; `conflict` if an auto merge is already scheduled
 */
export async function mergeWhenReady(
  deps: PullDeps,
  actor: UserActor,
  repository: RepositorySubject,
  number: string,
  request: MergeRequest,
  signal?: AbortSignal,
): Promise<boolean> {
  const missing = await mergeIfMet(deps, actor, repository, number, { ...request, isForced: false }, signal);
  if (missing.length === 0) return true;
  requireAll(missing.filter((one) => !isRule(one)));
  await deps.db.tx(async (tx) => {
    const pull = await findPull({ db: tx }, repository, number);
    const { style, title, message, deletesBranch, expectedHeadOid } = request;
    if (expectedHeadOid !== "" && expectedHeadOid !== pull.headOid) throw conflict("head out of date", { reason: "head_moved" });
    const deletes = deletesBranch ?? (await getSettings({ db: tx }, repository.id)).defaultDeleteBranchAfterMerge;
    const waiting = { pullId: pull.id, accountId: actor.id, style, title, message, deletesBranch: deletes, headOid: pull.headOid };
    if (!(await insertAutoMerge(tx, waiting)))
      throw conflict(`pull request is already scheduled to auto merge when checks succeed [pull_id: ${pull.id}]`, { reason: "merge_scheduled" });
    await note(tx, actor.id, pull, "pull_scheduled_merge");
    await recordPullEvent(tx, actor.id, pull, "pull.merge_scheduled", { style });
  });
  return false;
}

async function note(tx: Tx, actorId: number | null, pull: FoundPull, kind: "pull_scheduled_merge" | "pull_cancel_scheduled_merge"): Promise<void> {
  const change = changeIssue(tx, actorId, pull.issue);
  change.note(kind);
  await change.finish();
}

/**
 * @throws ForgeError `not_found` if no auto merge is scheduled; `forbidden` for callers who neither scheduled it nor administer the
 * repository
 */
export async function cancelAutoMerge(deps: PullDeps, actor: UserActor, repository: RepositorySubject, number: string): Promise<void> {
  await deps.db.tx(async (tx) => {
    const pull = await findPull({ db: tx }, repository, number);
    const waiting = await findAutoMerge(tx, pull.id);
    if (waiting === undefined) throw notFound();
    if (!isSelf(actor, waiting.accountId) && !atLeast(repository.right.mode, "admin")) {
      throw forbidden("user has no permission to cancel the scheduled auto merge");
    }
    await drop(tx, actor.id, pull);
  });
}

async function drop(tx: Tx, actorId: number | null, pull: FoundPull): Promise<void> {
  if (!(await deleteAutoMerge(tx, pull.id))) return;
  await note(tx, actorId, pull, "pull_cancel_scheduled_merge");
  await recordPullEvent(tx, actorId, pull, "pull.merge_unscheduled", {});
}

/** Retries an auto merge after the server was too busy, or could not store it. */
export const mergeWaitingJob = defineJob<WaitingPull>("pulls.merge_waiting");

/** Tries the auto merges for a commit or a pull request. One with unmet rules keeps waiting. */
export async function mergeWaiting(deps: PullDeps, repoId: number, of: { readonly headOid?: string; readonly issueId?: number }): Promise<void> {
  for (const waiting of await listWaiting(deps.db, repoId, of)) {
    try {
      await tryWaiting(deps, waiting);
    } catch (error) {
      if (!isForgeError(error, "unavailable")) throw error;
      // Its condition has been met, so no other event triggers another try.
      await deps.db.tx((tx) => enqueue(tx, mergeWaitingJob, waiting, { dedupeKey: String(waiting.pullId), runAtMs: tx.nowMs + mergeWaitingJob.firstRetryMs }));
    }
  }
}

/** @throws ForgeError `unavailable` if it must be retried */
export async function tryWaiting(deps: PullDeps, { pullId, repoId, number }: WaitingPull): Promise<void> {
  const waiting = await findAutoMerge(deps.db, pullId);
  if (waiting === undefined || waiting.style === "manually-merged") return;
  const { style, title, message, deletesBranch, accountId, headOid } = waiting;
  const user = (await loadUsers(deps, [accountId])).get(accountId);
  const actor = user?.isActive === true && !user.prohibitLogin ? asActor(user) : undefined;
  const repository = actor && (await findRepositoriesById(deps, [repoId], actor)).get(repoId);
  if (actor === undefined || repository === undefined) return;
  try {
    // The head seen by the user who scheduled it.
    const missing = await mergeIfMet(deps, actor, repository, number, {
      style,
      title,
      message,
      expectedHeadOid: headOid,
      deletesBranch,
      isForced: false,
      isScheduled: true,
    });
    if (missing.some(isRule)) return;
    requireAll(missing);
  } catch (error) {
    if (!isForgeError(error) || error.code === "unavailable") throw error;
    deps.log.info({ repoId, number, err: error }, "an auto merge failed and is canceled");
    await deps.db.tx(async (tx) => {
      const pull = await findPull({ db: tx }, repository, number);
      if (pull.merged === null) await drop(tx, null, pull);
    });
  }
}
