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
import type { RunsDeps } from "./deps.ts";
import { canRun, type RunSource, startRuns } from "./start.ts";
import type { PullTrigger } from "./trigger-job.ts";

export interface PullTriggerDeps extends RunsDeps, PullDeps {
  readonly payloadOf: (pull: PullView, activity: string) => Promise<object>;
}

const usualActivities: readonly string[] = ["opened", "synchronize", "reopened"];

/**
 * Starts the workflows of a pull request: those of its head with `pull_request`, without secrets if the head is not in this repository; those
 * of its base with `pull_request_target`.
 */
export async function startForPull(deps: PullTriggerDeps, trigger: PullTrigger): Promise<void> {
  const found = await find(deps, trigger);
  if (found === undefined || !canRun(found.repository)) return;
  const { repository, pull } = found;
  const base = deps.git.store(pull.codeStoreId, pull.objectFormat);
  const head = await storeOfHead(deps, base, pull);
  const isFromFork = pull.headRepoId !== repository.id || pull.flow === "agit";
  const common = {
    repository,
    eventId: trigger.eventId,
    actorId: trigger.actorId,
    baseRef: pull.baseBranch,
    headRef: pull.headBranch,
    title: pull.issue.title,
    accepts: (given: Trigger) => accepts(given, trigger.activity, pull, head),
    payload: () => deps.payloadOf(pull, trigger.activity),
  } satisfies Partial<RunSource>;
  if (head !== undefined) {
    const needsApproval = isFromFork && !(await mayWrite(deps, repository, trigger.actorId));
    const ref = `refs/pull/${pull.number}/head`;
    await startRuns(deps, {
      ...common,
      trigger: "pull_request",
      ref,
      oid: pull.headOid,
      isFromFork,
      needsApproval,
      files: { store: head, commitOid: pull.headOid },
    });
  }
  if (pull.baseTipOid !== null) {
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

async function accepts(trigger: Trigger, activity: string, pull: PullView, store: GitStore | undefined): Promise<boolean> {
  if (!(trigger.types ?? usualActivities).includes(activity) || !passes(trigger.branches, trigger.branchesIgnore, pull.baseBranch)) return false;
  if (trigger.paths === undefined && trigger.pathsIgnore === undefined) return true;
  const changed = store === undefined || pull.mergeBaseOid === null ? [] : await changedPaths(store, pull.mergeBaseOid, pull.headOid);
  return anyPasses(trigger.paths, trigger.pathsIgnore, changed);
}

async function mayWrite(deps: PullDeps, repository: RepositorySubject, actorId: number | null): Promise<boolean> {
  const users = actorId === null ? new Map() : await loadUsers(deps, [actorId]);
  const rights = await rightsOfUsers(deps, repository.id, [...users.values()]);
  return [...rights.values()].some((right) => atLeast(right.unit("repo.code"), "write"));
}
