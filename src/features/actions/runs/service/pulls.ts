import { operator } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { isForgeError } from "../../../../core/errors.ts";
import { changedPaths } from "../../../../git/history/changed-paths.ts";
import { readCommit } from "../../../../git/objects/objects.ts";
import type { GitStore } from "../../../../git/stores.ts";
import { loadUsers } from "../../../accounts/users/service/accounts.ts";
import type { PullView } from "../../../collaboration/pulls/model.ts";
import type { PullDeps } from "../../../collaboration/pulls/service/deps.ts";
import { getPull } from "../../../collaboration/pulls/service/find.ts";
import { findRepositoryById } from "../../../repositories/repos/service/find.ts";
import { rightsOfUsers } from "../../../repositories/repos/service/user-rights.ts";
import { anyPasses, passes } from "../language/patterns.ts";
import type { Trigger } from "../language/workflow.ts";
import { isApproved } from "../store/runs.ts";
import { activityOf } from "./activities.ts";
import type { RunsDeps } from "./deps.ts";
import { startRequired } from "./required.ts";
import { canRun, type RunSource, startRuns } from "./start.ts";
import type { EventTrigger } from "./triggers.ts";

export interface PullTriggerDeps extends RunsDeps, PullDeps {
  readonly payloadOf: (activity: string) => Promise<object | undefined>;
}

/** The pull request of an event. */
export interface PullTrigger extends EventTrigger {
  readonly number: number;
}

/** The activities that start workflows without `types`. */
const usualActivities: readonly string[] = ["opened", "synchronize", "reopened"];

/**
 * Starts the workflows of a pull request: those of its head with `pull_request` and `pull_request_review`, without secrets if the head is not
 * in this repository; those of its base with `pull_request_target`.
 */
export async function startForPull(deps: PullTriggerDeps, trigger: PullTrigger): Promise<void> {
  const found = await find(deps, trigger);
  if (found === undefined || !canRun(found.repository)) return;
  const { repository, pull } = found;
  const base = deps.git.store(pull.codeStoreId, pull.objectFormat);
  const head = await storeOfHead(deps, base, pull);
  const isOfPull = trigger.trigger === "pull_request";
  const usual = isOfPull ? usualActivities : trigger.activities;
  const common = {
    repository,
    eventId: trigger.eventId,
    actorId: trigger.actorId,
    baseRef: pull.baseBranch,
    headRef: pull.headBranch,
    title: pull.issue.title,
    accepts: async (given: Trigger) => activityOf(given, trigger.activities, usual) !== undefined && (!isOfPull || (await passesFilters(given, pull, head))),
    payload: async (given: Trigger) => (await deps.payloadOf(activityOf(given, trigger.activities, usual) ?? "")) ?? {},
  } satisfies Partial<RunSource>;
  if (head !== undefined) {
    const isFromFork = pull.headRepoId !== repository.id || pull.flow === "agit";
    const ofHead = {
      ...common,
      trigger: trigger.trigger,
      ref: `refs/pull/${pull.number}/head`,
      oid: pull.headOid,
      isFromFork,
      needsApproval: isFromFork && !(await isTrusted(deps, repository, pull, trigger.actorId)),
      files: { store: head, commitOid: pull.headOid },
    };
    const isUsual = isOfPull && trigger.activities.some((activity) => usualActivities.includes(activity));
    // Filters of branches and paths do not exempt a pull request from a workflow that the organization requires.
    if (isUsual && trigger.requiresWorkflows === true) {
      const payload = async () => (await deps.payloadOf(activityOf({}, trigger.activities, usual) ?? "")) ?? {};
      await startRequired(deps, { ...ofHead, accepts: () => true, payload });
    }
    if (trigger.hasWorkflows === false) return;
    await startRuns(deps, { ...ofHead, reportsMistakes: isUsual });
  }
  if (trigger.hasWorkflows === false) return;
  if (isOfPull && pull.baseTipOid !== null) {
    const ref = `refs/heads/${pull.baseBranch}`;
    await startRuns(deps, { ...common, trigger: "pull_request_target", ref, oid: pull.baseTipOid, files: { store: base, commitOid: pull.baseTipOid } });
  }
}

/** @returns undefined if the repository or the pull request is gone */
async function find(deps: PullDeps, { repoId, number }: PullTrigger): Promise<{ readonly repository: RepositorySubject; readonly pull: PullView } | undefined> {
  try {
    const repository = await findRepositoryById(deps, repoId, operator);
    return { repository, pull: await getPull(deps, { actor: operator, repository }, number) };
  } catch (error) {
    if (isForgeError(error, "not_found")) return undefined;
    throw error;
  }
}

/** The store that has the head: that of the base, or of the fork. */
async function storeOfHead(deps: PullDeps, base: GitStore, pull: PullView): Promise<GitStore | undefined> {
  if ((await readCommit(base, pull.headOid)) !== undefined) return base;
  const fork = pull.headStoreId === null ? undefined : deps.git.store(pull.headStoreId, pull.objectFormat);
  return fork !== undefined && (await readCommit(fork, pull.headOid)) !== undefined ? fork : undefined;
}

async function passesFilters(trigger: Trigger, pull: PullView, store: GitStore | undefined): Promise<boolean> {
  if (!passes(trigger.branches, trigger.branchesIgnore, pull.baseBranch)) return false;
  if (trigger.paths === undefined && trigger.pathsIgnore === undefined) return true;
  const changed = store === undefined || pull.mergeBaseOid === null ? [] : await changedPaths(store, pull.mergeBaseOid, pull.headOid);
  return anyPasses(trigger.paths, trigger.pathsIgnore, changed);
}

/**
 * Whether the code of a fork runs without an approval: its author may write here, and so may the actor. A user with write access who labels
 * or reviews the pull request of another user does not approve its code by that. An approval covers all runs of its commit.
 */
async function isTrusted(deps: PullTriggerDeps, repository: RepositorySubject, pull: PullView, actorId: number | null): Promise<boolean> {
  const ids = [...new Set([actorId, pull.issue.posterId])];
  const users = await loadUsers(
    deps,
    ids.flatMap((id) => id ?? []),
  );
  const rights = await rightsOfUsers(deps, repository.id, [...users.values()]);
  const mayWrite = (id: number | null): boolean => {
    const right = id === null ? undefined : rights.get(id);
    return right !== undefined && atLeast(right.unit("repo.code"), "write");
  };
  return ids.every(mayWrite) || (await isApproved(deps.db, repository.id, pull.headOid));
}
