import type { RepositorySubject } from "../../../../access/subjects.ts";
import { jobAccount } from "../../../../access/system-account.ts";
import type { RefsChanged, RefUpdateEvent } from "../../../../events/events.ts";
import { changedPaths } from "../../../../git/history/changed-paths.ts";
import { peelToCommit } from "../../../../git/objects/objects.ts";
import type { Oid } from "../../../../git/types.ts";
import { findPlaceById } from "../../../repositories/repos/service/find.ts";
import { anyPasses, passes } from "../language/patterns.ts";
import type { Trigger } from "../language/workflow.ts";
import { recordWorkflows, sourceAt, type Tip, tipOfDefault } from "./default-branch.ts";
import type { RunsDeps } from "./deps.ts";
import { listWorkflowFiles } from "./files.ts";
import { startRequired } from "./required.ts";
import { canRun, startRuns } from "./start.ts";

export interface Push {
  readonly eventId: number;
  readonly actorId: number | null;
  readonly change: RefsChanged;
  readonly payloadOf: (trigger: "push" | "create" | "delete", ref: string) => Promise<object>;
}

const branches = "refs/heads/";
const tags = "refs/tags/";
/** A push of more refs starts workflows for the first ones only. */
const maxRefs = 20;
const skips = /\[(?:skip ci|ci skip|no ci|skip actions|actions skip)\]/i;

/**
 * Starts the workflows that the pushed commits contain, and follows the workflows of the default branch. A push to a repository without
 * workflows costs reads of its objects, which are in memory, and no statement.
 */
export async function followPush(deps: RunsDeps, push: Push): Promise<void> {
  const { change, actorId } = push;
  const moves = change.updates.filter(({ name }) => name.startsWith(branches) || name.startsWith(tags)).slice(0, maxRefs);
  const tips = await Promise.all(moves.map((move) => tipAfter(deps, change.storeId, move)));
  const withFiles = await Promise.all(tips.map(async (tip) => tip !== undefined && (await listWorkflowFiles(tip.store, tip.commit.oid)).length > 0));
  if (change.hasWorkflows !== true && change.requiresWorkflows !== true && !withFiles.includes(true)) return;
  const repository = await findPlaceById(deps, change.repoId);
  if (repository === undefined) return;
  // Imported and mirrored commits start nothing, and neither do pushes of jobs: they could start themselves again.
  const isFollowedOnly = change.via === "server" || actorId === jobAccount.id || !canRun(repository) || repository.isMirror;
  await followDefaultBranch(deps, push, repository);
  for (const [at, { name, oldOid }] of moves.entries()) {
    const tip = tips[at];
    if (tip === undefined) {
      if (!isFollowedOnly && change.hasWorkflows === true) await startForDeletion(deps, push, repository, name);
      continue;
    }
    if (!isFollowedOnly && change.requiresWorkflows === true) await startRequiredForCommit(deps, push, repository, tip, oldOid);
    if (isFollowedOnly || withFiles[at] !== true) continue;
    if (oldOid === null) await startForCreation(deps, push, repository, tip);
    if (!skips.test(tip.commit.message)) await startForCommit(deps, push, repository, tip, oldOid);
  }
}

async function tipAfter({ git }: RunsDeps, storeId: number, { name, newOid }: RefUpdateEvent): Promise<Tip | undefined> {
  if (newOid === null) return undefined;
  const store = git.store(storeId, newOid.length === 40 ? "sha1" : "sha256");
  const commit = await peelToCommit(store, newOid);
  return commit && { store, ref: name, commit };
}

/** Records the workflows of the default branch, however many refs were pushed: the next push compares its workflows with these. */
async function followDefaultBranch(deps: RunsDeps, { change, actorId }: Push, repository: RepositorySubject): Promise<void> {
  const move = change.updates.find(({ name }) => name === branches + repository.defaultBranch);
  const tip = move && (await tipAfter(deps, change.storeId, move));
  if (move === undefined || tip === undefined) return;
  if (change.hasWorkflows === true && (await hasSameWorkflows(tip, move.oldOid))) return;
  await recordWorkflows(deps, repository.id, tip, actorId);
}

/** Whether the workflows at a tip are those of the commit before. They are recorded then: the events of a repository are handled in their order. */
async function hasSameWorkflows({ store, commit }: Tip, oldOid: Oid | null): Promise<boolean> {
  if (oldOid === null) return false;
  const [before, now] = await Promise.all([listWorkflowFiles(store, oldOid), listWorkflowFiles(store, commit.oid)]);
  return now.length > 0 && before.length === now.length && now.every(({ path, oid }, at) => before[at]?.path === path && before[at]?.oid === oid);
}

async function startForCommit(deps: RunsDeps, push: Push, repository: RepositorySubject, tip: Tip, oldOid: Oid | null): Promise<void> {
  const { store, ref, commit } = tip;
  await startRuns(deps, {
    ...sourceAt(tip),
    repository,
    eventId: push.eventId,
    actorId: push.actorId,
    trigger: "push",
    reportsMistakes: true,
    accepts: (trigger) => acceptsPush(trigger, ref, () => changedPaths(store, oldOid ?? commit.parentOids[0], commit.oid)),
    payload: () => push.payloadOf("push", ref),
  });
}

/** Words in the message of the commit skip no workflow that the organization requires. */
async function startRequiredForCommit(deps: RunsDeps, push: Push, repository: RepositorySubject, tip: Tip, oldOid: Oid | null): Promise<void> {
  const { store, ref, commit } = tip;
  const source = { ...sourceAt(tip), repository, eventId: push.eventId, actorId: push.actorId, trigger: "push", payload: () => push.payloadOf("push", ref) };
  const accepts = (trigger: Trigger) => acceptsPush(trigger, ref, () => changedPaths(store, oldOid ?? commit.parentOids[0], commit.oid));
  await startRequired(deps, { ...source, accepts });
}

const startForCreation = (deps: RunsDeps, push: Push, repository: RepositorySubject, tip: Tip): Promise<unknown> =>
  startRuns(deps, {
    ...sourceAt(tip),
    repository,
    eventId: push.eventId,
    actorId: push.actorId,
    trigger: "create",
    accepts: () => true,
    payload: () => push.payloadOf("create", tip.ref),
  });

/** The commit of a deleted branch or tag may be gone: the workflows are those of the default branch. */
async function startForDeletion(deps: RunsDeps, push: Push, repository: RepositorySubject, ref: string): Promise<void> {
  const tip = await tipOfDefault(deps, repository);
  if (tip === undefined) return;
  await startRuns(deps, {
    ...sourceAt(tip),
    repository,
    eventId: null,
    cause: `event ${push.eventId} ${ref}`,
    actorId: push.actorId,
    trigger: "delete",
    accepts: () => true,
    payload: () => push.payloadOf("delete", ref),
  });
}

/** Filters of branches alone exclude tags, and the reverse. Tags have no changed paths. */
export async function acceptsPush(trigger: Trigger, ref: string, changed: () => Promise<readonly string[]>): Promise<boolean> {
  const hasBranches = trigger.branches !== undefined || trigger.branchesIgnore !== undefined;
  const hasTags = trigger.tags !== undefined || trigger.tagsIgnore !== undefined;
  if (ref.startsWith(tags)) return (hasTags || !hasBranches) && passes(trigger.tags, trigger.tagsIgnore, ref.slice(tags.length));
  if ((hasTags && !hasBranches) || !passes(trigger.branches, trigger.branchesIgnore, ref.slice(branches.length))) return false;
  return trigger.paths === undefined && trigger.pathsIgnore === undefined ? true : anyPasses(trigger.paths, trigger.pathsIgnore, await changed());
}
